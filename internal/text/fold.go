package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s with everything removed that comparisons should not see:
// letter case, accents, full and half width, traditional against simplified
// characters, katakana against hiragana, invisible characters.
func Fold(s string) string {
	if folded(s) {
		return s
	}
	return fold(dropIgnorable(canonical(s)))
}

// folded reports whether folding cannot change s, as far as one look at its bytes tells.
func folded(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// canonical brings s into one Unicode form (NFKC) unless it is in one already,
// and typographic apostrophes into the plain one.
func canonical(s string) string {
	if !simple(s) {
		s = norm.NFKC.String(strings.ToValidUTF8(s, " "))
	}
	return strings.ReplaceAll(s, "’", "'")
}

// simple reports whether s consists of characters that fold handles one at a
// time, which spares nearly all text the cost of normalisation.
func simple(s string) bool {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError || !simpleRune(r) {
			return false
		}
		i += n
	}
	return true
}

func simpleRune(r rune) bool {
	switch {
	case r >= 0x3400 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3, r >= 0x3000 && r <= 0x3096:
		return true
	case r >= 0x309b && r <= 0x30fe:
		return r > 0x309c
	case r >= 0xff01 && r <= 0xff5e, r >= 0xc0 && r <= 0x24f, r >= 0x2010 && r <= 0x201f:
		return true
	}
	return false
}

// fold folds canonical text character by character.
func fold(s string) string {
	if i := firstFolding(s); i < len(s) {
		return foldFrom(s, i)
	}
	return s
}

// firstFolding returns where the first character stands that folding may change.
func firstFolding(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unspaced(r) || foldCharacter(r) != r {
			return i
		}
		i += n
	}
	return len(s)
}

func foldFrom(s string, i int) string {
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(lowerASCII(byte(r)))
		case unspaced(r):
			b.WriteRune(foldCharacter(r))
		default:
			foldLetter(&b, r)
		}
	}
	return b.String()
}

func lowerASCII(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func foldCharacter(r rune) rune {
	if r >= 0x30a1 && r <= 0x30f6 || r == 'ヽ' || r == 'ヾ' {
		return r - 0x60 // katakana to hiragana
	}
	if r >= 0x3400 && r <= 0x9fff && traditionalBits[(r-0x3400)/8]>>((r-0x3400)%8)&1 == 1 {
		return simplified(r)
	}
	return r
}

// simplified looks r up in the table of pairs, six bytes each, ordered by the first.
func simplified(r rune) rune {
	var buffer [utf8.UTFMax]byte
	key := string(buffer[:utf8.EncodeRune(buffer[:], r)])
	low, high := 0, len(traditionalPairs)/6
	for low < high {
		middle := int(uint(low+high) >> 1)
		if traditionalPairs[middle*6:middle*6+3] < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if at := low * 6; at < len(traditionalPairs) && traditionalPairs[at:at+3] == key {
		r, _ = utf8.DecodeRuneInString(traditionalPairs[at+3:])
	}
	return r
}

// foldLetter writes the lower-case base letter of r. Marks are dropped from the
// scripts where they are accents, and kept where they are vowels.
func foldLetter(b *strings.Builder, r rune) {
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		b.WriteByte(lowerASCII(byte(r - 0xfee0)))
		return
	case r == 0x3000:
		b.WriteByte(' ')
		return
	}
	r = unicode.ToLower(r)
	if r >= 0x300 && r <= 0x36f {
		return
	}
	if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		r = baseLetter(r)
	}
	if s := ligature(r); s != "" {
		b.WriteString(s)
		return
	}
	b.WriteRune(r)
}

func baseLetter(r rune) rune {
	var buffer [utf8.UTFMax]byte
	n := utf8.EncodeRune(buffer[:], r)
	d := norm.NFD.Properties(buffer[:n]).Decomposition()
	if d == nil {
		return r
	}
	base, _ := utf8.DecodeRune(d)
	return unicode.ToLower(base)
}

// ligature spells out the letters that Unicode does not decompose but people type apart.
func ligature(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'þ':
		return "th"
	case 'ı':
		return "i"
	case 'ς':
		return "σ"
	}
	return ""
}
