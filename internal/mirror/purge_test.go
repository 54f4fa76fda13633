package mirror_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// No byte of a purged text stays in any file that is ours.
func TestPurgeLeavesNoByte(t *testing.T) {
	t.Parallel()
	const canary = "zebra-canary-7741"
	b := newBench(t)
	b.save("MEMORY.md", "# Memory\n\n- a line of mine\n")
	b.sync()
	m := b.remember("the best animal is " + canary + "\n\nand a second line about " + canary)
	keep := b.remember("this stays")
	b.recent(shownAs("event", m, keep))
	b.index(shownAs("knowledge", m, keep))
	b.drain()
	// An earlier wording, a conflict file, an archive line, a swapped-out file.
	b.edit(today, "the best animal is", "my best animal is")
	changed := b.get(m.ID)
	changed.Content = "our best animal is " + canary
	changed = b.apply(memory.Change{Op: memory.OpUpdate, Memory: changed})
	b.clock.pass(3 * time.Second)
	b.drain()
	if err := b.Archive().Append(context.Background(), "test", []memory.Memory{changed}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(values(b.files(".")), "\n"), canary) {
		t.Fatal("the test has nothing to look for")
	}

	m = b.get(m.ID)
	b.apply(memory.Change{Op: memory.OpPurge, Memory: m})
	pending, err := b.Purge(context.Background(), []memory.Memory{m, changed})
	if err != nil || pending {
		t.Fatalf("pending %v, %v", pending, err)
	}
	if busy, err := b.store.Checkpoint(context.Background()); err != nil || busy {
		t.Fatalf("busy %v, %v", busy, err)
	}
	for name, text := range b.files(".") {
		if strings.Contains(text, canary) {
			t.Errorf("%s still holds the purged text:\n%.600s", name, text)
		}
	}
	b.stands(today, "this stays", 1)
	b.stands("MEMORY.md", "a line of mine", 1)
	if r := b.sync(); r.Added+r.Deleted+r.Missing != 0 {
		t.Errorf("a sync after the purge found changes: %+v", r)
	}
	b.lose()
	b.sync()
	if got := b.get(m.ID); got.ID != "" {
		t.Errorf("a rebuild brought the purged memory back: %+v", got)
	}
}

func values(m map[string]string) []string {
	var out []string
	for _, v := range m {
		out = append(out, v)
	}
	return out
}
