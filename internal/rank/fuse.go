package rank

import "agentmemory/internal/memory"

// Vectors adds what the vector arm found, nearest first. Memories that are not
// in the pool are ignored (see Missing). Cosines count from the farthest one
// that was found, since models differ in how near everything is to everything.
func (r *Ranking) Vectors(neighbours []memory.Neighbour) {
	if len(neighbours) == 0 {
		return
	}
	r.nearest = true
	first, last := neighbours[0].Cosine, neighbours[len(neighbours)-1].Cosine
	rank := 0
	for _, n := range neighbours {
		e := r.byKey[n.Key]
		if e == nil {
			continue
		}
		rank++
		e.explanation.Cosine = n.Cosine
		e.explanation.VectorRank = rank
		e.nearness = 1
		if first > last {
			e.nearness = (n.Cosine - last) / (first - last)
		}
	}
}

// fuse adds the vector arm to the lexical scores, in proportion to the best of
// them, before neighbours and sessions share theirs. (Adding scores did better
// than adding reciprocal ranks, which forget by how much a hit leads.)
func (r *Ranking) fuse() {
	if !r.nearest {
		return
	}
	best := 0.0
	for _, e := range r.pool {
		best = max(best, e.score)
	}
	if best == 0 {
		best = 1
	}
	for _, e := range r.pool {
		e.explanation.Vector = r.parameters.Semantic * best * e.nearness
		e.score += e.explanation.Vector
	}
}
