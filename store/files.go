package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// fewFiles is up to how many files are looked up one by one.
const fewFiles = 8

// FileStates returns, by path, how the known files looked when they were last
// read: all of them or, where names are given, at least these. All are read as one
// text: a store of years has a thousand files, and a row costs more than what it holds.
// No path holds the character that separates them.
func (s *Store) FileStates(ctx context.Context, names ...string) (map[string]memory.FileState, error) {
	if 0 < len(names) && len(names) <= fewFiles {
		return s.statesOf(ctx, names)
	}
	var n int
	var text string
	query := "SELECT count(*), ifnull(group_concat(concat_ws(',', size, mtime, hash, path), char(0)), '') FROM files"
	if err := s.db.Row(ctx, query, nil, &n, &text); err != nil {
		return nil, fmt.Errorf("reading the states of files: %w", err)
	}
	states := make(map[string]memory.FileState, n)
	for rest, more := text, n > 0; more; {
		var line string
		line, rest, more = strings.Cut(rest, "\x00")
		f, err := s.fileState(line)
		if err != nil {
			return nil, fmt.Errorf("reading the state of file %.60q: %w", f.Path, err)
		}
		states[f.Path] = f
	}
	return states, nil
}

func (s *Store) statesOf(ctx context.Context, names []string) (map[string]memory.FileState, error) {
	states := make(map[string]memory.FileState, len(names))
	for _, name := range names {
		f := memory.FileState{Path: name}
		var mtime int64
		err := s.db.Row(ctx, "SELECT size, mtime, hash FROM files WHERE path = ?", []any{name}, &f.Size, &mtime, &f.Hash)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the state of file %.60q: %w", name, err)
		}
		f.ModTime = time.Unix(0, mtime).In(s.zone)
		states[name] = f
	}
	return states, nil
}

// fileState takes apart what FileStates reads of a file.
func (s *Store) fileState(line string) (f memory.FileState, err error) {
	var mtime int64
	if err := errors.Join(cutNumber(&line, &f.Size), cutNumber(&line, &mtime)); err != nil {
		return f, err
	}
	f.ModTime = time.Unix(0, mtime).In(s.zone)
	f.Hash, f.Path, _ = strings.Cut(line, ",")
	return f, nil
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
