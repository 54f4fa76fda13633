package store_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

func TestSearchFindsWhatWasWritten(t *testing.T) {
	s, _ := storetest.Open(t)
	apply(t, s, add(note("账本用 SQLite，不用 Postgres")), add(note("the café closes at ten")),
		add(note(`say "never" AND NOT (x) * foo/bar`)), add(note(strings.Repeat("long ", 1500)+"ending in xylophone")))
	for query, want := range map[string]int{
		"帳本": 1, "cafe": 1, "postgres": 1, `"never"`: 1, "foo/bar": 1, "xylophone": 1, "zebra": 0, "": 0, "\x00": 0, `" OR search : *`: 0,
	} {
		found, corpus, err := s.Search(t.Context(), text.Index(query), memory.Filter{Namespace: "main"}, 10)
		if err != nil {
			t.Fatalf("%q: %v", query, err)
		}
		if len(found) != want || corpus.Memories != 4 {
			t.Errorf("%q: %d found among %d, want %d among 4", query, len(found), corpus.Memories, want)
		}
	}
}

// varied makes memories that differ in everything that a filter looks at.
func varied(n int) []memory.Memory {
	var all []memory.Memory
	for i := range n {
		m := note(fmt.Sprintf("common word number%d", i))
		m.ID = fmt.Sprintf("m%d", i)
		m.Type = memory.Types()[i%4]
		m.Form = memory.Forms()[i%5]
		m.Status = memory.Statuses()[i%7]
		m.Actor, m.Target, m.Domain = fmt.Sprintf("actor%d", i%3), fmt.Sprintf("target%d", i%2), []string{"User", "World"}[i%2]
		m.Source = fmt.Sprintf("memory-sync:2026-02-%02d[x]", i%28+1)
		m.URI = fmt.Sprintf("knowledge://topic_%d/%%entry%d", i%5, i)
		m.SessionID = fmt.Sprintf("s%d", i%6)
		m.ObservedAt = time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
		m.UpdatedAt = m.ObservedAt.AddDate(0, 0, 10*(i%3-1)) // before, with and after it
		m.Home.File = []string{"memory/a.md", "second-brain/b.md", "memory/archive/2026/2026-01-02.md"}[i%3]
		all = append(all, m)
	}
	return all
}

// selects is the specification of a filter.
func selects(f memory.Filter, m memory.Memory) bool {
	statuses := f.Statuses
	if len(statuses) == 0 {
		statuses = []memory.Status{memory.Active, memory.Proposed, memory.Missing}
	}
	cold := strings.HasPrefix(m.Home.File, "second-brain/") || strings.HasPrefix(m.Home.File, "memory/archive/") && m.Form == memory.Passage
	return (f.Namespace == "" || f.Namespace == m.Namespace) &&
		(len(f.Types) == 0 || slices.Contains(f.Types, m.Type)) && (len(f.Forms) == 0 || slices.Contains(f.Forms, m.Form)) &&
		slices.Contains(statuses, m.Status) &&
		(f.Actor == "" || f.Actor == m.Actor) && (f.Target == "" || f.Target == m.Target) && (f.Domain == "" || f.Domain == m.Domain) &&
		(f.SourceGlob == "" || memory.MatchGlob(f.SourceGlob, m.Source)) && strings.HasPrefix(m.URI, f.URIPrefix) &&
		(f.SessionID == "" || f.SessionID == m.SessionID) && (f.File == "" || f.File == m.Home.File) &&
		(len(f.Holding) == 0 || slices.ContainsFunc(f.Holding, func(s string) bool { return strings.Contains(m.Content, s) })) &&
		(f.After.IsZero() || !m.Observed().Before(f.After)) && (f.Before.IsZero() || m.Observed().Before(f.Before)) &&
		(f.Since.IsZero() || !m.Observed().Before(f.Since) || !m.UpdatedAt.Before(f.Since)) &&
		(f.Layer != memory.LayerWarm || !cold) && (f.Layer != memory.LayerCold || cold || m.Status == memory.Archived)
}

func drawFilter(t *rapid.T) memory.Filter {
	day := func(name string) time.Time {
		return time.Date(2026, 1, rapid.IntRange(1, 90).Draw(t, name), 0, 0, 0, 0, time.UTC)
	}
	setters := []func(*memory.Filter){
		func(f *memory.Filter) {
			f.Namespace = rapid.SampledFrom([]string{"main", "other"}).Draw(t, "namespace")
		},
		func(f *memory.Filter) { f.Types = memory.Types()[:rapid.IntRange(1, 4).Draw(t, "types")] },
		func(f *memory.Filter) { f.Forms = memory.Forms()[:rapid.IntRange(1, 6).Draw(t, "forms")] },
		func(f *memory.Filter) { f.Statuses = memory.Statuses()[:rapid.IntRange(1, 7).Draw(t, "statuses")] },
		func(f *memory.Filter) { f.Actor = "actor1" },
		func(f *memory.Filter) { f.Target = "target1" },
		func(f *memory.Filter) { f.Domain = "User" },
		func(f *memory.Filter) {
			f.SourceGlob = rapid.SampledFrom([]string{"memory-sync:2026-02-1*", "*[x]", "memory-sync:2026-02-0?[x]"}).Draw(t, "glob")
		},
		func(f *memory.Filter) {
			f.URIPrefix = rapid.SampledFrom([]string{"knowledge://topic_1/", "knowledge://topic_1/%entry1", "knowledge://topic%"}).Draw(t, "uri")
		},
		func(f *memory.Filter) { f.SessionID = "s3" },
		func(f *memory.Filter) { f.File = "second-brain/b.md" },
		func(f *memory.Filter) {
			f.Holding = []string{"1", `"quoted" \`, "topic 5", "铁匠"}[rapid.IntRange(0, 2).Draw(t, "from"):]
		},
		func(f *memory.Filter) { f.After = day("after") },
		func(f *memory.Filter) { f.Before = day("before") },
		func(f *memory.Filter) { f.Since = day("since") },
		func(f *memory.Filter) {
			f.Layer = rapid.SampledFrom([]memory.Layer{memory.LayerWarm, memory.LayerCold, memory.LayerAll}).Draw(t, "layer")
		},
	}
	var f memory.Filter
	for range rapid.IntRange(0, 4).Draw(t, "conditions") {
		rapid.SampledFrom(setters).Draw(t, "condition")(&f)
	}
	return f
}

func TestFiltersSelectWhatTheySay(t *testing.T) {
	s, _ := storetest.Open(t)
	all := varied(120)
	var changes []memory.Change
	for _, m := range all {
		changes = append(changes, add(m))
	}
	apply(t, s, changes...)
	rapid.Check(t, func(t *rapid.T) {
		f := drawFilter(t)
		want := []string{}
		for _, m := range all {
			if selects(f, m) {
				want = append(want, m.ID)
			}
		}
		slices.Sort(want)
		listed, err := s.List(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, idsOf(listed)); diff != "" {
			t.Errorf("list by %+v (-want +got):\n%s", f, diff)
		}
		found, _, err := s.Search(t.Context(), []string{"common", "word"}, f, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, idsOf(found)); diff != "" {
			t.Errorf("search by %+v (-want +got):\n%s", f, diff)
		}
		if n, err := s.Count(t.Context(), f); err != nil || n != len(want) {
			t.Errorf("count by %+v: %d, %v; want %d", f, n, err, len(want))
		}
	})
}

// idsOf returns the ids of memories or candidates, sorted.
func idsOf[T memory.Memory | memory.Candidate](list []T) []string {
	ids := []string{}
	for _, e := range list {
		switch e := any(e).(type) {
		case memory.Memory:
			ids = append(ids, e.ID)
		case memory.Candidate:
			ids = append(ids, e.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func TestTheFilterMakesNoPlanWorse(t *testing.T) {
	s, _ := storetest.Open(t)
	restrictive := memory.Filter{
		Namespace: "main", Types: memory.Types()[:1], Forms: memory.Forms()[:1], Actor: "a", Target: "t", Domain: "User", SourceGlob: "x*",
		URIPrefix: "knowledge://x", SessionID: "s", File: "f", After: time.Unix(1, 0), Before: time.Unix(2, 0), Layer: memory.LayerWarm,
	}
	for name, f := range map[string]memory.Filter{"no filter": {}, "every filter": restrictive} {
		plan, err := store.SearchPlan(t.Context(), s, f)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"SCAN t VIRTUAL TABLE", "CORRELATED SCALAR SUBQUERY 1", "SCAN search VIRTUAL TABLE INDEX 0:M1", // postings
			"SCAN k VIRTUAL TABLE", "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)", // filter
		}
		if diff := cmp.Diff(want, plan); diff != "" {
			t.Errorf("%s: plan (-want +got):\n%s", name, diff)
		}
	}
}

// model is a naive store: the specification of Search.
type model map[string][]string // terms by id

func (m model) score(id string, terms []string) float64 {
	total, length := 0.0, 0
	for _, ts := range m {
		length += len(ts)
	}
	average := float64(length) / float64(len(m))
	for _, term := range terms {
		df := 0
		for _, ts := range m {
			if slices.Contains(ts, term) {
				df++
			}
		}
		if slices.Contains(m[id], term) {
			n := float64(len(m))
			total += math.Log1p((n - float64(df) + .5) / (float64(df) + .5))
		}
	}
	return total / (1 + .9*(.6+.4*float64(len(m[id]))/average))
}

// TestSearchFollowsEveryCommit changes a store through two connections, as two
// processes would, and compares every search of both with the naive one.
func TestSearchFollowsEveryCommit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		path := t.TempDir() + "/memory.db"
		clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
		stores := []*store.Store{open(t, path, clock), open(t, path, clock)}
		m := model{}
		words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("red green blue black white 红 黑")), 1, 6)
		for step := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			s := stores[rapid.IntRange(0, 1).Draw(rt, "store")]
			mutate(rt, s, m, fmt.Sprintf("m%d", step), strings.Join(words.Draw(rt, "words"), " "))
			query := text.Index(strings.Join(words.Draw(rt, "query"), " "))
			for _, s := range stores {
				compareSearch(rt, s, m, query)
			}
		}
		for _, s := range stores {
			storetest.Check(rt, s)
			if err := s.Close(); err != nil {
				rt.Error(err)
			}
		}
	})
}

func open(t *testing.T, path string, clock *storetest.Clock) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), options(path, clock))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mutate(t *rapid.T, s *store.Store, m model, id, content string) {
	known := slices.Sorted(func(yield func(string) bool) {
		for id := range m {
			if !yield(id) {
				return
			}
		}
	})
	change := memory.Change{Op: memory.OpAdd, Memory: note(content), Import: true}
	change.Memory.ID = id
	kind := rapid.IntRange(0, 4).Draw(t, "kind")
	if len(known) > 0 && kind < 3 {
		change.Memory.ID = rapid.SampledFrom(known).Draw(t, "id")
		change.Op = []memory.Op{memory.OpUpdate, memory.OpRemove, memory.OpReinforce}[kind]
	}
	change.Restore = change.Op == memory.OpAdd
	applied, err := s.Apply(t.Context(), []memory.Change{change})
	if err != nil || applied[0].Conflict != memory.NoConflict {
		t.Fatalf("%s: %v, conflict %q", change.Op, err, applied[0].Conflict)
	}
	switch change.Op {
	case memory.OpAdd, memory.OpUpdate:
		m[change.Memory.ID] = text.Document(applied[0].Memory)
	case memory.OpRemove:
		delete(m, change.Memory.ID)
	}
}

func compareSearch(t *rapid.T, s *store.Store, m model, terms []string) {
	found, corpus, err := s.Search(t.Context(), terms, memory.Filter{Namespace: "main"}, 100)
	if err != nil {
		t.Fatal(err)
	}
	terms = slices.Compact(slices.Sorted(slices.Values(terms)))
	want := []string{}
	for id := range m {
		if m.score(id, terms) > 0 {
			want = append(want, id)
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, idsOf(found)); diff != "" {
		t.Fatalf("search for %q (-want +got):\n%s", terms, diff)
	}
	for i := 1; i < len(found); i++ {
		before, after := m.score(found[i-1].ID, terms), m.score(found[i].ID, terms)
		if before < after-1e-5 {
			t.Fatalf("search for %q: %s (%v) stands before %s (%v)", terms, found[i-1].ID, before, found[i].ID, after)
		}
	}
	for _, term := range terms {
		df := 0
		for _, ts := range m {
			if slices.Contains(ts, term) {
				df++
			}
		}
		if corpus.DF[term] != df {
			t.Fatalf("%q is in %d memories, the corpus says %d", term, df, corpus.DF[term])
		}
	}
	for _, c := range found {
		if c.Terms != strings.Join(m[c.ID], " ") {
			t.Fatalf("candidate %s has the terms %q, want %q", c.ID, c.Terms, m[c.ID])
		}
	}
}

func TestNeighboursComeFromTheSameSessionOrJournal(t *testing.T) {
	s, _ := storetest.Open(t)
	var changes []memory.Change
	for i := range 10 {
		m := note(fmt.Sprintf("turn %d", i))
		m.ID, m.SessionID, m.Seq = fmt.Sprintf("t%d", i), "talk", i
		line := note(fmt.Sprintf("line %d", i))
		line.ID = fmt.Sprintf("l%d", i)
		changes = append(changes, add(m), add(line))
	}
	apply(t, s, changes...)
	apply(t, s, memory.Change{Op: memory.OpStatus, Memory: memory.Memory{ID: "t6", Status: memory.Forgotten}})
	for id, want := range map[string][]string{"t4": {"t2", "t3", "t5"}, "l0": {"l1", "l2"}, "t9": {"t7", "t8"}} {
		found, _, err := s.Search(t.Context(), text.Index(strings.NewReplacer("t", "turn ", "l", "line ").Replace(id)), memory.Filter{}, 1)
		if err != nil || len(found) != 1 || found[0].ID != id {
			t.Fatalf("looking for %s: %+v, %v", id, found, err)
		}
		near, err := s.Around(t.Context(), []int64{found[0].Key}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, idsOf(near)); diff != "" {
			t.Errorf("around %s (-want +got):\n%s", id, diff)
		}
		for _, n := range near {
			if n.Group != found[0].Group || n.Seq == found[0].Seq {
				t.Errorf("around %s: %s is %d of %s", id, n.ID, n.Seq, n.Group)
			}
		}
	}
}
