package tools_test

import (
	"strings"
	"testing"
)

// A decision is found by what a note rejects, even if all the rarest words of the
// note stand in another one.
func TestAnEarlierNoteKeepsNoDecisionFromBeingDisputed(t *testing.T) {
	for _, c := range []struct{ before, card, note string }{
		{"我们现在改用 MySQL，不再用 PostgreSQL 了", "数据库用 PostgreSQL", "数据库改用 MySQL，不再用 PostgreSQL 了"},
		{"We are at the airport and all agreed: MySQL now, no longer PostgreSQL", "Use PostgreSQL", "We are all agreed: we now use MySQL, no longer PostgreSQL, at the airport"},
	} {
		for _, session := range []string{"", `,"session_id":"talk"`} {
			for _, before := range []string{"", c.before} {
				k := newKit(t)
				if before != "" {
					k.call("remember", `{"content":"`+before+`"}`)
				}
				card := k.call("remember", `{"form":"decision","content":"`+c.card+`"}`)
				got := k.call("remember", `{"content":"`+c.note+`"`+session+`}`)
				if !strings.Contains(text(got["reason"]), "contradicts the decision "+text(card["uri"])) {
					t.Errorf("%q after %q and the decision %q: %v", c.note, before, c.card, got["reason"])
				}
			}
		}
	}
}
