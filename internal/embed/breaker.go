package embed

import (
	"sync"
	"time"

	"agentmemory/internal/memory"
)

// BreakerState is what a Breaker lets through.
type BreakerState string

// The states of a breaker (Nygard, Release It!, "Circuit Breaker").
const (
	Closed   BreakerState = "closed"    // everything
	Open     BreakerState = "open"      // nothing until a time
	HalfOpen BreakerState = "half_open" // one trial
)

const (
	breakerThreshold = 3 // failures in a row that open it
	firstCooldown    = 5 * time.Second
	maxCooldown      = 5 * time.Minute
)

// Breaker keeps requests from a service that keeps failing. The time that it
// stays open doubles from 5 seconds to 5 minutes while trials fail.
type Breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int // in a row
	cooldown time.Duration
	until    time.Time // open until then; zero: closed
	trial    bool      // one request is on its way after until
}

// NewBreaker returns a closed breaker that reads the time from now.
func NewBreaker(now func() time.Time) *Breaker { return &Breaker{now: now} }

// Allow returns nil if a request may be sent; its outcome must then be told by
// Succeeded, Failed or Abandoned.
func (b *Breaker) Allow() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return nil
	}
	if wait := b.until.Sub(b.now()); wait > 0 {
		return b.refusal(wait)
	}
	if b.trial {
		return b.refusal(firstCooldown)
	}
	b.trial = true
	return nil
}

func (b *Breaker) refusal(wait time.Duration) error {
	return &openError{memory.Errorf(memory.Unavailable, "the embedder failed %d times in a row and is left alone for %s", b.failures, wait.Round(time.Second)), wait}
}

// openError says that nothing was sent, and when it makes sense to come back.
type openError struct {
	cause *memory.Error
	wait  time.Duration
}

func (e *openError) Error() string { return e.cause.Error() }
func (e *openError) Unwrap() error { return e.cause }

// Succeeded closes the breaker.
func (b *Breaker) Succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures, b.cooldown, b.until, b.trial = 0, 0, time.Time{}, false
}

// Failed counts a failure, which opens the breaker if it is one too many or the trial.
func (b *Breaker) Failed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures++
	if b.failures < breakerThreshold && !b.trial {
		return
	}
	b.cooldown = min(max(firstCooldown, 2*b.cooldown), maxCooldown)
	b.until, b.trial = b.now().Add(b.cooldown), false
}

// Abandoned takes back an Allow whose request ended without telling anything
// about the service, because its caller gave up.
func (b *Breaker) Abandoned() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trial = false
}

// State returns the state, and for an open breaker when it will let a trial through.
func (b *Breaker) State() (BreakerState, time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.until.IsZero():
		return Closed, time.Time{}
	case b.until.After(b.now()):
		return Open, b.until
	}
	return HalfOpen, time.Time{}
}
