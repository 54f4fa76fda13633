package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
)

// tombstone returns the keyed hash under which a removed content is recognised
// when it comes back: HMAC-SHA-256 of the folded text with single spaces.
// Without the key of this store it does not tell what the content was.
func (s *Store) tombstone(content string) []byte {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(strings.Join(strings.Fields(text.Fold(content)), " ")))
	return mac.Sum(nil)
}

// AddTombstone keeps a content from coming back into a namespace by sync,
// capture or import.
func (s *Store) AddTombstone(ctx context.Context, namespace, content string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		return bury(tx, namespace, s.tombstone(content), s.now().UnixMicro())
	})
}

func bury(tx *sqlite.Tx, namespace string, hash []byte, at int64) error {
	_, err := tx.Exec("INSERT OR IGNORE INTO tombstones (namespace, hash, at) VALUES (?, ?, ?)", namespace, hash, at)
	if err != nil {
		return fmt.Errorf("writing a tombstone: %w", err)
	}
	return nil
}

// RemoveTombstone lets a content come back.
func (s *Store) RemoveTombstone(ctx context.Context, namespace, content string) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return lift(tx, namespace, s.tombstone(content)) })
}

func (b *batch) lift(namespace string, hash []byte) error { return lift(b.Tx, namespace, hash) }

func lift(tx *sqlite.Tx, namespace string, hash []byte) error {
	if _, err := tx.Exec("DELETE FROM tombstones WHERE namespace = ? AND hash = ?", namespace, hash); err != nil {
		return fmt.Errorf("lifting a tombstone: %w", err)
	}
	return nil
}

// Tombstoned reports whether a content is kept from coming back.
func (s *Store) Tombstoned(ctx context.Context, namespace, content string) (bool, error) {
	var one int
	err := s.db.Row(ctx, "SELECT 1 FROM tombstones WHERE namespace = ? AND hash = ?",
		[]any{namespace, s.tombstone(content)}, &one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking for a tombstone: %w", err)
	}
	return true, nil
}

// TombstoneHash returns the keyed hash of a content, in the form in which it
// may be written to the records: it does not reveal the content.
func (s *Store) TombstoneHash(content string) []byte { return s.tombstone(content) }
