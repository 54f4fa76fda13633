package mirror

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentmemory/store/storetest"
)

// A file that goes away while it rests is waited for by nobody: a running
// server would else look at all files every second for good.
func TestAFileThatIsGoneIsNotWaitedFor(t *testing.T) {
	root := openRoot(t)
	s, clock := storetest.Open(t)
	m, err := New(Options{Root: root, Store: s, Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	look := func() bool {
		t.Helper()
		if _, err := m.pass(t.Context(), passOptions{}); err != nil {
			t.Fatal(err)
		}
		return m.unsettled()
	}
	draft := filepath.Join(root.Name(), "memory", "draft.md")
	if err := os.MkdirAll(filepath.Dir(draft), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(draft, []byte("half a thought\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(draft, clock.Now(), clock.Now()); err != nil {
		t.Fatal(err)
	}
	if !look() {
		t.Fatal("a file that was just saved is not waited for")
	}
	if err := os.Remove(draft); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	if look() {
		t.Error("a file that is gone is still waited for")
	}
}
