package lifecycle

import (
	"slices"
	"strings"
)

// reference is how a correction that rejects no value tells which statement it
// means.
type reference int

const (
	unclear reference = iota
	byConversation
	bySubject
)

// refers tells it of a statement of the same conversation, or of any other.
func (c Correction) refers(sameSession bool) reference {
	switch {
	case c.Announced && sameSession:
		return byConversation
	case c.declared && c.values.namesSubject():
		return bySubject
	}
	return unclear
}

// namesSubject reports whether something stands before the values that says what
// they are of: not only how often, or that something goes or is sent.
func (v values) namesSubject() bool {
	return slices.ContainsFunc(v.heads, func(term string) bool {
		return !singleCharacter(term) && !slices.Contains([]string{"everi", "each", "goe", "go", "sent", "send", "run", "due", "onli", "alway"}, term)
	})
}

// declares reports whether a text begins with words that only a correction
// begins with; "actually" and "等等" begin much else.
func declares(s string) bool {
	s = trimMarks(s)
	return slices.ContainsFunc([]string{"更正", "纠正", "糾正", "说错了", "說錯了", "搞错了", "搞錯了", "弄错了", "弄錯了", "我说错了", "我說錯了", "correction", "my mistake", "scratch that"},
		func(lead string) bool { return begins(s, lead) && strings.TrimSpace(s[len(lead):]) != "" })
}
