package mirror_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// purge purges a memory as the use case does, without its copies.
func (b *bench) purge(m memory.Memory) {
	b.t.Helper()
	b.apply(memory.Change{Op: memory.OpPurge, Memory: b.get(m.ID)})
	pending, err := b.Purge(context.Background(), []memory.Memory{m})
	if err != nil || pending {
		b.t.Fatalf("pending %v, %v", pending, err)
	}
}

func (b *bench) copiesOf(m memory.Memory) []memory.Memory {
	b.t.Helper()
	copies, err := b.Copies(context.Background(), []memory.Memory{m})
	if err != nil {
		b.t.Fatal(err)
	}
	return copies
}

func card(title string, fields ...memory.Field) func(*memory.Memory) {
	return func(m *memory.Memory) {
		m.Form, m.Title, m.Fields, m.Type = memory.Decision, title, fields, memory.Knowledge
	}
}

// A date, a name or a state in a card is nobody's words: the purge of a card takes
// no line with it that only has the same day or the same team.
func TestThePurgeOfACardTakesNothingThatSharesAFieldWithIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	day := b.clock.Now().Format(time.DateOnly)
	b.save("MEMORY.md", "# Memory\n\n- the platform team likes tea\n")
	b.sync()
	fields := []memory.Field{{Name: "date", Value: day}, {Name: "why", Value: "the harbour vault opens with zebra-4711"}, {Name: "owner", Value: "platform team"}}
	m := b.remember("Use Postgres for the ledger", card("Use Postgres for the ledger", fields...))
	other := b.remember("Tea at four", card("Tea at four", memory.Field{Name: "date", Value: day}, memory.Field{Name: "owner", Value: "platform team"}))
	note := b.remember("on " + day + " the platform team met")
	put := b.remember("something that was put away")
	b.drain()
	b.save(today, b.read(today)+"- I wrote on "+day+": ask the platform team\n")
	b.save(today+".conflict-20260221T220000Z.md", b.read(today))
	b.save(".agent-memory/backup/notes.md", b.read(today))
	b.sync()
	if err := b.Archive().Append(context.Background(), "test", []memory.Memory{put, m}); err != nil {
		t.Fatal(err)
	}

	if copies := b.copiesOf(m); len(copies) > 0 {
		t.Errorf("copies: %+v", copies)
	}
	b.purge(m)

	b.stands(today, "on "+day+" the platform team met", 1)
	b.stands(today, "I wrote on "+day, 1)
	b.stands(today, "- owner: platform team", 1) // of the other card
	b.stands("MEMORY.md", "the platform team likes tea", 1)
	if !strings.Contains(b.archived(), put.Content) {
		t.Error("what was put away on that day has left the archive")
	}
	for name, text := range b.files(".") {
		if strings.HasPrefix(name, ".agent-memory/store.db") { // see basesLack: nobody has emptied its log
			continue
		}
		if strings.Contains(text, "zebra-4711") || strings.Contains(text, "Postgres") {
			t.Errorf("%s still holds the card:\n%.800s", name, text)
		}
	}
	for _, name := range []string{today + ".conflict-20260221T220000Z.md", ".agent-memory/backup/notes.md"} {
		if n := strings.Count(b.read(name), "- owner: platform team"); n != 1 || !strings.Contains(b.read(name), "I wrote on") {
			t.Errorf("%s has %d owners:\n%s", name, n, b.read(name))
		}
	}
	b.basesLack(today, "zebra-4711", "Postgres")
	b.lose()
	b.sync()
	for _, want := range []memory.Memory{other, note} {
		if got := b.get(want.ID); got.Source != want.Source || got.Trust != want.Trust || got.Confidence != want.Confidence {
			t.Errorf("a rebuild does not know %q any more: %+v", want.Content, got)
		}
	}
}

// basesLack fails if a kept version of a file holds one of some words.
func (b *bench) basesLack(name string, words ...string) {
	b.t.Helper()
	versions, err := b.store.Bases(context.Background(), name, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, v := range versions {
		for _, w := range words {
			if strings.Contains(v.Text, w) {
				b.t.Errorf("a kept version of %s holds %q:\n%s", name, w, v.Text)
			}
		}
	}
}

// What only leads to a purged memory says none of its words.
func TestThePurgeOfAMemoryLeavesWhatLeadsToIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.remember("the harbour opens at nine")
	old := b.remember("the harbour is open at eight", func(n *memory.Memory) {
		n.Status, n.SupersededBy = memory.Superseded, m.ID
		n.Links = []memory.Link{{Target: m.ID, Relation: "related"}}
	})
	see := b.remember("ask Mei about " + m.ID + " on Monday")
	b.drain()
	if err := b.Archive().Append(context.Background(), "test", []memory.Memory{old}); err != nil {
		t.Fatal(err)
	}
	if copies := b.copiesOf(m); len(copies) > 0 {
		t.Errorf("copies: %+v", copies)
	}
	b.purge(m)
	b.stands(today, old.Content, 1)
	b.stands(today, "ask Mei about", 1)
	if !strings.Contains(b.archived(), old.Content) {
		t.Error("the archive has lost a memory that led to the purged one")
	}
	b.lose()
	b.sync()
	for _, want := range []memory.Memory{old, see} {
		if got := b.get(want.ID); got.Source != want.Source || got.Status != want.Status {
			t.Errorf("a rebuild does not know %q any more: %+v", want.Content, got)
		}
	}
}

// A card that somebody has pasted elsewhere, without our comment, is a copy with all
// of its fields; one of the same title that says something else is none.
func TestThePurgeOfACardTakesItsPastedCopy(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	m := b.remember("Use Postgres for the ledger", card("Use Postgres for the ledger", memory.Field{Name: "why", Value: "zebra-4711"}, memory.Field{Name: "owner", Value: "platform team"}),
		func(n *memory.Memory) { n.URI = "decision://20260221-use-postgres" })
	b.drain()
	pasted := strings.Replace(b.read(today), " <!-- am:"+m.ID+" -->", "", 1)
	if strings.Contains(pasted, m.ID) {
		t.Fatalf("not as somebody pastes it:\n%s", pasted)
	}
	const elsewhere, other = "memory/2026-02-19.md", "memory/2026-02-18.md"
	b.save(elsewhere, strings.Replace(pasted, "# 2026-02-21", "# 2026-02-19", 1)+"\n- a line that stays\n")
	b.save(other, "# 2026-02-18\n\n## Decision: Use Postgres for the ledger\n- why: the other reason\n")
	b.sync()
	copies := b.copiesOf(m)
	if len(copies) != 1 || copies[0].Home.File != elsewhere {
		t.Fatalf("copies: %+v", copies)
	}
	b.purge(m)
	b.stands(elsewhere, "zebra-4711", 0)
	b.stands(elsewhere, "platform team", 0)
	b.stands(elsewhere, "a line that stays", 1)
	b.stands(other, "the other reason", 1)
}
