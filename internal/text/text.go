// Package text analyses text into the terms that everything else compares: the
// index, queries, the duplicate guard, the built-in embedder and capture all
// use the same analysis, so that what one of them wrote another one finds.
//
// Latin words are folded and stemmed, identifiers are kept whole and split into
// their parts, scripts without spaces become characters and pairs of characters.
// Everything here is pure: the same text gives the same terms on any machine.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Version grows whenever Index may answer differently for some text; an index
// made with another version has to be made again.
const Version int = 4

// Limits of a term, in bytes: what is longer is cut, or, for the whole form of
// an identifier, left out in favour of its parts.
const (
	maxWord  = 64
	maxWhole = 160

	maxHyphened = 20 // of a word with a hyphen that is also kept without
	maxPrefix   = 3  // of the shorter part of such a word
)

// longText is the length, in bytes, from which words repeat so often that
// remembering their stems pays.
const longText = 1 << 10

// Index returns the terms of s in order, duplicates kept. A term is lower-case,
// folded, never empty, and holds neither spaces nor control characters nor
// quotation marks. Stop words are left out unless there is nothing else.
func Index(s string) []string {
	var stems map[string]string
	if len(s) > longText {
		stems = map[string]string{}
	}
	return index(s, stems)
}

// Indexer is Index for several texts that are about the same: it knows the stems
// of the words that it has met. It is used by one goroutine at a time.
type Indexer struct{ stems map[string]string }

// manyStems are as many as an indexer keeps, some 100 KB.
const manyStems = 1 << 11

// NewIndexer makes one.
func NewIndexer() *Indexer { return &Indexer{stems: map[string]string{}} }

// Index returns the terms of s as the function of that name does.
func (x *Indexer) Index(s string) []string { return index(s, x.stems) }

func index(s string, stems map[string]string) []string {
	terms := analyse(s, true, stems)
	if len(terms) == 0 {
		return analyse(s, false, stems)
	}
	return terms
}

func analyse(s string, stop bool, stems map[string]string) []string {
	a := analyser{stop: stop, terms: make([]string, 0, len(s)/5+1), stems: stems}
	s = canonical(s)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unspaced(r):
			i += a.characters(s[i:])
		case wordRune(r):
			i += a.token(s[i:])
		case pictograph(r):
			a.terms = append(a.terms, string(r))
			i += n
		default:
			i += n
		}
	}
	return a.terms
}

type analyser struct {
	terms []string
	stop  bool
	env   *snowballstem.Env
	stems map[string]string // of the words met before; nil: they are not kept
}

// characters analyses the run of unspaced script that s begins with: every
// character, every pair of neighbours, and the mainland's words for regional ones. It returns the bytes used.
func (a *analyser) characters(s string) int {
	end := runOf(s)
	run := fold(dropIgnorable(s[:end]))
	previous := 0
	for i := 0; i < len(run); {
		_, n := utf8.DecodeRuneInString(run[i:])
		if i > 0 {
			a.terms = append(a.terms, run[previous:i+n])
		}
		a.terms = append(a.terms, run[i:i+n])
		previous = i
		i += n
	}
	a.regional(run)
	return end
}

// runOf returns the length of the run of unspaced script that s begins with.
func runOf(s string) int {
	for i, r := range s {
		if !unspaced(r) && !ignorable(r) {
			return i
		}
	}
	return len(s)
}

// token analyses the word or identifier that s begins with and returns the bytes used.
func (a *analyser) token(s string) int {
	end, connected, plain := scan(s)
	raw := s[:end]
	if !plain {
		raw = dropIgnorable(raw)
	}
	if connected {
		a.identifier(raw)
	} else {
		a.atom(raw)
	}
	return end
}

// scan measures the token that s begins with: words joined by single
// connecting characters. connected tells whether there is more than one word;
// plain whether it holds ASCII only.
func scan(s string) (end int, connected, plain bool) {
	plain = true
	for end < len(s) {
		n, ok := wordAt(s[end:])
		if ok {
			plain = plain && n == 1
			end += n
			continue
		}
		n = connector(s, end)
		if n == 0 {
			break
		}
		connected = true
		end += n
	}
	return end, connected, plain
}

// wordAt returns the size of the character that s begins with, and whether it belongs to a word.
func wordAt(s string) (int, bool) {
	if c := s[0]; c < utf8.RuneSelf {
		return 1, asciiWord(c)
	}
	r, n := utf8.DecodeRuneInString(s)
	return n, !unspaced(r) && wordRune(r) || ignorable(r)
}

// connector returns the bytes of the characters at s[i:] that join two words
// into one identifier, or 0. Each must be followed by a word.
func connector(s string, i int) int {
	n := 1
	switch s[i] {
	case ':':
		if strings.HasPrefix(s[i:], "://") {
			n = 3
		} else if strings.HasPrefix(s[i:], "::") {
			n = 2
		}
	case '-', '_', '.', '/', '@', '#', '&', '=', '?', '%', '+', '~', '\'':
	case ',':
		if !digitAt(s, i-1) || !digitAt(s, i+1) {
			return 0
		}
	default:
		return 0
	}
	if i+n >= len(s) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s[i+n:])
	if !wordRune(r) || unspaced(r) {
		return 0
	}
	return n
}

func digitAt(s string, i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }

// atom adds one word that holds no connector, and its parts if it is written
// in camel case or ends in digits.
func (a *analyser) atom(word string) {
	if parts := camelParts(word); parts != nil {
		a.add(fold(word), false)
		for _, p := range parts {
			a.add(fold(p), true)
		}
		return
	}
	a.add(fold(word), true)
	if letters := lettersBeforeDigits(word); letters != "" {
		a.add(fold(letters), true)
	}
}

// add appends a folded word: cut to a bounded size, stemmed if asked, unless it is a stop word.
func (a *analyser) add(word string, stem bool) {
	if word == "" || a.stop && stopWord(word) {
		return
	}
	word = clip(word, maxWord)
	if stem {
		word = a.stem(word)
	}
	a.terms = append(a.terms, word)
}

func (a *analyser) stem(word string) string {
	word = irregular(word)
	if !inflected(word) {
		return word
	}
	if s, known := a.stems[word]; known {
		return s
	}
	if a.env == nil {
		a.env = snowballstem.NewEnv("")
	}
	a.env.SetCurrent(word)
	english.Stem(a.env)
	if a.stems == nil {
		return a.env.Current()
	}
	if len(a.stems) >= manyStems {
		clear(a.stems)
	}
	word = strings.Clone(word) // it may be a part of a long text
	stem := a.env.Current()
	if strings.HasPrefix(word, stem) {
		stem = word[:len(stem)]
	} else {
		stem = strings.Clone(stem)
	}
	a.stems[word] = stem
	return stem
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// IsCJK reports whether r belongs to a script of Chinese, Japanese or Korean.
func IsCJK(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r >= 0x3400 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3, r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa:
		return true
	case r == '々', r == 'ー', r == '〆', r == '〇', r == 'ゝ', r == 'ゞ', r == 'ヽ', r == 'ヾ':
		return true
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) && unicode.IsLetter(r)
}

// unspaced reports whether words of r's script are written without spaces, or,
// as in Korean, with particles attached: such text is found by its characters.
func unspaced(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return IsCJK(r) || unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !unicode.IsPunct(r)
}

func asciiWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) && !ignorable(r)
}

// ignorable reports whether r is invisible and joins what stands beside it:
// zero-width and direction marks, soft hyphens, variation selectors.
func ignorable(r rune) bool {
	return r >= 0xad && (unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f || r == 0x34f)
}

// pictograph reports whether r is an emoji or a symbol of that plane, which people search for too.
func pictograph(r rune) bool { return r >= 0x1f000 && unicode.Is(unicode.So, r) }

func dropIgnorable(s string) string {
	if !strings.ContainsFunc(s, ignorable) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, s)
}
