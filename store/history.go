package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// History returns the states that a memory had before each of its changes,
// newest first; the counters' changes are not among them.
func (s *Store) History(ctx context.Context, id string) ([]memory.Revision, error) {
	current, err := s.one(ctx, "id", id, "WHERE m.id = ?", id)
	if err != nil && !memory.IsNotFound(err) {
		return nil, err
	}
	rows, err := s.db.Query(ctx, "SELECT revision, op, content, status, reason, at FROM history WHERE memory_id = ? ORDER BY revision DESC", id)
	if err != nil {
		return nil, fmt.Errorf("reading the history of %s: %w", id, err)
	}
	defer rows.Close()
	var revisions []memory.Revision
	content := current.Content
	for rows.Next() {
		r := memory.Revision{MemoryID: id}
		var old sql.NullString
		var at int64
		if err := rows.Scan(&r.Revision, &r.Op, &old, &r.Status, &r.Reason, &at); err != nil {
			return nil, fmt.Errorf("reading the history of %s: %w", id, err)
		}
		if old.Valid {
			content = old.String
		}
		r.Content, r.At = content, time.UnixMicro(at).In(s.zone)
		revisions = append(revisions, r)
	}
	return revisions, rows.Err()
}

// Backlink is a link seen from its target.
type Backlink struct {
	MemoryID string
	Relation string
}

// Backlinks returns which memories link to a target, given by its id or its URI.
func (s *Store) Backlinks(ctx context.Context, namespace, target string) ([]Backlink, error) {
	rows, err := s.db.Query(ctx, "SELECT m.id, l.relation FROM links l JOIN memories m ON m.key = l.key"+
		" WHERE l.namespace = ? AND l.target = ? ORDER BY l.key, l.relation", namespace, uriKey(target))
	if err != nil {
		return nil, fmt.Errorf("reading the links to %s: %w", target, err)
	}
	defer rows.Close()
	var links []Backlink
	for rows.Next() {
		var l Backlink
		if err := rows.Scan(&l.MemoryID, &l.Relation); err != nil {
			return nil, fmt.Errorf("reading the links to %s: %w", target, err)
		}
		links = append(links, l)
	}
	return links, rows.Err()
}

// AuditEntry is one call that changed something: when, by which tool, to which
// memory; never its content.
type AuditEntry struct {
	At   time.Time
	Tool string
	ID   string
}

// KeptAudit is how many entries of the audit log are kept, some 5 MB of them.
const KeptAudit = 100_000

// Audit notes which tools changed which memories, in one transaction, and drops
// the oldest entries beyond KeptAudit. It is
// meant to be called off the path of an answer.
func (s *Store) Audit(ctx context.Context, entries []AuditEntry) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, e := range entries {
			if _, err := tx.Exec("INSERT INTO audit (at, tool, id) VALUES (?, ?, ?)", e.At.UnixMicro(), e.Tool, e.ID); err != nil {
				return fmt.Errorf("writing the audit log: %w", err)
			}
		}
		if _, err := tx.Exec("DELETE FROM audit WHERE seq <= (SELECT max(seq) FROM audit) - ?", KeptAudit); err != nil {
			return fmt.Errorf("shortening the audit log: %w", err)
		}
		return nil
	})
}

// AuditLog returns the newest entries of the audit log, newest first.
func (s *Store) AuditLog(ctx context.Context, limit int) ([]AuditEntry, error) {
	rows, err := s.db.Query(ctx, "SELECT at, tool, id FROM audit ORDER BY seq DESC LIMIT ?", limit)
	if err != nil {
		return nil, fmt.Errorf("reading the audit log: %w", err)
	}
	defer rows.Close()
	var entries []AuditEntry
	for rows.Next() {
		var e AuditEntry
		var at int64
		if err := rows.Scan(&at, &e.Tool, &e.ID); err != nil {
			return nil, fmt.Errorf("reading the audit log: %w", err)
		}
		e.At = time.UnixMicro(at).In(s.zone)
		entries = append(entries, e)
	}
	return entries, rows.Err()
}

// bring writes the history that an imported memory had elsewhere, numbered
// below the revision that it has here.
func (b *batch) bring(m memory.Memory, earlier []memory.Revision) error {
	for i, h := range earlier {
		if h.Op == "" {
			h.Op = memory.OpUpdate
		}
		_, err := b.Exec("INSERT OR REPLACE INTO history (namespace, memory_id, revision, op, content, status, reason, at)"+
			" VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			m.Namespace, m.ID, i+1, string(h.Op), h.Content, string(h.Status), h.Reason, h.At.UnixMicro())
		if err != nil {
			return fmt.Errorf("writing the earlier history of memory %s: %w", m.ID, err)
		}
	}
	return nil
}
