package mirror

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockPoll is how often a taken lock is tried again.
const lockPoll = 10 * time.Millisecond

// workspaceLock serialises all writing to the files of a workspace, across
// goroutines and processes. The system frees it when its holder dies.
type workspaceLock struct {
	turn chan struct{} // holds one token: flock knows processes, not goroutines
	file *flock.Flock
}

func newWorkspaceLock(root *os.Root) *workspaceLock {
	l := &workspaceLock{turn: make(chan struct{}, 1)}
	l.file = flock.New(filepath.Join(root.Name(), drainLock), flock.SetPermissions(fileMode))
	l.turn <- struct{}{}
	return l
}

// take waits for the lock until ctx ends.
func (l *workspaceLock) take(ctx context.Context) error {
	select {
	case <-l.turn:
	case <-ctx.Done():
		return fmt.Errorf("waiting for the drain lock: %w", ctx.Err())
	}
	if _, err := l.file.TryLockContext(ctx, lockPoll); err != nil {
		l.turn <- struct{}{}
		return fmt.Errorf("waiting for the drain lock: %w", err)
	}
	return nil
}

// try takes the lock if nobody holds it.
func (l *workspaceLock) try() (bool, error) {
	select {
	case <-l.turn:
	default:
		return false, nil
	}
	ok, err := l.file.TryLock()
	if !ok || err != nil {
		l.turn <- struct{}{}
	}
	if err != nil {
		return false, fmt.Errorf("trying the drain lock: %w", err)
	}
	return ok, nil
}

func (l *workspaceLock) release() error {
	err := l.file.Unlock()
	l.turn <- struct{}{}
	if err != nil {
		return fmt.Errorf("releasing the drain lock: %w", err)
	}
	return nil
}
