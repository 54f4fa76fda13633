package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"time"

	"agentmemory/internal/lease"
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
type pauser struct{ lock lease.Lock }

func (e *engine) pauser() pauser { return pauser{e.lease(path.Join(stateFolder, pauseLock))} }

// hold begins a pause; it takes effect between two batches of vectors.
func (p pauser) hold(ctx context.Context) (release func()) {
	waiting, cancel := context.WithTimeout(ctx, pausePatience)
	defer cancel()
	for {
		held, err := p.lock.Try()
		if held != nil {
			return func() { _ = held.Release() }
		}
		if err != nil || pause(waiting, pausePoll/10) != nil {
			return func() {} // another compound pauses already: that will do
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // the caller says what it waited for
	case <-time.After(d):
		return nil
	}
}

// pausing looks without waiting. A lock that cannot be looked at pauses nothing,
// nor does one whose holder stands still.
func (p pauser) pausing() bool {
	if _, err := os.Stat(p.lock.Path); err != nil {
		return false // nobody has ever paused here
	}
	lock := flock.New(p.lock.Path, flock.SetPermissions(0o600))
	free, err := lock.TryRLock()
	_ = lock.Close()
	return err == nil && !free && !p.lock.IsSilent()
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
