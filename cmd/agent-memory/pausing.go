package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"

	"github.com/gofrs/flock"
)

// pauseLock is held while no process is to index: compound summarises and moves
// whole files then, and the two would compete for the disk.
const pauseLock = "indexing.lock"

const (
	pausePoll     = 200 * time.Millisecond // between two looks whether it is over
	pausePatience = 5 * time.Second        // for those who look at the lock just now
)

// pauser tells whether indexing pauses, in all processes of a workspace.
type pauser struct{ path string }

func (e *engine) pauser() pauser {
	return pauser{filepath.Join(e.config.Workspace, stateFolder, pauseLock)}
}

// hold begins a pause; it takes effect between two batches of vectors.
func (p pauser) hold(ctx context.Context) (release func()) {
	lock := flock.New(p.path, flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, pausePatience)
	defer cancel()
	_, _ = lock.TryLockContext(waiting, pausePoll/10) // another compound pauses already: that will do
	return func() { _ = lock.Close() }
}

// pausing looks without waiting. A lock that cannot be looked at pauses nothing.
func (p pauser) pausing() bool {
	if _, err := os.Stat(p.path); err != nil {
		return false // nobody has ever paused here
	}
	lock := flock.New(p.path, flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	_ = lock.Close()
	return err == nil && !free
}

// wait returns when nothing pauses any more, or ctx has ended.
func (p pauser) wait(ctx context.Context) error {
	for p.pausing() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting until indexing goes on: %w", ctx.Err())
		case <-time.After(pausePoll):
		}
	}
	return nil
}

// pausable is a store that hands out nothing to embed while indexing pauses, so
// that embedders stop between two batches and go on where they were.
type pausable struct {
	*store.Store
	pauser
}

// PendingVectors implements embed.Queue and lsa.Contents.
func (s pausable) PendingVectors(ctx context.Context, m memory.Model, limit int) ([]memory.Unembedded, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Store.PendingVectors(ctx, m, limit) //nolint:wrapcheck // the embedder says what it was doing
}

// List implements lsa.Contents: learning from the whole store waits, too.
func (s pausable) List(ctx context.Context, f memory.Filter) ([]memory.Memory, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	return s.Store.List(ctx, f) //nolint:wrapcheck // the embedder says what it was doing
}
