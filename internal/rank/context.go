package rank

import (
	"slices"
	"strings"
)

// beside returns the entry that stands distance places after e in its group, or nil.
func (r *Ranking) beside(e *entry, distance int) *entry { return e.group[e.Seq+distance] }

// Weights of the term frequencies of the entries beside one when they are read
// as one text with it.
const (
	windowPrevious = 0.4
	windowNext     = 0.2
	windowDistant  = 0.1 // two before
)

// window scores an entry together with those beside it as one text, so that a
// term counts once wherever it stands.
func (r *Ranking) window(e *entry) float64 {
	if e.Group == "" {
		return 0
	}
	previous, next, distant := r.beside(e, -1), r.beside(e, 1), r.beside(e, -2)
	sum := 0.0
	for i, w := range r.weights {
		f := float64(e.frequencies[i]) + share(previous, i, windowPrevious) + share(next, i, windowNext) + share(distant, i, windowDistant)
		f = max(f, e.akin(i), windowPrevious*previous.akin(i), windowNext*next.akin(i), windowDistant*distant.akin(i))
		if f > 0 {
			sum += w * f * (r.parameters.K1 + 1) / (f + r.parameters.K1)
		}
	}
	return e.bond * r.parameters.Window * sum
}

func share(e *entry, term int, weight float64) float64 {
	if e == nil {
		return 0
	}
	return weight * float64(e.frequencies[term])
}

// spread gives every candidate its share of the scores of its neighbours in
// the session and of the session as a whole: an answer often stands beside the
// words of the question rather than among them.
func (r *Ranking) spread() {
	for _, group := range r.groups {
		mean := meanLength(group)
		for _, e := range group {
			e.receives, e.even = r.receives(e, mean), r.fromNeighbours(e)
			e.explanation.Neighbours = e.receives * e.even
		}
	}
	for _, e := range r.pool {
		e.even += e.score
		e.score += e.explanation.Neighbours
	}
	for _, group := range r.groups {
		prior := r.parameters.Session * sessionScore(group)
		for _, e := range group {
			e.explanation.Session = e.receives * e.bond * prior
			e.even += e.bond * prior
		}
	}
	for _, e := range r.pool {
		e.score += e.explanation.Session
	}
}

// receives is the factor of what an entry of a conversation gets from the others:
// a short one among long ones ("Wow, how nice!") tells little wherever it stands,
// unless it answers a question, and somebody else than whom the question names
// tells less.
func (r *Ranking) receives(e *entry, mean float64) float64 {
	if !strings.HasPrefix(e.Group, conversation) {
		return 1
	}
	factor := 1.0
	if brevity := r.parameters.Brevity; brevity > 0 {
		length := float64(e.length) / mean
		factor = (1 + brevity) * length / (length + brevity) // 1 at the mean
	}
	if previous := r.beside(e, -1); previous != nil && previous.asking {
		factor = max(1, factor)
	}
	if r.parameters.Told > 0 && r.named(e.Actor) {
		factor *= r.parameters.Told
	}
	return factor
}

// meanLength is the mean length, in terms, of those entries of a group that
// were read; at least 1.
func meanLength(group map[int]*entry) float64 {
	sum := 0
	for _, e := range group {
		sum += e.length
	}
	return max(1, float64(sum)/float64(len(group)))
}

// fromNeighbours sums what the entries up to two places away contribute. What
// follows a question gets more from it than it gives back.
func (r *Ranking) fromNeighbours(e *entry) float64 {
	p := r.parameters
	sum := 0.0
	if n := r.beside(e, -1); n != nil {
		weight := p.Previous
		if n.asking {
			weight = p.Answered
		}
		sum += weight * n.score
	}
	if n := r.beside(e, 1); n != nil {
		weight := p.Next
		if e.asking {
			weight /= 2
		}
		sum += weight * n.score
	}
	for _, distance := range []int{-2, 2} {
		if n := r.beside(e, distance); n != nil {
			sum += p.Distant * n.score
		}
	}
	return e.bond * sum
}

// sessionBest is how many entries speak for their session.
const sessionBest = 3

// sessionScore is the mean of the best scores in a session.
func sessionScore(group map[int]*entry) float64 {
	if len(group) < 2 {
		return 0
	}
	scores := make([]float64, 0, len(group))
	for _, e := range group {
		scores = append(scores, e.score)
	}
	slices.Sort(scores)
	sum := 0.0
	for _, s := range scores[max(0, len(scores)-sessionBest):] {
		sum += s
	}
	return sum / sessionBest
}
