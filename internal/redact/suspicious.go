package redact

import "strings"

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

type phraseScanner struct {
	rules   []phraseRule
	written *anchors // first steps of raw rules
	spoken  *anchors // first steps of the others
}

func newPhraseScanner(rules []phraseRule) *phraseScanner {
	p := &phraseScanner{rules: rules, written: newAnchors(), spoken: newAnchors()}
	for i, r := range rules {
		index := p.spoken
		if r.raw {
			index = p.written
		}
		for _, literal := range r.steps[0] {
			index.add(literal, i)
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
	for i := 0; i+1 < len(text) && len(found) < maxReasons; i++ {
		for _, a := range index.at(text, i) {
			if known(found, p.rules[a.owner].name) || !starts(text, i, a.literal) {
				continue
			}
			rule := p.rules[a.owner]
			if end := rule.follow(text, i+len(a.literal)); end > 0 && !(rule.plain && negated(text, i)) {
				found = append(found, Reason{Rule: rule.name, Excerpt: excerpt(text[i:end])})
			}
		}
	}
	return found
}

func known(found []Reason, name string) bool {
	for _, f := range found {
		if f.Rule == name {
			return true
		}
	}
	return false
}

// starts reports whether literal stands at position i, at the start of a word
// if it begins with a letter.
func starts(text string, i int, literal string) bool {
	return strings.HasPrefix(text[i:], literal) && (i == 0 || !alnum(literal[0]) || !alnum(text[i-1]))
}

// follow returns the end of the phrase whose first step ends at i, or 0.
func (r phraseRule) follow(text string, i int) int {
	reach := r.reach
	if reach == 0 {
		reach = maxReach
	}
	for _, step := range r.steps[1:] {
		window := text[i:min(len(text), i+reach)]
		if !r.raw {
			window = sentence(window)
		}
		end := first(window, step)
		if end == 0 {
			return 0
		}
		i += end
	}
	return i
}

// sentence cuts a window where the sentence ends: a terminator before a blank,
// or a Chinese full stop.
func sentence(window string) string {
	for i := 0; i+1 < len(window); i++ {
		if b := window[i]; (b == '.' || b == '!' || b == '?') && window[i+1] == ' ' || b == '\n' {
			return window[:i]
		}
	}
	if i := strings.Index(window, "。"); i >= 0 {
		return window[:i]
	}
	return window
}

// first returns where the earliest of the alternatives ends in the window, or 0.
func first(window string, alternatives []string) int {
	at, end := len(window), 0
	for _, a := range alternatives {
		if i := wordIndex(window[:min(len(window), at+len(a))], a); i >= 0 && i < at {
			at, end = i, i+len(a)
		}
	}
	return end
}

func wordIndex(window, literal string) int {
	for from := 0; ; {
		i := strings.Index(window[from:], literal)
		if i < 0 {
			return -1
		}
		if i += from; starts(window, i, literal) {
			return i
		}
		from = i + 1
	}
}

// negated reports whether the words before position i forbid what follows.
func negated(text string, i int) bool {
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
