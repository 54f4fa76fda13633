package tools

import (
	"slices"

	"agentmemory/internal/memory"
)

// In a profile that reads task cards first (seed 003 §2), the cards, the state
// and the summaries that match a question stand before everything else,
// whatever the others score.
const (
	cardsMatch = 0.5 // of the best score from which a card is meant by the question
	cardsSpare = 20  // hits beyond the limit among which cards are looked for
)

// ranked is how many hits the ranking is asked for.
func (r *Recall) ranked(limit int) int {
	if r.Profile.Recall.TaskFirst {
		return limit + cardsSpare
	}
	return limit
}

// cardsFirst moves the cards that match to the front, and keeps the limit.
func (r *Recall) cardsFirst(hits []RecallHit, limit int) []RecallHit {
	if r.Profile.Recall.TaskFirst && len(hits) > 0 {
		least := cardsMatch * hits[0].Score
		slices.SortStableFunc(hits, func(a, b RecallHit) int { return precedence(a, least) - precedence(b, least) })
	}
	return hits[:min(limit, len(hits))]
}

func precedence(h RecallHit, least float64) int {
	if h.Score >= least && toReadFirst(memory.Form(h.Form), h.Path) {
		return 0
	}
	return 1
}
