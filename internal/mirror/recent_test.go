package mirror_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// arriving is a store in whose n-th look at the versions of a file a person's
// save arrives.
type arriving struct {
	mirror.Store

	after int
	save  func()
}

func (a *arriving) Bases(ctx context.Context, path string, limit int) ([]memory.FileVersion, error) {
	if a.after--; a.after == 0 && a.save != nil {
		a.save()
	}
	return a.Store.Bases(ctx, path, limit)
}

// A save that arrives while RECENT.md is being written, with the time that it had
// on another machine, is not taken for what was read before.
func TestALineThatArrivesWhileRecentIsWrittenIsKept(t *testing.T) {
	t.Parallel()
	for n := range 7 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			a := &arriving{}
			b := newBench(t, func(o *mirror.Options) { a.Store = o.Store; o.Store = a; o.Settle = time.Millisecond })
			m := b.remember("the agent's own")
			b.drain()
			b.recent(shownAs("event", m))
			b.clock.pass(time.Hour)
			other := b.remember("something new")
			b.drain()
			arrived := false
			a.after, a.save = n+1, func() {
				arrived = true
				text := b.read("RECENT.md") + "- typed on the other machine\n"
				full := filepath.Join(b.dir, "RECENT.md")
				if err := os.WriteFile(full+"~", []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				before := b.clock.Now().Add(-30 * time.Minute)
				if err := os.Chtimes(full+"~", before, before); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(full+"~", full); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 {
				if _, err := b.WriteRecent(t.Context(), shownAs("event", m, other)); err != nil && memory.CodeOf(err) != memory.Unavailable {
					t.Fatal(err)
				}
				b.clock.pass(time.Minute)
				b.sync() // it merges what came out of a swap
			}
			if arrived && !strings.Contains(b.read(today)+b.read("RECENT.md"), "typed on the other machine") {
				t.Errorf("the line is lost:\n%s", b.read("RECENT.md"))
			}
		})
	}
}
