package store_test

import (
	"fmt"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestSearchesStayCorrectWhileTheStoreIsWritten searches by words and by
// vectors for what each of several writers has just committed.
func TestSearchesStayCorrectWhileTheStoreIsWritten(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	model := embedded(t, s, 8)
	const writers, each = 4, 25
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for i := range each {
				if err := writeAndFind(t, s, model, fmt.Sprintf("common writer%d entry%d", w, i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	found, corpus, err := s.Search(t.Context(), []string{"common"}, memory.Filter{}, 1000)
	if err != nil || len(found) != writers*each || corpus.DF["common"] != writers*each {
		t.Errorf("in the end %d are found, %d counted, %v; want %d", len(found), corpus.DF["common"], err, writers*each)
	}
}

func writeAndFind(t *testing.T, s *store.Store, model memory.Model, content string) error {
	applied, err := s.Apply(t.Context(), []memory.Change{add(note(content))})
	if err != nil {
		return err
	}
	m := applied[0].Memory
	vector := memory.Vector{ContentHash: m.ContentHash, Values: embedding(m.ContentHash, model.Dimension)}
	if err := s.PutVectors(t.Context(), model, []memory.Vector{vector}); err != nil {
		return err
	}
	found, _, err := s.Search(t.Context(), text.Index(content), memory.Filter{Namespace: "main"}, 1)
	if err != nil || len(found) != 1 || found[0].ID != m.ID {
		return fmt.Errorf("%q is not found by its words: %v, %w", content, found, err)
	}
	near, err := s.Nearest(t.Context(), model, vector.Values, memory.Filter{Namespace: "main"}, 1)
	if err != nil || len(near) != 1 || near[0].Key != found[0].Key {
		return fmt.Errorf("%q is not found by its vector: %v, %w", content, near, err)
	}
	return nil
}
