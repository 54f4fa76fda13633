package rank

import (
	"cmp"
	"slices"
	"strings"
)

// sessions ranks sessions by what all their entries say themselves, by words and
// vectors, the n-th best of them with the weight 1/n, and by each term alone, and
// returns the best entry of each. What an entry got from those beside it does not count again. Entries
// of no session stand for themselves.
func (r *Ranking) sessions(order []*entry) []*entry {
	entries := map[string][]*entry{}
	var best []*entry
	for _, e := range order {
		if !strings.HasPrefix(e.Group, conversation) {
			e.explanation.Whole = e.own()
			best = append(best, e)
			continue
		}
		if entries[e.Group] == nil {
			best = append(best, e)
		}
		entries[e.Group] = append(entries[e.Group], e)
	}
	for _, e := range best {
		if session := entries[e.Group]; session != nil {
			e.explanation.Whole = together(session) + r.parameters.Each*r.eachAlone(session)
		}
	}
	for _, e := range best {
		e.score = e.explanation.Whole
	}
	best = slices.DeleteFunc(best, func(e *entry) bool { return e.score <= 0 })
	slices.SortStableFunc(best, func(a, b *entry) int { return cmp.Compare(b.score, a.score) })
	return best
}

// own is the score of an entry without what it got from others.
func (e *entry) own() float64 { return e.worded + e.explanation.Vector }

// together sums the scores of entries, the n-th best with the weight 1/n.
func together(entries []*entry) float64 {
	scores := make([]float64, len(entries))
	for i, e := range entries {
		scores[i] = e.own()
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	sum := 0.0
	for i, s := range scores {
		sum += s / float64(i+1)
	}
	return sum
}
