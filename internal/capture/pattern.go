package capture

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// pattern is a regular expression that is compiled when it is first needed:
// a day without anything new, or a profile of few classes, needs none or few of
// hundreds. It is safe for concurrent use.
type pattern struct {
	expression string
	script     script
	once       sync.Once
	compiled   *regexp.Regexp
}

// script says in which script a text must be for a pattern to match at all.
type script int

const (
	anyScript   script = iota
	onlyHan            // the pattern has no Latin letter
	onlyLatin          // the pattern has no Chinese character
	letterMarks = `abBdDsSwWz`
)

func newPattern(expression string) *pattern {
	return &pattern{expression: expression, script: scriptOf(expression)}
}

func patterns(expressions ...string) []*pattern {
	var all []*pattern
	for _, e := range expressions {
		all = append(all, newPattern(e))
	}
	return all
}

// scriptOf looks at the letters that a pattern spells out, in any of its branches.
func scriptOf(expression string) script {
	han, latin, escaped := false, false, false
	for _, r := range expression {
		switch {
		case escaped:
			latin = latin || !strings.ContainsRune(letterMarks, r) && isLatin(r)
		case unicode.Is(unicode.Han, r):
			han = true
		case isLatin(r):
			latin = true
		}
		escaped = r == '\\' && !escaped
	}
	switch {
	case han && !latin:
		return onlyHan
	case latin && !han:
		return onlyLatin
	}
	return anyScript
}

func isLatin(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func (p *pattern) regexp() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.expression) })
	return p.compiled
}

func (p *pattern) MatchString(s string) bool { return p.regexp().MatchString(s) }

func (p *pattern) ReplaceAllString(s, with string) string {
	return p.regexp().ReplaceAllString(s, with)
}

// letters says which scripts a text has.
type letters struct{ han, latin bool }

func lettersOf(s string) letters {
	var l letters
	for _, r := range s {
		l.latin = l.latin || isLatin(r)
		l.han = l.han || r >= 0x2e80 && unicode.Is(unicode.Han, r)
	}
	return l
}

// possible reports whether the pattern can match text with these letters.
func (l letters) possible(p *pattern) bool {
	return p.script == anyScript || p.script == onlyHan && l.han || p.script == onlyLatin && l.latin
}
