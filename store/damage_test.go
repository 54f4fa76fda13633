package store_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// damagedBy opens a store of two memories after a script changed the one that is
// called damaged.
func damagedBy(t *testing.T, script string) *store.Store {
	t.Helper()
	path := closed(t, "an intact neighbour")
	clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
	s, err := store.Open(t.Context(), options(path, clock))
	if err != nil {
		t.Fatal(err)
	}
	m := note("the limit is 100")
	m.ID = "damaged"
	apply(t, s, add(m))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, script)
	again, err := store.Open(t.Context(), options(path, clock))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Close() })
	return again
}

func TestADamagedRowIsAnErrorAndNeverWrongContent(t *testing.T) {
	for column, script := range map[string]string{
		"content": "UPDATE texts SET content = 'the limit is 900' WHERE content LIKE '%100%'",
		"status":  "UPDATE memories SET status = 'proposed' WHERE id = 'damaged'",
		"trust":   "UPDATE memories SET trust = 'user' WHERE id = 'damaged'",
		"fields":  "UPDATE texts SET fields = '{' WHERE content LIKE '%100%'",
	} {
		t.Run(column, func(t *testing.T) {
			again := damagedBy(t, script)
			mustBeNamedDamaged(t, again)
		})
	}
}

func mustBeNamedDamaged(t *testing.T, s *store.Store) {
	t.Helper()
	var damaged *store.DamagedError
	_, err := s.ByID(t.Context(), "main", "damaged")
	if !errors.As(err, &damaged) || damaged.ID != "damaged" || memory.CodeOf(err) != memory.Internal {
		t.Errorf("reading it: %v", err)
	}
	listed, err := s.List(t.Context(), memory.Filter{Namespace: "main"})
	if !errors.As(err, &damaged) || len(listed) != 1 || listed[0].Content != "an intact neighbour" {
		t.Errorf("listing: %d memories, %v", len(listed), err)
	}
	pending, err := s.Outbox(t.Context(), 10)
	if !errors.As(err, &damaged) || len(pending) != 1 {
		t.Errorf("outbox: %d changes, %v", len(pending), err)
	}
	findings, err := s.Check(t.Context())
	if err != nil || !slices.ContainsFunc(findings, func(f string) bool { return strings.Contains(f, "damaged") }) {
		t.Errorf("check: %q, %v", findings, err)
	}
}

func TestCheckFindsWhatIsInconsistent(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ script, finding string }{
		"a memory without text":  {"DELETE FROM texts", "has no text"},
		"a memory not indexed":   {"INSERT INTO search (search, rowid, terms) SELECT 'delete', key, terms FROM texts LIMIT 1", "index holds"},
		"a posting too many":     {"INSERT INTO search (search, rowid, terms) SELECT 'delete', key, terms FROM texts LIMIT 1; INSERT INTO search (rowid, terms) SELECT key, terms || ' strange' FROM texts LIMIT 1", "disagrees"},
		"wrong sums":             {"UPDATE sums SET value = value + 1 WHERE name = 'memories'", "counts"},
		"a number to be reused":  {"UPDATE numbers SET highest = 0", "could be given again"},
		"an outbox without rows": {"INSERT INTO outbox (namespace, memory_id, revision, op, file, record_only, at) VALUES ('main', 'x', 1, 'add', 'f', 0, 0)", "which is gone"},
		"a vector of another size": {"INSERT INTO generations (namespace, provider, model, dimension, state, at) VALUES ('main', 'p', 'm', 3, 'serving', 0);" +
			"INSERT INTO vectors (generation, content_hash, components) VALUES (1, x'00', x'00000000')", "components"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := closed(t, "one", "two")
			edit(t, path, "PRAGMA foreign_keys = 0; "+c.script)
			s, err := store.Open(t.Context(), store.Options{Path: path, Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			findings, err := s.Check(t.Context())
			if err != nil || !slices.ContainsFunc(findings, func(f string) bool { return strings.Contains(f, c.finding) }) {
				t.Errorf("findings %q, %v; want one with %q", findings, err, c.finding)
			}
		})
	}
}

// What cannot be read is not gone: of what is gone, the mirror takes the lines
// out of the files.
func TestTheOutboxNeverTakesWhatItCannotReadForGone(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"a text is lost":           "DELETE FROM texts WHERE content LIKE '%100%'",
		"a row is no row":          "UPDATE memories SET seq = 'x' WHERE id = 'damaged'",
		"the texts cannot be read": "ALTER TABLE texts RENAME TO lost",
	}
	for name, script := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
			s, err := store.Open(t.Context(), options(path, clock))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			m := note("the limit is 100")
			m.ID = "damaged"
			apply(t, s, add(m), add(note("removed since")), add(note("an intact neighbour")))
			removed, err := s.List(t.Context(), memory.Filter{Namespace: "main"})
			if err != nil {
				t.Fatal(err)
			}
			apply(t, s, memory.Change{Op: memory.OpRemove, Memory: removed[1]})
			edit(t, path, "PRAGMA writable_schema = 1; PRAGMA foreign_keys = 0;"+
				"UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'memories'; PRAGMA writable_schema = RESET;"+script)
			pending, err := s.Outbox(t.Context(), 10)
			if err == nil {
				t.Error("nothing is said")
			}
			for _, p := range pending {
				if p.MemoryID == "damaged" || p.Memory.ID == "" && p.MemoryID != removed[1].ID {
					t.Errorf("%s of %s is said to be gone", p.Op, p.MemoryID)
				}
			}
		})
	}
}
