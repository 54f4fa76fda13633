package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"

	"github.com/klauspost/compress/flate"
)

// Outbox returns the oldest changes that the files do not show yet, each with
// its memory as it is now (an empty one if it is gone). Damaged memories are
// left out and named by the error.
func (s *Store) Outbox(ctx context.Context, limit int) ([]memory.Pending, error) {
	rows, err := s.db.Query(ctx, "SELECT seq, namespace, memory_id, revision, op, file, record_only, tombstone, at FROM outbox ORDER BY seq LIMIT ?", limit)
	if err != nil {
		return nil, fmt.Errorf("reading the outbox: %w", err)
	}
	defer rows.Close()
	var pending []memory.Pending
	for rows.Next() {
		var p memory.Pending
		var at int64
		var left []byte
		if err := rows.Scan(&p.ID, &p.Namespace, &p.MemoryID, &p.Revision, &p.Op, &p.File, &p.RecordOnly, &left, &at); err != nil {
			return nil, fmt.Errorf("reading the outbox: %w", err)
		}
		p.Tombstone = hex.EncodeToString(left)
		p.At = time.UnixMicro(at).In(s.zone)
		pending = append(pending, p)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the outbox: %w", err)
	}
	return s.withMemories(ctx, pending)
}

// withMemories joins the memories to the changes; they are read in one query.
// That a memory is gone has the mirror take its line out of the files: it is
// only said of one whose row is not there, not of one that could not be read.
func (s *Store) withMemories(ctx context.Context, pending []memory.Pending) ([]memory.Pending, error) {
	ids := make([]string, len(pending))
	for i, p := range pending {
		ids[i] = p.MemoryID
	}
	found, err := s.ByIDs(ctx, ids)
	if err != nil && !onlyDamage(err) {
		return nil, err
	}
	byID := make(map[string]memory.Memory, len(found))
	for _, m := range found {
		byID[m.ID] = m
	}
	textless, missing := s.textless(ctx, pending, byID)
	if missing != nil {
		return nil, missing
	}
	intact := pending[:0]
	for _, p := range pending {
		m, there := byID[p.MemoryID]
		removal := p.Op == memory.OpRemove || p.Op == memory.OpPurge
		if there || !textless[p.MemoryID] && (err == nil || removal) {
			p.Memory = m
			intact = append(intact, p)
		}
	}
	for id := range textless {
		err = errors.Join(err, &DamagedError{ID: id})
	}
	return intact, err
}

// textless returns those of the memories that changes are about, and that were
// not found, whose rows are there all the same: they have lost their texts.
func (s *Store) textless(ctx context.Context, pending []memory.Pending, found map[string]memory.Memory) (map[string]bool, error) {
	var missing []string
	for _, p := range pending {
		if _, there := found[p.MemoryID]; !there {
			missing = append(missing, p.MemoryID)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(missing)
	if err != nil {
		return nil, fmt.Errorf("encoding ids: %w", err)
	}
	rows, err := s.db.Query(ctx, "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?))"+
		" AND key NOT IN (SELECT key FROM texts)", string(list))
	if err != nil {
		return nil, fmt.Errorf("looking for memories without text: %w", err)
	}
	defer rows.Close()
	textless := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("looking for memories without text: %w", err)
		}
		textless[id] = true
	}
	return textless, rows.Err()
}

// onlyDamage reports whether an error of many names damaged rows and nothing else.
func onlyDamage(err error) bool {
	var several interface{ Unwrap() []error }
	if !errors.As(err, &several) {
		return false
	}
	return !slices.ContainsFunc(several.Unwrap(), func(e error) bool {
		var d *DamagedError
		return !errors.As(e, &d)
	})
}

// damagedIDs collects the ids that an error of many names.
func damagedIDs(err error) map[string]bool {
	ids := map[string]bool{}
	var d *DamagedError
	var several interface{ Unwrap() []error }
	switch {
	case errors.As(err, &several):
		for _, e := range several.Unwrap() {
			if errors.As(e, &d) {
				ids[d.ID] = true
			}
		}
	case errors.As(err, &d):
		ids[d.ID] = true
	}
	return ids
}

// ByIDs returns the memories with these ids, in no particular order; ids that
// are gone are left out. Damaged rows are left out and named by the error.
func (s *Store) ByIDs(ctx context.Context, ids []string) ([]memory.Memory, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("encoding ids: %w", err)
	}
	rows, err := s.many(ctx, selected+"WHERE m.id IN (SELECT value FROM json_each(?))", string(list))
	if err != nil && !onlyDamage(err) {
		return nil, fmt.Errorf("reading %d memories: %w", len(ids), err)
	}
	found := make([]memory.Memory, len(rows))
	for i, r := range rows {
		found[i] = r.Memory
	}
	if err != nil {
		return found, fmt.Errorf("reading %d memories: %w", len(ids), err)
	}
	return found, nil
}

// OutboxSize returns how many changes wait, and when the oldest was committed.
func (s *Store) OutboxSize(ctx context.Context) (int, time.Time, error) {
	var n int
	var oldest sql.NullInt64
	if err := s.db.Row(ctx, "SELECT count(*), min(at) FROM outbox", nil, &n, &oldest); err != nil {
		return 0, time.Time{}, fmt.Errorf("counting the outbox: %w", err)
	}
	return n, s.timeOf(oldest), nil
}

// Published records in one transaction what the files now hold: for each file
// its text as the base of later merges, its state and the lines of its
// memories; the named changes leave the outbox.
func (s *Store) Published(ctx context.Context, files []memory.FileVersion, ids []int64) error {
	deflated := make([][]byte, len(files))
	for i, f := range files {
		var err error
		if deflated[i], err = deflate(f.Text); err != nil {
			return fmt.Errorf("packing %s: %w", f.Path, err)
		}
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for i, f := range files {
			if err := publish(tx, f, deflated[i], s.now()); err != nil {
				return fmt.Errorf("recording %s: %w", f.Path, err)
			}
		}
		for _, id := range ids {
			if _, err := tx.Exec("DELETE FROM outbox WHERE seq = ?", id); err != nil {
				return fmt.Errorf("clearing the outbox: %w", err)
			}
		}
		return nil
	})
}

func publish(tx *sqlite.Tx, f memory.FileVersion, deflated []byte, now time.Time) error {
	at := f.At
	if at.IsZero() {
		at = now
	}
	_, err := tx.Exec("INSERT INTO bases (path, hash, text, at) VALUES (?, ?, ?, ?)", f.Path, f.Hash, deflated, at.UnixMicro())
	if err != nil {
		return err
	}
	_, err = tx.Exec("DELETE FROM bases WHERE path = ?1 AND version <="+
		" (SELECT version FROM bases WHERE path = ?1 ORDER BY version DESC LIMIT 1 OFFSET ?2)", f.Path, memory.KeptVersions)
	if err != nil {
		return err
	}
	f.State.Path = f.Path
	if err := setFileState(tx, f.State); err != nil {
		return err
	}
	for id, line := range f.Lines {
		_, err := tx.Exec("UPDATE memories SET home_line = ?1 WHERE id = ?2 AND home_file = ?3 AND home_line != ?1", line, id, f.Path)
		if err != nil {
			return err
		}
	}
	return nil
}

// Bases returns the last texts that we wrote to a file, newest first: at most
// limit of them, or, for 0, all that are kept. One that cannot be unpacked is
// passed over (see UnreadableVersions): an older one is a base, too, only that
// more of a file then counts as changed.
func (s *Store) Bases(ctx context.Context, path string, limit int) ([]memory.FileVersion, error) {
	if limit <= 0 {
		limit = memory.KeptVersions
	}
	rows, err := s.db.Query(ctx, "SELECT hash, text, at FROM bases WHERE path = ? ORDER BY version DESC", path)
	if err != nil {
		return nil, fmt.Errorf("reading the versions of %s: %w", path, err)
	}
	defer rows.Close()
	var versions []memory.FileVersion
	for len(versions) < limit && rows.Next() {
		v := memory.FileVersion{Path: path}
		var deflated []byte
		var at int64
		if err := rows.Scan(&v.Hash, &deflated, &at); err != nil {
			return nil, fmt.Errorf("reading the versions of %s: %w", path, err)
		}
		if v.Text, err = inflate(deflated); err != nil {
			continue
		}
		v.At = time.UnixMicro(at).In(s.zone)
		versions = append(versions, v)
	}
	return versions, rows.Err()
}

// UnreadableVersions returns the paths of the files of which a kept version
// cannot be unpacked, sorted, each as often as it has such versions.
func (s *Store) UnreadableVersions(ctx context.Context) (paths []string, err error) {
	rows, err := s.db.Query(ctx, "SELECT path, text FROM bases ORDER BY path")
	if err != nil {
		return nil, fmt.Errorf("reading the kept versions: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var path string
		var deflated []byte
		if err := rows.Scan(&path, &deflated); err != nil {
			return nil, fmt.Errorf("reading the kept versions: %w", err)
		}
		if _, err := inflate(deflated); err != nil {
			paths = append(paths, path)
		}
	}
	return paths, rows.Err()
}

// deflate packs a text, without the megabyte that other packers keep between
// two texts.
func deflate(text string) ([]byte, error) {
	var b bytes.Buffer
	if err := flate.StatelessDeflate(&b, []byte(text), true, nil); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func inflate(deflated []byte) (string, error) {
	r := flate.NewReader(bytes.NewReader(deflated))
	text, err := io.ReadAll(r)
	return string(text), errors.Join(err, r.Close())
}
