package lease

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"agentmemory/internal/memory"
)

const guarded = "state/kept.json"

func workspace(t *testing.T) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// holds fails the test unless the file has this text and nothing lies beside it.
func holds(t *testing.T, root *os.Root, want string) {
	t.Helper()
	text, err := root.ReadFile(guarded)
	if err != nil || string(text) != want {
		t.Errorf("the file holds %q, %v; want %q", text, err, want)
	}
	if left, err := filepath.Glob(filepath.Join(root.Name(), "state", "*")); err != nil || len(left) != 1 {
		t.Errorf("beside it: %q, %v", left, err)
	}
}

// The worst moment to stand still is between the question whether one was
// overtaken and what one does after it.
func TestWhoStandsStillRightAfterHavingAskedReplacesNothing(t *testing.T) {
	root, l := workspace(t), shared(t)
	first := take(t, l)
	stands := false
	ctx := memory.WithFence(first.Guard(t.Context()), func() error {
		if stands { // the lock was its own a moment ago
			return nil
		}
		stands = true
		if err := os.Remove(l.Path); err != nil { // as Overtake does
			t.Fatal(err)
		}
		next := take(t, l)
		if err := errors.Join(Inherit(root, guarded), Replace(next.Guard(t.Context()), root, guarded, []byte("the next one's"))); err != nil {
			t.Fatal(err)
		}
		return nil
	})
	if err := Replace(ctx, root, guarded, []byte("the first one's")); memory.CodeOf(err) != memory.Conflicting {
		t.Errorf("it was told: %v", err)
	}
	holds(t, root, "the next one's")
}

// One that was overtaken before it began takes away what the next holder is
// about to name: it is written again.
func TestTheOvertakenDoNotStopTheNextHolder(t *testing.T) {
	root, l := workspace(t), shared(t)
	held, disturbed := take(t, l), 0
	ctx := memory.WithFence(held.Guard(t.Context()), func() error {
		if disturbed++; disturbed == 1 {
			return Inherit(root, guarded)
		}
		return nil
	})
	if err := Replace(ctx, root, guarded, []byte("mine")); err != nil {
		t.Error(err)
	}
	holds(t, root, "mine")
}

func TestWhatWasBegunIsTakenAwayAndNothingElse(t *testing.T) {
	root := workspace(t)
	if err := Inherit(root, guarded); err != nil {
		t.Errorf("without a folder: %v", err)
	}
	if err := root.Mkdir("state", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, stays := range map[string]bool{
		guarded: true, guarded + ".tmp": false, guarded + ".X4.tmp": false,
		guarded + ".bak": true, "state/kept.jsonl.X4.tmp": true, "state/other.json.X4.tmp": true,
	} {
		if err := root.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Inherit(root, guarded); err != nil {
			t.Error(err)
		}
		if _, err := root.Stat(name); (err == nil) != stays {
			t.Errorf("%s: %v, want it to stay: %t", name, err, stays)
		}
	}
}
