package redact

// anchors finds where any of a set of literals begins, in one pass over a text.
// Literals are at least two bytes long and compared after ASCII lower-casing.
type anchors struct {
	heads [1 << 16 / 64]uint64 // bit set: some literal begins with these two bytes
	byTwo map[uint16][]anchor  // in order of registration
}

type anchor struct {
	literal string
	owner   int // index of the rule that asked for it
}

func newAnchors() *anchors { return &anchors{byTwo: map[uint16][]anchor{}} }

func (a *anchors) add(literal string, owner int) {
	h := head(literal, 0)
	a.heads[h/64] |= 1 << (h % 64)
	a.byTwo[h] = append(a.byTwo[h], anchor{literal, owner})
}

func head(s string, i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }

// at returns the anchors whose first two bytes stand at position i of s.
func (a *anchors) at(s string, i int) []anchor {
	if i+1 >= len(s) {
		return nil
	}
	h := head(s, i)
	if a.heads[h/64]&(1<<(h%64)) == 0 {
		return nil
	}
	return a.byTwo[h]
}

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
