package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"agentmemory/internal/sqlite"
)

// Meta returns the value kept under key, nil if there is none.
func (s *Store) Meta(ctx context.Context, key string) ([]byte, error) {
	var value []byte
	err := s.db.Row(ctx, "SELECT value FROM meta WHERE key = ?", []any{key}, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", key, err)
	}
	return value, nil
}

// SetMeta keeps a value under key.
func (s *Store) SetMeta(ctx context.Context, key string, value []byte) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return setMeta(tx, key, value) })
}

func setMeta(tx *sqlite.Tx, key string, value []byte) error {
	if value == nil {
		value = []byte{}
	}
	_, err := tx.Exec("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	if err != nil {
		return fmt.Errorf("writing %s: %w", key, err)
	}
	return nil
}
