package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"agentmemory/internal/lease"
	"agentmemory/internal/memory"
)

// Locks keep a job from running twice at once, and beside those that it
// excludes, in all processes: memory/.locks/<job>.lock. The system frees a lock
// when its holder dies; from one that stands still it is taken away.
type Locks struct {
	Root *os.Root
	Now  func() time.Time
	// Alone runs a function while no other process can commit anything. Without
	// it no lock is taken away.
	Alone func(ctx context.Context, f func() error) error
}

func (l *Locks) lock(name string) lease.Lock {
	return lease.Lock{Path: filepath.Join(l.Root.Name(), filepath.FromSlash(locksDir), name+".lock"), Now: l.Now, Alone: l.Alone}
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
	leases []*lease.Lease
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
		one, err := l.lock(name).Try()
		if one != nil {
			held.leases = append(held.leases, one)
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

// Await is Take that tries again for a while. It takes locks away from holders
// that give no sign of life.
func (l *Locks) Await(ctx context.Context, job Job, patience time.Duration) (*Held, error) {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		held, err := l.Take(job)
		busy, isBusy := errors.AsType[*BusyError](err)
		if !isBusy {
			return held, err
		}
		if freed, overtakeErr := l.free(ctx, busy.Lock); freed {
			continue
		} else if overtakeErr != nil || patience <= 0 {
			return nil, errors.Join(err, overtakeErr)
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

// free takes one lock away from a holder that stands still.
func (l *Locks) free(ctx context.Context, name string) (freed bool, err error) {
	taken, err := l.lock(name).Overtake(ctx)
	if taken == nil || err != nil {
		return false, err //nolint:wrapcheck // says what it was doing
	}
	return true, taken.Release() //nolint:wrapcheck // as above
}

// Guard returns a context under which nothing is committed any more once one of
// the locks was taken away.
func (h *Held) Guard(ctx context.Context) context.Context {
	for _, one := range h.leases {
		ctx = one.Guard(ctx)
	}
	return ctx
}

// Release gives the locks back. It may be called twice.
func (h *Held) Release() {
	for _, one := range slices.Backward(h.leases) {
		_ = one.Release() // closing frees the lock, whatever it reports
	}
	h.leases = nil
}
