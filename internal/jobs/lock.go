package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"agentmemory/internal/memory"

	"github.com/gofrs/flock"
)

// Locks keep a job from running twice at once, and beside those that it
// excludes, in all processes: memory/.locks/<job>.lock. The system frees a lock
// when its holder dies.
type Locks struct {
	Root *os.Root
}

// BusyError says that a job, or one that it excludes, is running elsewhere.
type BusyError struct {
	Job  string // that was to run
	Lock string // the job that keeps it from doing so
}

func (e *BusyError) Error() string {
	if e.Job == e.Lock {
		return e.Job + " is running already"
	}
	return fmt.Sprintf("%s must not run beside %s, which is running", e.Job, e.Lock)
}

// Unwrap gives the failure the code that callers see.
func (e *BusyError) Unwrap() error {
	return memory.Errorf(memory.Conflicting, "%s", e.Error()).WithHint("try again when it has ended; agent-memory schedule list shows what runs")
}

// Held are the locks of one run.
type Held struct {
	files []*flock.Flock
}

// Take takes all locks that a job needs, or none: it never waits. Everybody
// takes them in the same order.
func (l *Locks) Take(job Job) (*Held, error) {
	if err := l.Root.MkdirAll(locksDir, dirMode); err != nil {
		return nil, fmt.Errorf("making %s: %w", locksDir, err)
	}
	names := append([]string{job.Name}, job.Excludes...)
	slices.Sort(names)
	held := &Held{}
	for _, name := range names {
		file := flock.New(filepath.Join(l.Root.Name(), filepath.FromSlash(locksDir), name+".lock"), flock.SetPermissions(fileMode))
		ok, err := file.TryLock()
		if ok && err == nil {
			held.files = append(held.files, file)
			continue
		}
		held.Release()
		if err != nil {
			return nil, fmt.Errorf("locking %s: %w", name, err)
		}
		return nil, &BusyError{Job: job.Name, Lock: name}
	}
	return held, nil
}

// lockPoll is how often a busy lock is tried again.
const lockPoll = 50 * time.Millisecond

// Await is Take that tries again for a while.
func (l *Locks) Await(ctx context.Context, job Job, patience time.Duration) (*Held, error) {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		held, err := l.Take(job)
		if _, busy := errors.AsType[*BusyError](err); !busy || patience <= 0 {
			return held, err
		}
		select {
		case <-time.After(lockPoll):
		case <-deadline.C:
			return nil, err
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %s: %w", job.Name, ctx.Err())
		}
	}
}

// Release gives the locks back. It may be called twice.
func (h *Held) Release() {
	for _, file := range slices.Backward(h.files) {
		_ = file.Close() // closing frees the lock, whatever it reports
	}
	h.files = nil
}
