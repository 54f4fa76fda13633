package mirror_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"agentmemory/internal/memory"
)

// A process that stands still with the lock of the files does not keep others
// waiting for ever.
func TestJournalIsNotWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.remember("first")
	b.drain()
	frozen := flock.New(filepath.Join(b.dir, ".agent-memory", "drain.lock"))
	if ok, err := frozen.TryLock(); !ok || err != nil {
		t.Fatalf("locking: %v, %v", ok, err)
	}
	defer frozen.Close()
	id, err := b.ids.Next()
	if err != nil {
		t.Fatal(err)
	}
	m.ID, m.URI, m.Content = id, "", "while somebody stood still"
	begun := time.Now()
	_, err = b.AppendDirect(t.Context(), m)
	if memory.CodeOf(err) != memory.Unavailable || time.Since(begun) > 10*time.Second {
		t.Errorf("%v after %s", err, time.Since(begun))
	}
	frozen.Close()
	if _, err := b.AppendDirect(t.Context(), m); err != nil {
		t.Error(err)
	}
	b.stands(today, "while somebody stood still", 1)
}
