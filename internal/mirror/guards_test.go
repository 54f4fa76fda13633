package mirror_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// The deletion guards, case by case. A journal holds a first line and five more,
// a second apart from each other; what is done to it is done some time after the
// last one, and once again after that.
func TestDeletionGuards(t *testing.T) {
	without := func(numbers ...int) func(string) string {
		return func(text string) string {
			for _, n := range numbers {
				text = strings.Replace(text, lineWith(text, fmt.Sprintf("line %d ", n)), "", 1)
			}
			return text
		}
	}
	emptied := func(string) string { return "" }
	for _, c := range []struct {
		name          string
		after         time.Duration // since the last line was written
		edit          func(string) string
		first, second memory.SyncReport
	}{
		{"a line that was there before others is deleted at once", time.Minute, without(2), memory.SyncReport{Deleted: 1}, memory.SyncReport{}},
		{"the newest line may not have been seen, and returns once", time.Minute, without(5), memory.SyncReport{Restored: 1}, memory.SyncReport{Deleted: 1}},
		{"so do the newest ones", time.Minute, without(4, 5), memory.SyncReport{Restored: 2}, memory.SyncReport{Deleted: 2}},
		{"an older one that goes with them does not", time.Minute, without(1, 5), memory.SyncReport{Restored: 1, Deleted: 1}, memory.SyncReport{Deleted: 1}},
		{"just before a quarter of an hour", 15*time.Minute - time.Second, without(5), memory.SyncReport{Restored: 1}, memory.SyncReport{Deleted: 1}},
		{"after a quarter of an hour it is deleted at once", 15 * time.Minute, without(5), memory.SyncReport{Deleted: 1}, memory.SyncReport{}},
		{"a file that was emptied by a stale save", time.Minute, emptied, memory.SyncReport{Restored: 6}, memory.SyncReport{Missing: 6}},
		{"every line below a heading that stays", time.Minute, without(0, 1, 2, 3, 4, 5), memory.SyncReport{Missing: 6}, memory.SyncReport{}},
		{"a file that was emptied later", time.Hour, emptied, memory.SyncReport{Missing: 6}, memory.SyncReport{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.clock.pass(-7 * time.Second) // the last one is written at ten
			for i := range 6 {
				b.clock.pass(time.Second)
				b.remember(fmt.Sprintf("line %d of the journal", i))
				b.drain()
			}
			b.sync()
			b.clock.pass(c.after)
			for _, want := range []memory.SyncReport{c.first, c.second} {
				b.save(today, c.edit(b.read(today)))
				r := b.sync()
				if b.read(today) == "" && r.Missing == 0 && len(r.Warnings) == 1 { // not believed before it has rested
					b.clock.pass(time.Minute)
					r = b.sync()
				}
				if r.Restored != want.Restored || r.Deleted != want.Deleted || r.Missing != want.Missing {
					t.Fatalf("restored %d, deleted %d, missing %d; wanted %d, %d, %d", r.Restored, r.Deleted, r.Missing, want.Restored, want.Deleted, want.Missing)
				}
			}
			for _, m := range b.all() {
				if m.Status == memory.Forgotten && !strings.Contains(b.archived(), m.ID) {
					t.Errorf("%q was deleted without an archive line", m.Content)
				}
			}
		})
	}
}

// archived is all that was put into the archive.
func (b *bench) archived() string {
	var all strings.Builder
	for name, text := range b.files("memory/archive") {
		if strings.HasSuffix(name, ".jsonl") {
			all.WriteString(text)
		}
	}
	return all.String()
}

// What editors leave beside a file is nobody's home: a line that was deleted is
// not kept alive by a backup that still holds it.
func TestABackupOfAnEditorKeepsNoLineAlive(t *testing.T) {
	for _, beside := range []string{today + "~", "memory/.2026-02-21.md.swp", "memory/#2026-02-21.md#", "memory/.#2026-02-21.md", today + ".bak", today + ".orig"} {
		t.Run(beside, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			gone := b.remember("a line that goes")
			b.remember("a line that stays")
			b.drain()
			b.sync()
			b.clock.pass(time.Hour)
			b.save(beside, b.read(today))
			b.edit(today, lineWith(b.read(today), "that goes"), "")
			if r := b.sync(); r.Deleted != 1 || r.Moved+r.Added+r.Restored != 0 {
				t.Errorf("report %+v", r)
			}
			if got := b.get(gone.ID); got.Status != memory.Forgotten {
				t.Errorf("it is %s at %s", got.Status, got.Home.File)
			}
			if len(b.all()) != 2 {
				t.Errorf("memories: %+v", b.all())
			}
		})
	}
}
