package lsa

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
)

// Vectors finds the nearest vectors of a generation.
type Vectors interface {
	Nearest(ctx context.Context, m memory.Model, query []float32, f memory.Filter, limit int) ([]memory.Neighbour, error)
}

// Meaning searches by the vectors of the serving generation.
type Meaning struct {
	Keeper  *Keeper
	Vectors Vectors
}

// Nearest returns the memories whose vectors lie nearest to a question's; none
// if nothing has been learned yet, or if the question holds no known word.
func (s *Meaning) Nearest(ctx context.Context, question string, f memory.Filter, limit int) ([]memory.Neighbour, error) {
	e, err := s.Keeper.Embedder(ctx)
	if err != nil || e == nil {
		return nil, err
	}
	query, err := e.Query(ctx, question)
	if err != nil || nonZero(query) == nil {
		return nil, err
	}
	found, err := s.Vectors.Nearest(ctx, e.Model(), query, f, limit)
	if err != nil {
		return nil, fmt.Errorf("searching by meaning: %w", err)
	}
	return found, nil
}
