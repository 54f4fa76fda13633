package lifecycle

import (
	"strings"

	"agentmemory/internal/text"
)

// comparedBytes bounds the texts that are compared clause by clause: longer
// ones are only found equal, so that a write costs the same in any store.
const comparedBytes = 4 << 10

// statement is a text taken apart for comparison with another one.
type statement struct {
	text     string
	terms    []string // of the analysis, in order, duplicates kept
	tokens   []token
	affirmed map[string]bool // terms that the text states
	denied   map[string]bool // terms that stand after a negation in their clause
	topic    map[string]bool // both together
	status   progress
	changes  bool // announces that something is different now
}

func analyse(s string) statement {
	st := statement{text: s, terms: text.Index(s), tokens: tokens(s), affirmed: map[string]bool{}, denied: map[string]bool{}}
	st.markPolarity()
	st.topic = make(map[string]bool, len(st.affirmed)+len(st.denied))
	for _, set := range []map[string]bool{st.affirmed, st.denied} {
		for term := range set {
			st.topic[term] = true
		}
	}
	folded := text.Fold(s)
	st.status, st.changes = statusOf(folded), announcesChange(folded)
	return st
}

// markPolarity sorts the terms of every clause: what follows a negation is
// denied up to the end of the clause or to a "but".
func (st *statement) markPolarity() {
	var segment []token
	into := st.affirmed
	flush := func() {
		for _, term := range topicTerms(segment) {
			into[term] = true
		}
		segment = segment[:0]
	}
	for _, t := range st.tokens {
		switch {
		case t.kind == breaks || turning(t.text):
			flush()
			into = st.affirmed
		case t.kind == negator:
			flush()
			into = st.denied
		default:
			segment = append(segment, t)
		}
	}
	flush()
}

// turning reports whether a word takes back the negation before it.
func turning(w string) bool { return w == "but" || w == "而" || w == "instead" || w == "however" }

// topicTerms analyses a run of tokens; single characters are left out, because
// they take part in too many words to stand for a topic.
func topicTerms(run []token) []string {
	if len(run) == 0 {
		return nil
	}
	terms := []string{}
	for _, term := range text.Index(join(run)) {
		if !negligible(term) && !singleCharacter(term) {
			terms = append(terms, term)
		}
	}
	return terms
}

func singleCharacter(term string) bool {
	r := []rune(term)
	return len(r) == 1 && text.IsCJK(r[0])
}

// join writes tokens as text again: a space between words, none between characters.
func join(run []token) string {
	var b strings.Builder
	for i, t := range run {
		if i > 0 && !(t.kind == character && run[i-1].kind == character) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// says reports whether every piece of evidence and every meaningful term of
// other stands in st too: the evidence in the same order.
func (st statement) says(other statement) bool {
	have := make(map[string]bool, len(st.terms))
	for _, term := range st.terms {
		have[term] = true
	}
	for _, term := range other.terms {
		if !have[term] && !negligible(term) {
			return false
		}
	}
	return subset(other.affirmed, st.affirmed) && subset(other.denied, st.denied) && st.proves(other)
}

// proves reports whether the evidence of other is a subsequence of st's tokens.
func (st statement) proves(other statement) bool {
	i := 0
	for _, want := range other.tokens {
		if !want.evidence() {
			continue
		}
		for i < len(st.tokens) && st.tokens[i].text != want.text {
			i++
		}
		if i == len(st.tokens) {
			return false
		}
		i++
	}
	return true
}

func subset(small, large map[string]bool) bool {
	for k := range small {
		if !large[k] {
			return false
		}
	}
	return true
}

// common counts the terms that two sets share.
func common(a, b map[string]bool) int {
	n := 0
	for k := range a {
		if b[k] {
			n++
		}
	}
	return n
}

// jaccard is the share of the terms of both sets that they have in common, 0..1.
func jaccard(a, b map[string]bool) float64 {
	n := common(a, b)
	if n == 0 {
		return 0
	}
	return float64(n) / float64(len(a)+len(b)-n)
}

// contained is the share of the smaller set's terms that the larger one holds, 0..1.
func contained(a, b map[string]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return float64(common(a, b)) / float64(min(len(a), len(b)))
}
