package lease

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/memory"

	"github.com/gofrs/flock"
)

// shared is the lock file of one test, as a process sees it.
func shared(t *testing.T) Lock {
	var commits sync.Mutex
	return Lock{Path: filepath.Join(t.TempDir(), "x.lock"), Now: time.Now, Alone: func(_ context.Context, f func() error) error {
		commits.Lock()
		defer commits.Unlock()
		return f()
	}}
}

func take(t *testing.T, l Lock) *Lease {
	t.Helper()
	held, err := l.Try()
	if err != nil || held == nil {
		t.Fatalf("taking a free lock: %v, %v", held, err)
	}
	t.Cleanup(func() { _ = held.Release() })
	return held
}

// stopped is a holder whose process stands still: it gives no signs and does not let go.
func stopped(t *testing.T, l Lock) *Lease {
	t.Helper()
	held := take(t, l)
	raw, err := os.ReadFile(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	close(held.stop)
	held.over.Wait()
	held.stop = nil
	if err := os.WriteFile(l.Path, raw, 0o600); err != nil { // what it wrote last
		t.Fatal(err)
	}
	return held
}

func overtaken(t *testing.T, l Lock) *Lease {
	t.Helper()
	held, err := l.Overtake(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return held
}

func TestALivingHolderKeepsItsLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := shared(t)
		held := take(t, l)
		for range 10 {
			time.Sleep(time.Minute)
			if other, err := l.Try(); other != nil || err != nil {
				t.Fatalf("taken twice: %v", err)
			}
			if overtaken(t, l) != nil {
				t.Fatal("taken away from a living holder")
			}
		}
		if err := held.Mine(); err != nil {
			t.Error(err)
		}
		_ = held.Release()
		_ = take(t, l).Release()
	})
}

func TestALockIsTakenAwayFromAHolderThatStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := shared(t)
		frozen := stopped(t, l)
		ctx := frozen.Guard(t.Context())
		time.Sleep(Silent - time.Second)
		if overtaken(t, l) != nil {
			t.Fatal("taken away too early")
		}
		if err := memory.Fenced(ctx); err != nil {
			t.Errorf("refused although nobody took over: %v", err)
		}
		time.Sleep(time.Second)
		begun := time.Now()
		next := overtaken(t, l)
		if next == nil {
			t.Fatal("not taken away")
		}
		if took := time.Since(begun); took != Watch {
			t.Errorf("it was watched for %s", took)
		}
		if memory.CodeOf(memory.Fenced(ctx)) != memory.Conflicting {
			t.Error("the overtaken one may commit")
		}
		if err := frozen.Release(); err != nil { // it goes on at last
			t.Error(err)
		}
		if err := next.Mine(); err != nil {
			t.Errorf("its end took the lock from the next one: %v", err)
		}
		if other, err := l.Try(); other != nil || err != nil {
			t.Errorf("its end freed the lock of the next one: %v", err)
		}
		_ = next.Release()
	})
}

func TestWhatIsNotTakenAway(t *testing.T) {
	for name, of := range map[string]struct {
		change func(t *testing.T, l *Lock)
		failed bool
	}{
		"from a holder that stirs while it is watched": {change: func(t *testing.T, l *Lock) {
			time.AfterFunc(Watch-time.Second, func() {
				_ = os.WriteFile(l.Path, []byte("1 "+time.Now().UTC().Format(time.RFC3339Nano)+" 2"), 0o600)
			})
		}},
		"from a program that gives no signs": {change: func(t *testing.T, l *Lock) { _ = os.Truncate(l.Path, 0) }},
		"by one that cannot be alone": {failed: true, change: func(_ *testing.T, l *Lock) {
			l.Alone = func(context.Context, func() error) error { return errors.New("a database that is locked") }
		}},
		"by one that does not know how": {change: func(_ *testing.T, l *Lock) { l.Alone = nil }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := shared(t)
				frozen := stopped(t, l)
				time.Sleep(2 * Silent)
				of.change(t, &l)
				if next, err := l.Overtake(t.Context()); next != nil || (err != nil) != of.failed {
					t.Errorf("taken away: %t, %v", next != nil, err)
				}
				if err := frozen.Mine(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A clock that was set ahead or back makes nobody look dead who is not.
func TestClocksDoNotKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := shared(t)
		take(t, l)
		for _, jump := range []time.Duration{87600 * time.Hour, -87600 * time.Hour} {
			other := l
			other.Now = func() time.Time { return time.Now().Add(jump) }
			if overtaken(t, other) != nil {
				t.Errorf("taken away by a clock %s away", jump)
			}
		}
	})
}

func TestOnlyOneTakesOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := shared(t)
		stopped(t, l)
		time.Sleep(Silent)
		var wg sync.WaitGroup
		won := make(chan *Lease, 8)
		for range cap(won) {
			wg.Go(func() {
				if held, err := l.Overtake(t.Context()); held != nil && err == nil {
					won <- held
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Fatalf("%d took over", len(won))
		}
		_ = (<-won).Release()
	})
}

// Whoever opened the file before it was taken away, and locks it when its dead
// holder lets go, has locked a file without a name.
func TestAFileWithoutANameIsNoLock(t *testing.T) {
	l := shared(t)
	old := flock.New(l.Path)
	if ok, err := old.TryLock(); !ok || err != nil {
		t.Fatal(err)
	}
	late := &Lease{lock: l, file: old}
	if err := os.Remove(l.Path); err != nil {
		t.Fatal(err)
	}
	if memory.CodeOf(late.Mine()) != memory.Conflicting {
		t.Error("it counts")
	}
	_ = take(t, l).Release()
	_ = old.Close()
}
