package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/lifecycle"
	"agentmemory/store"
	"agentmemory/store/storetest"
	"agentmemory/tools"
)

// shelf is recall on a real store with a few memories of every kind.
type shelf struct {
	*tools.Recall
	store *store.Store
	seen  *notes
	clock *storetest.Clock
}

// notes keeps what recall reports as used and returned.
type notes struct{ used, returned []string }

func (n *notes) Used(ids ...string)     { n.used = append(n.used, ids...) }
func (n *notes) Returned(ids ...string) { n.returned = append(n.returned, ids...) }

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s, clock := storetest.Open(t)
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		t.Fatal(err)
	}
	seen := &notes{}
	sh := &shelf{store: s, seen: seen, clock: clock, Recall: &tools.Recall{
		Store: s, Accesses: seen, Profile: profile, Parameters: rank.Defaults(), Now: clock.Now, Namespace: memory.DefaultNamespace}}
	sh.put(t,
		memory.Memory{ID: "tabs", Type: memory.Knowledge, Content: "Ada prefers tabs over spaces in Go code", URI: "knowledge://preferences/tabs", Actor: "Ada"},
		memory.Memory{ID: "deploy", Type: memory.Event, Content: "The deployment of the billing service failed because of a missing migration"},
		memory.Memory{ID: "retro", Type: memory.Event, Content: "In the retrospective we agreed to migrate on Mondays only", ObservedAt: clock.Now().AddDate(0, 0, -7)},
		memory.Memory{ID: "rule", Type: memory.Knowledge, Form: memory.Decision, Content: "决定：账本用 SQLite，不用 Postgres", Actor: "Lin"},
		memory.Memory{ID: "joy", Type: memory.Emotion, Content: "Ada was overjoyed about the release party"},
		memory.Memory{ID: "task", Type: memory.Event, Form: memory.Task, Content: "Rotate the certificates of the mail gateway"},
		memory.Memory{ID: "cold", Type: memory.Knowledge, Form: memory.Passage, Content: "The abandoned prototype used a quadtree for collision detection",
			Home: memory.Place{File: "second-brain/research/prototype.md", Line: 7}},
		memory.Memory{ID: "gone", Type: memory.Event, Status: memory.Forgotten, Content: "The forgotten umbrella stands in the hallway"},
		memory.Memory{ID: "web", Type: memory.Event, Trust: memory.TrustExternal, Confidence: 0.3, Content: "A web page claims that the moon landing camera was Swiss"},
	)
	return sh
}

func (s *shelf) put(t *testing.T, memories ...memory.Memory) {
	t.Helper()
	changes := make([]memory.Change, len(memories))
	for i, m := range memories {
		m.Namespace, m.ContentHash = memory.DefaultNamespace, memory.Hash(m.Content)
		if m.URI == "" {
			m.URI = fmt.Sprintf("%s://shelf/%s", m.Type, m.ID)
		}
		if m.Form == "" {
			m.Form = memory.Note
		}
		if m.Status == "" {
			m.Status = memory.Active
		}
		if m.Trust == "" {
			m.Trust = memory.TrustAgent
		}
		if m.Confidence == 0 {
			m.Confidence = 1
		}
		if m.Home.File == "" {
			m.Home.File = "memory/2026-02-21.md"
		}
		changes[i] = memory.Change{Op: memory.OpAdd, Memory: m, Reason: "test"}
	}
	applied, err := s.store.Apply(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range applied {
		if a.Conflict != memory.NoConflict {
			t.Fatalf("conflict: %s", a.Conflict)
		}
	}
}

func (s *shelf) ask(t *testing.T, args string) tools.RecallResult {
	t.Helper()
	result, err := tools.Bind(tools.RecallSpec(), s.Run).Call(t.Context(), json.RawMessage(args))
	if err != nil {
		t.Fatalf("recall %s: %v", args, err)
	}
	return result.(tools.RecallResult)
}

func idsOf(r tools.RecallResult) string {
	ids := make([]string, len(r.Memories))
	for i, h := range r.Memories {
		ids[i] = h.ID
	}
	return strings.Join(ids, " ")
}

func TestRecallFindsTheMemory(t *testing.T) {
	s := newShelf(t)
	tests := []struct{ args, first string }{
		{`{"query":"tabs or spaces?"}`, "tabs"},
		{`{"query":"Why did deploying billing fail?"}`, "deploy"},
		{`{"query":"帳本用什麼，SQLite 嗎"}`, "rule"},
		{`{"query":"certificate rotation"}`, "task"},
		{`{"query":"上周的 retrospective"}`, "retro"},
		{`{"query":"quadtree prototype"}`, "cold"},
		{`{"query":"umbrella hallway","status":["forgotten"]}`, "gone"},
		{`{"query":"release party","type":"emotion"}`, "joy"},
		{`{"query":"Ada","actor":"Ada"}`, "tabs"},
		{`{"query":"Go code","uri":"knowledge://preferences/"}`, "tabs"},
		{`{"query":"migrate","after":"2026-02-10","before":"2026-02-16"}`, "retro"},
		{`{"query":"migrate","after":"last week","before":"yesterday"}`, "retro"},
		{`{"query":"migrate","after":"2026年2月10日","before":"2026-02-16 23:59"}`, "retro"},
		{`{"query":"Postgres","form":"decision"}`, "rule"},
	}
	for _, tt := range tests {
		got := s.ask(t, tt.args)
		if len(got.Memories) == 0 || got.Memories[0].ID != tt.first {
			t.Errorf("%s: %q (abstained %v, confidence %.2f), want %s first", tt.args, idsOf(got), got.Abstained, got.Confidence, tt.first)
		}
	}
}

func TestRecallAbstains(t *testing.T) {
	s := newShelf(t)
	for _, question := range []string{"Which orchestra does Ada's brother conduct in Oslo?", "火星探测器的发射窗口", "umbrella in the hallway"} {
		got := s.ask(t, fmt.Sprintf(`{"query":%q}`, question))
		if !got.Abstained || got.Count != 0 || got.Memories == nil {
			t.Errorf("%q: abstained %v with %d memories, confidence %.2f", question, got.Abstained, got.Count, got.Confidence)
		}
	}
	near := s.ask(t, `{"query":"Which orchestra does Ada conduct in Oslo with tabs?"}`)
	if !near.Abstained || len(near.Near) == 0 || near.Near[0].Content == "" {
		t.Errorf("near misses %+v", near.Near)
	}
	if eager := s.ask(t, `{"query":"Which orchestra does Ada conduct in Oslo with tabs?","min_score":0.01}`); eager.Abstained || eager.Count == 0 {
		t.Errorf("with a low min_score: abstained %v, %d memories", eager.Abstained, eager.Count)
	}
	s.seen.used, s.seen.returned = nil, nil
	s.ask(t, `{"query":"Which orchestra does Ada conduct in Oslo with tabs?"}`)
	if len(s.seen.used)+len(s.seen.returned) > 0 {
		t.Errorf("an abstention counts as a use of %v %v", s.seen.used, s.seen.returned)
	}
}

// A date that carries a time bounds by that time, whoever wrote it how.
func TestRecallBoundsByTheTimeOfADay(t *testing.T) {
	s := newShelf(t)
	at := time.Date(2026, 1, 20, 14, 30, 0, 0, s.clock.Now().Location())
	s.put(t, memory.Memory{ID: "noon", Type: memory.Knowledge, Content: "The zeppelin mooring schedule is kept by Ines", ObservedAt: at})
	for before, want := range map[string]string{
		"2026-01-20 14:00": "", "2026-01-20T14:00": "", "2026-01-20 14:00:00": "", "2026-01-20": "", "2026/1/20": "",
		"2026-01-20 15:00": "noon", "2026-01-20T15:00:00": "noon", "2026-01-20 15:00:00.5": "noon", "2026年1月21日": "noon", "Jan 21": "noon",
	} {
		if got := idsOf(s.ask(t, fmt.Sprintf(`{"query":"zeppelin mooring schedule","before":%q}`, before))); got != want {
			t.Errorf("before %s: %q, want %q", before, got, want)
		}
	}
}

func TestRecallFilters(t *testing.T) {
	s := newShelf(t)
	tests := []struct{ args, want string }{
		{`{"query":"tabs","type":"event"}`, ""},
		{`{"query":"quadtree prototype","layer":"warm"}`, ""},
		{`{"query":"tabs spaces","layer":"cold"}`, ""},
		{`{"query":"quadtree prototype","layer":"cold"}`, "cold"},
		{`{"query":"tabs spaces","min_score":0.99999}`, "tabs"},
		{`{"query":"tabs spaces","actor":"Lin"}`, ""},
		{`{"query":"migrate","before":"2026-02-01"}`, ""},
	}
	for _, tt := range tests {
		if got := idsOf(s.ask(t, tt.args)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.args, got, tt.want)
		}
	}
}

// What was archived is not gone: it lies in the cold layer.
func TestRecallOfTheColdLayerIncludesWhatWasArchived(t *testing.T) {
	s := newShelf(t)
	s.put(t, memory.Memory{ID: "old", Type: memory.Knowledge, Content: "The zeppelin mooring schedule is kept by Ines", Status: memory.Archived})
	for args, want := range map[string]string{
		`{"query":"zeppelin mooring schedule"}`:                                     "",
		`{"query":"zeppelin mooring schedule","layer":"warm"}`:                      "",
		`{"query":"zeppelin mooring schedule","layer":"cold"}`:                      "old",
		`{"query":"zeppelin mooring schedule","layer":"all"}`:                       "old",
		`{"query":"zeppelin mooring schedule","layer":"all","status":["active"]}`:   "",
		`{"query":"zeppelin mooring schedule","layer":"cold","status":"archived"}`:  "old",
		`{"query":"zeppelin mooring schedule","layer":"all","status":["archived"]}`: "old",
	} {
		if got := idsOf(s.ask(t, args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	if listed := idsOf(s.ask(t, `{"layer":"cold","limit":50}`)); !strings.Contains(listed, "old") || !strings.Contains(listed, "cold") {
		t.Errorf("without a question the cold layer lists %q", listed)
	}
}

func TestRecallWithoutQuestionListsTheLatest(t *testing.T) {
	s := newShelf(t)
	got := s.ask(t, `{"limit":"3"}`)
	if got.Count != 3 || got.Abstained {
		t.Fatalf("%d memories, abstained %v", got.Count, got.Abstained)
	}
	all := idsOf(s.ask(t, `{"limit":50}`))
	if strings.Contains(all, "gone") || strings.Contains(all, "cold") || !strings.Contains(all, "deploy") {
		t.Errorf("listed %s", all)
	}
	if len(s.seen.used) > 0 {
		t.Errorf("a listing is no use of %v", s.seen.used)
	}
}

func TestRecallRefuses(t *testing.T) {
	s := newShelf(t)
	for _, args := range []string{`{"query":"x","type":"idea"}`, `{"query":"x","after":"whenever"}`, `{"query":"x","limit":1000}`, `{"query":"x","colour":"red"}`, `{"query":"x","layer":"lukewarm"}`,
		`{"query":"x","after":"2026-02-30"}`, `{"query":"x","before":"2026-13-01"}`, `{"query":"x","before":"2026-13"}`, `{"query":"x","after":"2026年2月30日"}`,
		`{"query":"x","after":"2月30日"}`, `{"query":"x","after":"Feb 30"}`, `{"query":"x","after":"2026-02-21T25:00"}`, `{"query":"x","after":"99999-01-01"}`} {
		_, err := tools.Bind(tools.RecallSpec(), s.Run).Call(t.Context(), json.RawMessage(args))
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.InvalidArgument || e.Hint == "" {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestRecallTellsHowItKnows(t *testing.T) {
	s := newShelf(t)
	hit := s.ask(t, `{"query":"quadtree prototype","explain":true}`).Memories[0]
	if hit.Path != "second-brain/research/prototype.md" || hit.Line != 7 || hit.CreatedAt == "" || hit.Score <= 0 || hit.Score > 1 {
		t.Errorf("%+v", hit)
	}
	if hit.Explain == nil || hit.Explain.LexicalRank != 1 || !slices.Contains(hit.Explain.Terms, "quadtre") || !strings.Contains(hit.Why, "own text") {
		t.Errorf("explained as %+v, %q", hit.Explain, hit.Why)
	}
	external := s.ask(t, `{"query":"moon landing camera"}`)
	if !external.Memories[0].Uncertain || external.Memories[0].Trust != "external" || external.Notice == "" {
		t.Errorf("external: %+v, notice %q", external.Memories[0], external.Notice)
	}
}

func TestRecallNotesWhatWasUsed(t *testing.T) {
	s := newShelf(t)
	for i := range 6 {
		s.put(t, memory.Memory{ID: fmt.Sprintf("brick%d", i), Type: memory.Event, Content: fmt.Sprintf("brick wall section number %c%c%c", 'p'+i, 'q'+i, 'r'+i)})
	}
	got := s.ask(t, `{"query":"brick wall section","limit":5}`)
	if got.Count != 5 || len(s.seen.used) != 3 || len(s.seen.returned) != 2 || s.seen.used[0] != got.Memories[0].ID {
		t.Errorf("%d hits, used %v, returned %v", got.Count, s.seen.used, s.seen.returned)
	}
}

func TestRecallFindsTheEndOfALongMemoryAndIdentifiers(t *testing.T) {
	s := newShelf(t)
	s.put(t, memory.Memory{ID: "long", Type: memory.Knowledge, Content: strings.Repeat("filler 填充 ", 800) + "zymurgy 末尾"},
		memory.Memory{ID: "code", Type: memory.Knowledge, Content: "retryBudget in internal/net/dialer_pool.go is 12 since v2.4.1, see NET-4711 and https://example.com/dial?x=1"})
	for question, want := range map[string]string{
		"zymurgy": "long", "末尾": "long", "retryBudget": "code", "budget of retries": "code", "dialer_pool.go": "code", "dialer pool": "code",
		"NET-4711": "code", "4711": "code", "2.4.1": "code", "https://example.com/dial?x=1": "code", "internal/net/dialer_pool.go": "code",
	} {
		if got := idsOf(s.ask(t, fmt.Sprintf(`{"query":%q,"limit":1}`, question))); got != want {
			t.Errorf("%q: %q, want %s", question, got, want)
		}
	}
}

// Whose memory is asked is settled before recall is called, by nobody who calls it.
func TestRecallAsksOneMemoryWhateverTheAgent(t *testing.T) {
	s := newShelf(t)
	if got := s.ask(t, `{"query":"tabs spaces","agent_id":"stranger"}`); got.Count == 0 {
		t.Error("a name that is no namespace hides the memories")
	}
}

// slowMeaning answers after a while, or fails.
type slowMeaning struct {
	wait time.Duration
	err  error
}

func (m slowMeaning) Nearest(ctx context.Context, _ string, _ memory.Filter, _ int) ([]memory.Neighbour, error) {
	select {
	case <-time.After(m.wait):
	case <-ctx.Done():
	}
	return nil, m.err
}

func TestRecallAnswersWithoutVectors(t *testing.T) {
	for want, meaning := range map[string]slowMeaning{"vectors_late": {wait: 10 * time.Second}, "vectors_failed": {err: errors.New("no such model")}} {
		s := newShelf(t)
		s.Meaning = meaning
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			got, err := (&tools.Recall{Store: snapshotOf(s), Meaning: meaning, Accesses: s.seen, Profile: s.Profile, Parameters: s.Parameters, Now: s.Now, Namespace: s.Namespace}).
				Run(t.Context(), tools.RecallArgs{Query: "tabs spaces"})
			if err != nil || got.Count == 0 || !slices.Equal(got.Degraded, []string{want}) {
				t.Errorf("%s: %d memories, degraded %v, %v", want, got.Count, got.Degraded, err)
			}
			if waited := time.Since(start); waited > 300*time.Millisecond {
				t.Errorf("%s: waited %s", want, waited)
			}
		})
	}
}

// snapshot answers from what a real store answered before, since a bubble of
// synctest cannot wait for a database.
type snapshot struct {
	found  []memory.Candidate
	corpus memory.Corpus
	loaded []memory.Memory
}

func snapshotOf(s *shelf) *snapshot {
	ctx := context.Background()
	q := rank.Parse("tabs spaces", s.Now())
	var snap snapshot
	snap.found, snap.corpus, _ = s.store.Search(ctx, q.Words(), memory.Filter{Namespace: s.Namespace}, 10)
	for _, c := range snap.found {
		m, _ := s.store.Load(ctx, []int64{c.Key})
		snap.loaded = append(snap.loaded, m...)
	}
	return &snap
}

func (s *snapshot) At(ctx context.Context) context.Context { return ctx }

func (s *snapshot) SearchRelated(context.Context, []string, []memory.Related, memory.Filter, int) ([]memory.Candidate, memory.Corpus, error) {
	return s.found, s.corpus, nil
}
func (s *snapshot) Around(context.Context, []int64, int) ([]memory.Candidate, error) { return nil, nil }
func (s *snapshot) Candidates(context.Context, []int64) ([]memory.Candidate, error)  { return nil, nil }
func (s *snapshot) Load(context.Context, []int64) ([]memory.Memory, error)           { return s.loaded, nil }
func (s *snapshot) List(context.Context, memory.Filter) ([]memory.Memory, error) {
	return s.loaded, nil
}

func TestRecallRanksSessions(t *testing.T) {
	s := newShelf(t)
	for i, line := range []string{"We sailed to the harbour in the storm", "The storm broke the mast in the harbour", "The mast was mended"} {
		s.put(t, memory.Memory{ID: fmt.Sprintf("trip%d", i), Type: memory.Event, Content: line, SessionID: "trip", Seq: i})
	}
	s.put(t, memory.Memory{ID: "other", Type: memory.Event, Content: "A storm of applause", SessionID: "concert"},
		memory.Memory{ID: "lone", Type: memory.Event, Content: "The harbour master was asleep"})
	got := s.ask(t, `{"query":"storm and mast in the harbour","group_by":"session","explain":true}`)
	if ids := idsOf(got); !strings.HasPrefix(ids, "trip") || strings.Count(ids, "trip") != 1 || !strings.Contains(ids, "other") || !strings.Contains(ids, "lone") {
		t.Errorf("%s: want one hit of each session, the trip first", ids)
	}
	for i, hit := range got.Memories {
		if hit.Explain.Whole <= 0 || hit.Score > got.Memories[0].Score || !strings.Contains(hit.Why, "all of its session") {
			t.Errorf("hit %d: %+v", i, hit.Explain)
		}
	}
	if all := idsOf(s.ask(t, `{"query":"storm and mast in the harbour"}`)); strings.Count(all, "trip") < 2 {
		t.Errorf("ungrouped: %s", all)
	}
}
