package store_test

import (
	"fmt"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// followPages is how many pages of the database a search by meaning may look at
// after one memory was written: as many in a store of any size.
const followPages = 60

// A question after a write reads what was written, not all that is stored: SQLite
// chose to go through every memory and every vector.
func TestVectorsFollowAWriteByAFewPages(t *testing.T) {
	s, _ := storetest.Open(t)
	const size, dimension = 1_500, 16
	var changes []memory.Change
	for i := range size {
		changes = append(changes, add(note(fmt.Sprintf("the gateway moved to rack %d", i))))
	}
	apply(t, s, changes...)
	model, err := s.BeginGeneration(t.Context(), "main", memory.Model{Provider: "test", Name: "random", Dimension: dimension}, nil)
	if err != nil {
		t.Fatal(err)
	}
	embed(t, s, model)
	query := embedding("query", dimension)
	nearest := func() (memory.Neighbour, int64) {
		before, err := store.PagesRead(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Nearest(t.Context(), model, query, memory.Filter{Namespace: "main"}, 1)
		if err != nil || len(found) != 1 {
			t.Fatalf("%d found, %v", len(found), err)
		}
		after, err := store.PagesRead(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return found[0], after - before
	}
	nearest() // loads them
	for i := range 3 {
		m := note(fmt.Sprintf("what is nearest to the question, for the time %d", i))
		applied := apply(t, s, add(m))
		if _, pages := nearest(); i > 0 && pages > followPages {
			t.Errorf("after a write, %d pages were read, want %d at most", pages, followPages)
		}
		if err := s.PutVectors(t.Context(), model, []memory.Vector{{ContentHash: memory.Hash(m.Content), Values: query}}); err != nil {
			t.Fatal(err)
		}
		found, pages := nearest()
		if pages > followPages {
			t.Errorf("after a new vector, %d pages were read, want %d at most", pages, followPages)
		}
		if found.Cosine < .99 {
			t.Errorf("the new vector of %v is not found: %v", applied, found)
		}
	}
}

// embed gives every memory a vector.
func embed(t *testing.T, s *store.Store, model memory.Model) {
	t.Helper()
	pending, err := s.PendingVectors(t.Context(), model, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	vectors := make([]memory.Vector, len(pending))
	for i, p := range pending {
		vectors[i] = memory.Vector{ContentHash: p.ContentHash, Values: embedding(p.ContentHash, model.Dimension)}
	}
	if err := s.PutVectors(t.Context(), model, vectors); err != nil {
		t.Fatal(err)
	}
}
