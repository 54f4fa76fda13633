package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// embedding makes a vector of a content: the same one for the same content.
func embedding(hash string, dimension int) []float32 {
	var seed uint64
	for _, c := range []byte(hash) {
		seed = seed*31 + uint64(c)
	}
	r := rand.New(rand.NewPCG(seed, 1))
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// embedded gives every content a vector of a new generation that serves.
func embedded(t *testing.T, s *store.Store, dimension int) memory.Model {
	t.Helper()
	m, err := s.BeginGeneration(t.Context(), "main", memory.Model{Provider: "test", Name: "random", Dimension: dimension}, nil)
	if err != nil {
		t.Fatal(err)
	}
	embedPending(t, s, m)
	if err := s.SwitchGeneration(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// embedPending works like the embedder's worker and returns how many it did.
func embedPending(t *testing.T, s *store.Store, m memory.Model) int {
	t.Helper()
	for total := 0; ; {
		pending, err := s.PendingVectors(t.Context(), m, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(pending) == 0 {
			return total
		}
		total += len(pending)
		vectors := make([]memory.Vector, len(pending))
		for i, p := range pending {
			vectors[i] = memory.Vector{ContentHash: p.ContentHash, Values: embedding(p.ContentHash, m.Dimension)}
		}
		if err := s.PutVectors(t.Context(), m, vectors); err != nil {
			t.Fatal(err)
		}
	}
}

// nearestID returns the id of the memory nearest to the vector of a content.
func nearestID(t *testing.T, s *store.Store, m memory.Model, content string, f memory.Filter) string {
	t.Helper()
	f.Namespace = "main"
	found, err := s.Nearest(t.Context(), m, embedding(memory.Hash(content), m.Dimension), f, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 || found[0].Cosine < .99 {
		return ""
	}
	loaded, err := s.Load(t.Context(), []int64{found[0].Key})
	if err != nil || len(loaded) != 1 {
		t.Fatalf("loading the nearest: %v", err)
	}
	return loaded[0].ID
}

func TestVectorsFollowWhatHappensToTheMemories(t *testing.T) {
	s, _ := storetest.Open(t)
	var changes []memory.Change
	for i := range 300 {
		m := note(fmt.Sprintf("content %d", i))
		m.ID = fmt.Sprintf("m%d", i)
		m.Actor = fmt.Sprintf("actor%d", i%7)
		changes = append(changes, add(m))
	}
	apply(t, s, changes...)
	model := embedded(t, s, 16)
	expect := func(what, content, want string, f memory.Filter) {
		t.Helper()
		if got := nearestID(t, s, model, content, f); got != want {
			t.Errorf("%s: nearest to %q is %q, want %q", what, content, got, want)
		}
	}
	expect("as loaded", "content 17", "m17", memory.Filter{})
	expect("filtered by its actor", "content 17", "m17", memory.Filter{Actor: "actor3"})
	expect("filtered by another actor", "content 17", "", memory.Filter{Actor: "actor4"})

	changed := note("something else")
	changed.ID = "m17"
	apply(t, s, memory.Change{Op: memory.OpUpdate, Memory: changed})
	expect("after an update, not embedded yet", "content 17", "", memory.Filter{})
	if n := embedPending(t, s, model); n != 1 {
		t.Errorf("%d contents were pending after the update, want 1", n)
	}
	expect("after the update was embedded", "something else", "m17", memory.Filter{})

	apply(t, s, memory.Change{Op: memory.OpRemove, Memory: memory.Memory{ID: "m18"}})
	expect("after a removal", "content 18", "", memory.Filter{})

	other := storetest.OpenAt(t, s.Path(), storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)))
	added := note("by another process")
	added.ID = "other"
	apply(t, other, add(added))
	embedPending(t, other, model)
	expect("written and embedded elsewhere", "by another process", "other", memory.Filter{})
}

func TestVectorsThatWouldSpoilAnAnswerAreRefused(t *testing.T) {
	s, _ := storetest.Open(t)
	m := apply(t, s, add(note("a content")))[0]
	model, err := s.BeginGeneration(t.Context(), "main", memory.Model{Provider: "test", Name: "x", Dimension: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, bad := range map[string][]float32{
		"too long": {1, 2, 3}, "too short": {1}, "zero": {0, 0}, "not a number": {nan, 1}, "infinite": {inf, 1},
	} {
		if err := s.PutVectors(t.Context(), model, []memory.Vector{{ContentHash: m.ContentHash, Values: bad}}); memory.CodeOf(err) != memory.InvalidArgument {
			t.Errorf("storing a vector that is %s: %v", name, err)
		}
		if _, err := s.Nearest(t.Context(), model, bad, memory.Filter{Namespace: "main"}, 1); memory.CodeOf(err) != memory.InvalidArgument {
			t.Errorf("asking with a vector that is %s: %v", name, err)
		}
	}
	found, err := s.Nearest(t.Context(), model, []float32{1, 0}, memory.Filter{Namespace: "main"}, 5)
	if err != nil || len(found) != 0 {
		t.Errorf("an index without vectors: %v, %v", found, err)
	}
	// A content that cannot have a vector is not asked for again.
	if err := s.PutVectors(t.Context(), model, []memory.Vector{{ContentHash: m.ContentHash}}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.CountPending(t.Context(), model); err != nil || n != 0 {
		t.Errorf("pending: %d, %v", n, err)
	}
}

func TestGenerationsAreSwitchedWholeAndResumed(t *testing.T) {
	s, _ := storetest.Open(t)
	for i := range 5 {
		apply(t, s, add(note(fmt.Sprintf("content %d", i))))
	}
	first := embedded(t, s, 4)
	wanted := memory.Model{Provider: "test", Name: "better", Dimension: 8}
	second, err := s.BeginGeneration(t.Context(), "main", wanted, []byte("learned"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SwitchGeneration(t.Context(), second); memory.CodeOf(err) != memory.Conflicting {
		t.Errorf("switching before it is whole: %v", err)
	}
	pending, err := s.PendingVectors(t.Context(), second, 2)
	if err != nil || len(pending) != 2 {
		t.Fatalf("pending: %v, %v", pending, err)
	}
	for _, p := range pending {
		if err := s.PutVectors(t.Context(), second, []memory.Vector{{ContentHash: p.ContentHash, Values: embedding(p.ContentHash, 8)}}); err != nil {
			t.Fatal(err)
		}
	}

	// Another process goes on where this one stopped.
	other := storetest.OpenAt(t, s.Path(), storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)))
	resumed, err := other.BeginGeneration(t.Context(), "main", wanted, []byte("learned"))
	if err != nil || resumed != second {
		t.Fatalf("resuming: %+v, %v; want %+v", resumed, err, second)
	}
	if n := embedPending(t, other, resumed); n != 3 {
		t.Errorf("%d contents were left to do, want 3", n)
	}
	if serving, _, err := s.Serving(t.Context(), "main"); err != nil || serving != first {
		t.Errorf("serving %+v, %v while the next is built; want %+v", serving, err, first)
	}
	if err := other.SwitchGeneration(t.Context(), resumed); err != nil {
		t.Fatal(err)
	}
	serving, params, err := s.Serving(t.Context(), "main")
	if err != nil || serving != second || string(params) != "learned" {
		t.Errorf("serving %+v with %q, %v; want %+v", serving, params, err, second)
	}
	for more := true; more; {
		if more, err = s.DropRetired(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := s.Generations(t.Context(), "main"); err != nil || len(all) != 1 {
		t.Errorf("generations left: %+v, %v", all, err)
	}
}

func TestALoadThatNobodyWaitsForGoesOn(t *testing.T) {
	s, _ := storetest.Open(t)
	apply(t, s, add(note("a content")))
	model := embedded(t, s, 4)
	query := embedding(memory.Hash("a content"), 4)
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Nearest(impatient, model, query, memory.Filter{Namespace: "main"}, 1); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("without waiting: %v", err)
	}
	if found, err := s.Nearest(t.Context(), model, query, memory.Filter{Namespace: "main"}, 1); err != nil || len(found) != 1 {
		t.Errorf("waiting: %v, %v", found, err)
	}
}

// What a model learned is megabytes; moving the progress of its vectors writes
// a few pages, whatever their number.
func TestProgressOfVectorsIsWrittenWithoutTheModel(t *testing.T) {
	s, _ := storetest.Open(t)
	apply(t, s, add(note("first")))
	m, err := s.BeginGeneration(t.Context(), "main", memory.Model{Provider: "p", Name: "m", Dimension: 3}, make([]byte, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	before := logSize(t, s)
	pending, err := s.PendingVectors(t.Context(), m, 10)
	if err != nil || len(pending) != 1 {
		t.Fatalf("%d contents wait, %v", len(pending), err)
	}
	if err := s.PutVectors(t.Context(), m, []memory.Vector{{ContentHash: pending[0].ContentHash, Values: []float32{1, 0, 0}}}); err != nil {
		t.Fatal(err)
	}
	if grown := logSize(t, s) - before; grown > 64<<10 {
		t.Errorf("one vector of three components wrote %d bytes", grown)
	}
}

func logSize(t *testing.T, s *store.Store) int64 {
	t.Helper()
	info, err := os.Stat(s.Path() + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
