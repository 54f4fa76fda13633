package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// identifier adds a token of several words: whole, then its larger segments
// (host, file name, number without thousands marks), then every word.
func (a *analyser) identifier(raw string) {
	if word, ok := apostrophes(raw); ok {
		a.atom(word)
		return
	}
	whole := fold(raw)
	if len(whole) <= maxWhole {
		a.terms = append(a.terms, whole)
	}
	if extra := bareNumber(whole); extra != "" {
		a.terms = append(a.terms, extra)
	}
	segments := strings.FieldsFunc(raw, betweenSegments)
	for _, s := range segments {
		a.segment(s, len(segments) > 1)
	}
}

// segment adds a part of an identifier that lies between slashes and the like.
func (a *analyser) segment(s string, partial bool) {
	words := strings.FieldsFunc(s, betweenWords)
	if partial && len(words) > 1 && len(s) <= maxWhole {
		a.terms = append(a.terms, fold(s))
	}
	for _, w := range words {
		a.atom(w)
	}
	if joined := closed(words, s); joined != "" {
		a.atom(joined)
	}
}

// closed returns the spelling without its hyphen of a word that people write
// either way (Wi-Fi and wifi, e-mail and email, check-up and checkup), "" for everything else.
func closed(words []string, s string) string {
	if len(words) != 2 || min(len(words[0]), len(words[1])) > maxPrefix || len(s) > maxHyphened {
		return ""
	}
	if words[0]+"-"+words[1] != s || strings.ContainsFunc(words[0]+words[1], func(r rune) bool { return !unicode.IsLetter(r) }) {
		return ""
	}
	return strings.ToLower(words[0] + words[1])
}

func betweenSegments(r rune) bool {
	switch r {
	case '/', ':', '@', '#', '?', '&', '=':
		return true
	}
	return false
}

func betweenWords(r rune) bool {
	switch r {
	case '-', '_', '.', '%', '+', '~', '\'', ',':
		return true
	}
	return false
}

// apostrophes rewrites a token whose only connectors are apostrophes into the
// word that it stands for: "Anna's" is Anna, "don't" is dont.
func apostrophes(raw string) (string, bool) {
	if strings.ContainsAny(raw, "-_./:@#&=?%+~,") {
		return "", false
	}
	for _, ending := range []string{"'s", "'S"} {
		if s, found := strings.CutSuffix(raw, ending); found {
			raw = s
		}
	}
	return strings.ReplaceAll(raw, "'", ""), true
}

// bareNumber returns the form of a number or version that people also type:
// 10,000 as 10000 and v1.2 as 1.2; "" for everything else.
func bareNumber(whole string) string {
	if whole == "" || whole[0] != 'v' && whole[0] != ',' && !digitAt(whole, 0) { // as most identifiers
		return ""
	}
	if strings.Trim(whole, "0123456789,") == "" {
		return strings.ReplaceAll(whole, ",", "")
	}
	if rest, found := strings.CutPrefix(whole, "v"); found && strings.Trim(rest, "0123456789.") == "" {
		return rest
	}
	return ""
}

// camelParts splits a word where its case says that it consists of several:
// parseHTTPHeader is parse, HTTP, Header. It returns nil for one part.
func camelParts(word string) []string {
	if !mixedCase(word) {
		return nil
	}
	var parts []string
	start := 0
	runes := []rune(word)
	for i := 1; i < len(runes); i++ {
		if boundary(runes, i) {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	if start == 0 {
		return nil
	}
	return append(parts, string(runes[start:]))
}

func mixedCase(word string) bool {
	for i, r := range word {
		if i > 0 && unicode.IsUpper(r) {
			return strings.ContainsFunc(word, unicode.IsLower)
		}
	}
	return false
}

func boundary(r []rune, i int) bool {
	if !unicode.IsUpper(r[i]) {
		return false
	}
	if !unicode.IsUpper(r[i-1]) {
		return true
	}
	return i+1 < len(r) && unicode.IsLower(r[i+1]) && !(i+2 == len(r) && r[i+1] == 's')
}

// lettersBeforeDigits returns the name part of words such as python3, or "".
func lettersBeforeDigits(word string) string {
	if last := len(word) - 1; last < 0 || word[last] < utf8.RuneSelf && !digitAt(word, last) { // as in most words
		return ""
	}
	letters := strings.TrimRightFunc(word, unicode.IsDigit)
	if letters == word || utf8.RuneCountInString(letters) < 3 || strings.ContainsFunc(letters, unicode.IsDigit) {
		return ""
	}
	return letters
}
