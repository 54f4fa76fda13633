package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"agentmemory/internal/endpoint"
	"agentmemory/internal/memory"
)

// Queue is where a Worker finds contents to embed and puts their vectors.
type Queue interface {
	// PendingVectors returns at most limit contents that have no vector of a generation.
	PendingVectors(ctx context.Context, m memory.Model, limit int) ([]memory.Unembedded, error)
	// PutVectors keeps vectors of a generation. No values at all mean that this
	// content cannot have a vector.
	PutVectors(ctx context.Context, m memory.Model, vectors []memory.Vector) error
	// CountPending returns how many memories lack a vector of a generation.
	CountPending(ctx context.Context, m memory.Model) (int, error)
}

// Generations decides whose vectors are searched.
type Generations interface {
	// Serving returns the model whose vectors are searched, or one with
	// generation 0, and its parameters.
	Serving(ctx context.Context, namespace string) (memory.Model, []byte, error)
	// BeginGeneration starts the vectors of a model, or goes on with them.
	BeginGeneration(ctx context.Context, namespace string, m memory.Model, params []byte) (memory.Model, error)
	// SwitchGeneration lets a complete generation serve; Conflicting if it is not complete.
	SwitchGeneration(ctx context.Context, m memory.Model) error
	// DropRetired deletes some vectors that serve no more and reports whether more are left.
	DropRetired(ctx context.Context, limit int) (more bool, err error)
}

// WorkerOptions tune a Worker. The zero value is good but for the namespace.
type WorkerOptions struct {
	Namespace string        // default memory.DefaultNamespace
	Params    []byte        // what the model learned, kept beside its vectors
	Batch     int           // texts between two writes; default 32
	Poll      time.Duration // looks for work of other processes this often; default 1 minute
	// TryLock is asked before work, so that of several processes one embeds;
	// nil: no lock, which costs double work but harms nothing.
	TryLock func(ctx context.Context) (guarded context.Context, unlock func(), held bool)
	// Report is told of each failure, from Run; nil: nobody is.
	Report func(error)
}

// WorkerStatus is what a Worker is doing.
type WorkerStatus struct {
	Serving   memory.Model   `json:"serving"`           // whose vectors are searched
	Building  memory.Model   `json:"building,omitzero"` // whose vectors are being made to replace them
	Pending   int            `json:"pending"`           // memories without a vector of what is being made
	Breaker   endpoint.State `json:"breaker"`
	RetryAt   time.Time      `json:"retry_at,omitzero"` // of an open breaker
	LastError string         `json:"last_error,omitempty"`
}

// Worker embeds pending contents of one namespace in the background. A model
// that does not serve yet is filled beside the one that does, and the two are
// switched when it is complete.
type Worker struct {
	embedder    Embedder
	queue       Queue
	generations Generations
	options     WorkerOptions
	breaker     *endpoint.Breaker // of the embedder; nil if it has none
	wake        chan struct{}

	mu      sync.Mutex
	current memory.Model // being filled; generation 0 before the first drain
	trouble error
}

const (
	defaultPoll = time.Minute
	failureWait = 10 * time.Second // after a failure that no breaker times
	dropBatch   = 2000             // vectors deleted in one transaction
)

// NewWorker returns a worker that does nothing until Run.
func NewWorker(e Embedder, q Queue, g Generations, o WorkerOptions) *Worker {
	if o.Namespace == "" {
		o.Namespace = memory.DefaultNamespace
	}
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	if o.TryLock == nil {
		o.TryLock = func(ctx context.Context) (context.Context, func(), bool) { return ctx, func() {}, true }
	}
	w := &Worker{embedder: e, queue: q, generations: g, options: o, wake: make(chan struct{}, 1)}
	if guarded, ok := e.(interface{ Breaker() *endpoint.Breaker }); ok {
		w.breaker = guarded.Breaker()
	}
	return w
}

// Notify says that there may be new content. It never blocks.
func (w *Worker) Notify() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Run embeds until the context ends; its error is then the context's.
func (w *Worker) Run(ctx context.Context) error {
	for {
		wait := w.options.Poll
		err := w.drain(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		w.note(err)
		if err != nil {
			wait = pause(err)
		}
		if err := w.rest(ctx, wait, err == nil); err != nil {
			return err
		}
	}
}

// Once embeds what is pending, unless another process does, for a program that
// ends afterwards. What ctx leaves no time for stays pending.
func (w *Worker) Once(ctx context.Context) error {
	err := w.drain(ctx)
	if ctx.Err() == nil {
		w.note(err)
	}
	return err
}

// pause returns how long to leave the embedder alone after a failure.
func pause(err error) time.Duration {
	var open *endpoint.OpenError
	if errors.As(err, &open) {
		return open.Wait
	}
	return failureWait
}

// rest waits for the time to pass or, if notices count, for new content. New
// content is no reason to ask a failing service earlier.
func (w *Worker) rest(ctx context.Context, d time.Duration, notices bool) error {
	wake := w.wake
	if !notices {
		wake = nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
	case <-wake:
	}
	return nil
}

func (w *Worker) note(err error) {
	w.mu.Lock()
	w.trouble = err
	w.mu.Unlock()
	if err != nil && w.options.Report != nil {
		w.options.Report(err)
	}
}

// drain embeds until nothing is pending, unless another process does.
func (w *Worker) drain(ctx context.Context) error {
	ctx, unlock, held := w.options.TryLock(ctx)
	if !held {
		return nil
	}
	defer unlock()
	m, serves, err := w.generation(ctx)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		pending, err := w.queue.PendingVectors(ctx, m, w.options.Batch)
		if err != nil {
			return fmt.Errorf("listing contents without vectors: %w", err)
		}
		if len(pending) > 0 {
			err = w.embed(ctx, m, pending)
		} else if serves {
			return w.tidy(ctx)
		} else if err = w.generations.SwitchGeneration(ctx, m); err == nil || memory.CodeOf(err) == memory.Conflicting {
			serves = err == nil // a conflict: new content came meanwhile
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// generation returns the generation to fill and whether it serves already. A
// service whose dimension is not known yet is asked for one vector first.
func (w *Worker) generation(ctx context.Context) (memory.Model, bool, error) {
	if w.embedder.Model().Dimension == 0 {
		if _, err := w.embedder.Query(ctx, "dimension"); err != nil {
			return memory.Model{}, false, fmt.Errorf("asking for the dimension: %w", err)
		}
	}
	m := w.embedder.Model()
	serving, params, err := w.generations.Serving(ctx, w.options.Namespace)
	if err != nil {
		return m, false, fmt.Errorf("reading which vectors serve: %w", err)
	}
	m.Generation = serving.Generation
	serves := m == serving && bytes.Equal(params, w.options.Params)
	if !serves {
		if m, err = w.generations.BeginGeneration(ctx, w.options.Namespace, m, w.options.Params); err != nil {
			return m, false, fmt.Errorf("beginning vectors of %s: %w", m.Name, err)
		}
	}
	w.mu.Lock()
	w.current = m
	w.mu.Unlock()
	return m, serves, nil
}

// tidy deletes what serves no more, a piece at a time so that others can write.
func (w *Worker) tidy(ctx context.Context) error {
	for {
		more, err := w.generations.DropRetired(ctx, dropBatch)
		if err != nil {
			return fmt.Errorf("deleting old vectors: %w", err)
		}
		if !more {
			return nil
		}
	}
}

// embed keeps the vectors of a batch. If the embedder rejects the batch it is
// halved, until the text that it does not want is alone and noted as such.
func (w *Worker) embed(ctx context.Context, m memory.Model, batch []memory.Unembedded) error {
	texts := make([]string, len(batch))
	for i, p := range batch {
		texts[i] = document(p)
	}
	answers, err := w.embedder.Documents(ctx, texts)
	switch {
	case err == nil:
		return w.put(ctx, m, batch, answers)
	case !endpoint.Rejected(err):
		return err
	case len(batch) > 1:
		half := len(batch) / 2
		if err := w.embed(ctx, m, batch[:half]); err != nil {
			return err
		}
		return w.embed(ctx, m, batch[half:])
	}
	if w.options.Report != nil {
		w.options.Report(fmt.Errorf("a content of %d bytes stays without vector: %w", len(batch[0].Content), err))
	}
	return w.put(ctx, m, batch, [][]float32{nil})
}

// document is what is embedded of a content.
func document(u memory.Unembedded) string {
	if u.Title == "" {
		return u.Content
	}
	return u.Title + "\n" + u.Content
}

func (w *Worker) put(ctx context.Context, m memory.Model, batch []memory.Unembedded, answers [][]float32) error {
	if len(answers) != len(batch) {
		return memory.Errorf(memory.Internal, "%d vectors for %d contents", len(answers), len(batch))
	}
	vectors := make([]memory.Vector, len(batch))
	for i, p := range batch {
		vectors[i] = memory.Vector{ContentHash: p.ContentHash, Values: answers[i]}
	}
	if err := w.queue.PutVectors(ctx, m, vectors); err != nil {
		return fmt.Errorf("storing vectors: %w", err)
	}
	return nil
}

// Status returns what the worker is doing and how far it is.
func (w *Worker) Status(ctx context.Context) (WorkerStatus, error) {
	s := WorkerStatus{Breaker: endpoint.Closed}
	if w.breaker != nil {
		s.Breaker, s.RetryAt = w.breaker.State()
	}
	w.mu.Lock()
	current := w.current
	if w.trouble != nil {
		s.LastError = w.trouble.Error()
	}
	w.mu.Unlock()
	var err error
	if s.Serving, _, err = w.generations.Serving(ctx, w.options.Namespace); err != nil {
		return s, fmt.Errorf("reading which vectors serve: %w", err)
	}
	if current.Generation == 0 {
		current = s.Serving
	}
	if current != s.Serving {
		s.Building = current
	}
	if current.Generation == 0 {
		return s, nil
	}
	if s.Pending, err = w.queue.CountPending(ctx, current); err != nil {
		return s, fmt.Errorf("counting contents without vectors: %w", err)
	}
	return s, nil
}
