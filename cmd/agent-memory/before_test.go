package main

import (
	"strings"
	"testing"
	"time"
)

// What only the earlier sentence said is told beside the one that set it right,
// in the same conversation and on another day.
func TestWhatStoodBeforeIsToldBesideACorrection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, old, late, question, label string }{
		{"zh", "周报每周五发给王敏。", "更正：周报改成每周四发。", "周报哪天发", "此前（2026-03-03）：周报每周五发给王敏。"},
		{"en", "The weekly report goes to Maria every Friday at 4 pm.", "Correction: the weekly report now goes out every Thursday at 3 pm.", "when does the weekly report go out",
			"before (2026-03-03): The weekly report goes to Maria every Friday at 4 pm."},
	} {
		for _, later := range []time.Duration{10 * time.Minute, 50 * time.Hour} {
			s := newSeed(t, "before-"+c.language, "openclaw", c.language)
			s.at = time.Date(2026, 3, 3, 9, 0, 0, 0, time.UTC)
			s.do("remember", c.old)
			s.at = s.at.Add(later)
			s.do("remember", c.late)
			_, out, _ := s.program("recall", c.question)
			at := strings.Index(out, c.late)
			if at < 0 || !strings.Contains(out[at:], c.label) {
				t.Errorf("%s, %v later:\n%s", c.language, later, out)
			}
			if later > time.Hour != strings.Contains(out, "1. "+c.old) && later > time.Hour != strings.Contains(out, "2. "+c.old) {
				t.Errorf("%s, %v later, which of them stand:\n%s", c.language, later, out)
			}
			s.do("compound")
			marked := strings.Contains(s.read("MEMORY.md"), "⚠️ "+s.at.Format(time.DateOnly))
			if marked != (later > time.Hour) {
				t.Errorf("%s, %v later:\n%s", c.language, later, s.read("MEMORY.md"))
			}
		}
	}
}

// What was forgotten is not told by its successor.
func TestWhatWasForgottenIsNotToldByItsSuccessor(t *testing.T) {
	t.Parallel()
	s := newSeed(t, "before-forgotten", "openclaw", "en")
	s.do("remember", "The weekly report goes to Maria every Friday at 4 pm.")
	s.at = s.at.Add(10 * time.Minute)
	s.do("remember", "Correction: the weekly report now goes out every Thursday at 3 pm.")
	_, out, _ := s.program("recall", "weekly report", "--json")
	at := strings.Index(out, `"before"`)
	if at < 0 {
		t.Fatal(out)
	}
	id := out[at+strings.Index(out[at:], `"id": "`)+7:][:26]
	s.do("forget", id)
	if _, out, _ = s.program("recall", "weekly report"); strings.Contains(out, "Maria") {
		t.Error(out)
	}
}
