package tools

import (
	"context"

	"agentmemory/lifecycle"
)

// Closeness compares meanings by vectors. It is asked for a handful of texts a
// write, and only under profiles for which a paraphrase reinforces.
type Closeness interface {
	// Cosines returns, for each of the others, the cosine of its vector with
	// that of the text: 0 where nothing is known. It must not wait for a network.
	Cosines(ctx context.Context, text string, others []string) []float64
}

// weigh tells for each look-alike how close its meaning is.
func (l *LookAlikes) weigh(ctx context.Context, content string, similar []lifecycle.Similar) {
	if l.Closeness == nil || len(similar) == 0 {
		return
	}
	others := make([]string, len(similar))
	for i, s := range similar {
		others[i] = s.Memory.Content
	}
	for i, cosine := range l.Closeness.Cosines(ctx, content, others) {
		similar[i].Cosine = cosine
	}
}
