package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// A file into which somebody pastes megabytes is not read, and nothing follows
// from that: its memories stay, what is new for it waits without keeping the
// processor busy, and all is made good when the file is smaller again.
func TestAFileThatIsTooLargeWaitsAndLosesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	kept := b.named("editor", "the editor is Helix")
	gone := b.named("tea", "the tea is green")
	b.drain()
	name := kept.Home.File
	before := b.read(name)
	pasted := strings.Builder{}
	for i := 0; pasted.Len() < 9<<20; i++ {
		fmt.Fprintf(&pasted, "- line %d that somebody has pasted from somewhere else\n", i)
	}
	b.save(name, before+"- the bread is rye\n"+pasted.String())
	b.clock.pass(time.Minute)
	report := b.sync()
	if report.Deleted+report.Missing+report.Added > 0 || !strings.Contains(strings.Join(report.Warnings, "\n"), "larger than 8 MB") {
		t.Errorf("the sync did %+v", report)
	}
	waits := b.named("coffee", "the coffee is black")
	b.apply(memory.Change{Op: memory.OpStatus, Memory: forgotten(gone)})
	began := b.store.Work()
	if err := b.Flush(context.Background(), 20*time.Second); memory.CodeOf(err) != memory.Unavailable {
		t.Errorf("Flush: %v", err)
	}
	if done := b.store.Work(); done.Commits-began.Commits > 20 {
		t.Errorf("%d commits for a file that cannot be written", done.Commits-began.Commits)
	}
	if why := b.Waiting(name); !strings.Contains(why, "larger than 8 MB") {
		t.Errorf("it waits because %q", why)
	}
	b.open() // another process, which has tried nothing
	if found, err := b.Obstacles(context.Background()); err != nil || !strings.Contains(obstacleOf(found, name), "larger than 8 MB") {
		t.Errorf("obstacles %+v, %v", found, err)
	}
	report = b.sync()
	if joined := strings.Join(report.Warnings, "\n"); strings.Count(joined, name) != 2 || report.Deleted+report.Missing > 0 {
		t.Errorf("the next sync did %+v", report)
	}
	for _, m := range []memory.Memory{kept, waits} {
		if got := b.get(m.ID); got.Status != memory.Active {
			t.Errorf("%s is %s", m.Content, got.Status)
		}
	}
	b.save(name, before+"- the bread is rye\n")
	b.clock.pass(time.Minute)
	b.sync()
	for content, n := range map[string]int{"the editor is Helix": 1, "the coffee is black": 1, "the bread is rye": 1, "the tea is green": 0} {
		b.stands(name, content, n)
	}
	if b.byContent("the bread is rye").Status != memory.Active || b.Waiting(name) != "" {
		t.Errorf("it still waits: %q", b.Waiting(name))
	}
}

// The index may be lost as well: the lines of a file that is too large are taken
// in, with all that was known of them, when it is not.
func TestADatabaseThatIsLostBesideAFileThatIsTooLarge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.named("editor", "the editor is Helix")
	m.Importance, m.AccessCount = 0.9, 7
	m = b.apply(memory.Change{Op: memory.OpReinforce, Memory: m})
	b.drain()
	name := m.Home.File
	before := b.read(name)
	b.save(name, before+strings.Repeat("- pasted\n", 1<<20))
	b.clock.pass(time.Minute)
	b.lose()
	b.sync()
	b.sync()
	b.save(name, before)
	b.clock.pass(time.Minute)
	b.sync()
	if got := b.get(m.ID); got.Status != memory.Active || got.AccessCount != 7 || got.Importance != 0.9 {
		t.Errorf("it came back as %+v", got)
	}
}

// named is a memory with an address of its own.
func (b *bench) named(name, content string) memory.Memory {
	return b.remember(content, func(m *memory.Memory) { m.URI, m.Type = "knowledge://preferences/"+name, memory.Knowledge })
}

func forgotten(m memory.Memory) memory.Memory {
	m.Status = memory.Forgotten
	return m
}
