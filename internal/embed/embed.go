// Package embed turns texts into vectors by a service that the user names: an
// Ollama server or anything with an OpenAI-compatible API. It sends nothing
// anywhere unless it is configured to, and to no host but this machine unless
// the configuration names that host as well.
//
// A provider that fails is reported as failing. It is never replaced by another
// model, since vectors of two models cannot be compared and a store that
// mixes them answers nonsense from then on.
package embed

import (
	"context"
	"fmt"
	"math"

	"agentmemory/internal/memory"
)

// Embedder turns texts into vectors of unit length. It is safe for concurrent use.
type Embedder interface {
	// Model names what makes the vectors. Its Dimension is 0 until it is
	// known: configured, or learned from the first answer.
	Model() memory.Model
	// Documents returns one vector for each text, in the same order.
	Documents(ctx context.Context, texts []string) ([][]float32, error)
	// Query returns the vector of a question.
	Query(ctx context.Context, text string) ([]float32, error)
}

// MaxDimension is the longest vector that is accepted.
const MaxDimension = 8192

// The bounds of a plausible vector length before it is made a unit: outside
// them the values are garbage or would overflow a float32 sum of squares.
const (
	minNorm = 1e-6
	maxNorm = 1e6
)

// normalise checks that answers are count vectors of one dimension (0: any),
// finite and of a plausible length, and scales each to unit length in place.
// It returns the dimension.
func normalise(answers [][]float32, count, dimension int) (int, error) {
	if len(answers) != count {
		return 0, fmt.Errorf("%d vectors for %d texts", len(answers), count)
	}
	for i, v := range answers {
		if len(v) == 0 || len(v) > MaxDimension {
			return 0, fmt.Errorf("vector %d has %d dimensions", i, len(v))
		}
		if dimension == 0 {
			dimension = len(v)
		}
		if len(v) != dimension {
			return 0, fmt.Errorf("vector %d has %d dimensions instead of %d", i, len(v), dimension)
		}
		if err := toUnit(v); err != nil {
			return 0, fmt.Errorf("vector %d: %w", i, err)
		}
	}
	return dimension, nil
}

func toUnit(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	norm := math.Sqrt(sum)
	if !(norm >= minNorm && norm <= maxNorm) { // also false for NaN
		return fmt.Errorf("its length is %g", norm)
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / norm)
	}
	return nil
}
