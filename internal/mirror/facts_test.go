package mirror_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

const items = "memory/life/projects/forge/items.json"

// left is an items.json as a system of the para kind leaves it.
const left = `[
  {
    "id": "fact-001",
    "fact": "账本用 PostgreSQL",
    "status": "superseded",
    "createdAt": "2026-01-15T10:00:00+08:00",
    "lastAccessed": "2026-02-01T14:30:00+08:00",
    "accessCount": 5,
    "supersededBy": "fact-002",
    "supersededAt": "2026-02-02T09:00:00+08:00",
    "note": "of a person"
  },
  {
    "id": "fact-002",
    "fact": "账本用 SQLite",
    "status": "active",
    "createdAt": "2026-02-02T09:00:00+08:00",
    "lastAccessed": "2026-02-20T09:00:00+08:00",
    "accessCount": 8,
    "supersededBy": null,
    "supersededAt": null
  }
]
`

func aFact(name string) func(*memory.Memory) {
	return func(m *memory.Memory) {
		m.Form, m.Type, m.URI = memory.Fact, memory.Knowledge, "fact://projects/forge/"+name
	}
}

func TestFactsOfAPersonAreTakenOverAndLeftAsTheyAre(t *testing.T) {
	b := newBench(t)
	b.save(items, left)
	b.sync()
	old, now := b.byContent("账本用 PostgreSQL"), b.byContent("账本用 SQLite")
	if old.Status != memory.Superseded || old.SupersededBy != now.ID || now.Supersedes != old.ID || old.AccessCount != 5 {
		t.Errorf("old %+v\nnow %+v", old, now)
	}
	if now.URI != "fact://projects/forge/fact-002" || now.Form != memory.Fact || now.Home.File != items || now.Home.Line != 13 {
		t.Errorf("now %+v", now)
	}
	if b.read(items) != left {
		t.Errorf("the file was rewritten:\n%s", b.read(items))
	}
	if r := b.sync(); r.FilesChanged != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
}

func TestANewFactJoinsThoseOfAPerson(t *testing.T) {
	b := newBench(t)
	b.save(items, left)
	b.sync()
	old := b.byContent("账本用 SQLite")
	next := b.remember("账本用 DuckDB", aFact("fact-003"), func(m *memory.Memory) { m.Supersedes = old.ID })
	old.Status, old.SupersededBy = memory.Superseded, next.ID
	b.apply(memory.Change{Op: memory.OpStatus, Memory: old})
	b.drain()
	var list []map[string]any
	if err := json.Unmarshal([]byte(b.read(items)), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 || list[0]["note"] != "of a person" || list[1]["supersededBy"] != "fact-003" || list[1]["status"] != "superseded" ||
		list[1]["supersededAt"] != "2026-02-21T22:00:00Z" || list[2]["id"] != "fact-003" || list[0]["createdAt"] != "2026-01-15T10:00:00+08:00" {
		t.Errorf("got %v", list)
	}
	if kept := b.read(".agent-memory/backup/" + items); kept != left {
		t.Errorf("the person's bytes were not kept: %q", kept)
	}
}

func TestAPersonsEditOfAFactComesBack(t *testing.T) {
	b := newBench(t)
	m, gone, stays := b.remember("the port is 80", aFact("port")), b.remember("obsolete", aFact("gone")), b.remember("bound to loopback", aFact("host"))
	b.drain()
	b.edit(items, "the port is 80", "the port is 8080")
	b.sync()
	if got := b.get(m.ID); got.Content != "the port is 8080" {
		t.Errorf("got %+v", got)
	}
	text := b.read(items)
	from, to := strings.Index(text, "  {\n    \"id\": \"gone\""), strings.Index(text, "  {\n    \"id\": \"host\"")
	b.save(items, text[:from]+text[to:])
	b.sync()
	if got := b.get(gone.ID); got.Status != memory.Forgotten {
		t.Errorf("what a person deletes is forgotten, got %s", got.Status)
	}
	b.edit(items, `"status": "active"`, `"status": "superseded"`)
	b.sync()
	if got := b.get(m.ID); got.Status != memory.Superseded {
		t.Errorf("got %s", got.Status)
	}
	if got := b.get(stays.ID); got.Status != memory.Active {
		t.Errorf("got %s", got.Status)
	}
}

func TestBrokenFactsAreLeftAlone(t *testing.T) {
	b := newBench(t)
	m := b.remember("the port is 80", aFact("port"))
	b.drain()
	broken := strings.TrimSuffix(strings.TrimSpace(b.read(items)), "]")
	b.save(items, broken)
	report := b.sync()
	next := b.remember("bound to loopback", aFact("host"))
	b.drain()
	if b.read(items) != broken || b.get(m.ID).Status != memory.Active || len(report.Warnings) == 0 {
		t.Fatalf("%+v\n%s", report, b.read(items))
	}
	if list, err := b.BrokenFacts(t.Context()); err != nil || len(list) != 1 || !strings.Contains(list[0], items) {
		t.Errorf("%v, %v", list, err)
	}
	b.save(items, broken+"]\n")
	b.sync()
	b.stands(items, next.Content, 1)
	b.stands(items, m.Content, 1)
}

func TestForgettingKeepsThePlaceOfAFact(t *testing.T) {
	b := newBench(t)
	soft, hard := b.remember("softly forgotten", aFact("soft")), b.remember("the secret number is 4711", aFact("hard"))
	b.drain()
	b.forget(soft, memory.OpStatus)
	b.drain()
	b.stands(items, soft.Content, 1)
	b.stands(items, `"status": "forgotten"`, 1)
	b.apply(memory.Change{Op: memory.OpPurge, Memory: hard})
	if _, err := b.Purge(t.Context(), []memory.Memory{hard}); err != nil {
		t.Fatal(err)
	}
	b.stands(items, "4711", 0)
	b.stands(items, `"id": "hard"`, 1)
	b.stands(items, `"purged": true`, 1)
	b.lose()
	b.sync()
	if got := b.get(soft.ID); got.Status != memory.Forgotten {
		t.Errorf("after the rebuild: %s", got.Status)
	}
	if got := b.get(hard.ID); got.ID != "" {
		t.Errorf("what was purged is back: %+v", got)
	}
}

func TestWhoMovesAFolderMovesTheEntity(t *testing.T) {
	b := newBench(t)
	b.save(items, left)
	b.sync()
	m := b.remember("bound to loopback", aFact("host"))
	b.drain()
	typed := b.byContent("账本用 SQLite")
	if err := os.MkdirAll(filepath.Join(b.dir, "memory/life/archives"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(b.dir, "memory/life/projects/forge"), filepath.Join(b.dir, "memory/life/archives/forge")); err != nil {
		t.Fatal(err)
	}
	report := b.sync()
	for id, uri := range map[string]string{m.ID: "fact://archives/forge/host", typed.ID: "fact://archives/forge/fact-002"} {
		got := b.get(id)
		if got.URI != uri || got.Home.File != "memory/life/archives/forge/items.json" || got.Status != memory.Active {
			t.Errorf("got %+v", got)
		}
	}
	if report.Missing+report.Deleted+report.Added != 0 {
		t.Errorf("%+v", report)
	}
	if r := b.sync(); r.FilesChanged != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
}

// Whatever was done to facts, deleting the database and syncing brings the
// same facts back; without the records, what the file says of them.
func TestRebuildOfFacts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t)
		b.save(items, left)
		b.sync()
		for n := range rapid.IntRange(1, 20).Draw(r, "steps") {
			live := b.live()
			pick := func() memory.Memory { return live[rapid.IntRange(0, len(live)-1).Draw(r, "which")] }
			switch kind := rapid.IntRange(0, 6).Draw(r, "kind"); {
			case kind <= 2 || len(live) == 0:
				text := rapid.StringOf(rapid.SampledFrom([]rune("ab <!->\\\"{}[],:\n 中文—&"))).Draw(r, "text")
				b.remember(fmt.Sprintf("%d %s.", n, text), aFact(fmt.Sprintf("f%d", n)))
			case kind == 3:
				old := pick()
				next := b.remember(fmt.Sprintf("%d instead", n), aFact(fmt.Sprintf("f%d", n)), func(m *memory.Memory) { m.Supersedes = old.ID })
				old.Status, old.SupersededBy = memory.Superseded, next.ID
				b.apply(memory.Change{Op: memory.OpStatus, Memory: old})
			case kind == 4:
				b.forget(pick(), memory.OpStatus)
			case kind == 5:
				m := pick()
				m.Content = fmt.Sprintf("%d changed", n)
				b.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
			default:
				b.drain()
			}
		}
		b.sync()
		want, text := b.snapshot(), b.read(items)
		b.lose()
		b.sync()
		if diff := cmp.Diff(want, b.snapshot()); diff != "" {
			r.Fatalf("after the rebuild (-before +after):\n%s\n%s", diff, text)
		}
		if b.read(items) != text {
			r.Fatalf("the rebuild rewrote the file:\n%s\n%s", text, b.read(items))
		}
		if err := os.Remove(filepath.Join(b.dir, ".agent-memory", "records.jsonl")); err != nil {
			r.Fatal(err)
		}
		b.lose()
		b.sync()
		for id, m := range want {
			got := b.get(id)
			if m.Status == memory.Forgotten && got.ID == "" {
				continue
			}
			if got.Content != m.Content || got.URI != m.URI || got.Status != m.Status || got.SupersededBy != m.SupersededBy {
				r.Fatalf("without records: got %+v\nwant %+v", got, m)
			}
		}
	})
}
