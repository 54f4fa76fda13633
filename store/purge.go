package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// purge leaves a tombstone, scrubs the bases of merges, the access and audit
// logs keep the id only, and notes that the files and the log still have to follow.
func (b *batch) purge(old row) error {
	if err := bury(b.Tx, old.Namespace, b.store.tombstone(old.Content), b.at.UnixMicro()); err != nil {
		return err
	}
	if err := b.scrubBases(old.Memory); err != nil {
		return fmt.Errorf("scrubbing kept versions of files: %w", err)
	}
	_, err := b.Exec("INSERT OR REPLACE INTO purges (memory_id, namespace, file, at) VALUES (?, ?, ?, ?)",
		old.ID, old.Namespace, old.Home.File, b.at.UnixMicro())
	if err != nil {
		return fmt.Errorf("noting a purge: %w", err)
	}
	return nil
}

// scrubBases takes every line that shows a memory out of the kept versions of
// all files. A base that lacks a line which file and store have alike changes
// no merge, so one line too many does no harm.
func (b *batch) scrubBases(m memory.Memory) error {
	rows, err := b.Query("SELECT version, text FROM bases")
	if err != nil {
		return err
	}
	scrubbed := map[int64][]byte{}
	defer rows.Close()
	for rows.Next() {
		var version int64
		var deflated []byte
		if err := rows.Scan(&version, &deflated); err != nil {
			return err
		}
		text, err := inflate(deflated)
		if err != nil {
			return err
		}
		if clean := withoutLines(text, m); clean != text {
			if scrubbed[version], err = deflate(clean); err != nil {
				return err
			}
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for version, deflated := range scrubbed {
		if _, err := b.Exec("UPDATE bases SET text = ? WHERE version = ?", deflated, version); err != nil {
			return err
		}
	}
	return nil
}

// withoutLines drops the lines of text that name the memory's id or hold a
// line of its title, content or fields.
func withoutLines(text string, m memory.Memory) string {
	wanted := append([]string{m.Title}, strings.Split(m.Content, "\n")...)
	for _, f := range m.Fields {
		wanted = append(wanted, strings.Split(f.Value, "\n")...)
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "am:"+m.ID) && !shows(line, wanted) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// shows reports whether a line of Markdown holds one of the wanted lines, as a
// whole or, if that is long enough to mean something, in part.
func shows(line string, wanted []string) bool {
	const meaningful = 8 // bytes
	plain := strings.ReplaceAll(line, `<\`, `<`)
	bare, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(plain), "-*#> "), " <!-- am:")
	for _, w := range wanted {
		w = strings.ReplaceAll(strings.TrimSpace(w), `<\`, `<`)
		if w != "" && (bare == w || len(w) >= meaningful && strings.Contains(plain, w)) {
			return true
		}
	}
	return false
}

// Purge is a purge that has left the tables, but perhaps not yet the log and
// the files.
type Purge struct {
	MemoryID  string
	Namespace string
	File      string
	At        time.Time
}

// PendingPurges returns the purges that FinishPurge has not ended.
func (s *Store) PendingPurges(ctx context.Context) ([]Purge, error) {
	rows, err := s.db.Query(ctx, "SELECT memory_id, namespace, file, at FROM purges ORDER BY at, memory_id")
	if err != nil {
		return nil, fmt.Errorf("reading the pending purges: %w", err)
	}
	defer rows.Close()
	var pending []Purge
	for rows.Next() {
		var p Purge
		var at int64
		if err := rows.Scan(&p.MemoryID, &p.Namespace, &p.File, &at); err != nil {
			return nil, fmt.Errorf("reading the pending purges: %w", err)
		}
		p.At = time.UnixMicro(at).In(s.zone)
		pending = append(pending, p)
	}
	return pending, rows.Err()
}

// FinishPurge empties the log and, when no reader kept it from that, ends the
// purges of these ids. It reports false while purged bytes may still be in the
// log; call it again later. Call it when the files are clean.
func (s *Store) FinishPurge(ctx context.Context, ids []string) (bool, error) {
	busy, err := s.Checkpoint(ctx)
	if err != nil || busy {
		return false, err
	}
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, id := range ids {
			if _, err := tx.Exec("DELETE FROM purges WHERE memory_id = ?", id); err != nil {
				return fmt.Errorf("ending the purge of %s: %w", id, err)
			}
		}
		return nil
	})
	return err == nil, err
}

// Checkpoint copies the log into the database and empties it; busy tells that
// a reader kept it from emptying, so that removed bytes are still on the disk.
func (s *Store) Checkpoint(ctx context.Context) (busy bool, err error) {
	if busy, err = s.db.Checkpoint(ctx); err != nil {
		return busy, fmt.Errorf("emptying the log: %w", err)
	}
	return busy, nil
}

// Vacuum rewrites the database without its free pages. It needs as much free
// disk space again and blocks writers meanwhile.
func (s *Store) Vacuum(ctx context.Context) error {
	if err := s.db.Exec(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("vacuuming: %w", err)
	}
	return nil
}
