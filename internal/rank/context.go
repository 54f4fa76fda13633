package rank

import (
	"sort"
)

// spread gives every candidate its share of the scores of its neighbours in
// the session and of the session as a whole: an answer often stands beside the
// words of the question rather than among them.
func (r *Ranking) spread() {
	own := make(map[*entry]float64, len(r.pool))
	for _, e := range r.pool {
		own[e] = e.score
	}
	for _, group := range r.groups {
		sort.SliceStable(group, func(i, j int) bool { return group[i].Seq < group[j].Seq })
		for i, e := range group {
			e.explanation.Neighbours = r.fromNeighbours(group, i, own)
		}
	}
	for _, e := range r.pool {
		e.score += e.explanation.Neighbours
	}
	r.spreadSessions()
}

// fromNeighbours sums what the entries up to two places away contribute.
func (r *Ranking) fromNeighbours(group []*entry, i int, own map[*entry]float64) float64 {
	sum := 0.0
	for j := max(0, i-2); j < min(len(group), i+3); j++ {
		switch group[j].Seq - group[i].Seq {
		case -1:
			sum += r.parameters.Previous * own[group[j]]
		case 1:
			sum += r.parameters.Next * own[group[j]]
		case -2, 2:
			sum += r.parameters.Distant * own[group[j]]
		}
	}
	return sum
}

// spreadSessions adds the session prior: the mean of the best scores in the session.
func (r *Ranking) spreadSessions() {
	for _, group := range r.groups {
		if len(group) < 2 {
			continue
		}
		prior := r.parameters.Session * sessionScore(group)
		for _, e := range group {
			e.explanation.Session = prior
		}
	}
	for _, e := range r.pool {
		e.score += e.explanation.Session
	}
}

// sessionBest is how many entries speak for their session.
const sessionBest = 3

func sessionScore(group []*entry) float64 {
	scores := make([]float64, len(group))
	for i, e := range group {
		scores[i] = e.score
	}
	sort.Sort(sort.Reverse(sort.Float64Slice(scores)))
	sum := 0.0
	for _, s := range scores[:min(sessionBest, len(scores))] {
		sum += s
	}
	return sum / sessionBest
}
