package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// Damaged reports whether an error says that the database is damaged. A newer
// one, or another program's, is not.
func Damaged(err error) bool {
	var row *DamagedError
	return sqlite.Damaged(err) || errors.Is(err, errInconsistent) || errors.As(err, &row)
}

var errInconsistent = errors.New("the database is damaged")

// Foreign reports whether an error says that a file is no database at all.
func Foreign(err error) bool { return sqlite.Foreign(err) }

// logs are the files that belong to a database, by what follows its name.
func logs() []string { return []string{"-wal", "-shm"} }

const damagedMark = ".damaged-"

// PutAside renames a database and its log, so that a new one can be made in its
// place, and returns the new name. Nothing is deleted. Nobody may have it open.
func PutAside(path string, at time.Time) (string, error) {
	aside := path + damagedMark + at.UTC().Format("20060102T150405Z")
	if _, err := os.Lstat(aside); err == nil {
		return "", memory.Errorf(memory.Unavailable, "%s exists already", aside)
	}
	// The database first: a log without its database is discarded, a database
	// without its log would be taken for good although the last commits lack.
	if err := os.Rename(path, aside); err != nil {
		return "", fmt.Errorf("putting the damaged database aside: %w", err)
	}
	for _, suffix := range logs() {
		if err := os.Rename(path+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return aside, fmt.Errorf("putting the damaged database's log aside: %w", err)
		}
	}
	return aside, nil
}

// Aside lists the damaged databases that were put aside beside a database.
func Aside(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil // whoever needs the folder says what is wrong with it
	}
	var found []string
	for _, e := range entries {
		name, mine := strings.CutPrefix(e.Name(), filepath.Base(path)+damagedMark)
		if mine && !strings.Contains(name, "-") {
			found = append(found, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return found
}

// Suspect notes that damage was met: the next start verifies everything.
func Suspect(path string) error {
	if err := os.WriteFile(path+suspectMark, nil, 0o600); err != nil {
		return fmt.Errorf("noting that the database is damaged: %w", err)
	}
	return nil
}

const suspectMark = ".suspect"

// Suspected reports whether damage was met since the database was last verified.
func Suspected(path string) bool {
	_, err := os.Lstat(path + suspectMark)
	return err == nil
}

// Cleared takes the note of Suspect back.
func Cleared(path string) error {
	if err := os.Remove(path + suspectMark); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("noting that the database is whole: %w", err)
	}
	return nil
}

// Verify reads everything and fails with an error for which Damaged holds when
// bytes make no sense. It takes time in proportion to the store.
func (s *Store) Verify(ctx context.Context) error {
	findings, err := s.Check(ctx)
	if err != nil || len(findings) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", errInconsistent, findings[0])
}
