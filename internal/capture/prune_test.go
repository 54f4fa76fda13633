package capture_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/capture"
)

// The state forgets a conversation a month after its file has gone, and not
// before; one that comes back is read again, and gives the same ids.
func TestTheStateForgetsWhatIsGone(t *testing.T) {
	const day = 24 * time.Hour
	d := newDesk(t)
	d.chat(t, "old.jsonl", said("user", "我们决定用 NATS"), said("user", "你好"))
	d.chat(t, "kept.jsonl", said("user", "记住：周五不发布"))
	known := func() string {
		raw, err := d.root.ReadFile(capture.StatePath)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, name := range []string{"old", "kept"} {
			if strings.Contains(string(raw), name+".jsonl") {
				names = append(names, name)
			}
		}
		return strings.Join(names, " ")
	}
	look := func(after time.Duration, want string) {
		t.Helper()
		d.now = d.now.Add(after)
		d.collect(t, capture.Scope{})
		if got := known(); got != want {
			t.Errorf("at %s the state knows %q, want %q", d.now.Format(time.DateOnly), got, want)
		}
	}
	look(0, "old kept")
	first := slices.Clone(d.taken)
	put := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	path, away := filepath.Join(d.chats, "old.jsonl"), filepath.Join(t.TempDir(), "old.jsonl")
	put(path, away)
	look(day, "old kept")
	look(20*day, "old kept")
	put(away, path) // it is back: the month begins anew
	look(day, "old kept")
	put(path, away)
	look(day, "old kept")
	look(20*day, "old kept")
	look(10*day, "kept")
	put(away, path)
	d.taken = nil
	look(day, "old kept")
	if len(d.taken) != 1 || !slices.Contains(first, d.taken[0]) {
		t.Errorf("read again: %q, first: %q", d.taken, first)
	}
	put(path, away)
	put(filepath.Join(d.chats, "kept.jsonl"), filepath.Join(t.TempDir(), "kept.jsonl"))
	look(day, "old kept")
	look(60*day, "old kept") // an empty folder may be a disk that is away
}
