package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"agentmemory/internal/memory"

	"github.com/gofrs/flock"
)

const (
	// lockPoll is how often a taken lock is tried again.
	lockPoll = 10 * time.Millisecond
	// lockBeat is how often its holder gives a sign of life.
	lockBeat = 2 * time.Second
	// lockStill is how long a waiter sees no sign before it gives up: the holder
	// was stopped, and may be in the middle of a file.
	lockStill = 10 * time.Second * waitsLonger
)

// workspaceLock serialises all writing to the files of a workspace, across
// goroutines and processes. The system frees it when its holder dies. From one
// that stands still it is not taken away; nobody waits for it without end.
type workspaceLock struct {
	turn chan struct{} // holds one token: flock knows processes, not goroutines
	file *flock.Flock

	beats int64  // signs of life given so far
	stop  func() // ends them
}

func newWorkspaceLock(root *os.Root) *workspaceLock {
	l := &workspaceLock{turn: make(chan struct{}, 1)}
	l.file = flock.New(filepath.Join(root.Name(), drainLock), flock.SetPermissions(fileMode))
	l.turn <- struct{}{}
	return l
}

// take waits for the lock until ctx ends, or its holder has stood still for
// lockStill. Whoever was overtaken while it waited does not get it.
func (l *workspaceLock) take(ctx context.Context) error {
	select {
	case <-l.turn:
	case <-ctx.Done():
		return fmt.Errorf("waiting for the drain lock: %w", ctx.Err())
	}
	if err := l.wait(ctx); err != nil {
		l.turn <- struct{}{}
		return fmt.Errorf("waiting for the drain lock: %w", err)
	}
	l.live()
	if err := memory.Fenced(ctx); err != nil {
		return errors.Join(err, l.release())
	}
	return nil
}

// looksBetweenSigns is how often the lock is tried between two looks at the sign.
const looksBetweenSigns = 25

func (l *workspaceLock) wait(ctx context.Context) error {
	var seen []byte
	waited := time.Duration(0) // since the sign changed
	for tried := 0; ; tried++ {
		if ok, err := l.file.TryLock(); ok || err != nil {
			return err //nolint:wrapcheck // the caller says what it waited for
		}
		if tried%looksBetweenSigns == 0 {
			if sign, err := os.ReadFile(l.file.Path()); err != nil || !bytes.Equal(sign, seen) {
				seen, waited = sign, 0
			}
		}
		if waited += lockPoll; waited > lockStill {
			return memory.Errorf(memory.Conflicting, "another process holds the files and has not stirred for %s", lockStill).
				WithHint("end or continue that process: agent-memory doctor names the lock that it holds")
		}
		if err := pause(ctx, lockPoll); err != nil {
			return err
		}
	}
}

// live gives signs of life until the lock is released: who, and a number that
// grows. Whoever holds it shortly writes none.
func (l *workspaceLock) live() {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(lockBeat)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				l.beat()
			case <-over:
				return
			}
		}
	}()
	l.stop = func() {
		close(over)
		<-ended
	}
}

func (l *workspaceLock) beat() {
	out, err := os.OpenFile(l.file.Path(), os.O_WRONLY, fileMode)
	if err != nil {
		return
	}
	l.beats++
	_, _ = out.WriteAt(fmt.Appendf(nil, "%10d %20d\n", os.Getpid(), l.beats), 0)
	_ = out.Close()
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
	if ok {
		l.live()
	}
	return ok, nil
}

func (l *workspaceLock) release() error {
	l.stop()
	err := l.file.Unlock()
	l.turn <- struct{}{}
	if err != nil {
		return fmt.Errorf("releasing the drain lock: %w", err)
	}
	return nil
}
