package store

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
)

// tombstone returns the keyed hash under which a removed content is recognised
// when it comes back: HMAC-SHA-256 of the folded text with single spaces.
// Without the key of this store it does not tell what the content was.
func (s *Store) tombstone(content string) []byte {
	mac := hmac.New(sha256.New, *s.secret.Load())
	mac.Write([]byte(strings.Join(strings.Fields(text.Fold(content)), " ")))
	return mac.Sum(nil)
}

func bury(tx *sqlite.Tx, namespace string, hash []byte, at int64) error {
	_, err := tx.Exec("INSERT OR IGNORE INTO tombstones (namespace, hash, at) VALUES (?, ?, ?)", namespace, hash, at)
	if err != nil {
		return fmt.Errorf("writing a tombstone: %w", err)
	}
	return nil
}

// lift lets a content come back.
func (b *batch) lift(namespace string, hash []byte) error {
	if _, err := b.Exec("DELETE FROM tombstones WHERE namespace = ? AND hash = ?", namespace, hash); err != nil {
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

// Tombstone keeps out the content whose keyed hash, in hex, this is: one that
// Pending.Tombstone told of a removal, under the same TombstoneKey.
func (s *Store) Tombstone(ctx context.Context, namespace, keyed string) error {
	hash, err := hex.DecodeString(keyed)
	if err != nil || len(hash) != sha256.Size {
		return memory.Errorf(memory.InvalidArgument, "%.80q is not the hash of a tombstone", keyed)
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return bury(tx, namespace, hash, s.now().UnixMicro()) })
}

// TombstoneKey returns the key of the tombstones' hashes. Hashes that are kept
// outside of the store are of use to a new one only together with it.
func (s *Store) TombstoneKey() []byte { return slices.Clone(*s.secret.Load()) }

// SetTombstoneKey gives a store the key of the one that it replaces. It fails
// with Conflicting once there are tombstones under another key.
func (s *Store) SetTombstoneKey(ctx context.Context, key []byte) error {
	if bytes.Equal(key, *s.secret.Load()) {
		return nil
	}
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		var one int
		found, err := tx.Row("SELECT 1 FROM tombstones LIMIT 1", nil, &one)
		if err != nil {
			return fmt.Errorf("looking for tombstones: %w", err)
		}
		if found {
			return memory.Errorf(memory.Conflicting, "the store has tombstones under another key")
		}
		return setMeta(tx, "tombstone_key", key)
	})
	if err != nil {
		return err
	}
	key = slices.Clone(key)
	s.secret.Store(&key)
	return nil
}
