package redact

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

const (
	maxReasons = 8  // a text with more is hostile beyond doubt
	maxExcerpt = 80 // bytes
	maxReach   = 48 // bytes between two steps of a phrase
)

// phraseRule is a way of talking to the reader of a memory instead of telling
// something. Its steps follow each other within one sentence; each step is any
// one of its alternatives. An alternative that starts with a letter starts a
// word; it may end inside one ("instruct" also means "instructions").
type phraseRule struct {
	name  string
	raw   bool // matched in the text as written: markup, role tokens
	reach int  // bytes between two steps; 0: maxReach
	// plain marks a demand that is harmless when it is negated ("do not ignore …").
	plain bool
	steps [][]string
}

// phraseScanner walks over a text once. Each literal belongs to steps of rules;
// for each rule it keeps how far the phrase has come, so that the cost does not
// depend on how often a phrase is begun.
type phraseScanner struct {
	rules   []phraseRule
	first   []int  // of each rule: the number of its first step
	steps   []step // of all rules
	written *anchors
	spoken  *anchors
}

// step is one step of a rule; its number is the owner of its literals.
type step struct {
	rule int
	last bool
}

func newPhraseScanner(rules []phraseRule) *phraseScanner {
	p := &phraseScanner{rules: rules, written: newAnchors(), spoken: newAnchors()}
	for i, r := range rules {
		p.first = append(p.first, len(p.steps))
		index := p.spoken
		if r.raw {
			index = p.written
		}
		for n, alternatives := range r.steps {
			for _, literal := range alternatives {
				if !r.raw {
					literal = norm.NFKC.String(literal) // as fold does with the text
				}
				index.add(literal, len(p.steps))
			}
			p.steps = append(p.steps, step{rule: i, last: n == len(r.steps)-1})
		}
	}
	return p
}

// Suspicious returns the reasons, at most eight and each rule once, why s reads
// like instructions to an agent: overriding its orders, forging roles or tool calls,
// asking for secrets to be sent away. Disguises are folded first: letters of
// other widths and scripts, markup and spaces inside words.
func (r *Redactor) Suspicious(s string) []Reason {
	found := r.phrases.scan(lowerASCII(s), r.phrases.written, nil)
	return r.phrases.scan(fold(s), r.phrases.spoken, found)
}

func (p *phraseScanner) scan(text string, index *anchors, found []Reason) []Reason {
	w := &walk{p: p, text: text, reached: make([]span, len(p.steps)), found: found}
	for i := 0; i+1 < len(text) && len(w.found) < maxReasons; i++ {
		if i > 0 && alnum(text[i]) && alnum(text[i-1]) {
			continue // inside a word
		}
		if sentenceEnds(text, i) {
			w.sentence = i
		}
		for _, a := range index.near(text, i) {
			if !a.at(text, i) {
				continue
			}
			for _, number := range a.owners {
				w.advance(number, i, i+len(a.literal))
			}
		}
	}
	return w.found
}

// walk is the state of one scan.
type walk struct {
	p        *phraseScanner
	text     string
	reached  []span // of each step: from the start of the phrase to the end of the step, the latest
	sentence int    // where the last sentence ended
	found    []Reason
}

// advance notes that a literal of a step stands at text[start:end].
func (w *walk) advance(number, start, end int) {
	s := w.p.steps[number]
	rule := w.p.rules[s.rule]
	begin := start
	if number > w.p.first[s.rule] {
		before := w.reached[number-1]
		if before.empty() || before.end > start || start-before.end > rule.distance() || !rule.raw && w.sentence >= before.end {
			return
		}
		begin = before.start
	} else if rule.plain && negated(w.text, start) {
		return
	}
	w.reached[number] = span{begin, end}
	if s.last && !known(w.found, rule.name) {
		w.found = append(w.found, Reason{Rule: rule.name, Excerpt: excerpt(w.text[begin:end])})
	}
}

func (r phraseRule) distance() int {
	if r.reach > 0 {
		return r.reach
	}
	return maxReach
}

// sentenceEnds reports whether a sentence ends at position i: a terminator
// before a blank, or a Chinese full stop.
func sentenceEnds(text string, i int) bool {
	switch text[i] {
	case '.', '!', '?':
		return text[i+1] == ' '
	case "。"[0]:
		return strings.HasPrefix(text[i:], "。")
	}
	return false
}

func known(found []Reason, name string) bool {
	for _, f := range found {
		if f.Rule == name {
			return true
		}
	}
	return false
}

// negated reports whether the words before position i forbid what follows.
func negated(text string, i int) bool {
	if i == 0 {
		return false
	}
	before := text[max(0, i-18):i]
	for _, no := range []string{"not ", "n't ", "never ", "cannot ", "n’t "} {
		if strings.HasSuffix(before, no) || strings.HasSuffix(before, no+"ever ") {
			return true
		}
	}
	for _, no := range []string{"不要", "不能", "不可", "不得", "请勿", "請勿", "别", "別", "不会", "不會", "不该", "不該"} {
		if strings.HasSuffix(before, no) {
			return true
		}
	}
	return false
}

func excerpt(s string) string {
	if len(s) > maxExcerpt {
		s = strings.ToValidUTF8(s[:maxExcerpt], "")
	}
	return strings.TrimSpace(s)
}
