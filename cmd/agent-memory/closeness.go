package main

import (
	"context"

	"agentmemory/internal/embed/lsa"
	"agentmemory/tools"
)

// closeness compares meanings by the built-in embedder.
type closeness struct{ keeper *lsa.Keeper }

// closeness returns what a write may compare meanings with: nil where the
// profile does not ask for it, or where each comparison would cost a call of a
// service.
func (e *engine) closeness() tools.Closeness {
	if e.profile.Guard.Cosine == 0 || e.vectors == nil || e.vectors.remote != nil {
		return nil
	}
	builtin, ok := e.vectors.builtin[e.ns()]
	if !ok {
		return nil
	}
	return closeness{builtin.Keeper}
}

// Cosines implements tools.Closeness. Until something has been learned, and for
// texts without any known word, they are 0.
func (c closeness) Cosines(ctx context.Context, text string, others []string) []float64 {
	cosines := make([]float64, len(others))
	embedder, err := c.keeper.Embedder(ctx)
	if err != nil || embedder == nil {
		return cosines
	}
	found, err := embedder.Documents(ctx, append([]string{text}, others...))
	if err != nil {
		return cosines
	}
	for i, other := range found[1:] {
		for d, x := range other {
			cosines[i] += float64(x) * float64(found[0][d])
		}
	}
	return cosines
}
