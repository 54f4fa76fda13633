package lifecycle

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// comparedBytes bounds the texts that are compared clause by clause: longer
// ones are only found equal, so that a write costs the same in any store.
const comparedBytes = 4 << 10

// statement is a text taken apart for comparison with another one.
type statement struct {
	text    string
	indexed []string          // the terms of the text as it is written, in order, duplicates kept
	tokens  []token           // of the text as it is written
	values  []token           // the same with the values in one form
	source  map[string]string // how the text writes what was rewritten
	unified string            // the text with the values in one form; "" if it is written so
	asks    bool              // holds a question
	clauses *stances
	late    *late
	indexer *text.Indexer
}

// late is what most comparisons end without.
type late struct {
	folded  string
	terms   []string
	status  *progress
	changes *bool
	plain   []token
	chosen  *Correction
	about   []string // what is chosen

	declared *Correction // that the statement would be
	corrects bool
}

// stances are the terms of a statement by how it takes them. They cost most of
// its analysis, and most comparisons end before they are needed.
type stances struct {
	known bool
	topic map[string]taken // all terms
}

// taken is how a statement takes a term in one clause or another.
type taken uint8

const (
	asAffirmed taken = 1 << iota // the text states it
	asDenied                     // it stands after a negation in its clause
)

func analyse(s string) statement { return dissect(s, text.Index(s), text.NewIndexer()) }

// dissect is analyse for a text of which the terms are known.
func dissect(s string, terms []string, indexer *text.Indexer) statement {
	list, places := tokensAt(s)
	return dissected(s, terms, list, places, indexer)
}

// dissected is dissect for a text of which the tokens and their places are known, too.
func dissected(s string, terms []string, list []token, places []int, indexer *text.Indexer) statement {
	one := normalise(s, list, places)
	return statement{
		text: s, indexed: terms, tokens: list, values: one.tokens, source: one.source, unified: one.text,
		asks: questions(s), clauses: &stances{}, late: &late{}, indexer: indexer,
	}
}

func questions(s string) bool { return strings.Contains(s, "?") || strings.Contains(s, "？") }

// terms are those of the text with the values in one form.
func (st statement) terms() []string {
	if st.unified == "" {
		return st.indexed
	}
	if st.late.terms == nil {
		st.late.terms = st.indexer.Index(st.unified)
	}
	return st.late.terms
}

func (st statement) folded() string {
	if st.late.folded == "" {
		st.late.folded = text.Fold(st.text)
	}
	return st.late.folded
}

// status is the status that a statement reports.
func (st statement) status() progress {
	if st.late.status == nil {
		status := statusOf(st.folded())
		st.late.status = &status
	}
	return *st.late.status
}

// changes reports whether a statement announces that something is different now.
func (st statement) changes() bool {
	if st.late.changes == nil {
		changes := announcesChange(st.folded())
		st.late.changes = &changes
	}
	return *st.late.changes
}

// plain returns the tokens around which two values are compared.
func (st statement) plain() []token {
	if st.late.plain == nil {
		st.late.plain = plain(corrected(st.values))
	}
	return st.late.plain
}

// stance is how a statement takes a term.
type stance int

const (
	affirmed stance = iota
	denied
	open // too far behind a negation to be told
)

// reach of a negation: eight characters, or four words, of its clause.
const (
	reach      = 8
	wordWeight = 2
)

// stances sorts the terms of every clause: what follows a negation is denied,
// up to its reach, the end of the clause or a "but".
func (st statement) stances() *stances {
	if st.clauses.known {
		return st.clauses
	}
	*st.clauses = stances{known: true, topic: make(map[string]taken, len(st.indexed))}
	s := scope{stances: st.clauses, indexer: st.indexer}
	for i, t := range st.values {
		s.take(t, st.values[i+1:])
	}
	s.close(open)
	return st.clauses
}

// negates reports whether a statement may deny anything.
func (st statement) negates() bool {
	return slices.ContainsFunc(st.tokens, func(t token) bool { return t.kind == negator })
}

// scope is the part of a clause that is taken in one way.
type scope struct {
	*stances
	stance  stance
	left    int // of the reach of the negation
	segment []token
	indexer *text.Indexer
}

func (s *scope) take(t token, rest []token) {
	weight := wordWeight
	if t.kind == character {
		weight = 1
	}
	switch {
	case t.kind == breaks || turning(t.text):
		s.close(affirmed)
		return
	case t.kind == negator && !idle(rest):
		s.close(denied)
		s.left = reach
		return
	case s.stance == denied && s.left < weight:
		s.close(open)
	}
	s.left -= weight
	s.segment = append(s.segment, t)
}

// close ends the part, sorts its terms, and begins the next.
func (s *scope) close(next stance) {
	for _, term := range topicTerms(s.segment, s.indexer) {
		how := s.topic[term]
		switch s.stance {
		case affirmed:
			how |= asAffirmed
		case denied:
			how |= asDenied
		}
		s.topic[term] = how
	}
	s.segment, s.stance = s.segment[:0], next
}

// idle reports whether a negation before these tokens is a manner of speaking:
// can't wait, not only, no problem.
func idle(rest []token) bool {
	if len(rest) == 0 {
		return true
	}
	switch rest[0].text {
	case "wait", "only", "problem", "problems", "worries", "worry", "doubt", "matter", "wonder", "kidding", "仅", "只":
		return true
	}
	return false
}

// turning reports whether a word takes back the negation before it.
func turning(w string) bool { return w == "but" || w == "而" || w == "instead" || w == "however" }

// topicTerms analyses a run of tokens; single characters are left out, because
// they take part in too many words to stand for a topic.
func topicTerms(run []token, indexer *text.Indexer) []string {
	if len(run) == 0 {
		return nil
	}
	return slices.DeleteFunc(indexer.Index(join(run)), func(term string) bool { return negligible(term) || singleCharacter(term) })
}

func singleCharacter(term string) bool {
	r, n := utf8.DecodeRuneInString(term)
	return n == len(term) && text.IsCJK(r)
}

// join writes tokens as text again: a space between words, none between characters.
func join(run []token) string {
	var b strings.Builder
	size := 0
	for i := range run {
		size += len(run[i].text) + 1
	}
	b.Grow(size)
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
	if !st.proves(other) {
		return false
	}
	have := make(map[string]bool, len(st.terms()))
	for _, term := range st.terms() {
		have[term] = true
	}
	for _, term := range other.terms() {
		if !have[term] && !negligible(term) {
			return false
		}
	}
	mine := st.stances().topic
	for term, how := range other.stances().topic {
		if how&^mine[term] != 0 {
			return false
		}
	}
	return true
}

// proves reports whether the evidence of other is a subsequence of st's tokens,
// whatever way its values are written in.
func (st statement) proves(other statement) bool {
	i := 0
	for _, want := range other.values {
		if !want.evidence() {
			continue
		}
		for i < len(st.values) && st.values[i].text != want.text {
			i++
		}
		if i == len(st.values) {
			return false
		}
		i++
	}
	return true
}

// common counts the terms that two sets share.
func common[A, B any](a map[string]A, b map[string]B) int {
	n := 0
	for k := range a {
		if _, held := b[k]; held {
			n++
		}
	}
	return n
}

// jaccard is the share of the terms of both sets that they have in common, 0..1.
func jaccard[A, B any](a map[string]A, b map[string]B) float64 {
	n := common(a, b)
	if n == 0 {
		return 0
	}
	return float64(n) / float64(len(a)+len(b)-n)
}

// contained is the share of the smaller set's terms that the larger one holds, 0..1.
func contained[A, B any](a map[string]A, b map[string]B) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return float64(common(a, b)) / float64(min(len(a), len(b)))
}
