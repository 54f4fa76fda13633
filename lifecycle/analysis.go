package lifecycle

import (
	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Analysis is what a new memory says, worked out once: whoever looks for stored
// memories that are like it and the guard that compares them ask for the same.
type Analysis struct {
	Terms      []string   // of its content, in order; none of what is not compared
	Correction Correction // what it sets right
	Corrects   bool       // it is a correction

	tokens  []token // of its content, and where each begins and ends; none unless it is compared
	places  []int
	indexer *text.Indexer
}

// AnalysisOf takes a new memory apart. The indexer, which knows the words of
// others, is the analysis's as long as this is used; nil: it has one of its own.
func AnalysisOf(m memory.Memory, indexer *text.Indexer) *Analysis {
	if indexer == nil {
		indexer = text.NewIndexer()
	}
	a := &Analysis{indexer: indexer}
	if Comparable(m) {
		a.Terms = indexer.Index(m.Content)
		a.tokens, a.places = tokensAt(m.Content)
	}
	a.Correction, a.Corrects = correctionOf(m, a.tokens, indexer)
	return a
}

// reading keeps what the guard has taken apart: a candidate can be looked at as
// what a correction replaces, as a contradiction, and as a repetition.
type reading struct {
	analysis   *Analysis // of the new memory; nil: its caller had no use for one
	content    string    // of the new memory, if the analysis is of it
	terms      map[string][]string
	statements map[string]statement
	indexer    *text.Indexer
	with       *text.Shared // the new memory, once it is compared
}

func newReading(a Arrival) *reading {
	r := &reading{analysis: a.Analysis, terms: map[string][]string{}, statements: map[string]statement{}}
	if a.Analysis == nil {
		r.indexer = text.NewIndexer()
		return r
	}
	r.indexer = a.Analysis.indexer
	if a.Analysis.Terms != nil {
		r.content = a.Memory.Content
		r.terms[r.content] = a.Analysis.Terms
	}
	return r
}

func (r *reading) correction(m memory.Memory) (Correction, bool) {
	if r.analysis == nil {
		return CorrectionOf(m)
	}
	return r.analysis.Correction, r.analysis.Corrects
}

// declared is the correction that a clause of the new memory would be if it said
// so, and whether it would be one.
func (r *reading) declared(m memory.Memory, clause string) (Correction, bool) {
	st := r.statement(clause)
	if st.late.declared == nil {
		m.Content = "correction: " + clause
		c, is := CorrectionOf(m)
		st.late.declared, st.late.corrects = &c, is
	}
	return *st.late.declared, st.late.corrects
}

func (r *reading) termsOf(s string) []string {
	terms, known := r.terms[s]
	if !known {
		terms = r.indexer.Index(s)
		r.terms[s] = terms
	}
	return terms
}

func (r *reading) statement(s string) statement {
	st, known := r.statements[s]
	if known {
		return st
	}
	if s == r.content && s != "" {
		st = dissected(s, r.analysis.Terms, r.analysis.tokens, r.analysis.places, r.indexer)
	} else {
		st = dissect(s, r.termsOf(s), r.indexer)
	}
	r.statements[s] = st
	return st
}
