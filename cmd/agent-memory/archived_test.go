package main

import (
	"testing"
	"time"
)

// A journal that moved to the yearly archive still holds what is known: a newer
// memory that shares a word with the question does not hide it.
func TestWhatAnArchivedJournalHoldsIsFoundAsBefore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, old, late, question string }{
		{"zh", "周报每周五发给王敏。", "决定取消周会，改为书面周报。", "周报发给谁"},
		{"en", "The weekly report goes to Maria on Fridays.", "We dropped the weekly meeting and write a report instead.", "who gets the weekly report"},
	} {
		s := newSeed(t, "archived-"+c.language, "openclaw", c.language)
		s.at = time.Date(2026, 3, 3, 9, 0, 0, 0, time.UTC)
		s.do("remember", c.old)
		s.at = s.at.AddDate(0, 0, 10)
		s.do("remember", c.late)
		s.at = time.Date(2026, 3, 15, 22, 0, 0, 0, time.UTC)
		s.do("compound")
		if !s.exists("memory/archive/2026/2026-03-03.md") {
			t.Fatalf("%s: the journal is not in the archive", c.language)
		}
		if hits := s.recall(c.question); len(hits) == 0 || hits[0].Content != c.old {
			t.Errorf("%q: %+v", c.question, hits)
		}
	}
}
