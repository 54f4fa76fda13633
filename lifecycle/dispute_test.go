package lifecycle

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// card builds a decision as the store would hold it.
func card(title, conclusion string, edit ...func(*memory.Memory)) memory.Memory {
	return stored("card", title, append([]func(*memory.Memory){formed(memory.Decision), at(ledgerURI), func(m *memory.Memory) {
		m.Title = title
		if conclusion != "" {
			m.Fields = []memory.Field{{Name: "conclusion", Value: conclusion}}
		}
	}}, edit...)...)
}

// Which notes contradict a decision, and which do not.
func TestANoteAgainstADecision(t *testing.T) {
	for _, c := range []struct {
		title, conclusion, note string
		contradicts             bool
	}{
		{"Use PostgreSQL", "", "We use MySQL now, no longer PostgreSQL", true},
		{"Use PostgreSQL for the ledger", "", "We use MySQL for the ledger now, no longer PostgreSQL", true},
		{"Use PostgreSQL for the ledger", "", "The ledger no longer uses PostgreSQL", true},
		{"Use PostgreSQL for the ledger", "", "We switched to MySQL for the ledger", true},
		{"Use PostgreSQL for the ledger", "", "No, use MySQL, not PostgreSQL, for the ledger", true},
		{"Ledger database", "Use PostgreSQL", "We use MySQL now instead of PostgreSQL", true},
		{"The port is 8080", "", "The port is 9090", true},
		{"Use Redis for the cache", "", "We switched the cache to Memcached", true},
		{"Use Redis for the cache", "", "We migrated the cache from Redis to Memcached", true},
		{"Cache", "Use Redis for the cache", "The cache was switched to Memcached", true},
		{"Use Redis for the cache", "", "We moved the dashboards to Grafana", false},
		{"Use Redis for the cache", "", "We moved the cache to a new machine", false},
		{"缓存用 Redis", "", "缓存改用 Memcached 了", true},
		{"缓存用 Redis", "", "我们把缓存换成 Memcached 了", true},
		{"缓存用 Redis", "", "缓存从 Redis 迁移到 Memcached 了", true},
		{"缓存用 Redis", "", "缓存搬到新机器了", false},
		{"账本用 SQLite", "", "账本改用 DuckDB", true},
		{"账本用 SQLite", "", "账本不再用 SQLite", true},
		{"账本数据库", "使用 PostgreSQL", "账本数据库改用 MySQL，不再使用 PostgreSQL", true},
		{"数据库用 PostgreSQL", "", "我们现在用 MySQL 数据库，不再用 PostgreSQL", true},
		{"部署端口是 8080", "", "部署端口是 9090", true},
		{"Use PostgreSQL for the ledger", "", "The ledger in PostgreSQL has 40 tables", false},
		{"Use PostgreSQL for the ledger", "", "The move of the ledger to PostgreSQL is completed", false},
		{"Use PostgreSQL for the ledger", "", "We switched to Grafana for the dashboards", false},
		{"Use PostgreSQL for the ledger", "", "We switched to a new office", false},
		{"Use PostgreSQL for the ledger", "", "Should we use MySQL for the ledger instead of PostgreSQL?", false},
		{"Use PostgreSQL for the ledger", "", "Use PostgreSQL for the ledger, not for the search", false},
		{"账本用 SQLite", "", "账本的 SQLite 文件每晚备份", false},
		{"账本用 SQLite", "", "看板改用 Grafana", false},
		{"账本用 SQLite", "", "账本要不要改用 DuckDB？", false},
	} {
		decision := card(c.title, c.conclusion)
		note := incoming(c.note)
		v := Guard(Arrival{Memory: note, Now: today()}, []Similar{{Memory: decision}}, careful())
		linked := slices.ContainsFunc(v.Changes[0].Memory.Links, func(l memory.Link) bool { return l == memory.Link{Target: "card", Relation: Contradicts} })
		if linked != c.contradicts {
			t.Errorf("%q after the decision %q (%s): contradicts %v, want %v (%s)", c.note, c.title, c.conclusion, linked, c.contradicts, v.Reason)
		}
		for _, change := range v.Changes {
			if change.Memory.ID == "card" && change.Memory.Status != memory.Active {
				t.Errorf("%q: the decision is %s", c.note, change.Memory.Status)
			}
		}
	}
}

// A note that disputes a card says what its author said: the card keeps the other side.
func TestANoteThatDisputesKeepsItsWords(t *testing.T) {
	for _, c := range []struct{ title, note string }{
		{"数据库用 PostgreSQL", "我们现在用 MySQL 数据库，不再用 PostgreSQL"},
		{"Use PostgreSQL", "No, use MySQL, not PostgreSQL"},
	} {
		v := Guard(Arrival{Memory: incoming(c.note), Now: today()}, []Similar{{Memory: card(c.title, "", learned(1.0/48))}}, careful())
		if len(v.Changes) != 2 || v.Changes[0].Memory.Content != c.note || v.Changes[0].Memory.ContentHash != memory.Hash(c.note) {
			t.Errorf("%q after the decision %q: %+v", c.note, c.title, v.Changes)
		}
	}
}

// A note that was said before the decision hides no later one from it.
func TestAnEarlierNoteHidesNoDispute(t *testing.T) {
	for _, c := range []struct{ before, title, note string }{
		{"我们现在改用 MySQL，不再用 PostgreSQL 了", "数据库用 PostgreSQL", "数据库改用 MySQL，不再用 PostgreSQL 了"},
		{"We use MySQL now, no longer PostgreSQL", "Use PostgreSQL for the database", "The database is MySQL now, no longer PostgreSQL"},
	} {
		for _, have := range [][]Similar{
			{{Memory: card(c.title, "", learned(1.0/48))}},
			{{Memory: stored("note", c.before, learned(1.0/36))}, {Memory: card(c.title, "", learned(1.0/48))}},
		} {
			v := Guard(Arrival{Memory: incoming(c.note), Now: today()}, have, careful())
			if !slices.ContainsFunc(v.Changes, func(c memory.Change) bool { return c.Memory.ID == "card" && len(Opponents(c.Memory)) == 1 }) {
				t.Errorf("%q, said %d memories later: %s because %q", c.note, len(have), v.Action, v.Reason)
			}
		}
	}
}

// The decision stays in force and knows of the note; it is settled by a change
// of the card, by the end of the note, or by another decision.
func TestADisputeStaysOpenUntilItIsSettled(t *testing.T) {
	decision, note := card("账本用 SQLite", ""), incoming("账本改用 DuckDB")
	v := Guard(Arrival{Memory: note, Now: today()}, []Similar{{Memory: decision}}, careful())
	if v.Action != Added || len(v.Changes) != 2 || !strings.Contains(v.Reason, ledgerURI) {
		t.Fatalf("verdict %+v", v)
	}
	decision, note = v.Changes[1].Memory, v.Changes[0].Memory
	if v.Changes[1].Op != memory.OpUpdate || v.Changes[1].Revision == 0 || len(Opponents(decision)) != 1 {
		t.Errorf("the decision does not know of the note: %+v", v.Changes[1])
	}
	for _, c := range []struct {
		name   string
		settle func(card, note *memory.Memory)
		open   bool
	}{
		{"nothing was done", func(_, _ *memory.Memory) {}, true},
		{"the card was changed", func(card, _ *memory.Memory) { card.UpdatedAt = today().Add(time.Minute) }, false},
		{"the note was forgotten", func(_, note *memory.Memory) { note.Status = memory.Forgotten }, false},
		{"another decision superseded the card", func(card, _ *memory.Memory) { card.Status = memory.Superseded }, false},
		{"a person took the link out", func(card, _ *memory.Memory) { card.Links = nil }, false},
	} {
		d, n := decision, note
		c.settle(&d, &n)
		if open := len(Disputes([]memory.Memory{n, d})) == 1; open != c.open {
			t.Errorf("%s: open %v", c.name, open)
		}
	}
}

// Strangers cast no doubt on anything.
func TestAStrangersNoteDisputesNothing(t *testing.T) {
	for _, pair := range [][2]memory.Trust{{memory.TrustExternal, memory.TrustAgent}, {memory.TrustAgent, memory.TrustExternal}} {
		v := Guard(Arrival{Memory: incoming("账本改用 DuckDB", trusted(pair[0])), Now: today()}, []Similar{{Memory: card("账本用 SQLite", "", trusted(pair[1]))}}, careful())
		if len(v.Changes) != 1 || len(v.Changes[0].Memory.Links) != 0 {
			t.Errorf("%s against %s: %+v", pair[0], pair[1], v.Changes)
		}
	}
}
