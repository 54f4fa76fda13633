package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"agentmemory/internal/rank"
)

// leavesOut reports whether a question names a number that no hit holds. Then
// the answer is about a sibling of what was asked for ("component 1370" instead
// of "component 1000"), and what was meant may stand in the cold layer. Numbers
// of dates are left to the period.
func (r *Recall) leavesOut(ctx context.Context, q rank.Query, ranked rank.Result) (bool, error) {
	var numbers []string
	for _, word := range q.Words() {
		if strings.ContainsFunc(word, unicode.IsDigit) {
			numbers = append(numbers, word)
		}
	}
	if len(numbers) == 0 || !q.Period.Zero() {
		return false, nil
	}
	keys := make([]int64, len(ranked.Hits))
	for i, h := range ranked.Hits {
		keys[i] = h.Key
	}
	candidates, err := r.Store.Candidates(ctx, keys)
	if err != nil {
		return false, fmt.Errorf("reading the terms of the hits: %w", err)
	}
	held := map[string]bool{}
	for _, c := range candidates {
		for term := range strings.FieldsSeq(c.Terms) {
			held[term] = true
		}
	}
	return slices.ContainsFunc(numbers, func(n string) bool { return !held[n] }), nil
}
