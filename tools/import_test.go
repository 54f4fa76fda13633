package tools_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
	"agentmemory/lifecycle"
	"agentmemory/store"
	"agentmemory/tools"
)

type noMirror struct{}

func (noMirror) Notify() {}

func importZone() *time.Location { return time.FixedZone("CST", 8*3600) }

func importNow() time.Time { return time.Date(2026, 3, 11, 21, 30, 0, 0, importZone()) }

func openImportStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{
		Path: filepath.Join(t.TempDir(), "memory.db"), Now: importNow, IDs: memory.NewIDSource(importNow, rand.Reader), Zone: importZone(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func linesOf(text string) tools.Lines {
	return tools.Lines{Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }, Zone: importZone()}
}

// importHome stands in for the mirror's layout.
func importHome(m memory.Memory) string { return "own/" + string(m.Form) }

func importer(s *store.Store) *tools.Import {
	return &tools.Import{Store: s, Archive: &archive{}, Text: redact.New(), Mirror: noMirror{}, Home: importHome, Now: importNow, Namespace: memory.DefaultNamespace}
}

func mustImport(t *testing.T, s *store.Store, args tools.ImportArgs, text string) tools.ImportResult {
	t.Helper()
	result, err := importer(s).Run(t.Context(), args, linesOf(text))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func exported(t *testing.T, s *store.Store) string {
	t.Helper()
	var out bytes.Buffer
	e := &tools.Export{Store: s, Namespace: memory.DefaultNamespace}
	if _, err := e.Lines(t.Context(), tools.ExportArgs{All: true}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const conversation = `{"content":"好的","actor":"小林","session_id":"s1","seq":1,"observed_at":"2026-02-21T14:00:00+08:00","id":"D1:1"}
{"content":"ok","actor":"Marta","session_id":"s1","seq":2,"observed_at":"2026-02-21T14:01:00+08:00","id":"D1:2"}
{"content":"ok","actor":"Marta","session_id":"s1","seq":3,"observed_at":"2026-02-21T14:02:00+08:00","id":"D1:3"}
{"content":"ok","actor":"Marta","session_id":"s2","seq":1}
{"content":"ok","actor":"Marta","session_id":"s2","seq":1}

{"content":"The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789 keep it","id":12}
`

func TestImportKeepsIDsAndRepeatedTexts(t *testing.T) {
	s := openImportStore(t)
	got := mustImport(t, s, tools.ImportArgs{Store: "chat"}, conversation)
	if got.Read != 6 || got.Added != 6 || got.Failed != 0 || got.Redacted != 1 {
		t.Fatalf("%+v", got)
	}
	m, err := s.ByID(t.Context(), memory.DefaultNamespace, "D1:3")
	if err != nil {
		t.Fatal(err)
	}
	want := memory.Memory{Content: "ok", Actor: "Marta", SessionID: "s1", Seq: 3, Trust: memory.TrustAgent, Source: "import:chat"}
	if diff := cmp.Diff(want, memory.Memory{Content: m.Content, Actor: m.Actor, SessionID: m.SessionID, Seq: m.Seq, Trust: m.Trust, Source: m.Source}); diff != "" {
		t.Error(diff)
	}
	if m.Home.File != "memory/imported/chat-20260311-2130-p1.md" || m.Observed().Format(time.RFC3339) != "2026-02-21T14:02:00+08:00" {
		t.Errorf("home %q, observed %v", m.Home.File, m.Observed())
	}
	if secret, err := s.ByID(t.Context(), memory.DefaultNamespace, "12"); err != nil || strings.Contains(secret.Content, "ghp_") {
		t.Errorf("a secret was kept: %q, %v", secret.Content, err)
	}
}

func TestImportingAgainAddsNothing(t *testing.T) {
	s := openImportStore(t)
	mustImport(t, s, tools.ImportArgs{Store: "chat"}, conversation)
	before := exported(t, s)
	got := mustImport(t, s, tools.ImportArgs{Store: "chat"}, conversation)
	if got.Added != 0 || got.Present != 6 {
		t.Errorf("second import: %+v", got)
	}
	if diff := cmp.Diff(before, exported(t, s)); diff != "" {
		t.Error(diff)
	}
}

func TestImportOfAnExportIsTheSameStore(t *testing.T) {
	from := openImportStore(t)
	full := `{"id":"m1","uri":"knowledge://preferences/editor","content":"Prefers vim\nnot emacs","type":"knowledge","status":"superseded","created_at":"2026-02-01T10:00:00.123456+08:00","observed_at":"2026-01-31T10:00:00+08:00","source":"memory-sync:2026-02-01","trust":"user","session_id":"s","form":"decision","title":"Editor","fields":[{"name":"why","value":"habit"}],"superseded_by":"m2","links":[{"target":"m2","relation":"evolved"}],"confidence":0.4,"initial_importance":0.7,"importance":1.2,"importance_set":"2026-02-02T00:00:00+08:00","density":0.7,"pinned":true,"stability":120,"access_count":3,"retrieval_count":9,"last_access":"2026-02-05T10:00:00+08:00","emotion_val":-0.5,"actor":"林越","target":"Core","domain":"User","session_path":"/tmp/s.jsonl","message_range":"3-4","seq":7,"updated_at":"2026-02-03T10:00:00+08:00"}
{"id":"m2","uri":"event://journal/2026-02-21#2200-4","content":"改用 VS Code","type":"event","status":"active","created_at":"2026-02-21T22:00:00+08:00","trust":"agent"}
`
	mustImport(t, from, tools.ImportArgs{Store: "a", Trust: "user"}, full)
	to := openImportStore(t)
	mustImport(t, to, tools.ImportArgs{Store: "a", Trust: "user"}, exported(t, from))
	if diff := cmp.Diff(exported(t, from), exported(t, to)); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(exported(t, from), `"uri":"event://journal/2026-02-21#2200-4"`) {
		t.Error("an address was not kept")
	}
}

func TestAnExportOfEverythingHoldsHistory(t *testing.T) {
	from := openImportStore(t)
	mustImport(t, from, tools.ImportArgs{Store: "a"}, `{"id":"m","uri":"knowledge://port","content":"端口 8080"}`)
	m, err := from.ByID(t.Context(), memory.DefaultNamespace, "m")
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"端口 8081", "端口 8082"} {
		m.Content = content
		if _, err := from.Apply(t.Context(), []memory.Change{{Op: memory.OpUpdate, Memory: m, Reason: "moved to " + content}}); err != nil {
			t.Fatal(err)
		}
	}
	to := openImportStore(t)
	mustImport(t, to, tools.ImportArgs{Store: "a"}, exported(t, from))
	if diff := cmp.Diff(exported(t, from), exported(t, to)); diff != "" {
		t.Error(diff)
	}
	want, err := from.History(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	got, err := to.History(t.Context(), "m")
	if err != nil || len(want) != 2 {
		t.Fatalf("%v, %v", want, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var out bytes.Buffer
	e := &tools.Export{Store: from, Namespace: memory.DefaultNamespace}
	if _, err := e.Lines(t.Context(), tools.ExportArgs{}, &out); err != nil || strings.Contains(out.String(), "8081") {
		t.Errorf("an export of what is in force tells what was: %s, %v", out.String(), err)
	}
}

// The longest history stays a line that an import can read.
func TestAHistoryWithoutRoomLosesItsOldest(t *testing.T) {
	from := openImportStore(t)
	history := make([]memory.Revision, 200)
	for i := range history {
		history[i] = memory.Revision{Content: fmt.Sprintf("%04d%s", i, strings.Repeat("\x7f", memory.MaxContent-4)), Status: memory.Active, At: importNow()}
	}
	one := memory.Memory{ID: "m", Content: "now", Type: memory.Knowledge, Status: memory.Active, Trust: memory.TrustAgent}
	i := importer(from)
	i.Text = asItIs{}
	if _, err := i.Run(t.Context(), tools.ImportArgs{Store: "a"}, records{{Memory: one, History: history}}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	result, err := (&tools.Export{Store: from, Namespace: memory.DefaultNamespace}).Lines(t.Context(), tools.ExportArgs{All: true}, &out)
	if err != nil || result.Versions == 0 || result.Omitted == 0 || result.Versions+result.Omitted != 200 {
		t.Fatalf("%+v, %v", result, err)
	}
	to := openImportStore(t)
	mustImport(t, to, tools.ImportArgs{Store: "a"}, out.String())
	kept, err := to.History(t.Context(), "m")
	if err != nil || len(kept) != result.Versions || !strings.HasPrefix(kept[0].Content, "0199") {
		t.Errorf("%d versions, %v", len(kept), err)
	}
}

type asItIs struct{}

func (asItIs) Clean(s string) redact.Result { return redact.Result{Text: s} }

func TestAnImportKeepsWhichMemoryReplacedWhich(t *testing.T) {
	s := openImportStore(t)
	mustImport(t, s, tools.ImportArgs{Store: "first"}, `{"id":"1","content":"the first store's text"}`)
	mustImport(t, s, tools.ImportArgs{Store: "second"}, `{"id":"1","content":"another text","status":"superseded","superseded_by":"2"}
{"id":"2","content":"what replaced it","supersedes":"1"}`)
	two, err := s.ByID(t.Context(), memory.DefaultNamespace, "2")
	if err != nil || two.Supersedes != "second/1" {
		t.Errorf("supersedes %q, want second/1 (%v)", two.Supersedes, err)
	}
}

func TestImportRenamesWhatIsTaken(t *testing.T) {
	s := openImportStore(t)
	mustImport(t, s, tools.ImportArgs{Store: "first"}, `{"id":"1","content":"the first store's text"}`)
	got := mustImport(t, s, tools.ImportArgs{Store: "second"}, `{"id":"1","content":"another text"}
{"id":"2","content":"points at it","links":[{"target":"1","relation":"related"}]}
{"id":"bad id!","content":"an id that cannot be kept"}
`)
	if got.Added != 3 || got.Renamed != 2 {
		t.Fatalf("%+v", got)
	}
	if _, err := s.ByID(t.Context(), memory.DefaultNamespace, "second/1"); err != nil {
		t.Error(err)
	}
	two, err := s.ByID(t.Context(), memory.DefaultNamespace, "2")
	if err != nil || len(two.Links) != 1 || two.Links[0].Target != "second/1" {
		t.Errorf("links = %+v, %v", two.Links, err)
	}
	if again := mustImport(t, s, tools.ImportArgs{Store: "second"}, `{"id":"1","content":"another text"}`); again.Present != 1 {
		t.Errorf("again: %+v", again)
	}
}

func TestImportWithATakenAddressKeepsBoth(t *testing.T) {
	s := openImportStore(t)
	mustImport(t, s, tools.ImportArgs{Store: "a"}, `{"id":"x","uri":"knowledge://b","content":"mine"}`)
	got := mustImport(t, s, tools.ImportArgs{Store: "b"}, `{"id":"y","uri":"knowledge://b","content":"theirs"}`)
	if got.Added != 1 || len(got.Warnings) != 1 {
		t.Fatalf("%+v", got)
	}
	m, err := s.ByURI(t.Context(), memory.DefaultNamespace, "knowledge://b")
	if err != nil || m.Content != "mine" {
		t.Errorf("%q, %v", m.Content, err)
	}
}

func TestImportNeverRaisesTrust(t *testing.T) {
	tests := []struct {
		allowed, claimed, want string
	}{
		{"", "user", "agent"}, {"", "agent", "agent"}, {"", "external", "external"},
		{"user", "user", "user"}, {"user", "external", "external"}, {"external", "user", "external"},
	}
	for i, tt := range tests {
		s := openImportStore(t)
		mustImport(t, s, tools.ImportArgs{Store: "x", Trust: tt.allowed}, fmt.Sprintf(`{"id":"m","content":"text %d","trust":%q}`, i, tt.claimed))
		m, err := s.ByID(t.Context(), memory.DefaultNamespace, "m")
		if err != nil || string(m.Trust) != tt.want {
			t.Errorf("allowed %q, claimed %q: trust %q, want %q (%v)", tt.allowed, tt.claimed, m.Trust, tt.want, err)
		}
		if external := strings.HasPrefix(m.Home.File, ".agent-memory/untrusted/"); external != (tt.want == "external") {
			t.Errorf("trust %q has its home in %s", tt.want, m.Home.File)
		}
	}
}

func TestImportBringsHistory(t *testing.T) {
	s := openImportStore(t)
	at := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	source := records{{Memory: memory.Memory{ID: "m", Content: "third", Type: memory.Knowledge, Status: memory.Active, Trust: memory.TrustAgent, CreatedAt: at},
		History: []memory.Revision{{Content: "first", Status: memory.Active, At: at}, {Content: "second", Status: memory.Active, At: at.Add(time.Hour)}}}}
	if _, err := importer(s).Run(t.Context(), tools.ImportArgs{Store: "old"}, source); err != nil {
		t.Fatal(err)
	}
	history, err := s.History(t.Context(), "m")
	if err != nil {
		t.Fatal(err)
	}
	var contents []string
	for _, h := range history {
		contents = append(contents, h.Content)
	}
	if diff := cmp.Diff([]string{"second", "first"}, contents); diff != "" {
		t.Error(diff)
	}
	// A later import of a state that is history here is nothing new.
	source[0].Memory.Content, source[0].History = "second", nil
	got, err := importer(s).Run(t.Context(), tools.ImportArgs{Store: "old"}, source)
	if err != nil || got.Present != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestImportOfTheYueIndex(t *testing.T) {
	const index = `{"memories":[
		{"id":1,"content":"核心原则：先问再做","actor":"玥","target":"Core","domain":"Role","initial_importance":0.9,"current_importance":1.4,"s_factor":0.995,
		 "density":0.7,"access_count":4,"retrieval_count":9,"last_access":"2026-02-01T10:00:00+08:00","creation_date":"2026-01-01T10:00:00+08:00","state":"Golden"},
		{"id":2,"content":"a dusty detail","actor":"User","target":"Task","domain":"World","initial_importance":0.5,"current_importance":0.1,"creation_date":"2026-01-02T10:00:00+08:00","state":"Dust"}
	],"last_sync":"2026-02-01T10:00:00+08:00"}`
	if !tools.IsIndex([]byte(index[:60])) || tools.IsIndex([]byte(conversation)) {
		t.Error("an index and lines are not told apart")
	}
	s := openImportStore(t)
	lines := linesOf(index)
	got, err := importer(s).Run(t.Context(), tools.ImportArgs{Store: "index"}, tools.Index(lines))
	if err != nil || got.Added != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	m, err := s.ByID(t.Context(), memory.DefaultNamespace, "1")
	if err != nil {
		t.Fatal(err)
	}
	if m.Importance != 1.4 || m.InitialImportance != .9 || m.AccessCount != 4 || m.RetrievalCount != 9 || m.Actor != "玥" || m.Domain != "Role" ||
		m.CreatedAt.Format(time.DateOnly) != "2026-01-01" || m.Type != memory.Knowledge {
		t.Errorf("%+v", m)
	}
	dusty, err := s.ByID(t.Context(), memory.DefaultNamespace, "2")
	if err != nil || lifecycle.TierOf(dusty, importer(s).Now()) != lifecycle.Dust || lifecycle.TierOf(m, importer(s).Now()) != lifecycle.Golden {
		t.Errorf("what the index called Golden and Dust is so after the import: %+v, %v", dusty, err)
	}
	// What had been put away stays so, and can be brought back.
	lines = linesOf(`{"id":7,"content":"an old password","current_importance":0.05,"creation_date":"2026-01-02T10:00:00+08:00","state":"Dust"}`)
	lines.Archived = true
	if _, err := importer(s).Run(t.Context(), tools.ImportArgs{Store: "archive"}, lines); err != nil {
		t.Fatal(err)
	}
	if old, err := s.ByID(t.Context(), memory.DefaultNamespace, "7"); err != nil || old.Status != memory.Archived {
		t.Errorf("%+v, %v", old, err)
	}
}

func TestWhatWasForgottenElsewhereStaysForgottenAndCanBeRestored(t *testing.T) {
	s := openImportStore(t)
	i := importer(s)
	kept := &archive{}
	i.Archive = kept
	source := records{{Memory: memory.Memory{ID: "f", Content: "forgotten there", Status: memory.Forgotten, Trust: memory.TrustAgent}}}
	if got, err := i.Run(t.Context(), tools.ImportArgs{Store: "old"}, source); err != nil || got.Added != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if m, err := s.ByID(t.Context(), memory.DefaultNamespace, "f"); err != nil || m.Status != memory.Forgotten {
		t.Errorf("%+v, %v", m, err)
	}
	if len(kept.kept) != 1 || kept.kept[0].Content != "forgotten there" || memory.NeedsNumber(kept.kept[0].URI) {
		t.Errorf("archive: %+v", kept.kept)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	s := openImportStore(t)
	got := mustImport(t, s, tools.ImportArgs{Store: "chat", DryRun: true}, conversation)
	if got.Added != 6 || exported(t, s) != "" {
		t.Errorf("%+v, store %q", got, exported(t, s))
	}
}

func TestBadLinesSayWhere(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"not JSON", "{\"content\":\"a\"}\nhello\n", "line 2"},
		{"wrong type", `{"content":"a","type":"thought"}`, "type"},
		{"wrong time", `{"content":"a","created_at":"yesterday"}`, "created_at"},
		{"out of bounds", `{"content":"a","confidence":3}`, "confidence"},
		{"too long", `{"content":"` + strings.Repeat("x", 17<<20) + `"}`, "longer"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := importer(openImportStore(t)).Run(t.Context(), tools.ImportArgs{Store: "x"}, linesOf(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("err = %v, want it to mention %q", err, tt.want)
			}
		})
	}
}

type records []memory.Imported

func (r records) Count(context.Context) (int, error) { return len(r), nil }

func (r records) Records(context.Context) iter.Seq2[memory.Imported, error] {
	return func(yield func(memory.Imported, error) bool) {
		for _, one := range r {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func FuzzParseRecord(f *testing.F) {
	for _, line := range strings.Split(conversation, "\n") {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		imported, err := tools.ParseRecord(line, time.UTC)
		if err != nil {
			return
		}
		again, err := tools.RecordOf(imported.Memory).MarshalLine()
		if err != nil {
			t.Fatal(err)
		}
		second, err := tools.ParseRecord(again, time.UTC)
		if err != nil {
			t.Fatalf("a record that was read is not read again: %v: %s", err, again)
		}
		if second.Memory.Content != imported.Memory.Content || second.Memory.ID != imported.Memory.ID {
			t.Errorf("%+v became %+v", imported.Memory, second.Memory)
		}
	})
}
