package capture_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentmemory/internal/capture"
	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"

	"github.com/google/go-cmp/cmp"
)

// agentSchema are the tables of OpenClaw's agent database, schema 23, as far
// as a reader needs them.
const agentSchema = `
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, created_via TEXT, created_actor_type TEXT,
  parent_session_key TEXT, spawned_by TEXT, label TEXT, created_at INTEGER, updated_at INTEGER) WITHOUT ROWID;
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT NOT NULL, previous_session_id TEXT, reason TEXT,
  started_at INTEGER, ended_at INTEGER, chat_type TEXT, channel TEXT) WITHOUT ROWID;
CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, event_zstd BLOB, created_at INTEGER,
  event_utf8_bytes INTEGER, PRIMARY KEY (session_id, seq)) WITHOUT ROWID;
CREATE TABLE session_transcript_active_events (session_id TEXT NOT NULL, active_position INTEGER NOT NULL, event_seq INTEGER NOT NULL,
  message_position INTEGER, context_eligible INTEGER, PRIMARY KEY (session_id, active_position)) WITHOUT ROWID;
PRAGMA user_version = 23;`

// agent is an OpenClaw database that a test writes, as the host would.
type agent struct {
	t    *testing.T
	path string
	db   *sqlite.DB
}

func newAgent(t *testing.T, schema string) *agent {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agents", "main", "agent", "openclaw-agent.sqlite")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	a := &agent{t, path, db}
	for _, s := range strings.Split(schema, ";") {
		if strings.TrimSpace(s) != "" {
			a.exec(s)
		}
	}
	return a
}

func (a *agent) exec(query string, args ...any) {
	a.t.Helper()
	err := a.db.Write(a.t.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
}

func (a *agent) session(id, key, via, actor, spawnedBy string) {
	a.exec("INSERT INTO session_nodes (session_key, current_session_id, created_via, created_actor_type, spawned_by) VALUES (?, ?, ?, ?, nullif(?, ''))", key, id, via, actor, spawnedBy)
	a.exec("INSERT INTO session_windows (session_id, session_key, reason) VALUES (?, ?, 'initial')", id, key)
}

func event(id, role, text string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"timestamp":"2026-09-20T09:00:00.000Z","message":{"role":%q,"content":[{"type":"text","text":%q}],"timestamp":1789894800000}}`, id, role, text)
}

// say adds an event to the active branch.
func (a *agent) say(session string, seq int, text string) {
	a.exec("INSERT INTO transcript_events (session_id, seq, event_json) VALUES (?, ?, ?)", session, seq, text)
	a.exec("INSERT INTO session_transcript_active_events (session_id, active_position, event_seq) VALUES (?, ?, ?)", session, seq, seq)
}

func (a *agent) sayPacked(session string, seq int, text string) {
	a.exec("INSERT INTO transcript_events (session_id, seq, event_zstd) VALUES (?, ?, ?)", session, seq, packed(a.t, text))
	a.exec("INSERT INTO session_transcript_active_events (session_id, active_position, event_seq) VALUES (?, ?, ?)", session, seq, seq)
}

func (a *agent) open() *capture.Database {
	a.t.Helper()
	d, err := capture.OpenDatabase(a.t.Context(), a.path, "main")
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { d.Close() })
	return d
}

func TestDatabaseTellsWhoStartedAConversation(t *testing.T) {
	a := newAgent(t, agentSchema)
	a.session("s1", "agent:main:telegram:direct:42", "channel", "human", "")
	a.session("s2", "agent:main:cron:job1:run:7", "cron", "system", "")
	a.session("s3", "agent:ops:subagent:x:subagent:y", "spawn", "agent", "agent:ops:main")
	a.session("s4", "hook:3f2c", "internal", "system", "")
	a.session("s5", "agent:main:main:active-memory:1", "internal", "agent", "")
	a.session("s6", "agent:main:main:heartbeat", "internal", "system", "")
	a.session("s7", "agent:main:odd", "cron", "human", "")
	a.session("s8", "agent:main:spawned", "talk", "agent", "agent:main:main")
	a.session("s9", "cron:nightly", "cron", "system", "")
	var got []string
	for _, c := range conversations(t, a.open()) {
		got = append(got, fmt.Sprintf("%s %s %s", c.ID, c.Kind, c.Agent))
	}
	want := []string{"s1 interactive main", "s2 scheduled main", "s3 subagent ops", "s4 hook main", "s5 bot main", "s6 heartbeat main",
		"s7 scheduled main", "s8 subagent main", "s9 scheduled main"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDatabaseEventsOfTheActiveBranch(t *testing.T) {
	a := newAgent(t, agentSchema)
	a.session("s1", "agent:main:main", "operator", "human", "")
	a.say("s1", 1, `{"type":"session","version":4,"id":"s1","timestamp":"2026-09-20T09:00:00.000Z"}`)
	a.say("s1", 2, event("m1", "user", "short"))
	a.sayPacked("s1", 3, event("m2", "assistant", strings.Repeat("长", 2000)))
	a.exec("INSERT INTO transcript_events (session_id, seq, event_json) VALUES ('s1', 4, ?)", event("m3", "user", "on another branch"))
	a.say("s1", 5, event("m4", "toolResult", "result"))
	a.say("s1", 6, "{broken")
	a.exec("INSERT INTO transcript_events (session_id, seq, event_zstd) VALUES ('s1', 7, x'00112233')")
	a.exec("INSERT INTO session_transcript_active_events VALUES ('s1', 7, 7, NULL, NULL)")
	d := a.open()
	c := conversations(t, d)[0]
	messages, out := read(t, d, &c, capture.Cursor{})
	if len(messages) != 3 || messages[0].Text != "short" || messages[1].Text != strings.Repeat("长", 2000) || messages[2].Nature != capture.Tool {
		t.Errorf("%+v", messages)
	}
	if out.Bad != 2 || out.Cursor.Number != 7 || messages[1].Number != 3 {
		t.Errorf("%+v", out)
	}
	a.say("s1", 8, event("m5", "user", "later"))
	more, out := read(t, d, &c, out.Cursor)
	if !slices.Equal(texts(more), []string{"later"}) || out.Restarted {
		t.Errorf("%v %+v", texts(more), out)
	}
	a.exec("DELETE FROM transcript_events WHERE seq > 2") // the session was reset
	if again, out := read(t, d, &c, out.Cursor); !out.Restarted || !slices.Equal(texts(again), []string{"short"}) {
		t.Errorf("%v %+v", texts(again), out)
	}
}

func TestDatabaseBeforePackedEvents(t *testing.T) {
	schema := strings.NewReplacer(" event_zstd BLOB,", "", "user_version = 23", "user_version = 20", "created_via TEXT, ", "").Replace(agentSchema)
	a := newAgent(t, schema)
	a.exec("INSERT INTO session_nodes (session_key) VALUES ('agent:main:main')")
	a.exec("INSERT INTO session_windows (session_id, session_key) VALUES ('s1', 'agent:main:main')")
	a.exec("INSERT INTO transcript_events (session_id, seq, event_json) VALUES ('s1', 1, ?)", event("m1", "user", "hello"))
	a.exec("INSERT INTO session_transcript_active_events (session_id, active_position, event_seq) VALUES ('s1', 1, 1)")
	d := a.open()
	c := conversations(t, d)[0]
	if messages, _ := read(t, d, &c, capture.Cursor{}); !slices.Equal(texts(messages), []string{"hello"}) || c.Kind != capture.Interactive {
		t.Errorf("%v %+v", texts(messages), c)
	}
}

func TestUnknownDatabasesAreRefused(t *testing.T) {
	for name, schema := range map[string]string{
		"newer":          strings.Replace(agentSchema, "user_version = 23", "user_version = 24", 1),
		"without tables": "PRAGMA user_version = 23",
		"other columns":  strings.Replace(agentSchema, "event_json TEXT", "payload TEXT", 1),
	} {
		a := newAgent(t, schema)
		if d, err := capture.OpenDatabase(t.Context(), a.path, "main"); memory.CodeOf(err) != memory.Unavailable {
			t.Errorf("%s: %v %v", name, d, err)
		}
	}
	path := filepath.Join(t.TempDir(), "no database")
	write(t, path, strings.Repeat("not a database ", 100))
	if _, err := capture.OpenDatabase(t.Context(), path, "main"); memory.CodeOf(err) != memory.Unavailable {
		t.Errorf("no database: %v", err)
	}
}

func TestDatabasesAreFound(t *testing.T) {
	a := newAgent(t, agentSchema)
	agents := filepath.Dir(filepath.Dir(filepath.Dir(a.path)))
	found, err := capture.FindDatabases(agents)
	if err != nil || len(found) != 1 || found[0] != (capture.AgentDatabase{Agent: "main", Path: a.path}) {
		t.Errorf("%v %v", found, err)
	}
}
