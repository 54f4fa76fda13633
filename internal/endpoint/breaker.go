package endpoint

import (
	"sync"
	"time"

	"agentmemory/internal/memory"
)

// State is what a Breaker lets through.
type State string

// The states of a breaker (Nygard, Release It!, "Circuit Breaker").
const (
	Closed   State = "closed"    // everything
	Open     State = "open"      // nothing until a time
	HalfOpen State = "half_open" // one trial
)

const breakerThreshold = 3 // failures in a row that open it

// Rest is how long a breaker stays open: First at first, doubled up to Longest
// while trials fail.
type Rest struct{ First, Longest time.Duration }

// Breaker keeps requests from a service that keeps failing.
type Breaker struct {
	name string // of the service, in messages
	rest Rest
	now  func() time.Time

	mu       sync.Mutex
	failures int // in a row
	cooldown time.Duration
	until    time.Time // open until then; zero: closed
	trial    bool      // one request is on its way after until
}

// NewBreaker returns a closed breaker that reads the time from now.
func NewBreaker(name string, r Rest, now func() time.Time) *Breaker {
	return &Breaker{name: name, rest: r, now: now}
}

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
		return b.refusal(b.rest.First)
	}
	b.trial = true
	return nil
}

func (b *Breaker) refusal(wait time.Duration) error {
	return &OpenError{memory.Errorf(memory.Unavailable, "the %s failed %d times in a row and is left alone for %s", b.name, b.failures, wait.Round(time.Second)), wait}
}

// OpenError says that nothing was sent, and when it makes sense to come back.
type OpenError struct {
	cause *memory.Error
	Wait  time.Duration
}

func (e *OpenError) Error() string { return e.cause.Error() }

// Unwrap gives the failure the code that callers see.
func (e *OpenError) Unwrap() error { return e.cause }

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
	late := !b.until.IsZero() && !b.trial // sent before the breaker opened
	if late || b.failures < breakerThreshold && !b.trial {
		return
	}
	b.cooldown = min(max(b.rest.First, 2*b.cooldown), b.rest.Longest)
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
func (b *Breaker) State() (State, time.Time) {
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
