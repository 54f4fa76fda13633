// Package storetest opens real stores for tests, with a clock that the test moves.
package storetest

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"
)

// Clock is a clock that only moves when told to. It may be used by many goroutines.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that stands at a time.
func NewClock(at time.Time) *Clock { return &Clock{at: at} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// Open opens a new store in a temporary directory, its clock at 22:00 UTC on
// 21 February 2026. At the end of the test the store is checked and closed.
func Open(t testing.TB) (*store.Store, *Clock) {
	t.Helper()
	clock := NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
	return OpenAt(t, filepath.Join(t.TempDir(), "memory.db"), clock), clock
}

// OpenAt opens the store at a path with a clock, and checks and closes it at
// the end of the test.
func OpenAt(t testing.TB, path string, clock *Clock) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: path, Now: clock.Now, IDs: memory.NewIDSource(clock.Now, rand.Reader)})
	if err != nil {
		t.Fatalf("opening a store: %v", err)
	}
	t.Cleanup(func() {
		Check(t, s)
		if err := s.Close(); err != nil {
			t.Errorf("closing the store: %v", err)
		}
	})
	return s
}

// T is what Check needs of a test, be it one of the standard library or a
// property of rapid.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Check fails the test for everything in the store that is not consistent.
func Check(t T, s *store.Store) {
	t.Helper()
	findings, err := s.Check(context.Background())
	if err != nil {
		t.Errorf("checking the store: %v", err)
	}
	for _, f := range findings {
		t.Errorf("the store is not consistent: %s", f)
	}
}
