//go:build mutant_half_migration

package store

import (
	"context"

	"agentmemory/internal/sqlite"
)

// applyWhole is wrong on purpose: it notes a migration after it has been made.
// bench/promises has to notice.
func (s *Store) applyWhole(ctx context.Context, known []migration) error {
	version, _, err := versions(ctx, s.db)
	if err != nil {
		return err
	}
	if version == 0 {
		return s.db.Write(ctx, func(tx *sqlite.Tx) error { return s.applyMigrations(tx, known) })
	}
	for _, m := range known[version:] {
		if err := s.db.Write(ctx, func(tx *sqlite.Tx) error { return tx.Script(m.text) }); err != nil {
			return err
		}
		noted := migration{version: m.version, name: m.name, text: "SELECT 1"}
		if err := s.db.Write(ctx, func(tx *sqlite.Tx) error { return s.applyMigration(tx, noted) }); err != nil {
			return err
		}
	}
	return nil
}
