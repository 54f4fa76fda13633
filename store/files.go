package store

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// FileStates returns how every known file looked when it was last read, by path.
func (s *Store) FileStates(ctx context.Context) (map[string]memory.FileState, error) {
	rows, err := s.db.Query(ctx, "SELECT path, size, mtime, hash FROM files")
	if err != nil {
		return nil, fmt.Errorf("reading the states of files: %w", err)
	}
	defer rows.Close()
	states := map[string]memory.FileState{}
	for rows.Next() {
		var f memory.FileState
		var mtime int64
		if err := rows.Scan(&f.Path, &f.Size, &mtime, &f.Hash); err != nil {
			return nil, fmt.Errorf("reading the states of files: %w", err)
		}
		f.ModTime = time.Unix(0, mtime).In(s.zone)
		states[f.Path] = f
	}
	return states, rows.Err()
}

// SetFileState remembers how a file looks now.
func (s *Store) SetFileState(ctx context.Context, f memory.FileState) error {
	return s.SetFileStates(ctx, []memory.FileState{f})
}

// SetFileStates remembers how several files look, in one transaction.
func (s *Store) SetFileStates(ctx context.Context, states []memory.FileState) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, f := range states {
			if err := setFileState(tx, f); err != nil {
				return err
			}
		}
		return nil
	})
}

func setFileState(tx *sqlite.Tx, f memory.FileState) error {
	_, err := tx.Exec("INSERT INTO files (path, size, mtime, hash) VALUES (?, ?, ?, ?)"+
		" ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime = excluded.mtime, hash = excluded.hash",
		f.Path, f.Size, f.ModTime.UnixNano(), f.Hash)
	if err != nil {
		return fmt.Errorf("remembering the state of %s: %w", f.Path, err)
	}
	return nil
}

// ForgetFile drops what is kept of a file that is gone: its state and its versions.
func (s *Store) ForgetFile(ctx context.Context, path string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, query := range []string{"DELETE FROM files WHERE path = ?", "DELETE FROM bases WHERE path = ?"} {
			if _, err := tx.Exec(query, path); err != nil {
				return fmt.Errorf("forgetting %s: %w", path, err)
			}
		}
		return nil
	})
}

// HomeEntries returns the memories whose home is a file, whatever their
// status, by line. Damaged rows are left out and named by the error.
func (s *Store) HomeEntries(ctx context.Context, file string) ([]memory.Memory, error) {
	return s.List(ctx, memory.Filter{File: file, Statuses: memory.Statuses(), Order: memory.ByHome})
}

// SetLines notes the lines on which memories stand, after their file was read.
func (s *Store) SetLines(ctx context.Context, file string, lines map[string]int) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for id, line := range lines {
			_, err := tx.Exec("UPDATE memories SET home_line = ?1 WHERE id = ?2 AND home_file = ?3 AND home_line != ?1", line, id, file)
			if err != nil {
				return fmt.Errorf("noting the lines of %s: %w", file, err)
			}
		}
		return nil
	})
}

// Hide keeps a memory out of a projection file until a time, or for good if it is zero.
func (s *Store) Hide(ctx context.Context, path, id string, until time.Time) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("INSERT INTO hidden (path, memory_id, until) VALUES (?, ?, ?)"+
			" ON CONFLICT DO UPDATE SET until = excluded.until", path, id, micros(until))
		if err != nil {
			return fmt.Errorf("hiding a memory from %s: %w", path, err)
		}
		return nil
	})
}

// Hidden returns the ids that a projection file is not to show at a time.
func (s *Store) Hidden(ctx context.Context, path string, at time.Time) (map[string]bool, error) {
	rows, err := s.db.Query(ctx, "SELECT memory_id FROM hidden WHERE path = ? AND (until IS NULL OR until > ?)", path, at.UnixMicro())
	if err != nil {
		return nil, fmt.Errorf("reading what %s hides: %w", path, err)
	}
	defer rows.Close()
	ids := map[string]bool{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("reading what %s hides: %w", path, err)
		}
		ids[id] = true
	}
	return ids, rows.Err()
}
