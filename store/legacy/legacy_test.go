package legacy_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"agentmemory/internal/memory"
	"agentmemory/store/legacy"
)

// The documented schemas of the original; what one adds is written beside it.
const (
	memoriesV2 = `CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, type TEXT NOT NULL,
		priority INTEGER NOT NULL DEFAULT 2, emotion_val REAL NOT NULL DEFAULT 0.0, vitality REAL NOT NULL DEFAULT 1.0,
		stability REAL NOT NULL DEFAULT 1.0, access_count INTEGER NOT NULL DEFAULT 0, last_accessed TEXT,
		created_at TEXT NOT NULL, updated_at TEXT NOT NULL, source TEXT, agent_id TEXT NOT NULL DEFAULT 'default', hash TEXT %s);`
	relatedV2 = `CREATE TABLE paths (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL, agent_id TEXT NOT NULL DEFAULT 'default',
			uri TEXT NOT NULL, alias TEXT, domain TEXT NOT NULL, created_at TEXT NOT NULL);
		CREATE TABLE links (agent_id TEXT NOT NULL DEFAULT 'default', source_id TEXT NOT NULL, target_id TEXT NOT NULL,
			relation TEXT NOT NULL, weight REAL NOT NULL DEFAULT 1.0, created_at TEXT NOT NULL);
		CREATE TABLE snapshots (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL, content TEXT NOT NULL, changed_by TEXT,
			action TEXT NOT NULL, created_at TEXT NOT NULL);`
	metaV2    = `CREATE TABLE schema_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);`
	columnsV6 = `, emotion_tag TEXT`
	columnsV8 = `, emotion_tag TEXT, source_session TEXT, source_context TEXT, observed_at TEXT`
	archiveV8 = `CREATE TABLE memory_archive (id TEXT PRIMARY KEY, content TEXT NOT NULL, type TEXT NOT NULL, priority INTEGER NOT NULL,
		emotion_val REAL, vitality REAL, stability REAL, access_count INTEGER, last_accessed TEXT, created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL, archived_at TEXT NOT NULL, archive_reason TEXT NOT NULL DEFAULT 'eviction', source TEXT,
		agent_id TEXT NOT NULL DEFAULT 'default', hash TEXT, emotion_tag TEXT, source_session TEXT, source_context TEXT, observed_at TEXT);`
	oneMemory = `INSERT INTO memories (id, content, type, priority, stability, created_at, updated_at)
		VALUES ('m1', '用户喜欢 TypeScript', 'knowledge', 2, 90, '2026-02-21T14:00:00.000Z', '2026-02-21T14:00:00.000Z');`
)

func makeDatabase(t *testing.T, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent-memory.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
	return path
}

func memories(columns string) string { return strings.Replace(memoriesV2, "%s", columns, 1) }

func version(n string) string { return `INSERT INTO schema_meta VALUES ('version', '` + n + `');` }

func open(t *testing.T, path string) *legacy.Database {
	t.Helper()
	d, err := legacy.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

func records(t *testing.T, d *legacy.Database) []memory.Imported {
	t.Helper()
	var all []memory.Imported
	for r, err := range d.Records(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	n, err := d.Count(context.Background())
	if err != nil || n != len(all) {
		t.Errorf("Count = %d, %v; Records yields %d", n, err, len(all))
	}
	return all
}

func TestEverySchemaIsRead(t *testing.T) {
	tests := []struct {
		name       string
		statements []string
		schema     int
	}{
		{"2.0 without a version row", []string{memories(""), relatedV2}, 0},
		{"schema 2", []string{memories(""), relatedV2, metaV2, version("2")}, 2},
		{"schema 3", []string{memories(""), relatedV2, metaV2, version("3")}, 3},
		{"3.1 without links and snapshots", []string{memories(""), metaV2, version("4")}, 4},
		{"4.0", []string{memories(""), relatedV2, metaV2, version("5")}, 5},
		{"4.2 with emotion tags", []string{memories(columnsV6), relatedV2, metaV2, version("6")}, 6},
		{"5.0", []string{memories(columnsV8), relatedV2, metaV2, version("7")}, 7},
		{"5.1 with an archive", []string{memories(columnsV8), relatedV2, archiveV8, metaV2, version("8")}, 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := open(t, makeDatabase(t, append(tt.statements, oneMemory)...))
			if d.Schema() != tt.schema {
				t.Errorf("Schema = %d, want %d", d.Schema(), tt.schema)
			}
			got := records(t, d)
			if len(got) != 1 || got[0].Memory.Content != "用户喜欢 TypeScript" || got[0].Memory.Stability != 90 {
				t.Errorf("records = %+v", got)
			}
		})
	}
}

func TestWhatIsNoOldDatabaseIsRefused(t *testing.T) {
	text := filepath.Join(t.TempDir(), "notes.db")
	if err := os.WriteFile(text, []byte("SQLite format 3\x00 but not really"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path string
		code       memory.Code
	}{
		{"a newer schema", makeDatabase(t, memories(columnsV8), metaV2, version("9")), memory.NewerStore},
		{"another program's database", makeDatabase(t, `CREATE TABLE notes (id INTEGER)`), memory.InvalidArgument},
		{"no database", text, memory.InvalidArgument},
		{"no file", filepath.Join(t.TempDir(), "none.db"), memory.NotFound},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := legacy.Open(context.Background(), tt.path)
			if err == nil {
				_ = d.Close()
			}
			if memory.CodeOf(err) != tt.code {
				t.Fatalf("err = %v, want code %s", err, tt.code)
			}
			var e *memory.Error
			if errors.As(err, &e) && tt.code != memory.NotFound && e.Hint == "" {
				t.Error("the error has no hint")
			}
		})
	}
}

func TestRowsKeepWhatTheySay(t *testing.T) {
	d := open(t, makeDatabase(t, memories(columnsV8), relatedV2, archiveV8, metaV2, version("8"), `
		INSERT INTO memories VALUES ('a', 'I am Noah', 'identity', 0, 0, 1, 999999, 2, '2026-03-01T10:00:00.000Z',
			'2026-02-01T10:00:00.000Z', '2026-02-01T10:00:00.000Z', NULL, 'noah', 'h1', NULL, NULL, NULL, NULL);
		INSERT INTO memories VALUES ('b', 'current text', 'emotion', 1, 0.5, 0.9, 365, 0, NULL,
			'2026-02-02T10:00:00.000Z', '2026-02-03T10:00:00.000Z', 'memory-sync:2026-02-02', 'default', 'h2', 'joy', 's1', '14:00 sync', '2026-02-02T09:00:00+08:00');
		INSERT INTO memories VALUES ('c', 'soft-forgotten', 'knowledge', 2, 0, 0.09, 90, 0, NULL,
			'2026-02-02T11:00:00.000Z', '2026-02-03T10:00:00.000Z', NULL, 'default', 'h3', NULL, NULL, 'a chat', NULL);
		INSERT INTO memory_archive VALUES ('d', 'evicted', 'event', 3, 0, 0.01, 14, 0, NULL,
			'2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', 'eviction', NULL, 'default', 'h4', NULL, NULL, NULL, NULL);
		INSERT INTO paths VALUES ('p1', 'a', 'noah', 'core://agent/identity', NULL, 'core', '2026-02-01T10:00:01.000Z');
		INSERT INTO paths VALUES ('p2', 'a', 'noah', 'identity://core/name', NULL, 'identity', '2026-02-01T10:00:02.000Z');
		INSERT INTO links VALUES ('noah', 'a', 'b', 'caused', 1, '2026-02-02T10:00:00.000Z');
		INSERT INTO snapshots VALUES ('s1', 'b', 'first text', 'sync', 'update', '2026-02-02T12:00:00.000Z');
		INSERT INTO snapshots VALUES ('s2', 'b', 'second text', NULL, 'merge', '2026-02-02T13:00:00.000Z');`))
	got := map[string]memory.Imported{}
	for _, r := range records(t, d) {
		got[r.Memory.ID] = r
	}
	a, b, c, archived := got["a"], got["b"], got["c"], got["d"]
	if a.Memory.URI != "core://agent/identity" || cmp.Diff([]string{"identity://core/name"}, a.Aliases) != "" {
		t.Errorf("addresses = %q, %q", a.Memory.URI, a.Aliases)
	}
	if diff := cmp.Diff([]memory.Link{{Target: "b", Relation: "caused"}}, a.Memory.Links); diff != "" {
		t.Error(diff)
	}
	if a.Memory.Actor != "noah" || a.Memory.Stability != 0 || a.Memory.AccessCount != 2 || a.Memory.LastAccess.IsZero() {
		t.Errorf("a = %+v", a.Memory)
	}
	at := func(s string) time.Time {
		parsed, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	wantHistory := []memory.Revision{
		{MemoryID: "b", Revision: 1, Op: memory.OpUpdate, Content: "first text", Status: memory.Active, Reason: "before update sync", At: at("2026-02-02T12:00:00Z")},
		{MemoryID: "b", Revision: 2, Op: memory.OpUpdate, Content: "second text", Status: memory.Active, Reason: "before merge", At: at("2026-02-02T13:00:00Z")},
	}
	if diff := cmp.Diff(wantHistory, b.History); diff != "" {
		t.Error(diff)
	}
	if b.Memory.SessionID != "s1" || !b.Memory.ObservedAt.Equal(at("2026-02-02T09:00:00+08:00")) || b.Memory.EmotionVal != .5 {
		t.Errorf("b = %+v", b.Memory)
	}
	if b.Memory.Field("emotion_tag") != "joy" || b.Memory.Field("context") != "14:00 sync" || b.Memory.Status != memory.Active {
		t.Errorf("b = %+v", b.Memory)
	}
	if c.Memory.Status != memory.Forgotten || c.Memory.Source != "a chat" {
		t.Errorf("c = %+v", c.Memory)
	}
	if archived.Memory.Status != memory.Archived {
		t.Errorf("d = %+v", archived.Memory)
	}
}

func TestRecordedDatabases(t *testing.T) {
	tests := []struct {
		file   string
		schema int
		uris   map[string]string // content → address
	}{
		{"agent-memory-v2.1.0-sample.db", 3, map[string]string{
			"用户喜欢 TypeScript，讨厌 Java":         "knowledge://journal/2026-02-21#2200-1",
			"I am Noah, the contract keeper":  "",
			"I am Noah the second":            "core://agent/identity",
			"Alpha project uses Go 1.26":      "knowledge://a",
			"Gamma a different text entirely": "knowledge://b",
		}},
		{"agent-memory-v5.1.0-sample.db", 8, map[string]string{
			"用户喜欢 TypeScript，讨厌 Java":                      "knowledge://journal/2026-02-21#2200-1",
			"Deployed agent-memory v5.1.0 to npm at 14:00": "",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			path := recorded(t, tt.file)
			d := open(t, path)
			if d.Schema() != tt.schema {
				t.Errorf("Schema = %d, want %d", d.Schema(), tt.schema)
			}
			got := map[string]string{}
			for _, r := range records(t, d) {
				got[r.Memory.Content] = r.Memory.URI
				if r.Memory.Status != memory.Active || r.Memory.CreatedAt.IsZero() || r.Memory.Actor != "noah" {
					t.Errorf("%+v", r.Memory)
				}
			}
			if diff := cmp.Diff(tt.uris, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// recorded copies a database that the original wrote, so that the shared one
// cannot be touched.
func recorded(t *testing.T, name string) string {
	t.Helper()
	shared := os.Getenv("AGENT_MEMORY_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	raw, err := os.ReadFile(filepath.Join(shared, "golden", name))
	if err != nil {
		t.Skipf("the recorded databases are not here (set AGENT_MEMORY_SHARED): %v", err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
