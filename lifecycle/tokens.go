package lifecycle

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// tokenKind says what a token of a text is.
type tokenKind int

// The kinds. All but word, character and breaks are evidence: what a merge must
// never lose.
const (
	word      tokenKind = iota // a plain word of an alphabet
	character                  // one character of an unspaced script
	number                     // digits, times, dates, versions, numerals
	name                       // capitalised words, identifiers, addresses
	code                       // `…` and fenced blocks
	address                    // URLs
	negator                    // not, never, 不, 没 …
	breaks                     // end of a clause
)

// token is a piece of a text; text is folded except in code.
type token struct {
	kind tokenKind
	text string
}

func (t token) evidence() bool {
	switch t.kind {
	case number, name, code, address, negator:
		return true
	}
	return false
}

// tokens takes a text apart, in order. White space and marks that end no clause
// are dropped.
func tokens(s string) []token {
	list := make([]token, 0, len(s)/4+1)
	eachToken(s, func(t token, _, _ int) { list = append(list, t) })
	return list
}

// tokensAt returns the tokens of a text, and where each of them begins and ends.
func tokensAt(s string) (list []token, places []int) {
	list, places = make([]token, 0, len(s)/4+1), make([]int, 0, len(s)/2+2)
	eachToken(s, func(t token, from, to int) { list, places = append(list, t), append(places, from, to) })
	return list, places
}

func eachToken(s string, take func(t token, from, to int)) {
	for at := 0; at < len(s); {
		t, n := nextToken(s[at:])
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s[at:])
		} else {
			take(t, at, at+n)
		}
		at += n
	}
}

// nextToken returns the token that s begins with and its size; size 0 when s
// begins with something that is none.
func nextToken(s string) (token, int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == '`':
		return codeToken(s)
	case clauseEnd(s):
		return token{kind: breaks}, n
	case text.IsCJK(r):
		return characterToken(s)
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return wordToken(s)
	case signs(r) && startsNumber(s[n:]):
		t, size := wordToken(s[n:])
		return token{kind: number, text: s[:n] + t.text}, n + size
	}
	return token{}, 0
}

func signs(r rune) bool {
	switch r {
	case '-', '+', '$', '€', '£', '¥', '<', '>', '≤', '≥', '≠':
		return true
	}
	return false
}

// startsNumber reports whether a sign or currency mark before s belongs to a number.
func startsNumber(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(r)
}

// clauseEnd reports whether s begins with a mark that ends a clause. A full
// stop or comma inside a number or identifier ends none.
func clauseEnd(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	switch r {
	case '\n', ';', '!', '?', '，', '。', '；', '！', '？', '、':
		return true
	case '.', ',':
		next, _ := utf8.DecodeRuneInString(s[n:])
		return n == len(s) || unicode.IsSpace(next)
	}
	return false
}

func codeToken(s string) (token, int) {
	fence := s[:len(s)-len(strings.TrimLeft(s, "`"))]
	within := s[len(fence):]
	if len(fence) < 3 { // inline code ends with its paragraph
		within, _, _ = strings.Cut(within, "\n\n")
	}
	end := strings.Index(within, fence)
	if end < 0 {
		return token{}, 0
	}
	body := strings.TrimSpace(s[len(fence) : len(fence)+end])
	return token{kind: code, text: body}, 2*len(fence) + end
}

func characterToken(s string) (token, int) {
	if n := numeralRun(s); n > 0 {
		return token{kind: number, text: text.Fold(s[:n])}, n
	}
	if n := negationAt(s); n > 0 {
		return token{kind: negator, text: text.Fold(s[:n])}, n
	}
	if n := idiomAt(s); n > 0 {
		return token{kind: character, text: text.Fold(s[:n])}, n
	}
	_, n := utf8.DecodeRuneInString(s)
	return token{kind: character, text: text.Fold(s[:n])}, n
}

// numeralRun returns the size of the Chinese number that s begins with.
func numeralRun(s string) int {
	for i, r := range s {
		if !numeral(r) {
			return i
		}
	}
	return len(s)
}

func numeral(r rune) bool {
	switch r {
	case '〇', '零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千', '万', '萬', '亿', '億', '两', '兩', '壹', '贰', '叁':
		return true
	}
	return false
}

// wordToken reads a word with everything that belongs to it: the inner marks of
// numbers, dates, identifiers, mail addresses and URLs.
func wordToken(s string) (token, int) {
	n := wordSize(s)
	raw := s[:n]
	folded := text.Fold(raw)
	switch {
	case strings.Contains(raw, "://"):
		return token{kind: address, text: folded}, n
	case negativeWord(folded):
		return token{kind: negator, text: folded}, n
	case functionWord(folded) && !acronym(raw):
		return token{kind: word, text: folded}, n
	case plainWord(raw):
		if numberWord(folded) {
			return token{kind: number, text: folded}, n
		}
		return token{kind: word, text: folded}, n
	case strings.ContainsFunc(raw, unicode.IsDigit):
		return token{kind: number, text: folded}, n
	case numberWord(folded):
		return token{kind: number, text: folded}, n
	case acronym(raw):
		return token{kind: name, text: raw}, n
	case strings.ContainsFunc(raw, unicode.IsUpper) || strings.ContainsAny(raw, "_/@."):
		return token{kind: name, text: strings.TrimSuffix(folded, "'s")}, n
	}
	return token{kind: word, text: folded}, n
}

// plainWord reports a word of small letters only, as most are.
func plainWord(raw string) bool {
	for i := range len(raw) {
		if raw[i] < 'a' || raw[i] > 'z' {
			return false
		}
	}
	return true
}

// acronym reports a word in capitals, which is another word than the same
// letters in lower case: US, IT, WHO.
func acronym(raw string) bool {
	for i := range len(raw) { // most words are none, and need no copy to tell
		if raw[i] >= 'a' && raw[i] <= 'z' {
			return false
		}
	}
	return utf8.RuneCountInString(raw) >= 2 && raw == strings.ToUpper(raw) && raw != strings.ToLower(raw)
}

func wordSize(s string) int {
	inURL := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if strings.HasPrefix(s[i:], "://") {
			inURL, i = true, i+3
			continue
		}
		if !partOfWord(r, inURL) && !(joins(r) && i > 0 && wordFollows(s[i+n:])) {
			return i
		}
		i += n
	}
	return len(s)
}

func partOfWord(r rune, inURL bool) bool {
	if inURL {
		switch r {
		case '/', '?', '&', '=', '#', '%', '~', '+', ':', '@', '-', '_':
			return true
		}
	}
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '%') && !text.IsCJK(r)
}

func joins(r rune) bool {
	switch r {
	case '.', '_', '-', '/', '@', ':', '\'', '’', ',', '+', '#':
		return true
	}
	return false
}

func wordFollows(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !text.IsCJK(r)
}
