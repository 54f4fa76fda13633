package mirror_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A sync service or a coarse clock gives a file another text under the size and
// time that we know: it is read when we next write there, and nothing turns in circles.
func TestAnEditThatHidesBehindItsTimeIsRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.remember("the harbour opens at nine")
	b.drain()
	b.clock.pass(time.Minute)
	b.sync()
	full := filepath.Join(b.dir, today)
	info, err := os.Stat(full)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(b.read(today), "at nine", "at four", 1)
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(full, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	b.clock.pass(time.Minute)
	b.remember("the ferry leaves at ten")
	for range 2 { // the files' times are ahead of this clock: it is watched until it rests
		b.drain()
		b.clock.pass(time.Minute)
	}
	b.stands(today, "the harbour opens at four", 1)
	b.stands(today, "the ferry leaves at ten", 1)
	if got := b.get(m.ID); got.Content != "the harbour opens at four" {
		t.Errorf("the edit is not known: %q", got.Content)
	}
	if left, err := b.store.Outbox(context.Background(), 10); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
