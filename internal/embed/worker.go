package embed

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"agentmemory/internal/memory"
)

// Queue is where a Worker finds contents to embed and puts their vectors. More
// than one process may work on the same queue: storing a vector twice is harmless.
type Queue interface {
	// PendingVectors returns at most limit contents that have no vector of the model.
	PendingVectors(ctx context.Context, m memory.Model, limit int) ([]memory.PendingVector, error)
	// PutVectors stores vectors of the model.
	PutVectors(ctx context.Context, m memory.Model, vectors []memory.Vector) error
	// VectorProgress returns how many contents there are and how many of them
	// have a vector of the model.
	VectorProgress(ctx context.Context, m memory.Model) (done, total int, err error)
}

// WorkerOptions tune a Worker; the zero value is good.
type WorkerOptions struct {
	Batch int           // texts between two stores; default 32
	Poll  time.Duration // looks for work of other processes this often; default 1 minute
	// Generation is put into the model under which vectors are kept.
	Generation int64
	// Report is told of each failure; nil: none. It is called from Run.
	Report func(error)
	// Completed is called each time nothing is pending any more, for the owner of
	// generations to switch over; nil: not called.
	Completed func(ctx context.Context, m memory.Model) error
}

// WorkerStatus is what a Worker is doing.
type WorkerStatus struct {
	Model     memory.Model `json:"model"`
	Done      int          `json:"done"`  // contents with a vector
	Total     int          `json:"total"` // contents
	Rejected  int          `json:"rejected"`
	Breaker   BreakerState `json:"breaker"`
	LastError string       `json:"last_error,omitempty"`
}

// Pending returns how many contents wait for a vector.
func (s WorkerStatus) Pending() int { return max(0, s.Total-s.Done-s.Rejected) }

// Worker embeds pending contents in the background.
type Worker struct {
	embedder Embedder
	queue    Queue
	options  WorkerOptions
	breaker  *Breaker // of the embedder; nil if it has none
	wake     chan struct{}

	mu       sync.Mutex
	trouble  error
	rejected map[string]bool // hashes that the embedder does not want; for this run of the program
}

const (
	defaultPoll = time.Minute
	failureWait = 10 * time.Second // after a failure that no breaker times
)

// NewWorker returns a worker that does nothing until Run.
func NewWorker(e Embedder, q Queue, o WorkerOptions) *Worker {
	if o.Batch <= 0 {
		o.Batch = defaultBatch
	}
	if o.Poll <= 0 {
		o.Poll = defaultPoll
	}
	w := &Worker{embedder: e, queue: q, options: o, wake: make(chan struct{}, 1), rejected: map[string]bool{}}
	if guarded, ok := e.(interface{ Breaker() *Breaker }); ok {
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

// pause returns how long to leave the embedder alone after a failure.
func pause(err error) time.Duration {
	var open *openError
	if errors.As(err, &open) {
		return open.wait
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

// drain embeds until nothing is pending.
func (w *Worker) drain(ctx context.Context) error {
	m, err := w.model(ctx)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		pending, err := w.pending(ctx, m)
		if err != nil {
			return err
		}
		if len(pending) == 0 {
			return w.finished(ctx, m)
		}
		if err := w.embed(ctx, m, pending); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (w *Worker) finished(ctx context.Context, m memory.Model) error {
	if w.options.Completed == nil {
		return nil
	}
	if err := w.options.Completed(ctx, m); err != nil {
		return fmt.Errorf("completing a generation of vectors: %w", err)
	}
	return nil
}

// model returns the model to keep vectors under. A service whose dimension is not
// known yet is asked for one vector first.
func (w *Worker) model(ctx context.Context) (memory.Model, error) {
	if w.embedder.Model().Dimension == 0 {
		if _, err := w.embedder.Query(ctx, "dimension"); err != nil {
			return memory.Model{}, fmt.Errorf("asking for the dimension: %w", err)
		}
	}
	return w.named(), nil
}

func (w *Worker) named() memory.Model {
	m := w.embedder.Model()
	if w.options.Generation != 0 {
		m.Generation = w.options.Generation
	}
	return m
}

// pending returns a batch without the contents that the embedder rejected.
func (w *Worker) pending(ctx context.Context, m memory.Model) ([]memory.PendingVector, error) {
	w.mu.Lock()
	skip := len(w.rejected)
	w.mu.Unlock()
	all, err := w.queue.PendingVectors(ctx, m, w.options.Batch+skip)
	if err != nil {
		return nil, fmt.Errorf("listing contents without vectors: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var wanted []memory.PendingVector
	for _, p := range all {
		if !w.rejected[p.ContentHash] && len(wanted) < w.options.Batch {
			wanted = append(wanted, p)
		}
	}
	return wanted, nil
}

// embed stores the vectors of a batch. If the embedder rejects the batch it is
// halved, until the text that it does not want is alone and set aside.
func (w *Worker) embed(ctx context.Context, m memory.Model, batch []memory.PendingVector) error {
	texts := make([]string, len(batch))
	for i, p := range batch {
		texts[i] = p.Content
	}
	answers, err := w.embedder.Documents(ctx, texts)
	switch {
	case err == nil:
		return w.put(ctx, m, batch, answers)
	case !isRejection(err):
		return err
	case len(batch) > 1:
		half := len(batch) / 2
		if err := w.embed(ctx, m, batch[:half]); err != nil {
			return err
		}
		return w.embed(ctx, m, batch[half:])
	}
	w.mu.Lock()
	w.rejected[batch[0].ContentHash] = true
	w.mu.Unlock()
	if w.options.Report != nil {
		w.options.Report(fmt.Errorf("a content of %d bytes stays without vector: %w", len(batch[0].Content), err))
	}
	return nil
}

func (w *Worker) put(ctx context.Context, m memory.Model, batch []memory.PendingVector, answers [][]float32) error {
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
	s := WorkerStatus{Model: w.named(), Breaker: Closed}
	if w.breaker != nil {
		s.Breaker, _ = w.breaker.State()
	}
	w.mu.Lock()
	s.Rejected = len(w.rejected)
	if w.trouble != nil {
		s.LastError = w.trouble.Error()
	}
	w.mu.Unlock()
	var err error
	if s.Done, s.Total, err = w.queue.VectorProgress(ctx, s.Model); err != nil {
		return s, fmt.Errorf("counting vectors: %w", err)
	}
	return s, nil
}
