package rank

import "math"

// Confidence says how sure a ranking is that the store holds the answer, 0..1:
// the share of the question's information that the best hits cover. What a
// question is about are its rare terms, so each counts with its inverse
// document frequency; words that the store has never seen count as the rarest.
func (r *Ranking) confidence(order []*entry) float64 {
	total := 0.0
	for i, w := range r.weights {
		if !r.query.Terms[i].Related {
			total += w
		}
	}
	if total == 0 || len(order) == 0 {
		return 0
	}
	best := 0.0
	for _, e := range order[:min(coverageHits, len(order))] {
		best = max(best, r.coverage(e)/total)
	}
	return math.Min(1, best)
}

// coverageHits is how many of the best hits may show that the answer is there.
const coverageHits = 5

// coverage sums the weights of the terms that a hit and its neighbours hold;
// what only a neighbour holds counts half.
func (r *Ranking) coverage(e *entry) float64 {
	sum := 0.0
	for i, w := range r.weights {
		switch {
		case r.query.Terms[i].Related:
		case e.frequencies[i] > 0:
			sum += w
		case r.besides(e, i):
			sum += w / 2
		}
	}
	return sum
}

func (r *Ranking) besides(e *entry, term int) bool {
	for _, distance := range []int{-2, -1, 1, 2} {
		if n := r.beside(e, distance); n != nil && e.Group != "" && n.frequencies[term] > 0 {
			return true
		}
	}
	return false
}
