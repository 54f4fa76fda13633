package store_test

import (
	"fmt"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store/storetest"
)

// TestRelatedWordsFindMemories: a memory that holds a related word is found, behind
// those that hold the word itself; common ones find nothing, and another namespace's
// words neither count nor are told of.
func TestRelatedWordsFindMemories(t *testing.T) {
	s, _ := storetest.Open(t)
	apply(t, s, add(note("the puppy sleeps")), add(note("a pet shop")), add(note("nothing of the kind")))
	for i := range 30 {
		apply(t, s, add(note(fmt.Sprintf("animal number %d", i))))
	}
	elsewhere := note("a kitten")
	elsewhere.Namespace = "other"
	apply(t, s, add(elsewhere))
	related := []memory.Related{
		{Term: text.Index("puppy")[0], Of: "pet", Share: 0.5}, {Term: "anim", Of: "pet", Share: 0.5}, {Term: "kitten", Of: "pet", Share: 0.4}, {Term: "unknown", Of: "pet", Share: 0.4},
	}
	found, corpus, err := s.SearchRelated(t.Context(), []string{"pet"}, related, memory.Filter{Namespace: "main"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || found[0].Terms != "pet shop" || found[1].Terms != "puppi sleep" {
		t.Errorf("found %d: %+v", len(found), found)
	}
	for term, want := range map[string]int{"pet": 1, "puppi": 1, "anim": 30, "kitten": 0, "unknown": 0} {
		if corpus.DF[term] != want {
			t.Errorf("%s: %d memories, want %d", term, corpus.DF[term], want)
		}
	}
	if found, _, err = s.Search(t.Context(), []string{"pet"}, memory.Filter{Namespace: "main"}, 10); err != nil || len(found) != 1 {
		t.Errorf("without related words: %d, %v", len(found), err)
	}
}
