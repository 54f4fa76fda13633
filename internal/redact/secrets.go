package redact

import (
	"math"
	"strings"
)

// span is a piece of a text; it is empty when nothing was found.
type span struct{ start, end int }

func (s span) empty() bool { return s.end <= s.start }

// secretRule is one class of secrets. Its anchors are literals, in lower case,
// that every secret of the class holds or follows.
type secretRule struct {
	name    string
	anchors []string
	match   matcher
}

// matcher judges the text around an anchor.
type matcher interface {
	// find returns the secret that belongs to the anchor text.all[at:after].
	// Its cost must not grow with the length of the text.
	find(t scanned, at, after int) span
}

// scanned is a text with its ASCII lower-case twin and the end of the last secret found.
type scanned struct {
	all, lower string
	from       int // secrets before this position are taken
}

// bounded reports whether no letter or digit stands before position i.
func (t scanned) bounded(i int) bool {
	return i == 0 || i == t.from || !alnum(t.all[i-1])
}

// within reports whether position i continues a run of the set. Where judging a
// run is dear it is tried once, at its beginning.
func (t scanned) within(set *charset, i int) bool { return i > t.from && set[t.all[i-1]] }

type secretScanner struct {
	rules   []secretRule
	anchors *anchors
}

func newSecretScanner(rules []secretRule) *secretScanner {
	s := &secretScanner{rules: rules, anchors: newAnchors()}
	for i, r := range rules {
		for _, literal := range r.anchors {
			s.anchors.add(literal, i)
		}
	}
	return s
}

const (
	markerOpen  = "[redacted:"
	markerClose = "]"
)

// Secrets replaces every secret that a rule recognises by [redacted:<rule>] and
// tells where. A text that went through once comes out of a second pass unchanged.
func (r *Redactor) Secrets(s string) (string, []Finding) {
	var all []Finding
	for range mostPasses {
		out, found := r.secrets.pass(s)
		if len(found) == 0 || !replaces {
			break
		}
		s, all = out, markers(out)
	}
	return s, all
}

// mostPasses bounds what a text can cost of which each pass shows one secret more.
const mostPasses = 16

// pass replaces what one walk over the text finds.
func (s *secretScanner) pass(text string) (string, []Finding) {
	t := scanned{all: text, lower: lowerASCII(text)}
	var b strings.Builder
	var found []Finding
	copied := 0
	for i := 0; i+1 < len(text); i++ {
		name, hit := s.findAt(t, i)
		if hit.empty() {
			continue
		}
		b.WriteString(text[copied:hit.start])
		found = append(found, Finding{Rule: name, Offset: b.Len()})
		b.WriteString(markerOpen + name + markerClose)
		copied, t.from, i = hit.end, hit.end, hit.end-1
	}
	if len(found) == 0 {
		return text, nil
	}
	b.WriteString(text[copied:])
	return b.String(), found
}

func (s *secretScanner) findAt(t scanned, i int) (string, span) {
	for _, a := range s.anchors.near(t.lower, i) {
		if !a.at(t.lower, i) {
			continue
		}
		for _, rule := range a.owners {
			hit := s.rules[rule].match.find(t, i, i+len(a.literal))
			if !hit.empty() && hit.start >= t.from && !strings.Contains(t.all[hit.start:hit.end], markerOpen) {
				return s.named(t, s.rules[rule], hit)
			}
		}
	}
	return "", span{}
}

// named returns the more telling rule where a value that was assigned to a
// name is itself a token of a known kind.
func (s *secretScanner) named(t scanned, rule secretRule, hit span) (string, span) {
	if _, generic := rule.match.(assignment); !generic {
		return rule.name, hit
	}
	for _, a := range s.anchors.near(t.lower, hit.start) {
		inner := s.rules[a.owners[0]]
		if _, generic := inner.match.(assignment); generic || !a.at(t.lower, hit.start) {
			continue
		}
		if found := inner.match.find(t, hit.start, hit.start+len(a.literal)); found.start == hit.start && found.end >= hit.end {
			return inner.name, found
		}
	}
	return rule.name, hit
}

// markers lists the markers that stand in a redacted text.
func markers(s string) []Finding {
	var found []Finding
	for i := 0; ; {
		j := strings.Index(s[i:], markerOpen)
		if j < 0 {
			return found
		}
		start := i + j
		i = start + len(markerOpen)
		if end := strings.Index(s[i:], markerClose); end > 0 && end <= 32 {
			found = append(found, Finding{Rule: s[i : i+end], Offset: start})
		}
	}
}

// Entropy returns the Shannon entropy of the bytes of s in bits per byte (0 to
// 8). Random base 64 of 40 characters has about 4.8, English words about 3.
func Entropy(s string) float64 {
	var counts [256]uint32
	for i := 0; i < len(s); i++ {
		counts[s[i]]++
	}
	var bits float64
	for i := 0; i < len(s); i++ {
		if n := counts[s[i]]; n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
			counts[s[i]] = 0
		}
	}
	return bits
}
