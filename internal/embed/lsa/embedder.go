package lsa

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
)

// Name is the model name of the built-in embedder; Provider its provider.
const (
	Name     = "lsa"
	Provider = "builtin"
)

// Embedder makes vectors by a learned space.
type Embedder struct {
	space *Space
	model memory.Model
}

// NewEmbedder returns the embedder of a generation.
func NewEmbedder(s *Space, generation int64) *Embedder {
	m := model()
	m.Generation = generation
	return &Embedder{space: s, model: m}
}

func model() memory.Model {
	return memory.Model{Provider: Provider, Name: Name, Dimension: Dimension}
}

// Model names the generation.
func (e *Embedder) Model() memory.Model { return e.model }

// Documents returns one vector for each text: of unit length, or all zero for
// a text that holds no known word.
func (e *Embedder) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("embedding %d texts: %w", len(texts), err)
		}
		vectors[i] = e.space.Document(t)
	}
	return vectors, nil
}

// Query returns the vector of a question.
func (e *Embedder) Query(_ context.Context, question string) ([]float32, error) {
	return e.space.Query(question), nil
}
