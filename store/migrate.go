package store

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks the file as ours ("amem"), for PRAGMA application_id.
const applicationID = 0x616d656d

type migration struct {
	version int
	name    string
	text    string
}

// migrations returns all of them in order; their numbers count from 1 without gaps.
func migrations() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("listing the migrations: %w", err)
	}
	var all []migration
	for i, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("reading migration %s: %w", name, err)
		}
		number, title, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".sql"), "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != i+1 {
			return nil, fmt.Errorf("migration %s is not number %d", name, i+1)
		}
		all = append(all, migration{version, title, string(text)})
	}
	return all, nil
}

// refuseNewer looks at an existing file without changing a byte of it.
func refuseNewer(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	db, err := sqlite.Open(sqlite.Options{Path: path, Glance: true, Readers: 1})
	if err != nil {
		return err
	}
	return errors.Join(judge(ctx, db), db.Close())
}

// judge refuses what another program, or a newer version of this one, wrote.
func judge(ctx context.Context, db *sqlite.DB) error {
	known, err := migrations()
	if err != nil {
		return err
	}
	version, application, err := versions(ctx, db)
	if err != nil {
		return fmt.Errorf("looking at the store's version: %w", err)
	}
	switch {
	case version == 0 && application == 0:
		return nil
	case application != applicationID:
		return memory.Errorf(memory.InvalidArgument, "%s is a database of another program", db.Path()).
			WithHint("choose another path, or import the file with `agent-memory import`")
	case version > len(known):
		return newerStore("the store has schema version %d, this program knows up to %d", version, len(known))
	}
	var analysis int
	err = db.Row(ctx, "SELECT CAST(CAST(value AS TEXT) AS INTEGER) FROM meta WHERE key = 'text_version'", nil, &analysis)
	if err != nil {
		return fmt.Errorf("looking at the version of the index: %w", err)
	}
	if analysis > text.Version {
		return newerStore("the index was made by text analysis %d, this program has %d", analysis, text.Version)
	}
	return nil
}

func newerStore(format string, args ...any) error {
	return memory.Errorf(memory.NewerStore, format, args...).
		WithHint("use the newer agent-memory that wrote it; nothing was changed")
}

func versions(ctx context.Context, db *sqlite.DB) (version, application int, err error) {
	err = db.Row(ctx, "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id", nil, &version, &application)
	return version, application, err
}

// migrate applies the missing migrations in one transaction.
func (s *Store) migrate(ctx context.Context) error {
	known, err := migrations()
	if err != nil {
		return err
	}
	version, _, err := versions(ctx, s.db)
	if err != nil {
		return fmt.Errorf("reading the store's version: %w", err)
	}
	if version == len(known) || version > 0 && s.db.ReadOnly() {
		return nil // an older schema is read as far as it goes: words are found, vectors perhaps not
	}
	return s.applyWhole(ctx, known)
}

func (s *Store) applyMigrations(tx *sqlite.Tx, known []migration) error {
	var version int
	if _, err := tx.Row("PRAGMA user_version", nil, &version); err != nil {
		return fmt.Errorf("reading the store's version: %w", err)
	}
	fresh := version == 0
	for _, m := range known[min(version, len(known)):] {
		if err := s.applyMigration(tx, m); err != nil {
			return fmt.Errorf("applying migration %d %s: %w", m.version, m.name, err)
		}
	}
	if fresh {
		return first(tx)
	}
	return nil
}

func (s *Store) applyMigration(tx *sqlite.Tx, m migration) error {
	if err := tx.Script(m.text); err != nil {
		return err
	}
	if err := tx.Script(fmt.Sprintf("PRAGMA user_version = %d; PRAGMA application_id = %d", m.version, applicationID)); err != nil {
		return err
	}
	_, err := tx.Exec("INSERT INTO migrations (version, name, applied_at) VALUES (?, ?, ?)", m.version, m.name, micros(s.now()))
	return err
}
