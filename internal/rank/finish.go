package rank

import "strings"

// Scored is a ranked candidate.
type Scored struct {
	Key         int64
	ID          string
	Cold        bool
	Score       float64 // 0..1: confidence of the answer, scaled by the hit's place in it
	Explanation Explanation
}

// Result is the outcome of a ranking.
type Result struct {
	Hits []Scored
	// Confidence is the share of the question's information that the best hits
	// cover, 0..1; it means the same in every store.
	Confidence float64
	// Abstained is set when Confidence lies below the threshold: Hits are then
	// near misses, not answers.
	Abstained bool
}

// Finish orders the pool and returns the best limit hits.
func (r *Ranking) Finish(limit int) Result {
	r.boost()
	for i, e := range r.ordered(func(e *entry) float64 { return e.score }) {
		if e.score > 0 {
			e.explanation.LexicalRank = i + 1
		}
	}
	r.fuse()
	r.spread()
	r.age()
	order := r.eligible()
	confidence := r.confidence(order)
	if r.bySession {
		order = r.sessions(order)
	}
	hits := r.collapse(order, limit)
	r.explain(hits)
	return Result{Hits: scored(hits, confidence), Confidence: confidence, Abstained: confidence < r.parameters.Threshold}
}

func scored(hits []*entry, confidence float64) []Scored {
	out := make([]Scored, len(hits))
	for i, e := range hits {
		out[i] = Scored{Key: e.Key, ID: e.ID, Cold: e.Cold, Score: confidence * e.score / hits[0].score, Explanation: e.explanation}
	}
	return out
}

// trailing is the share of the best score below which an entry is no hit: it
// stands beside a hit, or shares a word with the question that all share. Of a
// session it may be a hint beside others, so that nothing is left out there.
const trailing = 0.1

// eligible returns the entries that may be hits, best first. What merely stands
// in the same file as a hit is none: there, unlike in a conversation, one line
// does not answer the other.
func (r *Ranking) eligible() []*entry {
	var order []*entry
	for _, e := range r.ordered(func(e *entry) float64 { return e.score }) {
		silent := !strings.HasPrefix(e.Group, conversation) && e.own() == 0
		if e.eligible && !silent && e.score > 0 && (len(order) == 0 || r.bySession || e.score >= trailing*order[0].score) {
			order = append(order, e)
		}
	}
	return order
}
