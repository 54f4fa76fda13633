package embed

import (
	"context"
	"time"

	"agentmemory/internal/memory"
)

const (
	// QuestionPatience is how long an answer may be held up by its vector.
	QuestionPatience = 300 * time.Millisecond
	askTimeout       = 30 * time.Second // a cold model may take long to load
	maxQuestions     = 4                // on their way at once
)

// Asker gets vectors of questions for callers who cannot wait. A request that
// takes too long goes on without its caller, so that a model which is being
// loaded is there for the next question.
type Asker struct {
	embedder Embedder
	patience time.Duration
	slots    chan struct{}
}

// NewAsker returns an Asker; patience 0 means QuestionPatience.
func NewAsker(e Embedder, patience time.Duration) *Asker {
	if patience <= 0 {
		patience = QuestionPatience
	}
	return &Asker{embedder: e, patience: patience, slots: make(chan struct{}, maxQuestions)}
}

// Query returns the vector of a question within the patience, or an error that
// says why the answer must do without: DeadlineExceeded, Unavailable, or what
// the embedder said.
func (a *Asker) Query(ctx context.Context, text string) ([]float32, error) {
	select {
	case a.slots <- struct{}{}:
	default:
		return nil, memory.Errorf(memory.Unavailable, "the embedder is still busy with %d earlier questions", maxQuestions)
	}
	done := make(chan answer, 1)
	go a.ask(ctx, text, done)
	timer := time.NewTimer(a.patience)
	defer timer.Stop()
	select {
	case got := <-done:
		return got.vector, got.err
	case <-timer.C:
		return nil, memory.Errorf(memory.DeadlineExceeded, "the embedder did not answer within %s", a.patience)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type answer struct {
	vector []float32
	err    error
}

func (a *Asker) ask(ctx context.Context, text string, done chan<- answer) {
	defer func() { <-a.slots }()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
	defer cancel()
	vector, err := a.embedder.Query(ctx, text)
	done <- answer{vector, err}
}
