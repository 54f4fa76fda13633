package server

import (
	"context"
	"sync"
)

// inFlight counts the calls that are being worked on, so that an end waits for them.
type inFlight struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed while count is 0
}

func newInFlight() *inFlight {
	idle := make(chan struct{})
	close(idle)
	return &inFlight{idle: idle}
}

// enter counts one more call until the returned function is called.
func (f *inFlight) enter() (leave func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count == 0 {
		f.idle = make(chan struct{})
	}
	f.count++
	return f.leave
}

func (f *inFlight) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count--; f.count == 0 {
		close(f.idle)
	}
}

// wait returns once nothing is in flight, or ctx.Err() when ctx ends first.
func (f *inFlight) wait(ctx context.Context) error {
	f.mu.Lock()
	idle := f.idle
	f.mu.Unlock()
	select {
	case <-unlessHasty(idle):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
