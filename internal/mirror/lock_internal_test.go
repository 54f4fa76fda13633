package mirror

import (
	"context"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/memory"
)

// Nobody waits for the files without end: for a holder that works, as long as
// it does; for one that stands still, until that is clear.
func TestAHolderThatStandsStillIsNotWaitedFor(t *testing.T) {
	for name, stands := range map[string]bool{"works": false, "stands still": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				root, err := os.OpenRoot(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				defer root.Close()
				if err := root.Mkdir(ownDir, 0o700); err != nil {
					t.Fatal(err)
				}
				holder, other := newWorkspaceLock(root), newWorkspaceLock(root)
				if err := holder.take(t.Context()); err != nil {
					t.Fatal(err)
				}
				if stands {
					holder.stop()
					holder.stop = func() {}
				}
				go func() {
					time.Sleep(time.Minute)
					if err := holder.release(); err != nil {
						t.Error(err)
					}
				}()
				begun := time.Now()
				err = other.take(t.Context())
				took := time.Since(begun)
				if stands && (memory.CodeOf(err) != memory.Conflicting || took > 2*lockStill) {
					t.Errorf("after %s: %v", took, err)
				}
				if !stands && (err != nil || took < time.Minute) {
					t.Errorf("after %s: %v", took, err)
				}
				if err == nil {
					err = other.release()
				}
				time.Sleep(time.Minute)
				if !stands && err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Whoever was overtaken while it waited for the files must not write them.
func TestTheOvertakenDoNotGetTheFiles(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.Mkdir(ownDir, 0o700); err != nil {
		t.Fatal(err)
	}
	l, gone := newWorkspaceLock(root), errors.New("overtaken")
	if err := l.take(memory.WithFence(context.Background(), func() error { return gone })); !errors.Is(err, gone) {
		t.Fatalf("it got them: %v", err)
	}
	if err := l.take(context.Background()); err != nil {
		t.Errorf("it kept them: %v", err)
	}
	if err := l.release(); err != nil {
		t.Error(err)
	}
}
