package capture

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"

	"github.com/klauspost/compress/zstd"
)

const (
	newestSchema = 23      // of OpenClaw's agent database, the newest that was seen
	maxEvent     = 8 << 20 // bytes of an unpacked event; the host packs up to 4 MiB
)

// Database is a Source of the conversations in an OpenClaw agent's database
// (~/.openclaw/agents/<agent>/agent/openclaw-agent.sqlite). It is only read.
type Database struct {
	db      *sqlite.DB
	agent   string
	packed  bool // event_zstd is there
	started bool // created_via and its like are there
	dated   bool // the time of an event is there
	unpack  *zstd.Decoder
}

// OpenDatabase opens an agent's database for reading. It refuses a newer
// schema than it knows, and one without the tables that it needs.
func OpenDatabase(ctx context.Context, path, agent string) (*Database, error) {
	db, err := sqlite.Open(sqlite.Options{Path: path, ReadOnly: true, Readers: 2})
	if err != nil {
		return nil, fmt.Errorf("opening the conversations of OpenClaw: %w", err)
	}
	d := &Database{db: db, agent: agent}
	if err := d.check(ctx); err != nil {
		db.Close()
		return nil, err
	}
	if d.unpack, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxEvent)); err != nil {
		db.Close()
		return nil, fmt.Errorf("preparing to unpack events: %w", err)
	}
	return d, nil
}

// Close releases the database.
func (d *Database) Close() error {
	d.unpack.Close()
	return d.db.Close()
}

func (d *Database) check(ctx context.Context) error {
	var version int
	if err := d.db.Row(ctx, "PRAGMA user_version", nil, &version); err != nil {
		return memory.Errorf(memory.Unavailable, "reading OpenClaw's database: %w", err)
	}
	if version > newestSchema {
		return memory.Errorf(memory.Unavailable, "OpenClaw's database has schema %d, newer than %d", version, newestSchema).
			WithHint("a newer agent-memory may know it")
	}
	need := map[string][]string{
		"transcript_events":                {"session_id", "seq", "event_json"},
		"session_transcript_active_events": {"session_id", "active_position", "event_seq"},
		"session_windows":                  {"session_id", "session_key"},
		"session_nodes":                    {"session_key"},
	}
	for table, columns := range need {
		have, err := d.columns(ctx, table)
		if err != nil {
			return err
		}
		for _, c := range columns {
			if !have[c] {
				return memory.Errorf(memory.Unavailable, "OpenClaw's database (schema %d) has no %s.%s", version, table, c)
			}
		}
		d.packed = d.packed || have["event_zstd"]
		d.dated = d.dated || table == "transcript_events" && have["created_at"]
		d.started = d.started || table == "session_nodes" && have["created_via"] && have["created_actor_type"] && have["spawned_by"] && have["parent_session_key"]
	}
	return nil
}

func (d *Database) columns(ctx context.Context, table string) (map[string]bool, error) {
	rows, err := d.db.Query(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, fmt.Errorf("looking at %s: %w", table, err)
	}
	defer rows.Close()
	have := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("looking at %s: %w", table, err)
		}
		have[name] = true
	}
	return have, rows.Err()
}

// conversationsQuery lists every session with the number of its last event. Its
// variable part is a constant of this file.
func (d *Database) conversationsQuery() string {
	made := "'', '', '', ''"
	if d.started {
		made = "coalesce(n.created_via, ''), coalesce(n.created_actor_type, ''), coalesce(n.spawned_by, ''), coalesce(n.parent_session_key, '')"
	}
	at := "NULL"
	if d.dated {
		at = "(SELECT max(e.created_at) FROM transcript_events e WHERE e.session_id = w.session_id)"
	}
	return "SELECT w.session_id, w.session_key, " + made + ", coalesce((SELECT max(e.seq) FROM transcript_events e WHERE e.session_id = w.session_id), 0), CAST(coalesce(" + at + ", '') AS TEXT)" +
		" FROM session_windows w LEFT JOIN session_nodes n ON n.session_key = w.session_key ORDER BY w.session_id"
}

// Conversations implements Source. The list is complete before each is called,
// so that no read transaction keeps the host from emptying its log.
func (d *Database) Conversations(ctx context.Context, each func(Conversation) error) error {
	all, err := d.list(ctx)
	if err != nil {
		return err
	}
	for _, c := range all {
		if err := each(c); err != nil {
			return err
		}
	}
	return nil
}

func (d *Database) list(ctx context.Context) ([]Conversation, error) {
	rows, err := d.db.Query(ctx, d.conversationsQuery())
	if err != nil {
		return nil, memory.Errorf(memory.Unavailable, "listing OpenClaw's conversations: %w", err)
	}
	defer rows.Close()
	var all []Conversation
	for rows.Next() {
		c := Conversation{Host: OpenClaw}
		var via, actor, spawnedBy, last string
		if err := rows.Scan(&c.ID, &c.Path, &via, &actor, &spawnedBy, &c.Parent, &c.Size, &last); err != nil {
			return nil, fmt.Errorf("listing OpenClaw's conversations: %w", err)
		}
		if c.Kind, c.Agent = openClawKind(c.Path); c.Agent == "" {
			c.Agent = d.agent
		}
		c.Modified = eventTime(last)
		c.Kind = startedKind(c.Kind, via, actor, spawnedBy != "" || c.Parent != "")
		all = append(all, c)
	}
	return all, rows.Err()
}

// eventTime reads the time of an event as the host writes it: a number, or text.
func eventTime(s string) time.Time {
	if at := instant(json.RawMessage(s)); !at.IsZero() {
		return at
	}
	return instant(json.RawMessage(strconv.Quote(s)))
}

// startedKind refines what the key says by what the database says.
func startedKind(byKey Kind, via, actor string, spawned bool) Kind {
	switch {
	case byKey != Interactive:
		return byKey
	case via == "cron":
		return Scheduled
	case via == "spawn" || spawned:
		return SubAgent
	case via == "plugin" || via == "internal" || actor == "system":
		return Bot
	}
	return Interactive
}

// Read implements Source: the events of the active branch after the cursor.
func (d *Database) Read(ctx context.Context, c *Conversation, from Cursor, each func(Message) error) (Outcome, error) {
	out := Outcome{Cursor: from}
	var last sql.NullInt64
	if err := d.db.Row(ctx, "SELECT max(seq) FROM transcript_events WHERE session_id = ?", []any{c.ID}, &last); err != nil {
		return out, memory.Errorf(memory.Unavailable, "reading an OpenClaw conversation: %w", err)
	}
	if from.Number > last.Int64 {
		out.Cursor, out.Restarted = Cursor{}, true
	}
	packed := "NULL"
	if d.packed {
		packed = "e.event_zstd"
	}
	rows, err := d.db.Query(ctx, "SELECT e.seq, e.event_json, "+packed+" FROM session_transcript_active_events a"+
		" JOIN transcript_events e ON e.session_id = a.session_id AND e.seq = a.event_seq"+
		" WHERE a.session_id = ? AND a.event_seq > ? ORDER BY a.active_position", c.ID, out.Cursor.Number)
	if err != nil {
		return out, memory.Errorf(memory.Unavailable, "reading an OpenClaw conversation: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := d.event(rows, c, &out, each); err != nil {
			return out, err
		}
	}
	return out, rows.Err()
}

func (d *Database) event(rows *sql.Rows, c *Conversation, out *Outcome, each func(Message) error) error {
	var seq int64
	var text sql.NullString
	var packed []byte
	if err := rows.Scan(&seq, &text, &packed); err != nil {
		return fmt.Errorf("reading an OpenClaw event: %w", err)
	}
	messages, err := d.decode(text, packed, c)
	if err != nil {
		out.bad(seq, err.Error())
	}
	for _, m := range messages {
		m.Number, m.Before = seq, out.Cursor
		if err := each(m); err != nil {
			return err
		}
		out.Messages++
		c.Modified = later(c.Modified, m.At)
	}
	out.Cursor.Number = max(out.Cursor.Number, seq)
	return nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (d *Database) decode(text sql.NullString, packed []byte, c *Conversation) ([]Message, error) {
	raw := []byte(text.String)
	if !text.Valid {
		var err error
		if raw, err = d.unpack.DecodeAll(packed, nil); err != nil {
			return nil, fmt.Errorf("unpacking an event of %d bytes: %w", len(packed), err)
		}
	}
	if strings.TrimSpace(string(raw)) == "" {
		return nil, fmt.Errorf("an empty event")
	}
	return openClawFormat{}.decode(raw, c)
}
