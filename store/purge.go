package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// purge scrubs the bases of merges and notes that the files and SQLite's log
// still have to follow. The access and audit logs hold the id only.
func (b *batch) purge(old row) error {
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
	return b.store.scrubVersions(b.Tx, "", func(text string) string { return withoutLines(text, m) })
}

// ScrubBases replaces the text of every kept version of a file by what scrub
// makes of it.
func (s *Store) ScrubBases(ctx context.Context, path string, scrub func(text string) string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if err := s.scrubVersions(tx, path, scrub); err != nil {
			return fmt.Errorf("scrubbing kept versions of %s: %w", path, err)
		}
		return nil
	})
}

// scrubVersions rewrites the kept versions of one file, or of all if path is empty.
func (s *Store) scrubVersions(tx *sqlite.Tx, path string, scrub func(string) string) error {
	scrubbed, unreadable, err := scrubbedVersions(tx, path, scrub)
	if err != nil {
		return err
	}
	for _, version := range unreadable { // nobody can say what words are in it
		if _, err := tx.Exec("DELETE FROM bases WHERE version = ?", version); err != nil {
			return err
		}
	}
	for version, clean := range scrubbed {
		deflated, err := deflate(clean)
		if err != nil {
			return err
		}
		sum := sha256.Sum256([]byte(clean))
		if _, err := tx.Exec("UPDATE bases SET text = ?, hash = ? WHERE version = ?", deflated, hex.EncodeToString(sum[:]), version); err != nil {
			return err
		}
	}
	return nil
}

// scrubbedVersions returns the versions that change, with their new text, and
// those that cannot be unpacked.
func scrubbedVersions(tx *sqlite.Tx, path string, scrub func(string) string) (scrubbed map[int64]string, unreadable []int64, err error) {
	rows, err := tx.Query("SELECT version, text FROM bases WHERE ?1 = '' OR path = ?1", path)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	scrubbed = map[int64]string{}
	for rows.Next() {
		var version int64
		var deflated []byte
		if err := rows.Scan(&version, &deflated); err != nil {
			return nil, nil, err
		}
		text, err := inflate(deflated)
		if err != nil {
			unreadable = append(unreadable, version)
			continue
		}
		if clean := scrub(text); clean != text {
			scrubbed[version] = clean
		}
	}
	return scrubbed, unreadable, rows.Err()
}

// withoutLines drops the lines of text that name the memory's id or hold a line
// of its title or content, and with the heading of a card the fields below it.
func withoutLines(text string, m memory.Memory) string {
	wanted, filled := m.Sought(), m.Filled()
	var b strings.Builder
	inCard := false
	for line := range strings.Lines(text) {
		heading := strings.HasPrefix(line, "#")
		inCard = inCard && !heading
		switch {
		case strings.Contains(line, "am:"+m.ID) || shows(line, wanted):
			inCard = inCard || heading && len(m.Fields) > 0
		case inCard && strings.HasPrefix(strings.TrimSpace(line), "- ") || slices.Contains(filled, unmarked(line)):
		default:
			inCard = inCard && strings.TrimSpace(line) == ""
			b.WriteString(line)
		}
	}
	return b.String()
}

// shows reports whether a line of Markdown holds one of the wanted lines, as a
// whole or, if that is long enough to mean something, in part.
func shows(line string, wanted []string) bool {
	const meaningful = 8 // bytes
	plain, bare := strings.ReplaceAll(line, `<\`, `<`), unmarked(line)
	for _, w := range wanted {
		w = strings.ReplaceAll(strings.TrimSpace(w), `<\`, `<`)
		if w != "" && (bare == w || len(w) >= meaningful && strings.Contains(plain, w)) {
			return true
		}
	}
	return false
}

// unmarked is the text of a line without its mark and our comment.
func unmarked(line string) string {
	bare, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(strings.ReplaceAll(line, `<\`, `<`)), "-*#> "), " <!-- am:")
	return bare
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

// FinishPurge merges the full-text index, so that it forgets removed terms,
// drops the models learned from the store, rewrites the database, because pages
// keep pieces of what once stood in them, empties the log and, when no reader
// kept it from that, ends the purges of these ids. It reports false while purged
// bytes may still be in the log; call it again later. Call it when the files are
// clean. Writers wait meanwhile.
func (s *Store) FinishPurge(ctx context.Context, ids []string) (bool, error) {
	if err := s.mergeIndex(ctx); err != nil {
		return false, err
	}
	if dropsLearned {
		if err := s.dropLearned(ctx); err != nil {
			return false, err
		}
	}
	if err := s.db.Exec(ctx, "VACUUM"); err != nil {
		return false, fmt.Errorf("rewriting the database: %w", err)
	}
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

// dropLearned removes the models that were learned from the store itself, for
// they list its words; the next training makes new ones from what is left.
func (s *Store) dropLearned(ctx context.Context) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		const learned = "(SELECT generation FROM generations WHERE provider = 'builtin')"
		for _, query := range []string{"DELETE FROM vectors WHERE generation IN " + learned, "DELETE FROM generations WHERE generation IN " + learned} {
			if _, err := tx.Exec(query); err != nil {
				return fmt.Errorf("dropping learned models: %w", err)
			}
		}
		return nil
	})
}

// mergedPages is how much of the index one transaction merges.
const mergedPages = 400

// mergeIndex merges all parts of the full-text index into one. A negative
// number of pages begins that, positive ones go on, until nothing changes.
func (s *Store) mergeIndex(ctx context.Context) error {
	for pages, more := -mergedPages, true; more; pages = mergedPages {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("merging the full-text index: %w", err)
		}
		err := s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
			more, err = mergeSome(tx, pages)
			return err
		})
		if err != nil {
			return fmt.Errorf("merging the full-text index: %w", err)
		}
	}
	return nil
}

func mergeSome(tx *sqlite.Tx, pages int) (more bool, err error) {
	var before, after int64
	if _, err := tx.Row("SELECT total_changes()", nil, &before); err != nil {
		return false, err
	}
	if _, err := tx.Exec("INSERT INTO search (search, rank) VALUES ('merge', ?)", pages); err != nil {
		return false, err
	}
	if _, err := tx.Row("SELECT total_changes()", nil, &after); err != nil {
		return false, err
	}
	return after-before >= 2, nil // fewer: there was nothing to merge
}

// Checkpoint copies the log into the database and empties it; busy tells that
// a reader kept it from emptying, so that removed bytes are still on the disk.
func (s *Store) Checkpoint(ctx context.Context) (busy bool, err error) {
	if busy, err = s.db.Checkpoint(ctx); err != nil {
		return busy, fmt.Errorf("emptying the log: %w", err)
	}
	return busy, nil
}
