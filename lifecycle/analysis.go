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
}

// AnalysisOf takes a new memory apart.
func AnalysisOf(m memory.Memory) *Analysis {
	a := &Analysis{}
	if Comparable(m) {
		a.Terms = text.Index(m.Content)
	}
	a.Correction, a.Corrects = CorrectionOf(m)
	return a
}

// reading keeps what the guard has taken apart: a candidate can be looked at as
// what a correction replaces, as a contradiction, and as a repetition.
type reading struct {
	analysis   *Analysis // of the new memory; nil: its caller had no use for one
	terms      map[string][]string
	statements map[string]statement
	indexer    *text.Indexer
	with       *text.Shared // the new memory, once it is compared
}

func newReading(a Arrival) *reading {
	r := &reading{analysis: a.Analysis, terms: map[string][]string{}, statements: map[string]statement{}, indexer: text.NewIndexer()}
	if r.analysis != nil && r.analysis.Terms != nil {
		r.terms[a.Memory.Content] = r.analysis.Terms
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
	if !known {
		st = dissect(s, r.termsOf(s), r.indexer)
		r.statements[s] = st
	}
	return st
}
