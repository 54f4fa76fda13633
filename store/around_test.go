package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// turn is where a memory stands in its session.
type turn struct {
	session string
	seq     int
	shown   bool
}

// TestNeighboursFollowEveryCommit moves memories between sessions through two
// connections, as two processes would, and compares the neighbours that both
// tell with those of a model.
func TestNeighboursFollowEveryCommit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		path := t.TempDir() + "/memory.db"
		clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
		stores := []*store.Store{open(t, path, clock), open(t, path, clock)}
		turns := map[string]turn{}
		for step := range rapid.IntRange(2, 8).Draw(rt, "steps") {
			s := stores[rapid.IntRange(0, 1).Draw(rt, "store")]
			moveTurn(rt, s, turns, step)
			for _, s := range stores {
				compareNeighbours(rt, s, turns)
			}
		}
		for _, s := range stores {
			if err := s.Close(); err != nil {
				rt.Error(err)
			}
		}
	})
}

func moveTurn(t *rapid.T, s *store.Store, turns map[string]turn, step int) {
	id := fmt.Sprintf("m%d", rapid.IntRange(0, 5).Draw(t, "id"))
	next := turn{rapid.SampledFrom([]string{"a", "b"}).Draw(t, "session"), rapid.IntRange(1, 6).Draw(t, "seq"), true}
	m := note(fmt.Sprintf("turn %d of %s", step, id))
	m.ID, m.SessionID, m.Seq, m.URI = id, next.session, next.seq, "knowledge://test/"+id
	change := memory.Change{Op: memory.OpAdd, Memory: m, Import: true, Restore: true}
	if _, known := turns[id]; known {
		change.Op = rapid.SampledFrom([]memory.Op{memory.OpUpdate, memory.OpStatus, memory.OpRemove}).Draw(t, "op")
	}
	switch change.Op {
	case memory.OpStatus:
		change.Memory.Status = memory.Forgotten
		next = turn{turns[id].session, turns[id].seq, false}
	case memory.OpUpdate:
		change.Memory.Status = memory.Active
	}
	applied, err := s.Apply(t.Context(), []memory.Change{change})
	if err != nil || applied[0].Conflict != memory.NoConflict {
		t.Fatalf("%s of %s: %v, conflict %q", change.Op, id, err, applied[0].Conflict)
	}
	if turns[id] = next; change.Op == memory.OpRemove {
		delete(turns, id)
	}
}

func compareNeighbours(t *rapid.T, s *store.Store, turns map[string]turn) {
	all, err := s.List(t.Context(), memory.Filter{Statuses: memory.Statuses()})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		of := turns[m.ID]
		want := []string{}
		for id, other := range turns {
			if id != m.ID && other.shown && other.session == of.session && max(other.seq-of.seq, of.seq-other.seq) <= 2 {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		keys, err := store.KeysOf(t.Context(), s, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		near, err := s.Around(t.Context(), keys, 2)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, idsOf(near)); diff != "" {
			t.Fatalf("around %s, %+v (-want +got):\n%s", m.ID, of, diff)
		}
	}
}

// TestNeighboursInALongJournal reads those of a group that is too large to be kept.
func TestNeighboursInALongJournal(t *testing.T) {
	s, _ := storetest.Open(t)
	var changes []memory.Change
	for i := range 600 {
		m := note(fmt.Sprintf("turn %d", i))
		m.ID, m.SessionID, m.Seq, m.URI = fmt.Sprintf("t%d", i), "long", i+1, fmt.Sprintf("knowledge://test/t%d", i)
		changes = append(changes, add(m))
	}
	apply(t, s, changes...)
	for _, i := range []int{0, 300, 599} {
		keys, err := store.KeysOf(t.Context(), s, fmt.Sprintf("t%d", i))
		if err != nil {
			t.Fatal(err)
		}
		near, err := s.Around(t.Context(), keys, 1)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for _, n := range []int{i - 1, i + 1} {
			if n >= 0 && n < 600 {
				want = append(want, fmt.Sprintf("t%d", n))
			}
		}
		if diff := cmp.Diff(want, idsOf(near)); diff != "" {
			t.Errorf("around t%d (-want +got):\n%s", i, diff)
		}
	}
}
