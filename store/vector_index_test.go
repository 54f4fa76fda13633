package store

import (
	"fmt"
	"path/filepath"
	"testing"

	"agentmemory/internal/memory"
)

// TestVectorsAreScannedFlatOnceTheyAreMany lets an index outgrow chromem while
// it is in use.
func TestVectorsAreScannedFlatOnceTheyAreMany(t *testing.T) {
	s := openHere(t, filepath.Join(t.TempDir(), "memory.db"))
	s.vectors.few = 3
	model, err := s.BeginGeneration(t.Context(), "main", memory.Model{Provider: "test", Name: "corner", Dimension: 8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		content := fmt.Sprintf("content %d", i)
		change(t, s, memory.OpAdd, fmt.Sprintf("m%d", i), content)
		corner := make([]float32, 8)
		corner[i] = 2
		if err := s.PutVectors(t.Context(), model, []memory.Vector{{ContentHash: memory.Hash(content), Values: corner}}); err != nil {
			t.Fatal(err)
		}
		found, err := s.Nearest(t.Context(), model, corner, memory.Filter{Namespace: "main"}, 2)
		if err != nil || len(found) != min(i+1, 2) || found[0].Cosine != 1 {
			t.Fatalf("with %d vectors: %v, %v", i+1, found, err)
		}
		_, flat := s.vectors.loaded[model.Generation].search.(*flatSearch)
		if flat != (i+1 > 3) {
			t.Errorf("with %d vectors they are scanned flat: %t", i+1, flat)
		}
	}
}
