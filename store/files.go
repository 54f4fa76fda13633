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

// ForgetFile drops what is kept of files that are gone: their states and versions.
func (s *Store) ForgetFile(ctx context.Context, paths ...string) error {
	if len(paths) == 0 {
		return nil
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, path := range paths {
			for _, query := range []string{"DELETE FROM files WHERE path = ?", "DELETE FROM bases WHERE path = ?"} {
				if _, err := tx.Exec(query, path); err != nil {
					return fmt.Errorf("forgetting %s: %w", path, err)
				}
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
