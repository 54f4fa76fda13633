package llm

import (
	"sync"
	"time"

	"agentmemory/internal/memory"
)

const (
	breakerThreshold = 3 // failures in a row that open it
	breakerRest      = 5 * time.Minute
)

// breaker keeps requests from a service that keeps failing: after three
// failures in a row it is left alone for five minutes, then tried once.
type breaker struct {
	now func() time.Time

	mu       sync.Mutex
	failures int
	until    time.Time // nothing is sent until then; zero: all is
}

// allow returns nil if a request may be sent. The one that is sent when the rest
// is over prolongs it for all others until its outcome is known.
func (b *breaker) allow() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return nil
	}
	if wait := b.until.Sub(b.now()); wait > 0 {
		return memory.Errorf(memory.Unavailable, "the language model failed %d times in a row and is left alone for %s", b.failures, wait.Round(time.Second))
	}
	b.until = b.now().Add(breakerRest)
	return nil
}

// tell notes the outcome of a request that was allowed.
func (b *breaker) tell(worked bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if worked {
		b.failures, b.until = 0, time.Time{}
		return
	}
	b.failures++
	if b.failures >= breakerThreshold {
		b.until = b.now().Add(breakerRest)
	}
}

// abandon takes back an allow whose caller gave up: it tells nothing about the service.
func (b *breaker) abandon() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.until.IsZero() {
		b.until = b.now() // the next one may try
	}
}
