// Package lease is a lock among processes that need not be waited for without
// end: its holder gives a sign of life every few seconds, and from one that
// gives none, because it was stopped, the next process takes the lock away.
// What was overtaken cannot commit any more: see memory.WithFence.
package lease

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"agentmemory/internal/memory"

	"github.com/gofrs/flock"
)

// How long a holder may be silent.
const (
	Beat   = 2 * time.Second  // between two signs of life
	Silent = 60 * time.Second // since the last sign: then the holder is watched
	Watch  = 5 * time.Second  // for so long without a sign: then the lock is taken away
)

const fileMode = 0o600

// Lock is a lock file. The system frees it when its holder dies.
type Lock struct {
	Path string
	// Now stamps the signs of life. Without it none are given, and the lock is
	// never taken away.
	Now func() time.Time
	// Alone runs a function while no other process can commit anything, neither
	// to the database nor to the files. Without it nothing is taken away.
	Alone func(ctx context.Context, f func() error) error
}

// Try takes the lock if nobody holds it; it returns nil if somebody does.
func (l Lock) Try() (*Lease, error) {
	for {
		file := flock.New(l.Path, flock.SetPermissions(fileMode))
		held, err := file.TryLock()
		if err != nil {
			return nil, fmt.Errorf("locking %s: %w", l.Path, err)
		}
		if !held {
			return nil, nil //nolint:nilnil // somebody else holds it
		}
		lease := &Lease{lock: l, file: file}
		if lease.Mine() == nil {
			lease.live()
			return lease, nil
		}
		_ = file.Close() // taken away between our opening it and locking it
	}
}

// Overtake takes the lock away from a holder that gives no sign of life. It
// returns nil if the holder does, or may: then the lock is simply busy.
func (l Lock) Overtake(ctx context.Context) (*Lease, error) {
	sign, silent := l.silent()
	if !silent || l.Alone == nil || !l.watched(ctx, sign) {
		return nil, nil //nolint:nilnil // busy
	}
	err := l.Alone(ctx, func() error {
		if again, _ := l.sign(); again != sign {
			return nil // it lives, or another process was quicker
		}
		return os.Remove(l.Path) // the silent one holds a file without a name from now on
	})
	if err != nil {
		return nil, fmt.Errorf("taking %s away from a process that stands still: %w", l.Path, err)
	}
	return l.Try()
}

// watched reports whether no sign came while we watched.
func (l Lock) watched(ctx context.Context, sign string) bool {
	over := time.NewTimer(Watch)
	defer over.Stop()
	look := time.NewTicker(Beat / 4)
	defer look.Stop()
	for {
		if again, _ := l.sign(); again != sign {
			return false
		}
		select {
		case <-look.C:
		case <-over.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// IsSilent reports whether the holder has given no sign for so long that it may
// be regarded as stopped.
func (l Lock) IsSilent() bool {
	_, silent := l.silent()
	return silent
}

func (l Lock) silent() (sign string, silent bool) {
	sign, at := l.sign()
	if at.IsZero() || l.Now == nil {
		return sign, false // it never promised to give any: an older program
	}
	return sign, l.Now().Sub(at).Abs() >= Silent
}

// sign reads the last sign of life, and its time.
func (l Lock) sign() (text string, at time.Time) {
	raw, err := os.ReadFile(l.Path)
	if err != nil {
		return "", time.Time{}
	}
	fields := strings.Fields(string(raw))
	if len(fields) != 3 {
		return string(raw), time.Time{}
	}
	at, _ = time.Parse(time.RFC3339Nano, fields[1])
	return string(raw), at
}

// Lease is a lock that is held.
type Lease struct {
	lock Lock
	file *flock.Flock

	beats int64 // signs of life given so far
	stop  chan struct{}
	over  sync.WaitGroup
}

// live gives signs of life until the lease is released.
func (l *Lease) live() {
	if l.lock.Now == nil {
		return
	}
	out, err := os.OpenFile(l.lock.Path, os.O_WRONLY, fileMode)
	if err != nil {
		return // without signs it is a lock all the same
	}
	if l.Mine() != nil {
		_ = out.Close()
		return
	}
	l.beat(out)
	l.stop = make(chan struct{})
	l.over.Go(func() {
		defer func() { _ = errors.Join(out.Truncate(0), out.Close()) }() // the next holder may be an older program
		ticker := time.NewTicker(Beat)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				l.beat(out)
			case <-l.stop:
				return
			}
		}
	})
}

// beat writes one sign: who, when, and a number that grows even if the clock
// stands. It always has the same length.
func (l *Lease) beat(out *os.File) {
	l.beats++
	_, _ = out.WriteAt(fmt.Appendf(nil, "%10d %s %20d\n", os.Getpid(), l.lock.Now().UTC().Format("2006-01-02T15:04:05.000000000Z"), l.beats), 0)
}

// Mine returns an error once the lock was taken away.
func (l *Lease) Mine() error {
	own, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("looking at %s: %w", l.lock.Path, err)
	}
	named, err := os.Stat(l.lock.Path)
	if err == nil && os.SameFile(own, named) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking at %s: %w", l.lock.Path, err)
	}
	return memory.Errorf(memory.Conflicting, "this process stood still for so long that another one has taken over what it was doing").
		WithHint("nothing was written since; run it again if it is still wanted")
}

// Guard returns a context under which nothing is committed once the lock was taken away.
func (l *Lease) Guard(ctx context.Context) context.Context { return memory.WithFence(ctx, l.Mine) }

// Release gives the lock back.
func (l *Lease) Release() error {
	if l.stop != nil {
		close(l.stop)
		l.over.Wait()
		l.stop = nil
	}
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("releasing %s: %w", l.lock.Path, err)
	}
	return nil
}
