package mirror_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func TestPersonEditsALine(t *testing.T) {
	b := newBench(t)
	m := b.remember("the server listens on port 8080 in staging")
	b.drain()
	b.edit(today, "port 8080", "port 9090")
	r := b.sync()
	if got := b.get(m.ID); got.Content != "the server listens on port 9090 in staging" || r.Updated != 1 {
		t.Fatalf("content %q, report %+v", got.Content, r)
	}
	if r := b.sync(); r.FilesChanged != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
}

func TestPersonAddsALine(t *testing.T) {
	b := newBench(t)
	b.remember("ours")
	b.drain()
	b.save(today, b.read(today)+"- bought milk\n")
	r := b.sync()
	m := b.byContent("bought milk")
	if m.Trust != memory.TrustUser || m.Home.File != today || r.Added != 1 {
		t.Fatalf("%+v, report %+v", m, r)
	}
	b.stands(today, "- bought milk\n", 1) // a person's line gets no comment
	b.edit(today, "bought milk", "bought milk and bread")
	b.sync()
	if got := b.get(m.ID).Content; got != "bought milk and bread" {
		t.Fatalf("after the edit the memory says %q", got)
	}
	b.stands(today, "- bought milk and bread <!-- am:"+m.ID, 1) // now its id must be written
}

func TestPersonDeletesALine(t *testing.T) {
	b := newBench(t)
	m := b.remember("a remark that will go")
	b.remember("a remark that stays")
	b.drain()
	b.clock.pass(time.Hour)
	b.remember("later")
	b.drain()
	b.edit(today, lineWith(b.read(today), "will go"), "")
	if r := b.sync(); r.Deleted != 1 {
		t.Fatalf("report %+v", r)
	}
	if got := b.get(m.ID); got.Status != memory.Forgotten {
		t.Fatalf("status %s", got.Status)
	}
	if archive := b.read("memory/archive/2026-02-21.jsonl"); !strings.Contains(archive, "a remark that will go") {
		t.Errorf("no archive line:\n%s", archive)
	}
	b.sync()
	b.stands(today, "will go", 0)
}

// Guard (a): an editor that had loaded the file before we wrote the line.
func TestStaleSaveRestoresOnce(t *testing.T) {
	b := newBench(t)
	b.remember("first")
	b.drain()
	b.sync()
	loaded := b.read(today)
	b.clock.pass(time.Minute)
	m := b.remember("second")
	b.drain()
	b.clock.pass(time.Minute)
	b.save(today, loaded+"- typed by hand\n")
	if r := b.sync(); r.Restored != 1 || r.Deleted != 0 {
		t.Fatalf("report %+v", r)
	}
	b.stands(today, "second", 1)
	b.stands(today, "typed by hand", 1)
	b.byContent("typed by hand")
	b.edit(today, lineWith(b.read(today), "second"), "")
	if r := b.sync(); r.Restored != 0 || r.Deleted != 1 {
		t.Fatalf("second removal: report %+v", r)
	}
	b.stands(today, "second", 0)
	if b.get(m.ID).Status != memory.Forgotten {
		t.Error("the second removal is meant")
	}
}

// The person deleted a line in the old version that the editor had loaded.
func TestStaleSaveThatDeletes(t *testing.T) {
	b := newBench(t)
	first := b.remember("a remark that will go")
	b.remember("a remark that stays")
	b.drain()
	b.sync()
	loaded := b.read(today)
	b.clock.pass(time.Minute)
	second := b.remember("written meanwhile")
	b.drain()
	b.clock.pass(time.Minute)
	b.save(today, strings.Replace(loaded, lineWith(loaded, "will go"), "", 1))
	if r := b.sync(); r.Restored != 1 || r.Deleted != 1 {
		t.Fatalf("report %+v", r)
	}
	b.stands(today, "written meanwhile", 1)
	b.stands(today, "will go", 0)
	if got := b.get(second.ID).Status; got != memory.Active {
		t.Errorf("what was written meanwhile is %s", got)
	}
	if got := b.get(first.ID).Status; got != memory.Forgotten {
		t.Errorf("what was deleted is %s", got)
	}
}

// Guard (b): too much at once to be believed.
func TestMassDeletionWaitsForConfirmation(t *testing.T) {
	b := newBench(t)
	for i := range 20 {
		b.remember(fmt.Sprintf("fact number %d", i))
		b.clock.pass(time.Minute)
	}
	b.drain()
	b.clock.pass(time.Hour)
	b.remember("after")
	b.drain()
	b.save(today, "# 2026-02-21\n")
	if r := b.sync(); r.Missing != 21 || r.Deleted != 0 {
		t.Fatalf("report %+v", r)
	}
	for _, m := range b.all() {
		if !m.Status.Recallable() {
			t.Fatalf("%q is not recalled any more: %s", m.Content, m.Status)
		}
	}
	if r := b.sync(memory.SyncOptions{AcceptDeletions: true}); r.Deleted != 21 {
		t.Fatalf("accepting: %+v", r)
	}
}

func TestDeletedJournalIsMissingAndComesBack(t *testing.T) {
	b := newBench(t)
	m := b.remember("kept")
	b.drain()
	text := b.read(today)
	b.remove(today)
	if r := b.sync(); r.Missing != 1 {
		t.Fatalf("report %+v", r)
	}
	if got := b.get(m.ID).Status; got != memory.Missing {
		t.Fatalf("status %s", got)
	}
	b.save(today, text)
	if r := b.sync(); r.Restored != 1 {
		t.Fatalf("report %+v", r)
	}
	if got := b.get(m.ID).Status; got != memory.Active {
		t.Fatalf("status %s", got)
	}
}

func TestMovedLineKeepsItsMemory(t *testing.T) {
	b := newBench(t)
	ours := b.remember("ours, moved by hand")
	b.drain()
	b.save(today, b.read(today)+"- typed, moved by hand\n")
	b.sync()
	typed := b.byContent("typed, moved by hand")
	for _, part := range []string{"ours, moved", "typed, moved"} {
		line := lineWith(b.read(today), part)
		b.edit(today, line, "")
		b.save("memory/2026-02-20.md", b.read("memory/2026-02-20.md")+line)
	}
	if r := b.sync(); r.Moved != 2 || r.Deleted+r.Missing+r.Added != 0 {
		t.Fatalf("report %+v", r)
	}
	for _, id := range []string{ours.ID, typed.ID} {
		if got := b.get(id); got.Home.File != "memory/2026-02-20.md" || got.Status != memory.Active {
			t.Errorf("%q: %s at %s", got.Content, got.Status, got.Home.File)
		}
	}
}

func TestCopiedLine(t *testing.T) {
	b := newBench(t)
	m := b.remember("the original wording")
	b.drain()
	line := lineWith(b.read(today), "original")
	b.save("memory/2026-02-20.md", line+strings.Replace(line, "original", "changed", 1))
	b.sync()
	if got := b.get(m.ID); got.Home.File != today || got.Content != "the original wording" {
		t.Fatalf("the recorded home must win: %+v", got)
	}
	other := b.byContent("the changed wording")
	if other.ID == m.ID {
		t.Error("a differing copy is a memory of its own")
	}
	b.stands("memory/2026-02-20.md", other.ID, 1)
	if r := b.sync(); r.Added+r.Updated+r.FilesChanged != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
}

// Both changed the same entry: the person's text stays, ours goes beside.
func TestClashKeepsThePersonsText(t *testing.T) {
	b := newBench(t)
	m := b.remember("the meeting is on Monday")
	b.drain()
	b.edit(today, "on Monday", "on Tuesday")
	m.Content = "the meeting is on Friday"
	b.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
	b.clock.pass(3 * time.Second)
	b.drain()
	if got := b.sync(); len(got.Conflicts) == 0 {
		t.Errorf("the conflict is not reported: %+v", got)
	}
	b.stands(today, "on Tuesday", 1)
	b.stands(today, "on Friday", 0)
	if got := b.get(m.ID).Content; got != "the meeting is on Tuesday" {
		t.Errorf("the store says %q", got)
	}
	found := false
	for name, text := range b.files("memory") {
		found = found || strings.Contains(name, ".conflict-") && strings.Contains(text, "on Friday")
	}
	if !found {
		t.Error("our text is in no conflict file")
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return line
		}
	}
	return "no line with " + part
}

// What was taken for a mass deletion by mistake stands in its file again after
// an undo.
func TestUndoOfAMassDeletionWritesTheLines(t *testing.T) {
	b := newBench(t)
	var all []memory.Memory
	for i := range 20 {
		all = append(all, b.remember(fmt.Sprintf("entry number %d", i)))
	}
	b.drain()
	b.clock.pass(time.Hour)
	text := b.read(today)
	for _, m := range all[:8] {
		text = strings.Replace(text, lineWith(text, "am:"+m.ID), "", 1)
	}
	b.save(today, text)
	if r := b.sync(); r.Missing != 8 {
		t.Fatalf("report %+v", r)
	}
	lost := b.get(all[3].ID)
	lost.Status = memory.Active
	b.apply(memory.Change{Op: memory.OpStatus, Memory: lost, Reason: "undo"})
	b.drain()
	b.stands(today, "entry number 3 <!-- am:", 1)
	if r := b.sync(); r.Missing+r.Deleted+r.Added+r.Restored != 0 || b.get(lost.ID).Status != memory.Active {
		t.Errorf("afterwards %+v, %s", r, b.get(lost.ID).Status)
	}
}
