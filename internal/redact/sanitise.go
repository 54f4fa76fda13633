package redact

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The kinds of characters that Sanitise reports as removed.
const (
	RemovedInvalid   = "invalid_utf8"       // replaced by U+FFFD
	RemovedControl   = "control"            // NUL, C0, C1, terminal escape sequences, noncharacters
	RemovedBidi      = "bidi_control"       // marks that reorder what is displayed
	RemovedInvisible = "invisible"          // zero-width and filler characters
	RemovedTags      = "tag_character"      // the U+E0000 block, used to smuggle text
	RemovedSelectors = "variation_selector" // runs of selectors, or selectors on plain letters
	RemovedMarks     = "excess_marks"       // more than maxMarks combining marks on one base
	maxMarks         = 12                   // living scripts need fewer than half of this
	maxSequence      = 32                   // bytes of a terminal escape sequence
	flagBase         = '\U0001F3F4'         // black flag, the base of the subdivision flags
)

// Sanitise returns s as valid UTF-8 in NFC with line feeds as the only line
// ends, without control, bidi, zero-width and tag characters. Joiners and
// variation selectors stay where writing systems and emoji need them. The second
// result names the kinds that were removed, sorted. Sanitising twice changes nothing.
func (r *Redactor) Sanitise(s string) (string, []string) {
	if plainASCII(s) {
		return s, nil
	}
	c := &cleaner{kinds: map[string]bool{}}
	if !utf8.ValidString(s) {
		c.kinds[RemovedInvalid] = true
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	s = norm.NFC.String(c.joiners(c.controls(s)))
	return s, c.sorted()
}

func plainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b >= 0x7f || b < 0x20 && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}

// cleaner remembers which kinds of characters it removed.
type cleaner struct{ kinds map[string]bool }

func (c *cleaner) sorted() []string {
	var names []string
	for k := range c.kinds {
		names = append(names, k)
	}
	sort.Strings(names)
	return names
}

// controls drops what is never wanted whatever stands around it.
func (c *cleaner) controls(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch { //nolint:staticcheck // most cases are not comparisons
		case r == '\r':
			b.WriteByte('\n')
			if strings.HasPrefix(s[i+1:], "\n") {
				size = 2
			}
		case r == '\u0085' || r == '\u2028' || r == '\u2029':
			b.WriteByte('\n')
		case r == '\x1b':
			c.kinds[RemovedControl] = true
			size = escapeLength(s[i:])
		default:
			if kind := unwanted(r); kind != "" {
				c.kinds[kind] = true
			} else {
				b.WriteString(s[i : i+size])
			}
		}
		i += size
	}
	return b.String()
}

// escapeLength returns the length of the terminal control sequence that s
// begins with (ECMA-48 §5.4), or 1 for a lone escape character.
func escapeLength(s string) int {
	if len(s) < 3 || s[1] != '[' {
		return 1
	}
	for i := 2; i < len(s) && i < maxSequence; i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
		if s[i] < 0x20 || s[i] > 0x3f {
			break
		}
	}
	return 1
}

// unwanted returns the kind of a rune that is removed everywhere, or "".
func unwanted(r rune) string {
	switch {
	case r == '\n' || r == '\t' || r >= 0x20 && r < 0x7f:
		return ""
	case r < 0x20 || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Noncharacter_Code_Point, r):
		return RemovedControl
	case unicode.Is(unicode.Bidi_Control, r):
		return RemovedBidi
	case r == '\u034f' || r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0':
		return RemovedInvisible // joiner of marks, blank letters
	case tagRune(r) || joiner(r):
		return "" // judged by their neighbours
	case unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return RemovedInvisible
	}
	return ""
}

func tagRune(r rune) bool  { return r >= 0xe0000 && r <= 0xe007f }
func joiner(r rune) bool   { return r == '\u200c' || r == '\u200d' }
func selector(r rune) bool { return unicode.Is(unicode.Variation_Selector, r) }

// joiners keeps a joiner, selector, tag or mark only where its neighbours give
// it a meaning; anything else of the kind can carry hidden text.
func (c *cleaner) joiners(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var last rune // last rune written
	marks := 0    // in a row
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if n := flagTags(last, s[i:]); n > 0 {
			b.WriteString(s[i : i+n])
			last, i = '\U000E007F', i+n
			continue
		}
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		if kind := misplaced(last, r, next); kind != "" {
			c.kinds[kind] = true
		} else if marks = countMarks(marks, r); marks > maxMarks {
			c.kinds[RemovedMarks] = true
		} else {
			b.WriteString(s[i : i+size])
			last = r
		}
		i += size
	}
	return b.String()
}

func countMarks(marks int, r rune) int {
	if r >= 0x300 && unicode.Is(unicode.M, r) {
		return marks + 1
	}
	return 0
}

// flagTags returns the length of the tag sequence that makes last the flag of
// England, Scotland or Wales: the only ones in general use (UTS #51, RGI set).
func flagTags(last rune, s string) int {
	if last != flagBase {
		return 0
	}
	for _, region := range []string{"gbeng", "gbsct", "gbwls"} {
		var tags strings.Builder
		for _, letter := range region {
			tags.WriteRune(0xe0000 + letter)
		}
		tags.WriteRune(0xe007f)
		if strings.HasPrefix(s, tags.String()) {
			return tags.Len()
		}
	}
	return 0
}

// misplaced returns the kind of r if it means nothing between last and next, else "".
func misplaced(last, r, next rune) string {
	switch {
	case r < 0x180b:
		return ""
	case tagRune(r):
		return RemovedTags
	case r == '\u200c' && !(joining(last) && joining(next)):
		return RemovedInvisible
	case r == '\u200d' && !joining(last) && !(pictograph(last) && pictograph(next)):
		return RemovedInvisible
	case selector(r) && !selectable(last, r):
		return RemovedSelectors
	}
	return ""
}

// joining reports whether r is of a script in which joiners change the form of
// letters: the cursive scripts and those of India and its neighbours.
func joining(r rune) bool {
	if r < 0x600 || joiner(r) || selector(r) {
		return false
	}
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Devanagari, unicode.Bengali,
		unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Mongolian) ||
		r >= 0x64b && r <= 0x655 || r == 0x670 || r >= 0x951 && r <= 0x954 // marks shared between them
}

// pictograph reports whether r can stand beside a joiner in an emoji sequence.
func pictograph(r rune) bool {
	return r == '\ufe0f' || r >= 0x2190 && r < 0x3300 && unicode.Is(unicode.S, r) ||
		r >= 0x1f000 && r < 0x1fb00 && unicode.Is(unicode.S, r)
}

// selectable reports whether selector r may follow base: symbols, digits of
// keycaps, punctuation, ideographs and the scripts that have variants. A letter
// of another script has none, so a selector there only hides something.
func selectable(base, r rune) bool {
	if r >= 0xe0100 {
		return unicode.Is(unicode.Han, base)
	}
	if r < 0xfe00 {
		return unicode.Is(unicode.Mongolian, base) && !selector(base)
	}
	if base < 0x80 {
		return r >= 0xfe0e && (base == '#' || base == '*' || base >= '0' && base <= '9')
	}
	return unicode.In(base, unicode.S, unicode.P, unicode.Han, unicode.Myanmar, unicode.Phags_Pa)
}
