package store_test

import (
	"fmt"
	"slices"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// TestFrequentTermsOnlyTellApart: in a large store a term that every other
// memory holds finds nothing by itself, but still decides between those that a
// rarer term finds; and a question of nothing but such terms is answered.
func TestFrequentTermsOnlyTellApart(t *testing.T) {
	s, _ := storetest.Open(t)
	var changes []memory.Change
	for i := range 200 {
		content := fmt.Sprintf("number%d", i)
		if i%2 == 0 {
			content += " harbour"
		}
		if i%4 == 0 {
			content += " storm"
		}
		if i > 195 {
			content += " zeppelin"
		}
		m := note(content)
		m.ID = fmt.Sprint(i)
		changes = append(changes, add(m))
	}
	apply(t, s, changes...)
	find := func(terms ...string) []string {
		found, _, err := s.Search(t.Context(), terms, memory.Filter{Namespace: "main"}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]string, len(found))
		for i, c := range found {
			ids[i] = c.ID
		}
		return ids
	}
	whole := find("harbour", "storm", "zeppelin")
	store.PruneAbove(s, 100)
	if got := find("harbour", "storm", "zeppelin"); !slices.Equal(got, whole[:4]) {
		t.Errorf("pruned: %v, the best of all are %v", got, whole[:4])
	}
	if got := find("harbour", "storm"); len(got) != 50 {
		t.Errorf("of frequent terms only: %d found, want the 50 that hold the rarer one", len(got))
	}
}
