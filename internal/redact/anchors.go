package redact

import "strings"

// anchors finds which of a set of literals stand at a position of a text.
// Literals are at least two bytes long and in lower case, as the text must be.
type anchors struct {
	slots [1 << 16]uint16 // by the first two bytes: index into lists, 0 is empty
	lists [][]anchor      // each in order of registration
}

type anchor struct {
	literal string
	owners  []int // in order of registration
}

func newAnchors() *anchors { return &anchors{lists: make([][]anchor, 1)} }

func (a *anchors) add(literal string, owner int) {
	h := head(literal, 0)
	if a.slots[h] == 0 {
		a.slots[h] = uint16(len(a.lists))
		a.lists = append(a.lists, nil)
	}
	list := a.lists[a.slots[h]]
	for i := range list {
		if list[i].literal == literal {
			list[i].owners = append(list[i].owners, owner)
			return
		}
	}
	a.lists[a.slots[h]] = append(list, anchor{literal, []int{owner}})
}

func head(s string, i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }

// near returns the anchors whose first two bytes stand at position i of s; the
// caller compares the rest.
func (a *anchors) near(s string, i int) []anchor {
	if i+1 >= len(s) {
		return nil
	}
	return a.lists[a.slots[head(s, i)]]
}

func (a anchor) at(s string, i int) bool { return strings.HasPrefix(s[i:], a.literal) }

// lowerASCII lower-cases A to Z and nothing else, so that offsets stay the same.
func lowerASCII(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			return lowerFrom(s, i)
		}
	}
	return s
}

func lowerFrom(s string, i int) string {
	b := []byte(s)
	for ; i < len(b); i++ {
		if b[i] >= 'A' && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
