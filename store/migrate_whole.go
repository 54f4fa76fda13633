//go:build !mutant_half_migration

package store

import (
	"context"

	"agentmemory/internal/sqlite"
)

// applyWhole applies the missing migrations in one transaction: a kill leaves
// the old schema or the new one.
func (s *Store) applyWhole(ctx context.Context, known []migration) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return s.applyMigrations(tx, known) })
}
