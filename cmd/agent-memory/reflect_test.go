package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// life is a workspace with all its parts on a clock that only the test moves.
type life struct {
	*engine
	t   testing.TB
	dir string
	at  time.Time
}

func newLife(t testing.TB, profile string) *life {
	t.Helper()
	return openLife(t, t.TempDir(), profile)
}

// openLife opens the workspace below a home folder.
func openLife(t testing.TB, home, profile string) *life {
	t.Helper()
	l := &life{t: t, dir: filepath.Join(home, ".agent-memory"), at: time.Date(2026, 2, 22, 22, 0, 0, 0, time.UTC)} // a Sunday
	env := surroundings{
		Variables: []string{"HOME=" + home, "USERPROFILE=" + home, "TZ=UTC", "AGENT_MEMORY_PROFILE=" + profile},
		Now:       func() time.Time { return l.at },
	}
	a := &app{streams: streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}, env: env}
	e, err := a.openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.engine = e
	t.Cleanup(func() { _ = e.close() })
	return l
}

// call runs a tool and lets the files follow, as a command does.
func (l *life) call(tool string, args map[string]any) map[string]any {
	l.t.Helper()
	raw, _ := json.Marshal(args)
	got, err := l.engine.call(context.Background(), tool, raw)
	if err != nil {
		l.t.Fatalf("%s %s: %v", tool, raw, err)
	}
	raw, _ = json.Marshal(got)
	var answer map[string]any
	if err := json.Unmarshal(raw, &answer); err != nil {
		l.t.Fatal(err)
	}
	return answer
}

func (l *life) reflectOn(phase string) tools.ReflectResult {
	l.t.Helper()
	got, err := l.engine.call(context.Background(), "reflect", json.RawMessage(fmt.Sprintf(`{"phase":%q,"dry_run":false}`, phase)))
	if err != nil {
		l.t.Fatalf("reflect %s: %v", phase, err)
	}
	return got.(tools.ReflectResult)
}

func (l *life) undo() memory.Undone {
	l.t.Helper()
	got, err := l.engine.call(context.Background(), "reflect", json.RawMessage(`{"undo":true}`))
	if err != nil {
		l.t.Fatalf("undo: %v", err)
	}
	return *got.(tools.ReflectResult).Undone
}

// ago remembers something as if it had been said days ago.
func (l *life) ago(days int, args map[string]any) string {
	l.t.Helper()
	now := l.at
	l.at = now.AddDate(0, 0, -days)
	answer := l.call("remember", args)
	l.at = now
	id, _ := answer["memoryId"].(string)
	return id
}

// files returns what people see: the text of each file of memories.
func (l *life) files() map[string]string {
	l.t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".agent-memory" && path != l.dir {
			return fs.SkipDir
		}
		if d.Name() == "pain-points.md" {
			return nil // a report on what is, not a part of the memory
		}
		if strings.HasSuffix(path, ".md") || strings.HasSuffix(path, "items.json") {
			raw, err := os.ReadFile(path)
			texts[strings.TrimPrefix(path, l.dir+string(filepath.Separator))] = string(raw)
			return err
		}
		return nil
	})
	if err != nil {
		l.t.Fatal(err)
	}
	return texts
}

// stamps returns when each Markdown file was last written.
func (l *life) stamps() map[string]time.Time {
	times := map[string]time.Time{}
	for name := range l.files() {
		info, err := os.Stat(filepath.Join(l.dir, name))
		if err != nil {
			l.t.Fatal(err)
		}
		times[name] = info.ModTime()
	}
	return times
}

// state is what must be back after an undo: all but counters and revisions.
type state struct {
	Content, URI, File, SupersededBy string
	Status                           memory.Status
}

func (l *life) rows() map[string]state {
	l.t.Helper()
	list, err := l.store.List(context.Background(), memory.Filter{Namespace: memory.DefaultNamespace, Statuses: memory.Statuses(), Layer: memory.LayerAll})
	if err != nil {
		l.t.Fatal(err)
	}
	rows := map[string]state{}
	for _, m := range list {
		if m.Form != memory.Passage {
			rows[m.ID] = state{m.Content, m.URI, m.Home.File, m.SupersededBy, m.Status}
		}
	}
	return rows
}

// edit is a person's save, some time before the next run.
func (l *life) edit(name string, change func(string) string) {
	l.t.Helper()
	path := filepath.Join(l.dir, name)
	raw, _ := os.ReadFile(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(raw))), 0o600); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Chtimes(path, l.at, l.at); err != nil {
		l.t.Fatal(err)
	}
	l.at = l.at.Add(time.Minute)
	l.call("sync", map[string]any{})
}

// lived is a workspace with some weeks behind it.
func lived(t testing.TB, profile string) *life {
	l := newLife(t, profile)
	for day := 40; day > 0; day -= 3 {
		l.ago(day, map[string]any{"content": fmt.Sprintf("Looked at the queue of jobs in round %d, nothing special to see", day), "type": "event"})
		l.ago(day, map[string]any{"content": fmt.Sprintf("第 %d 天：部署脚本改为先备份再发布", day), "type": "knowledge"})
	}
	l.ago(20, map[string]any{"content": "TODO ask Bob about the certificate of staging", "type": "event"})
	l.ago(16, map[string]any{"content": "Marta prefers CSV with semicolons", "type": "knowledge", "uri": "knowledge://preferences/csv"})
	for i, store := range []string{"PostgreSQL", "SQLite"} {
		l.ago(15-i, map[string]any{"form": "decision", "title": "Ledger database", "content": "The ledger uses " + store, "uri": fmt.Sprintf("decision://2026020%d-ledger-%d", 7+i, i), "confidence": 0.7 + float64(i)/10,
			"fields": map[string]any{"why": "one file", "finding": "fast enough", "conclusion": "The ledger uses " + store, "impact": "no server"}})
	}
	l.edit("memory/2026-02-10.md", func(text string) string {
		return text + "\nA line of Ann's about the harbour.\n\n- Ann typed this bullet\n"
	})
	l.edit("MEMORY.md", func(text string) string { return text + "# Ann's own\n\n- never deploy on Fridays\n" })
	return l
}

func TestEveryPhaseCanBeUndone(t *testing.T) {
	sequential(t)
	t.Parallel()
	l := lived(t, "openclaw")
	for _, phase := range []string{"wrapup", "surface", "all", "compound", "extract", "gc", "tidy"} {
		files, rows := l.files(), l.rows()
		report := l.reflectOn(phase)
		if cmp.Equal(files, l.files()) && cmp.Equal(rows, l.rows()) {
			if phase != "wrapup" && phase != "gc" && phase != "tidy" {
				t.Errorf("%s changed nothing: %+v", phase, report)
			}
			continue
		}
		undone := l.undo()
		if undone.Phase != phase || len(undone.Merged)+len(undone.Kept) > 0 {
			t.Errorf("undo of %s: %+v", phase, undone)
		}
		if diff := cmp.Diff(files, l.files()); diff != "" {
			t.Errorf("files after the undo of %s (-before +after):\n%s", phase, diff)
		}
		if diff := cmp.Diff(rows, l.rows()); diff != "" {
			t.Errorf("memories after the undo of %s (-before +after):\n%s", phase, diff)
		}
		l.call("sync", map[string]any{})
		if diff := cmp.Diff(files, l.files()); diff != "" {
			t.Errorf("a sync after the undo of %s changed files:\n%s", phase, diff)
		}
		if diff := cmp.Diff(rows, l.rows()); diff != "" {
			t.Errorf("a sync after the undo of %s changed memories:\n%s", phase, diff)
		}
		l.reflectOn(phase)
		l.at = l.at.Add(time.Minute)
	}
}

func TestASecondRunChangesNothing(t *testing.T) {
	sequential(t)
	t.Parallel()
	for _, profile := range []string{"openclaw", "watchtower", "yue", "para"} {
		l := lived(t, profile)
		phases := []string{"wrapup", "surface", "compound", "all"}
		for _, phase := range phases {
			l.reflectOn(phase)
		}
		files, stamps, rows := l.files(), l.stamps(), l.rows()
		l.at = l.at.Add(time.Minute)
		for _, phase := range phases {
			if report := l.reflectOn(phase); report.Changed+len(report.Files) > 0 {
				t.Errorf("%s: a second %s changed %d memories and %v", profile, phase, report.Changed, report.Files)
			}
		}
		if diff := cmp.Diff(files, l.files()); diff != "" {
			t.Errorf("%s: files:\n%s", profile, diff)
		}
		if diff := cmp.Diff(stamps, l.stamps()); diff != "" {
			t.Errorf("%s: files were written again:\n%s", profile, diff)
		}
		if diff := cmp.Diff(rows, l.rows()); diff != "" {
			t.Errorf("%s: memories:\n%s", profile, diff)
		}
	}
}

func TestCompoundLeavesWhatItPromises(t *testing.T) {
	t.Parallel()
	l := lived(t, "openclaw")
	report := l.reflectOn("compound")
	files := l.files()
	for name, wants := range map[string][]string{
		"MEMORY.md":                         {"never deploy on Fridays", "Marta prefers CSV", "The ledger uses SQLite"},
		"memory/archive/weekly-2026-W08.md": {"### Promoted", "### Superseded", "overridden on 2026-02-22"},
		"memory/weekly/2026-02-02.md":       {"# Week 2026-02-02 – 2026-02-08"},
		"memory/archive/2026/2026-02-10.md": {"A line of Ann's about the harbour.", "Ann typed this bullet"},
		"memory/INDEX.md":                   {"(archive/2026/2026-02-10.md)", "(../MEMORY.md)"},
	} {
		for _, want := range wants {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s lacks %q:\n%s", name, want, files[name])
			}
		}
	}
	if strings.Contains(files["MEMORY.md"], "PostgreSQL") {
		t.Error("MEMORY.md still holds the decision that was overridden")
	}
	if _, stands := files["memory/2026-02-10.md"]; stands {
		t.Error("a journal older than a week stayed")
	}
	if _, stands := files["memory/2026-02-18.md"]; !stands {
		t.Error("a journal of this week was put away")
	}
	for id, row := range l.rows() {
		if text, stands := files[row.File]; row.Status == memory.Active && (!stands || !strings.Contains(text, strings.Split(row.Content, "\n")[0])) {
			t.Errorf("%s does not stand in %s", id, row.File)
		}
	}
	if len(report.Files) < 5 {
		t.Errorf("the report names %v", report.Files)
	}
}

func TestWhatOthersWroteSinceStaysWhenARunIsUndone(t *testing.T) {
	t.Parallel()
	l := lived(t, "openclaw")
	l.reflectOn("all")
	l.edit("memory/2026-02-02.md", func(text string) string { return text + "- added after the run\n" })
	kept := ""
	for id, row := range l.rows() {
		if row.Status == memory.Archived && kept == "" {
			kept = id
			l.call("forget", map[string]any{"id": id})
		}
	}
	undone := l.undo()
	if !strings.Contains(l.files()["memory/2026-02-02.md"], "- added after the run") {
		t.Error("a line that a person wrote after the run is lost")
	}
	if kept == "" || l.rows()[kept].Status != memory.Forgotten || !slices.Contains(undone.Kept, kept) {
		t.Errorf("%q was forgotten after the run; the undo made it %s and reports %v", kept, l.rows()[kept].Status, undone.Kept)
	}
}

// Any mixture of remembering, forgetting, typing, waiting and phases: nothing is
// lost, what was forgotten stays so, MEMORY.md keeps its cap, a person's line
// stands somewhere, and the last run can be undone exactly.
func TestLifeModel(t *testing.T) {
	fewer(t, 12)
	rapid.Check(t, func(r *rapid.T) {
		profile := rapid.SampledFrom(lifecycle.ProfileNames()).Draw(r, "profile")
		m := model{life: newLife(t, profile), r: r, forgotten: map[string]bool{}, known: map[string]bool{}}
		for range rapid.IntRange(2, 10).Draw(r, "steps") {
			m.step()
			m.at = m.at.Add(time.Duration(rapid.IntRange(1, 400).Draw(r, "hours")) * time.Hour)
		}
		m.check()
		if err := m.close(); err != nil {
			r.Fatal(err)
		}
	})
}

// fewer sets how often rapid tries, unless the command line says so: each try
// is a workspace with a database and files of its own.
func fewer(t *testing.T, checks int) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if f.Value.String() != f.DefValue {
		return
	}
	_ = f.Value.Set(strconv.Itoa(checks))
	t.Cleanup(func() { _ = f.Value.Set(f.DefValue) })
}

type model struct {
	*life
	r         *rapid.T
	n         int
	known     map[string]bool
	forgotten map[string]bool
	typed     []string
}

func (m *model) step() {
	m.n++
	switch rapid.SampledFrom([]string{"remember", "remember", "decide", "type", "forget", "phase", "phase"}).Draw(m.r, "step") {
	case "remember":
		text := rapid.SampledFrom([]string{"偏好：第 %d 种格式必须用分号", "Step %d: fixed the timeout of build number %[1]d", "TODO number %d for Bob", "felt happy about release %d"}).Draw(m.r, "text")
		for i := range rapid.IntRange(1, 6).Draw(m.r, "many") {
			m.keep(m.call("remember", map[string]any{"content": fmt.Sprintf(text, m.n*100+i)}))
		}
	case "decide":
		m.keep(m.call("remember", map[string]any{"form": "decision", "title": "Cache", "content": fmt.Sprintf("The cache of the ledger holds %d entries", m.n), "uri": fmt.Sprintf("decision://20260222-cache-%d", m.n)}))
	case "type":
		line := fmt.Sprintf("a person wrote line %d", m.n)
		m.typed = append(m.typed, line)
		m.edit(rapid.SampledFrom([]string{"MEMORY.md", "memory/" + m.at.Format(time.DateOnly) + ".md"}).Draw(m.r, "file"), func(s string) string { return s + "\n- " + line + "\n" })
	case "forget":
		for _, id := range slices.Sorted(maps.Keys(m.known)) {
			if !m.forgotten[id] && m.rows()[id].Status != memory.Archived {
				m.call("forget", map[string]any{"id": id})
				m.forgotten[id] = true
				for _, name := range []string{"MEMORY.md", "RECENT.md"} { // lines left it: by the clock of the test, it rests since now
					_ = os.Chtimes(filepath.Join(m.dir, name), m.at, m.at)
				}
				return
			}
		}
	case "phase":
		m.phase(rapid.SampledFrom([]string{"all", "tidy", "govern", "wrapup", "compound", "surface", "extract", "gc"}).Draw(m.r, "phase"))
	}
}

func (m *model) keep(answer map[string]any) {
	if id, _ := answer["memoryId"].(string); id != "" {
		m.known[id] = true
	}
}

// phase runs a phase, takes it back, and runs it again.
func (m *model) phase(phase string) {
	m.call("sync", map[string]any{})
	files, rows := m.files(), m.rows()
	m.reflectOn(phase)
	if cmp.Equal(files, m.files()) && cmp.Equal(rows, m.rows()) {
		return
	}
	if undone := m.undo(); undone.Phase != phase {
		m.r.Fatalf("undid %s instead of %s", undone.Phase, phase)
	}
	if diff := cmp.Diff(files, m.files()); diff != "" && phase != "surface" {
		m.r.Fatalf("files after the undo of %s:\n%s", phase, diff)
	}
	if diff := cmp.Diff(rows, m.rows()); diff != "" && phase != "surface" {
		m.r.Fatalf("memories after the undo of %s:\n%s", phase, diff)
	}
	m.reflectOn(phase)
}

func (m *model) check() {
	rows := m.rows()
	archived, err := m.mirror.Archive().Find(context.Background(), func(memory.Memory) bool { return true })
	if err != nil {
		m.r.Fatal(err)
	}
	for id := range m.known {
		_, stands := rows[id]
		if !stands && !slices.ContainsFunc(archived, func(a memory.Memory) bool { return a.ID == id }) {
			m.r.Fatalf("%s is lost", id)
		}
		if stands && m.forgotten[id] && rows[id].Status != memory.Forgotten {
			m.r.Fatalf("%s was forgotten and is %s", id, rows[id].Status)
		}
	}
	files := m.files()
	all := strings.Join(slices.Collect(maps.Values(files)), "\n")
	for _, line := range m.typed {
		if !strings.Contains(all, line) {
			m.r.Fatalf("%q is nowhere", line)
		}
	}
	limits := m.profile.Outline.Cap
	if text := files["MEMORY.md"]; limits.Lines > 0 && strings.Count(text, "\n") > limits.Lines || limits.Bytes > 0 && len(text) > limits.Bytes {
		m.r.Fatalf("MEMORY.md has %d lines, %d bytes", strings.Count(text, "\n"), len(text))
	}
}
