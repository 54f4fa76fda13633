package mirror_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

// snapshot is what a rebuild has to bring back: every field, history excepted.
func (b *bench) snapshot() map[string]memory.Memory {
	all := map[string]memory.Memory{}
	for _, m := range b.all() {
		if m.Status == memory.Forgotten {
			m.Home.Line = 0 // it stands nowhere
		}
		all[m.ID] = m
	}
	return all
}

func (b *bench) forget(m memory.Memory, op memory.Op) {
	b.t.Helper()
	if err := b.Archive().Append(context.Background(), "forget", []memory.Memory{m}); err != nil {
		b.t.Fatal(err)
	}
	m.Status = memory.Forgotten
	b.apply(memory.Change{Op: op, Memory: m, Reason: "forget"})
}

func TestRebuildBringsEverythingBack(t *testing.T) {
	b := newBench(t)
	b.save("memory/2026-02-20.md", "# 2026-02-20\n\nSome prose about the day.\n\n## 09:30\n\n- breakfast with Ann\n- breakfast with Ann\n")
	b.save("MEMORY.md", "# Memory\n\n- Ann is my sister\n")
	b.save("second-brain/research/go.md", "# Go\n\nGoroutines are cheap.\n")
	b.sync()
	b.remember("a note\n\n- with a list\n- of two", func(m *memory.Memory) { m.Actor, m.SessionID, m.Confidence = "Bob", "s1", .4 })
	named := b.remember("vim", func(m *memory.Memory) {
		m.URI, m.Type, m.Trust = "knowledge://preferences/editor", memory.Knowledge, memory.TrustUser
	})
	b.remember("we use SQLite", func(m *memory.Memory) {
		m.Form, m.Type, m.Title, m.URI = memory.Decision, memory.Knowledge, "Database", "decision://20260221-database"
		m.Fields = []memory.Field{{Name: "why", Value: "one file"}}
	})
	b.remember("ship it", func(m *memory.Memory) {
		m.Form, m.Title, m.URI = memory.Task, "Release", "task://2026-02-21/release"
		m.Fields = []memory.Field{{Name: "goal", Value: "ship it"}}
	})
	b.remember("found on the web", func(m *memory.Memory) { m.Trust, m.ObservedAt = memory.TrustExternal, b.clock.Now().Add(-time.Hour) })
	soft, hard := b.remember("to be forgotten"), b.remember("to be removed")
	old := b.remember("the port is 80")
	b.drain()
	b.clock.pass(time.Hour)
	named.Content = "emacs"
	b.apply(memory.Change{Op: memory.OpUpdate, Memory: named})
	named.AccessCount, named.Stability, named.LastAccess = 3, 135, b.clock.Now()
	b.apply(memory.Change{Op: memory.OpReinforce, Memory: named})
	b.forget(soft, memory.OpStatus)
	b.forget(hard, memory.OpRemove)
	b.drain()
	next := b.remember("the port is 8080", func(m *memory.Memory) {
		m.Supersedes = old.ID
		m.Links = []memory.Link{{Target: old.ID, Relation: "evolved"}}
	})
	old.Status, old.SupersededBy = memory.Superseded, next.ID
	b.apply(memory.Change{Op: memory.OpStatus, Memory: old})
	b.drain()
	b.edit("memory/2026-02-20.md", "- breakfast with Ann\n- breakfast", "- breakfast with Ann and Bob\n- breakfast")
	b.sync()

	want := b.snapshot()
	b.lose()
	report := b.sync()
	if diff := cmp.Diff(want, b.snapshot()); diff != "" {
		t.Errorf("after the rebuild (-before +after):\n%s\nreport %+v", diff, report)
	}
	if r := b.sync(); r.FilesChanged+r.Added+r.Deleted+r.Missing != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
	if n, err := b.store.Tombstoned(context.Background(), memory.DefaultNamespace, "to be removed"); err != nil || !n {
		t.Errorf("the tombstone of a removed memory is gone: %v", err)
	}
}

func TestRebuildWithoutRecords(t *testing.T) {
	b := newBench(t)
	m := b.remember("the gateway listens on loopback", func(m *memory.Memory) { m.Type, m.Trust = memory.Emotion, memory.TrustUser })
	named := b.remember("tabs", func(m *memory.Memory) { m.URI, m.Type = "knowledge://preferences/indent", memory.Knowledge })
	b.drain()
	if err := os.Remove(filepath.Join(b.dir, ".agent-memory", "records.jsonl")); err != nil {
		t.Fatal(err)
	}
	b.lose()
	b.sync()
	got := b.get(m.ID)
	if got.Content != m.Content || got.URI != m.URI || got.Type != m.Type || !got.CreatedAt.Equal(m.CreatedAt.Truncate(time.Minute)) || got.Trust != memory.TrustUser {
		t.Errorf("got %+v", got)
	}
	if got := b.get(named.ID); got.URI != named.URI || got.Type != memory.Knowledge || got.Home.File != "memory/topics/knowledge.md" {
		t.Errorf("got %+v", got)
	}
}

func TestAppendDirectIsIndexedUnderTheSameID(t *testing.T) {
	b := newBench(t)
	b.remember("before")
	b.drain()
	id, err := b.ids.Next()
	if err != nil {
		t.Fatal(err)
	}
	m := memory.Memory{ID: id, Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Note, Content: "written while the database was full",
		Status: memory.Active, Trust: memory.TrustAgent, Actor: "Ann", CreatedAt: b.clock.Now()}
	uri, err := b.AppendDirect(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	b.stands(today, m.Content, 1)
	b.sync()
	got := b.get(id)
	if got.Content != m.Content || got.Actor != "Ann" || got.Type != memory.Knowledge || got.Trust != memory.TrustAgent || got.URI != uri || memory.NeedsNumber(uri) {
		t.Fatalf("got %+v", got)
	}
	b.stands(today, m.Content, 1)
}

// Whatever was done, deleting the database and syncing brings it all back.
func TestRebuildAfterRandomOperations(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t)
		n := 0
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			live := b.live()
			pick := func() memory.Memory { return live[rapid.IntRange(0, len(live)-1).Draw(r, "which")] }
			n++
			switch kind := rapid.IntRange(0, 9).Draw(r, "kind"); {
			case kind <= 3 || len(live) == 0:
				text := rapid.StringOf(rapid.SampledFrom([]rune("ab <!->\\#*`|:\n 中文—[]()_&;"))).Draw(r, "text")
				b.remember(fmt.Sprintf("%d %s", n, text), func(m *memory.Memory) {
					if rapid.Bool().Draw(r, "named") {
						m.URI = fmt.Sprintf("knowledge://topic/%d", n)
					}
				})
			case kind == 4:
				m := pick()
				m.Content = fmt.Sprintf("%d changed", n)
				b.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
			case kind == 5:
				b.forget(pick(), memory.OpStatus)
			case kind == 6:
				b.forget(pick(), memory.OpRemove)
			case kind == 7:
				b.save("memory/2026-02-19.md", b.read("memory/2026-02-19.md")+fmt.Sprintf("- typed %d\n", n%3))
				b.sync()
			case kind == 8:
				m := pick()
				m.Status = memory.Archived
				b.apply(memory.Change{Op: memory.OpStatus, Memory: m})
			default:
				b.drain()
				b.clock.pass(time.Duration(n) * time.Minute)
			}
		}
		b.sync()
		want := b.snapshot()
		b.lose()
		b.sync()
		if diff := cmp.Diff(want, b.snapshot()); diff != "" {
			r.Log(b.read("memory/2026-02-19.md"))
			r.Fatalf("after the rebuild (-before +after):\n%s", diff)
		}
	})
}

// live lists the memories that tools would change.
func (b *bench) live() []memory.Memory {
	var live []memory.Memory
	for _, m := range b.all() {
		if m.Status == memory.Active && m.Form != memory.Passage {
			live = append(live, m)
		}
	}
	return live
}
