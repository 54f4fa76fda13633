package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"agentmemory/internal/memory"
)

// A call sees all that was committed before it began, whoever did it, and looks
// for commits once, however often it asks.
func TestOneCallLooksForCommitsOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s, other := openHere(t, path), openHere(t, path)
	for i := range 5 {
		change(t, other, memory.OpAdd, fmt.Sprintf("o%d", i), fmt.Sprintf("common text of the other%d", i))
		ctx := s.At(t.Context())
		found, corpus, err := s.Search(ctx, []string{"common"}, memory.Filter{}, 10)
		if err != nil || len(found) != i+1 || corpus.Memories != i+1 {
			t.Fatalf("%d of %d memories after %d commits, %v", len(found), corpus.Memories, i+1, err)
		}
		before := s.Work().Statements
		for range 10 {
			if _, err := s.Candidates(ctx, []int64{found[0].Key}); err != nil {
				t.Fatal(err)
			}
		}
		if n := s.Work().Statements - before; n > 0 {
			t.Errorf("%d statements for what was just read", n)
		}
	}
}
