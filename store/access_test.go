package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

func TestAccessesAreFoldedOnceAndTogether(t *testing.T) {
	s, clock := storetest.Open(t)
	m := apply(t, s, add(note("often asked for")))[0]
	var accesses []store.Access
	for i := range 1203 { // more than one transaction folds
		accesses = append(accesses, store.Access{Namespace: "main", MemoryID: m.ID, Kind: store.Used, At: clock.Now().Add(time.Duration(i) * time.Second)})
	}
	accesses = append(accesses, store.Access{Namespace: "main", MemoryID: "gone", Kind: store.Returned, At: clock.Now()})
	if err := s.RecordAccess(t.Context(), accesses); err != nil {
		t.Fatal(err)
	}
	count := func(m memory.Memory, some []store.Access) memory.Memory {
		for _, a := range some {
			m.AccessCount++
			m.LastAccess = a.At
		}
		m.Content = "a rule cannot change this"
		return m
	}
	for _, want := range []int{1204, 0} {
		if n, err := s.FoldAccesses(t.Context(), count); err != nil || n != want {
			t.Errorf("%d folded, %v; want %d", n, err, want)
		}
	}
	got, err := s.ByID(t.Context(), "main", m.ID)
	if err != nil {
		t.Fatal(err)
	}
	want := m
	want.AccessCount, want.LastAccess, want.Revision = 1203, clock.Now().Add(1202*time.Second), m.Revision+3
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the memory (-want +got):\n%s", diff)
	}
	pending, err := s.Outbox(t.Context(), 10)
	if err != nil || len(pending) != 4 || !pending[3].RecordOnly {
		t.Errorf("outbox: %+v, %v", pending, err)
	}
	if revisions, err := s.History(t.Context(), m.ID); err != nil || len(revisions) != 0 {
		t.Errorf("counters are no history: %+v, %v", revisions, err)
	}
}

func TestStatsCountANamespace(t *testing.T) {
	s, clock := storetest.Open(t)
	linked := note("linked")
	linked.Type = memory.Identity
	linked.Links = []memory.Link{{Target: "core://x", Relation: "related"}, {Target: "m2", Relation: "caused"}}
	prose := note("prose")
	prose.Form = memory.Passage
	forgotten := note("forgotten")
	forgotten.Status = memory.Forgotten
	elsewhere := note("elsewhere")
	elsewhere.Namespace = "other"
	stored := apply(t, s, add(linked), add(note("plain")), add(prose), add(forgotten), add(elsewhere))
	changed := stored[1]
	changed.Content = "changed"
	apply(t, s, memory.Change{Op: memory.OpUpdate, Memory: changed})

	got, err := s.Stats(t.Context(), "main")
	if err != nil || got.Bytes == 0 || got.SchemaVer == 0 || got.TextVer == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	got.Bytes, got.SchemaVer, got.TextVer = 0, 0, 0
	want := memory.Stats{
		Total: 2, ByType: map[memory.Type]int{memory.Identity: 1, memory.Event: 1}, ByPriority: [4]int{0: 1, 3: 1},
		ByStatus: map[memory.Status]int{memory.Active: 2, memory.Forgotten: 1},
		URIs:     4, Links: 2, Revisions: 1, Passages: 1, Outbox: 6, OldestOut: clock.Now(),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
	for _, target := range []string{"core://x", "identity://core/x"} {
		links, err := s.Backlinks(t.Context(), "main", target)
		if diff := cmp.Diff([]store.Backlink{{MemoryID: stored[0].ID, Relation: "related"}}, links); err != nil || diff != "" {
			t.Errorf("links to %s, %v (-want +got):\n%s", target, err, diff)
		}
	}
}

// Each transaction writes few memories: who remembers beside it waits for one.
func TestManyMemoriesAreFoldedInSeveralTransactions(t *testing.T) {
	s, clock := storetest.Open(t)
	var accesses []store.Access
	for i := range 250 {
		m := apply(t, s, add(note(fmt.Sprintf("asked for once, number %d", i))))[0]
		accesses = append(accesses, store.Access{Namespace: m.Namespace, MemoryID: m.ID, Kind: store.Used, At: clock.Now()})
	}
	if err := s.RecordAccess(t.Context(), accesses); err != nil {
		t.Fatal(err)
	}
	before := s.Work().Commits
	folded, err := s.FoldAccesses(t.Context(), func(m memory.Memory, a []store.Access) memory.Memory {
		m.AccessCount += len(a)
		return m
	})
	if err != nil || folded != len(accesses) {
		t.Errorf("%d folded, %v", folded, err)
	}
	if n := s.Work().Commits - before; n != 3 {
		t.Errorf("%d transactions, want 3", n)
	}
	all, err := s.List(t.Context(), memory.Filter{})
	for _, m := range all {
		if m.AccessCount != 1 {
			t.Fatalf("%s was counted %d times", m.ID, m.AccessCount)
		}
	}
	if err != nil || len(all) != 250 {
		t.Errorf("%d memories, %v", len(all), err)
	}
}

// A server flushes every so often, and whoever folds the accesses flushes too:
// none of them may wait for an access that the other has taken.
func TestFlushesAtTheSameTimeDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	m := apply(t, s, add(note("asked for")))[0]
	r := s.NewRecorder("main")
	ids := slices.Repeat([]string{m.ID}, 300)
	for range 60 {
		r.Used(ids...)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := r.Flush(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		over := make(chan struct{})
		go func() { all.Wait(); close(over) }()
		select {
		case <-over:
		case <-time.After(20 * time.Second):
			t.Fatal("a flush waits for an access that another one has written")
		}
	}
}
