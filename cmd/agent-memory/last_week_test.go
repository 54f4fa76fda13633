package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Where decisions are bullets like others, those that say so come first when they
// are asked for, in either language.
func TestWhatWasDecidedLastWeekComesFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, question string
		said               []string
		decided            int
	}{
		{"zh", "上周我们决定了什么", []string{"决定取消周会，改为书面周报。", "和供应商谈妥了，单价 12.5 元。", "我对花生过敏。", "教训：上线前先备份。"}, 2},
		{"en", "what did we decide last week", []string{"We decided to drop the weekly meeting.", "We agreed with the supplier on 12.50 per unit.", "I am allergic to peanuts.", "Lesson: back up before a release."}, 2},
	} {
		s := newSeed(t, "last-week-"+c.language, "fusion", c.language)
		for i, said := range c.said {
			s.at = time.Date(2026, 3, 3+i, 9, 0, 0, 0, time.UTC)
			s.do("remember", said)
		}
		s.at = time.Date(2026, 3, 11, 9, 0, 0, 0, time.UTC)
		hits := s.recall(c.question)
		if len(hits) != len(c.said) {
			t.Fatalf("%q: %+v", c.question, hits)
		}
		for _, h := range hits[:c.decided] {
			if !slices.Contains(c.said[:c.decided], h.Content) {
				t.Errorf("%q: %q is among the first", c.question, h.Content)
			}
		}
	}
}

// A hit names what each word beside its vitality measures.
func TestAHitNamesItsMeasures(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"zh": "活力 1.00，重要度 银，温度 热", "en": "vitality 1.00, importance Silver, temperature hot"} {
		s := newSeed(t, "measures-"+language, "openclaw", language)
		s.do("remember", "The ledger uses SQLite 账本")
		if code, out, errs := s.program("recall", "ledger"); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s\n%s\nwant %q", language, code, errs, out, want)
		}
	}
}
