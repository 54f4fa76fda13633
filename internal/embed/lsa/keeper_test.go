package lsa_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/gofrs/flock"

	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

func keeperOf(t *testing.T, s *store.Store) *lsa.Keeper {
	t.Helper()
	return &lsa.Keeper{Generations: s, Contents: s, Hold: held(filepath.Join(t.TempDir(), "lock")), Namespace: memory.DefaultNamespace}
}

func remember(t *testing.T, s *store.Store, from, to int) {
	t.Helper()
	var changes []memory.Change
	for i := from; i < to; i++ {
		m := memory.Memory{Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Note, Status: memory.Active, Trust: memory.TrustUser,
			Content: fmt.Sprintf("note %d about subject%d and matter%d", i, i%7, i%5), URI: fmt.Sprintf("knowledge://test/n%d", i), Confidence: 1}
		m.ContentHash = memory.Hash(m.Content)
		changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m, Reason: "test"})
	}
	applied, err := s.Apply(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range applied {
		if a.Conflict != memory.NoConflict {
			t.Fatalf("conflict %s", a.Conflict)
		}
	}
}

func update(t *testing.T, s *store.Store, k *lsa.Keeper) memory.Model {
	t.Helper()
	if err := k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	m, err := s.ServingModel(t.Context(), memory.DefaultNamespace)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.CountPending(t.Context(), m); err != nil || n != 0 {
		t.Fatalf("%d contents without a vector, %v", n, err)
	}
	return m
}

func TestKeeperLearnsAgainAsTheStoreGrows(t *testing.T) {
	s, _ := storetest.Open(t)
	k := keeperOf(t, s)
	if m := update(t, s, k); m.Generation != 0 {
		t.Fatalf("an empty store has generation %d", m.Generation)
	}
	remember(t, s, 0, 10)
	small := update(t, s, k)
	remember(t, s, 10, 12)
	if same := update(t, s, k); same.Generation != small.Generation {
		t.Errorf("two more memories made generation %d of %d", same.Generation, small.Generation)
	}
	remember(t, s, 12, 90)
	grown := update(t, s, k)
	if grown.Generation == small.Generation || grown.Provider != lsa.Provider || grown.Dimension != lsa.Dimension {
		t.Errorf("after growth %+v serves", grown)
	}
	found, err := (&lsa.Meaning{Keeper: k, Vectors: s}).Nearest(t.Context(), "subject3", memory.Filter{Namespace: memory.DefaultNamespace}, 5)
	if err != nil || len(found) != 5 {
		t.Fatalf("found %v, %v", found, err)
	}
	candidates, err := s.Candidates(t.Context(), []int64{found[0].Key})
	if err != nil || len(candidates) != 1 {
		t.Fatalf("%v, %v", candidates, err)
	}
}

func TestKeeperTakesUpWhatWasLeftHalfMade(t *testing.T) {
	s, _ := storetest.Open(t)
	k := keeperOf(t, s)
	remember(t, s, 0, 10)
	before := update(t, s, k)
	remember(t, s, 10, 90)
	space, err := lsa.Train(t.Context(), []lsa.Entry{{Text: "something else"}})
	if err != nil {
		t.Fatal(err)
	}
	params, err := space.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	half, err := s.BeginGeneration(t.Context(), memory.DefaultNamespace, memory.Model{Provider: lsa.Provider, Name: lsa.Name, Dimension: lsa.Dimension}, params)
	if err != nil {
		t.Fatal(err)
	}
	after := update(t, s, keeperOf(t, s))
	if after.Generation == before.Generation || after.Generation != half.Generation {
		t.Errorf("generation %d serves instead of the half made %d", after.Generation, half.Generation)
	}
}

// busy is a store into which another process writes just before the switch.
type busy struct {
	*store.Store
	write func()
}

func (b *busy) SwitchGeneration(ctx context.Context, m memory.Model) error {
	if b.write != nil {
		b.write()
		b.write = nil
	}
	return b.Store.SwitchGeneration(ctx, m)
}

// What others write while vectors are made is no failure: the next update makes
// theirs too, and switches.
func TestWritesBeforeTheSwitchOnlyPutItOff(t *testing.T) {
	s, _ := storetest.Open(t)
	remember(t, s, 0, 200)
	k := keeperOf(t, s)
	first := update(t, s, k)
	remember(t, s, 200, 400)
	k.Generations = &busy{Store: s, write: func() { remember(t, s, 400, 401) }}
	if err := k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, err := s.ServingModel(t.Context(), memory.DefaultNamespace); err != nil || m != first {
		t.Errorf("an incomplete generation serves: %+v, %v", m, err)
	}
	if m := update(t, s, k); m == first {
		t.Errorf("%+v still serves", m)
	}
}

// held is a lock in a file.
func held(path string) lsa.Hold {
	return func(ctx context.Context) (context.Context, func(), bool) {
		lock := flock.New(path)
		ok, err := lock.TryLock()
		return ctx, func() { _ = lock.Unlock() }, ok && err == nil
	}
}

func TestOnlyOneProcessLearns(t *testing.T) {
	s, _ := storetest.Open(t)
	remember(t, s, 0, 10)
	path := filepath.Join(t.TempDir(), "lock")
	other := flock.New(path)
	if ok, err := other.TryLock(); err != nil || !ok {
		t.Fatalf("taking the lock: %v, %v", ok, err)
	}
	k := &lsa.Keeper{Generations: s, Contents: s, Hold: held(path), Namespace: memory.DefaultNamespace}
	if err := k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m, err := s.ServingModel(t.Context(), memory.DefaultNamespace); err != nil || m.Generation != 0 {
		t.Errorf("generation %d was learned while another process held the lock (%v)", m.Generation, err)
	}
	if err := other.Unlock(); err != nil {
		t.Fatal(err)
	}
}
