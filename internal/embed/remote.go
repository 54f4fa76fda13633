package embed

import (
	"context"
	"fmt"
	"sync"

	"agentmemory/internal/endpoint"
	"agentmemory/internal/memory"
)

// Remote is an Embedder that asks a service.
type Remote struct {
	settings Settings
	client   *client
	breaker  *endpoint.Breaker

	mu        sync.Mutex
	dimension int    // of every answer so far; 0: none yet
	answering string // the model that the service says it uses
}

// New returns the embedder that the settings describe. It sends nothing yet.
func New(settings Settings) (*Remote, error) {
	s, err := settings.complete()
	if err != nil {
		return nil, err
	}
	c, err := newClient(s)
	if err != nil {
		return nil, err
	}
	return &Remote{settings: s, client: c, breaker: newBreaker(s), dimension: s.Dimension}, nil
}

// Model implements Embedder.
func (r *Remote) Model() memory.Model {
	r.mu.Lock()
	defer r.mu.Unlock()
	return memory.Model{Provider: r.settings.Provider, Name: r.settings.identity(), Dimension: r.dimension}
}

// Breaker returns the breaker that guards the service.
func (r *Remote) Breaker() *endpoint.Breaker { return r.breaker }

// Close drops idle connections.
func (r *Remote) Close() { r.client.Close() }

// Documents implements Embedder. It works in batches and tries again where the
// service says that it is busy or failing; the context bounds the whole.
func (r *Remote) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for start := 0; start < len(texts); start += r.settings.BatchSize {
		batch := prefixed(r.settings.DocumentPrefix, texts[start:min(len(texts), start+r.settings.BatchSize)])
		got, err := r.persist(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("embedding texts %d to %d of %d: %w", start+1, start+len(batch), len(texts), err)
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

// Query implements Embedder. Somebody waits for the answer, so that it tries once.
func (r *Remote) Query(ctx context.Context, text string) ([]float32, error) {
	vectors, err := r.attempt(ctx, []string{r.settings.QueryPrefix + text})
	if err != nil {
		return nil, fmt.Errorf("embedding a question: %w", err)
	}
	return vectors[0], nil
}

func prefixed(prefix string, texts []string) []string {
	if prefix == "" {
		return texts
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = prefix + t
	}
	return out
}

// persist attempts a batch until it succeeds or trying again makes no sense.
func (r *Remote) persist(ctx context.Context, batch []string) ([][]float32, error) {
	for n := 0; ; n++ {
		vectors, err := r.attempt(ctx, batch)
		if err == nil || n >= r.settings.Retries {
			return vectors, err
		}
		delay, again := retryDelay(err, n)
		if !again {
			return nil, err
		}
		if sleep(ctx, delay) != nil {
			return nil, err
		}
	}
}

// attempt sends one request through the breaker and judges its answer.
func (r *Remote) attempt(ctx context.Context, texts []string) ([][]float32, error) {
	if err := r.breaker.Allow(); err != nil {
		return nil, err
	}
	vectors, model, err := r.client.send(ctx, texts)
	if err == nil {
		err = r.accept(vectors, len(texts), model)
	}
	switch {
	case err == nil:
		r.breaker.Succeeded()
		return vectors, nil
	case ctx.Err() != nil: // the caller's patience, not the service
		r.breaker.Abandoned()
	case endpoint.Rejected(err):
		r.breaker.Succeeded()
	default:
		r.breaker.Failed()
	}
	return nil, err
}

// accept checks vectors, makes them units and holds the service to its first
// answer: another dimension or another model's name is refused, not stored.
func (r *Remote) accept(vectors [][]float32, count int, model string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	dimension, err := normalise(vectors, count, r.dimension)
	if err != nil {
		return r.client.Unusable(err)
	}
	if holdsToModel && r.answering != "" && model != "" && model != r.answering {
		return r.client.Unusable(fmt.Errorf("the model changed from %q to %q", r.answering, model))
	}
	r.dimension = dimension
	if model != "" {
		r.answering = model
	}
	return nil
}
