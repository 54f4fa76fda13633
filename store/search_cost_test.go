package store_test

import (
	"fmt"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

const (
	rare      = 100 // one memory in so many passes the filter, or is in the other namespace
	shelfSize = 3_000
)

// shelved is a store in which all memories share a word.
func shelved(t *testing.T) *store.Store {
	t.Helper()
	s, _ := storetest.Open(t)
	var changes []memory.Change
	for i := range shelfSize {
		m := note(fmt.Sprintf("gateway %d moved to rack %d", i, i%17))
		m.URI, m.SessionID, m.Seq = fmt.Sprintf("knowledge://test/m%d", i), fmt.Sprintf("s%d", i/20), i%20
		switch i % rare {
		case 0:
			m.Type, m.Actor, m.Domain = memory.Event, "Ada", "ledger"
		case 1:
			m.Namespace = "other"
		}
		changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m, Import: true})
	}
	apply(t, s, changes...)
	return s
}

// TestASelectiveSearchReadsNoMore counts the pages of the database that searches
// look at: with a filter that few memories pass, and in a namespace that holds
// few, no more than without. The first question with a filter may ask about all
// memories that hold its words; those after it know what the filter selects.
func TestASelectiveSearchReadsNoMore(t *testing.T) {
	s := shelved(t)
	pages := func(f memory.Filter, terms []string, want int) int64 {
		before, err := store.PagesRead(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		found, _, err := s.Search(t.Context(), terms, f, 100)
		if err != nil || len(found) != want {
			t.Fatalf("%+v: %d found, want %d, %v", f, len(found), want, err)
		}
		after, err := store.PagesRead(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		return after - before
	}
	words, others := text.Index("gateway moved"), text.Index("moved to a rack")
	pages(memory.Filter{Namespace: "main"}, text.Index("what is read once"), 0)
	unfiltered := pages(memory.Filter{Namespace: "main"}, words, 100)
	pages(memory.Filter{Namespace: "main"}, others, 100) // what the index says of them is read once
	for name, tt := range map[string]struct {
		filter memory.Filter
		found  int
	}{
		"type and actor": {memory.Filter{Namespace: "main", Types: []memory.Type{memory.Event}, Actor: "Ada"}, shelfSize / rare},
		"domain":         {memory.Filter{Namespace: "main", Domain: "ledger"}, shelfSize / rare},
		"nothing":        {memory.Filter{Namespace: "main", Domain: "nobody"}, 0},
		"a namespace":    {memory.Filter{Namespace: "other"}, shelfSize / rare},
	} {
		first, second := pages(tt.filter, words, tt.found), pages(tt.filter, others, tt.found)
		t.Logf("%s: %d pages at first, then %d; without a filter %d", name, first, second, unfiltered)
		if second > unfiltered {
			t.Errorf("%s: %d pages, without a filter %d", name, second, unfiltered)
		}
		if most := int64(1_200); first > most {
			t.Errorf("%s: %d pages at first, want %d at most", name, first, most)
		}
	}
}
