package mirror_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// pasted is so much text that a file which holds it is purged, but not read as memory.
func pasted() string {
	return strings.Repeat(strings.Repeat("what somebody has pasted ", 1<<16)+"\n\n", 6)
}

// What waits for a file that is too large is no business of a purge that has
// cleaned it: pending would mean that a server purges again each minute, and
// drops the undo journals each time.
func TestAPurgeIsNotRepeatedForAFileThatIsTooLarge(t *testing.T) {
	t.Parallel()
	const canary = "zebra-canary-7741"
	b := newBench(t)
	kept := b.named("editor", "the editor is Helix")
	inside := b.named("animal", "the best animal is "+canary)
	outside := b.remember("and once more a " + canary)
	b.drain()
	name := kept.Home.File
	if outside.Home.File == name {
		t.Fatalf("both live in %s", name)
	}
	before := b.read(name)
	before = strings.Replace(before, "editor is Helix", "editor is Vim", 1)
	b.save(name, before+"- the bread is rye\n\n"+pasted())
	b.clock.pass(time.Minute)
	waits := b.named("coffee", "the coffee is black")
	for _, m := range []memory.Memory{outside, inside} {
		b.apply(memory.Change{Op: memory.OpPurge, Memory: m})
		if pending, err := b.Purge(context.Background(), []memory.Memory{m}); err != nil || pending {
			t.Errorf("purging %q: pending %v, %v", m.Content, pending, err)
		}
	}
	if busy, err := b.store.Checkpoint(context.Background()); err != nil || busy {
		t.Fatalf("busy %v, %v", busy, err)
	}
	for file, text := range b.files(".") {
		if strings.Contains(text, canary) {
			t.Errorf("%s still holds the purged text", file)
		}
	}
	b.save(name, strings.Replace(b.read(name), pasted(), "", 1))
	b.clock.pass(time.Minute)
	b.sync()
	for _, content := range []string{"the bread is rye", "the coffee is black", "the editor is Vim"} {
		b.stands(name, content, 1)
		if b.byContent(content).Status != memory.Active {
			t.Errorf("%q is no memory", content)
		}
	}
	if got := b.get(waits.ID); got.Status != memory.Active || b.Waiting(name) != "" {
		t.Errorf("%+v, and the file waits: %q", got, b.Waiting(name))
	}
}

// A file that nobody can read must not keep the others from being read: a
// line that was deleted elsewhere is looked for in every other home.
func TestADeletedLineIsLookedForPastAFileThatIsTooLarge(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	large := b.named("editor", "the editor is Helix")
	gone, stays := b.remember("the tea is green"), b.remember("the coffee is black")
	b.drain()
	name := large.Home.File
	before := b.read(name)
	b.save(name, before+pasted()+pasted())
	b.clock.pass(time.Minute)
	lines := strings.SplitAfter(b.read(today), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.Contains(line, gone.Content) })
	b.save(today, strings.Join(lines, "")+"- the bread is rye\n")
	b.clock.pass(time.Minute)
	b.sync()
	if b.byContent("the bread is rye").Status != memory.Active || b.get(stays.ID).Status != memory.Active || b.get(large.ID).Status != memory.Active {
		t.Error("a line was lost, or not read")
	}
	if got := b.get(gone.ID); got.Status != memory.Forgotten {
		t.Errorf("the deleted line is %s", got.Status)
	}
	b.save(name, before)
	b.clock.pass(time.Minute)
	if report := b.sync(); report.Deleted+report.Missing+report.Added > 0 {
		t.Errorf("the last sync did %+v", report)
	}
}

// What a person has just saved is read after the purge as it would have been without it.
func TestAPurgeKeepsAnEditThatHasNotBeenRead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	kept, gone := b.remember("the editor is Helix"), b.remember("the animal is a zebra")
	b.drain()
	b.edit(today, "editor is Helix", "editor is Vim")
	b.apply(memory.Change{Op: memory.OpPurge, Memory: gone})
	if _, err := b.Purge(context.Background(), []memory.Memory{gone}); err != nil {
		t.Fatal(err)
	}
	b.clock.pass(time.Minute)
	b.sync()
	if got := b.get(kept.ID); got.Content != "the editor is Vim" {
		t.Errorf("the edit became %+v", got)
	}
	b.stands(today, "the editor is Vim", 1)
	b.stands(today, "zebra", 0)
}
