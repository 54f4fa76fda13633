package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

func TestDrainWritesEachMemoryToItsHome(t *testing.T) {
	b := newBench(t)
	note := b.remember("账本用 SQLite，不用 Postgres")
	topic := b.remember("uses vim", func(m *memory.Memory) {
		m.URI, m.Type = "knowledge://preferences/editor", memory.Knowledge
	})
	b.drain()
	b.stands(today, "- 账本用 SQLite，不用 Postgres <!-- am:"+note.ID+" n=1 -->", 1)
	b.stands(today, "## 22:00", 1)
	b.stands("memory/topics/knowledge.md", "uses vim <!-- am:"+topic.ID, 1)
	if got := b.get(note.ID).Home; got.File != today || got.Line == 0 {
		t.Errorf("home of the note is %+v", got)
	}
	if records := b.read(".agent-memory/records.jsonl"); strings.Count(records, "\n") != 2 || strings.Contains(records, "vim") {
		t.Errorf("records.jsonl:\n%s", records)
	}
}

func TestDrainTwiceChangesNothing(t *testing.T) {
	b := newBench(t)
	b.remember("one")
	b.drain()
	before := b.read(today)
	b.drain()
	if b.read(today) != before {
		t.Error("a second drain changed the file")
	}
}

func TestForgottenLineLeavesTheFile(t *testing.T) {
	b := newBench(t)
	m := b.remember("the old plan")
	b.remember("the new plan")
	b.drain()
	m.Status = memory.Forgotten
	b.apply(memory.Change{Op: memory.OpStatus, Memory: m})
	b.drain()
	b.stands(today, "the old plan", 0)
	b.stands(today, "the new plan", 1)
	m.Status = memory.Active
	b.apply(memory.Change{Op: memory.OpStatus, Memory: m})
	b.drain()
	b.stands(today, "the old plan", 1)
}

func TestFullJournalContinuesInAPart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 500 {
		b.remember(fmt.Sprintf("entry number %d", i))
	}
	b.drain()
	last := b.remember("one too many")
	b.drain()
	b.stands(today, "one too many", 0)
	b.stands("memory/2026-02-21-p2.md", "one too many <!-- am:"+last.ID, 1)
	if got := b.get(last.ID).Home.File; got != "memory/2026-02-21-p2.md" {
		t.Errorf("its home is %s", got)
	}
	if r := b.sync(); r.FilesChanged+r.Moved+r.Deleted != 0 {
		t.Errorf("a sync found changes: %+v", r)
	}
}

// The ids of equal lines without a comment count from above: removing several
// at once must take exactly those.
func TestEqualLinesAreForgottenOneByOne(t *testing.T) {
	t.Parallel()
	const file = "memory/2026-02-19.md"
	for name, forgotten := range map[string][]int{"first": {0}, "last": {2}, "first two": {0, 1}, "outer two": {2, 0}, "all": {0, 1, 2}} {
		b := newBench(t)
		b.save(file, "- standup\n- standup\n- standup\n")
		b.sync()
		all := b.all()
		kept := map[string]bool{}
		for _, m := range all {
			kept[m.ID] = true
		}
		for _, i := range forgotten {
			b.forget(all[i], memory.OpRemove)
			delete(kept, all[i].ID)
		}
		b.drain()
		b.lose()
		b.sync()
		for _, m := range b.all() {
			if !kept[m.ID] {
				t.Errorf("%s: %s was removed and is back", name, m.ID)
			}
			delete(kept, m.ID)
		}
		if len(kept) > 0 {
			t.Errorf("%s: %d lines too many are gone:\n%s", name, len(kept), b.read(file))
		}
	}
}

// What comes after a journal is full goes straight to the part that has room:
// the full parts are not read again for every entry.
func TestEntriesAfterTheFullJournalGoStraightToItsPart(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 500 {
		b.remember(fmt.Sprintf("entry number %d", i))
	}
	b.drain()
	if got := b.Continuation(today); got != today {
		t.Errorf("a journal that is just full continues in %s", got)
	}
	b.remember("one too many")
	b.drain()
	part := b.Continuation(today)
	if part != "memory/2026-02-21-p2.md" {
		t.Errorf("a full journal continues in %s", part)
	}
	b.remember("straight into the part", func(m *memory.Memory) { m.Home.File = part })
	b.drain()
	b.stands(part, "straight into the part", 1)
	if r := b.sync(); r.FilesChanged+r.Moved+r.Deleted != 0 {
		t.Errorf("a sync found changes: %+v", r)
	}
}

// forgetful is a store that cannot say when the records were considered.
type forgetful struct{ mirror.Store }

func (f forgetful) Meta(ctx context.Context, key string) ([]byte, error) {
	if key == "records_considered" {
		return nil, errors.New("disk full")
	}
	return f.Store.Meta(ctx, key)
}

// Records that cannot be made shorter, as on a disk that is nearly full, keep no
// memory out of its file and are not written again and again.
func TestRecordsThatCannotBeTidiedHoldNobodyUp(t *testing.T) {
	b := newBench(t, func(o *mirror.Options) { o.Store = forgetful{o.Store} })
	b.save(".agent-memory/records.jsonl", strings.Repeat(`{"note":"`+strings.Repeat("x", 1000)+"\"}\n", 1100))
	m := b.remember("written all the same")
	for range 3 {
		b.drain()
	}
	b.stands(today, "written all the same", 1)
	b.stands(".agent-memory/records.jsonl", m.ID, 1)
}
