package tools

import (
	"context"
	"time"

	"agentmemory/internal/memory"
)

// pendingMeaning is a vector search that runs while words are searched.
type pendingMeaning struct {
	found    chan []memory.Neighbour
	failed   chan error
	deadline <-chan time.Time
	answer   []memory.Neighbour
	trouble  string
	done     bool
}

// startMeaning begins the vector search, over all layers: ranking drops what
// the layer excludes.
func (r *Recall) startMeaning(ctx context.Context, question string, f memory.Filter, limit int) *pendingMeaning {
	if r.Meaning == nil {
		return &pendingMeaning{done: true}
	}
	p := &pendingMeaning{found: make(chan []memory.Neighbour, 1), failed: make(chan error, 1), deadline: time.After(meaningDeadline)}
	go func() {
		neighbours, err := r.Meaning.Nearest(ctx, question, f, limit)
		if err != nil {
			p.failed <- err
			return
		}
		p.found <- neighbours
	}()
	return p
}

// wait returns the neighbours, or nothing once the deadline has passed.
func (p *pendingMeaning) wait() []memory.Neighbour {
	if p.done {
		return p.answer
	}
	p.done = true
	select {
	case p.answer = <-p.found:
	case <-p.failed: //nolint:errcheck // that it failed is all that counts here
		p.trouble = "vectors_failed"
	case <-p.deadline:
		p.trouble = "vectors_late"
	}
	return p.answer
}

// degraded names what the answer had to do without.
func (p *pendingMeaning) degraded() []string {
	if p.trouble == "" {
		return nil
	}
	return []string{p.trouble}
}
