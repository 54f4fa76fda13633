package rank

import "agentmemory/internal/memory"

// Vectors fuses the vector arm into the ranking. neighbours are ordered from
// the nearest; those that are not in the pool are ignored (see Missing).
func (r *Ranking) Vectors(neighbours []memory.Neighbour) {
	r.vectors = len(neighbours) > 0
	rank := 0
	for _, n := range neighbours {
		if e := r.byKey[n.Key]; e != nil {
			rank++
			e.explanation.Cosine = n.Cosine
			e.explanation.VectorRank = rank
		}
	}
}

// fuse combines the arms by reciprocal rank fusion (Cormack, Clarke and
// Büttcher 2009): each contributes 1 / (offset + rank). The sum is scaled so that
// a hit that leads both arms has 1.
func (r *Ranking) fuse() {
	if !r.vectors || r.parameters.Semantic <= 0 {
		r.scale()
		return
	}
	offset, weight := r.parameters.RankOffset, r.parameters.Semantic
	best := (1 + weight) / (offset + 1)
	for i, e := range r.ordered(func(e *entry) float64 { return e.score }) {
		sum := 0.0
		if e.score > 0 {
			sum = 1 / (offset + float64(i+1))
		}
		if v := e.explanation.VectorRank; v > 0 {
			sum += weight / (offset + float64(v))
		}
		e.fused = sum / best
	}
	for _, e := range r.pool {
		e.score = e.fused
		e.explanation.Fused = e.fused
	}
}

// scale divides by the best score, so that the first hit has 1.
func (r *Ranking) scale() {
	best := 0.0
	for _, e := range r.pool {
		best = max(best, e.score)
	}
	if best == 0 {
		return
	}
	for _, e := range r.pool {
		e.score /= best
		e.explanation.Fused = e.score
	}
}
