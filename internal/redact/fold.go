package redact

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold brings a text into the one form in which phrases are looked for: lower
// case, compatibility characters and look-alike letters as ASCII, no emphasis
// marks, one space for any white space, spelled-out words joined.
func fold(s string) string {
	if !norm.NFKC.IsNormalString(s) {
		s = norm.NFKC.String(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := true
	for _, r := range s {
		switch {
		case r == '*' || r == '`' || r == '~':
			continue
		case r == '_' || unicode.IsSpace(r):
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		case r >= 'a' && r <= 'z' || r >= 0x3040 && r < 0xa000:
			b.WriteRune(r)
		default:
			b.WriteRune(lookalike(unicode.ToLower(r)))
		}
		blank = false
	}
	return unspell(b.String())
}

// lookalike returns the Latin letter that a Cyrillic or Greek one is mistaken for.
func lookalike(r rune) rune {
	if r < 0x3b1 || r > 0x501 {
		return r
	}
	const from, to = "асеорхуіѕјԁкмтнвαεοιρντκυ", "aceopxyisjdkmthbaeoipvtku"
	i := 0
	for _, c := range from {
		if c == r {
			return rune(to[i])
		}
		i++
	}
	return r
}

// unspell joins letters that stand alone ("i g n o r e", "1gn0re" too is read
// as letters), so that a word spelled out is still the word.
func unspell(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		end := wordEnd(s, i)
		switch {
		case end-i > 1:
			b.WriteString(unleet(s[i:end]))
		case letter(s[i]) && (i == 0 || s[i-1] == ' ') && spelled(s[i:]) > 0:
			end = i + spelled(s[i:])
			for j := i; j < end; j += 2 {
				b.WriteByte(s[j])
			}
		default:
			b.WriteByte(s[i])
		}
		i = end
	}
	return b.String()
}

// spelled returns the length of a run of at least four single letters with
// one sign between them at the start of s.
func spelled(s string) int {
	n := 0
	for n+1 < len(s) && letter(s[n]) && (s[n+1] == ' ' || s[n+1] == '-' || s[n+1] == '.') {
		n += 2
	}
	if n < len(s) && letter(s[n]) && (n+1 == len(s) || !alnum(s[n+1])) {
		n++
	} else if n > 0 {
		n--
	}
	if n < 7 {
		return 0
	}
	return n
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' }

// wordEnd returns the end of the word that starts at i, or i+1 between words.
func wordEnd(s string, i int) int {
	end := i
	for end < len(s) && alnum(s[end]) {
		end++
	}
	return max(end, i+1)
}

// unleet reads digits inside a word as the letters they resemble.
func unleet(word string) string {
	if !strings.ContainsAny(word, "013457") {
		return word
	}
	letters := 0
	for i := 0; i < len(word); i++ {
		switch {
		case letter(word[i]):
			letters++
		case strings.IndexByte("013457", word[i]) < 0:
			return word
		}
	}
	if letters < 3 {
		return word
	}
	return strings.Map(func(r rune) rune {
		const digits, letters = "013457", "oieast"
		if i := strings.IndexRune(digits, r); i >= 0 {
			return rune(letters[i])
		}
		return r
	}, word)
}
