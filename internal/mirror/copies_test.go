package mirror_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// A machine that was away for a day brings a copy of the morning's journal: what
// was written since stays, however many versions ago that was.
func TestACopyFromBeforeTheKeptVersionsTakesNothingBack(t *testing.T) {
	b := newBench(t)
	b.remember("said in the morning")
	b.drain()
	morning := b.read(today)
	for i := range 2 * memory.KeptVersions {
		b.remember(fmt.Sprintf("meeting number %d was noted", i))
		b.drain()
		b.clock.pass(3 * time.Minute)
	}
	b.save("memory/2026-02-21 (Ann's conflicted copy 2026-02-21).md", strings.Replace(morning, "said in the morning", "said early in the morning", 1)+"- typed on the other machine\n")
	b.sync()
	b.clock.pass(time.Minute)
	report := b.sync()
	b.stands(today, "- typed on the other machine", 1)
	b.stands(today, "said early in the morning", 1)
	for i := range 2 * memory.KeptVersions {
		b.stands(today, fmt.Sprintf("meeting number %d was noted", i), 1)
	}
	if report.Missing+report.Deleted > 0 {
		t.Errorf("%+v", report)
	}
}

// A copy that cannot be read keeps nobody from reading the other files.
func TestACopyThatCannotBeReadStopsNothing(t *testing.T) {
	b := newBench(t)
	const copied = "memory/2026-02-21 (Ann's conflicted copy 2026-02-21).md"
	b.save(copied, "- huge\n")
	if err := os.Truncate(filepath.Join(b.dir, copied), 17<<20); err != nil {
		t.Fatal(err)
	}
	b.save(today, "- typed here\n")
	r := b.sync()
	if r.Added != 1 || !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, copied+" cannot be merged into "+today) }) {
		t.Errorf("%+v", r)
	}
}

// A copy that is still arriving lacks lines which nobody has taken out.
func TestACopyThatIsArrivingIsNotMerged(t *testing.T) {
	b := newBench(t, func(o *mirror.Options) { o.Now, o.Settle = time.Now, 500*time.Millisecond })
	b.clock.now = time.Now().UTC()
	b.remember("the first line")
	b.remember("the second line")
	b.drain()
	journal := "memory/" + b.clock.now.Format(time.DateOnly) + ".md"
	copied := strings.TrimSuffix(journal, ".md") + " (Ann's conflicted copy 2026-02-21).md"
	whole := b.read(journal)
	b.save(copied, whole[:strings.Index(whole, "- the second line")])
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.Run(ctx) }()
	time.Sleep(100 * time.Millisecond)
	b.stands(journal, "the second line", 1)
	b.clock.now = time.Now()
	b.save(copied, whole+"- typed on the other machine\n")
	b.eventually("the copy is merged", func() bool { return strings.Contains(b.read(journal), "- typed on the other machine") })
	b.stands(journal, "the second line", 1)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A copy of a file that is not merged line by line is not passed over in silence.
func TestACopyThatIsNotMergedIsNamed(t *testing.T) {
	b := newBench(t)
	b.save("memory/CURRENT_STATE.md", "# Current State\n\n## Task\n\n- write the report\n")
	b.save("memory/CURRENT_STATE (Ann's conflicted copy 2026-02-21).md", "# Current State\n\n## Task\n\n- call the bank\n")
	b.save("memory/notes (Ann's conflicted copy 2026-02-21).txt", "nothing of ours")
	b.sync()
	b.clock.pass(time.Minute)
	for range 2 {
		said := strings.Join(b.sync().Warnings, "\n")
		if strings.Count(said, " is a copy of memory/CURRENT_STATE.md that a sync service made") != 1 || strings.Contains(said, "notes") {
			t.Errorf("the sync says %q", said)
		}
	}
}
