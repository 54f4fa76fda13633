package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// What is kept in memory of a memory that this process has just written is what
// any other process would read of it.
func TestWrittenCandidatesAreWhatWouldBeRead(t *testing.T) {
	s, clock := storetest.Open(t)
	readCandidates(t, s)
	ids := []string{}
	for i, shape := range shapes(clock) {
		m := note(fmt.Sprintf("text %d about 数据库 and OPS-%d", i, 100+i))
		m.ID = fmt.Sprintf("new%d", i)
		shape(&m)
		apply(t, s, add(m))
		ids = append(ids, m.ID)
	}
	keys, err := store.KeysOf(t.Context(), s, ids...)
	if err != nil {
		t.Fatal(err)
	}
	other := storetest.OpenAt(t, s.Path(), clock)
	if _, err := other.Candidates(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
	written, read := store.Kept(s, keys), store.Kept(other, keys)
	if len(written) != len(ids) || !slices.Equal(written, read) {
		t.Errorf("kept of what was written:\n%q\nread:\n%q", written, read)
	}
	// A change by anybody counts at once.
	changed, err := other.ByIDs(t.Context(), ids[:1])
	if err != nil {
		t.Fatal(err)
	}
	changed[0].Status = memory.Superseded
	apply(t, other, memory.Change{Op: memory.OpStatus, Memory: changed[0]})
	if now, err := s.Candidates(t.Context(), keys[:1]); err != nil || now[0].Status != memory.Superseded {
		t.Errorf("after another process superseded it: %v, %v", now, err)
	}
}

// shapes are what a memory may be like.
func shapes(clock *storetest.Clock) []func(*memory.Memory) {
	return []func(*memory.Memory){
		func(*memory.Memory) {},
		func(m *memory.Memory) {
			m.Actor, m.Target, m.Title = "Mei 梅", "the whole team", "一个标题 of several words"
		},
		func(m *memory.Memory) { m.SessionID, m.Seq = "s1", 7 },
		func(m *memory.Memory) { m.SessionID = "s1" },
		func(m *memory.Memory) { m.ObservedAt = time.Date(2025, 3, 4, 5, 6, 7, 89_012_345, time.UTC) },
		func(m *memory.Memory) { m.Home.File = "memory/archive/2024-01.md" },
		func(m *memory.Memory) { m.Home.File = "memory/archive/2024/2024-01-02.md" },
		func(m *memory.Memory) {
			m.Home.File, m.Form = "agents/mei/memory/archive/2024/2024-01-02.md", memory.Passage
		},
		func(m *memory.Memory) { m.Fields = []memory.Field{{Name: "why", Value: "it was cheaper"}} },
		func(m *memory.Memory) {
			m.Pinned, m.Confidence, m.Stability, m.Importance, m.AccessCount = true, .25, 3.5, .75, 4
		},
		func(m *memory.Memory) { m.LastAccess = clock.Now().Add(-time.Hour) },
		func(m *memory.Memory) {
			m.Status, m.Trust, m.Type = memory.Proposed, memory.TrustExternal, memory.Event
		},
		func(m *memory.Memory) { m.Namespace = "other" },
		func(m *memory.Memory) { m.Content = "does anybody ask?" },
	}
}

// readCandidates has candidates read, so that later ones are kept beside them.
func readCandidates(t *testing.T, s *store.Store) {
	t.Helper()
	first := note("the first one, by which candidates are read at all")
	first.ID = "first"
	apply(t, s, add(first))
	keys, err := store.KeysOf(t.Context(), s, "first")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Candidates(t.Context(), keys); err != nil {
		t.Fatal(err)
	}
}

// What one transaction adds and then changes, or takes away again, is kept as it
// leaves it.
func TestWhatIsAddedAndChangedAtOnceIsKeptAsItEnds(t *testing.T) {
	s, _ := storetest.Open(t)
	readCandidates(t, s)
	changed, gone := note("the limit is 100"), note("the limit was 90")
	changed.ID, gone.ID = "changed", "gone"
	after := changed
	after.Status = memory.Superseded
	apply(t, s, add(changed), add(gone), memory.Change{Op: memory.OpStatus, Memory: after}, memory.Change{Op: memory.OpRemove, Memory: gone})
	keys, err := store.KeysOf(t.Context(), s, "changed")
	if err != nil {
		t.Fatal(err)
	}
	now, err := s.Candidates(t.Context(), []int64{keys[0], keys[0] + 1})
	if err != nil || len(now) != 1 || now[0].Status != memory.Superseded {
		t.Errorf("%+v, %v", now, err)
	}
}
