package store

import (
	"context"
	"database/sql"
	"fmt"
	"math/bits"
	"slices"
	"sync"
)

// keptMasks is how many filters are kept in memory with what they select.
const keptMasks = 8

// mask holds the keys of the memories that a filter selects. It is never
// changed once it is in the cache.
type mask struct {
	bits    []uint64
	version int64 // data_version at the last look
	changed int64 // last transaction in it
	used    int64
}

func (m *mask) has(key uint32) bool {
	word := int(key / 64)
	return word < len(m.bits) && m.bits[word]&(1<<(key%64)) != 0
}

func (m *mask) set(key uint32, selected bool) {
	word := int(key / 64)
	if missing := word + 1 - len(m.bits); missing > 0 {
		m.bits = append(m.bits, make([]uint64, missing)...)
	}
	m.bits[word] &^= 1 << (key % 64)
	if selected {
		m.bits[word] |= 1 << (key % 64)
	}
}

// count returns how many memories are selected.
func (m *mask) count() (n int) {
	for _, word := range m.bits {
		n += bits.OnesCount64(word)
	}
	return n
}

// maskCache keeps the masks of the filters that were used last. A filter that
// few memories pass is looked up for all of them at once, the first time in
// proportion to the store, later for what has changed.
type maskCache struct {
	mu    sync.Mutex
	masks map[string]*mask
	uses  int64
}

// mask returns what a condition selects as of the last commit.
func (s *Store) mask(ctx context.Context, c *condition) (*mask, error) {
	version, err := s.db.DataVersion(ctx)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s %q", c.and(), c.args)
	known := s.masks.get(name)
	if known != nil && known.version == version {
		return known, nil
	}
	next := &mask{version: version}
	err = s.db.Snapshot(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM sums WHERE namespace = '' AND name = 'transactions'), 0)").
			Scan(&next.changed); err != nil {
			return err
		}
		if known == nil {
			return next.read(ctx, tx, c)
		}
		next.bits = slices.Clone(known.bits)
		return next.follow(ctx, tx, c, known.changed)
	})
	if err != nil {
		return nil, fmt.Errorf("reading what a filter selects: %w", err)
	}
	s.masks.put(name, next)
	return next, nil
}

func (m *mask) read(ctx context.Context, tx *sql.Tx, c *condition) error {
	rows, err := tx.QueryContext(ctx, "SELECT coalesce(group_concat(m.key), '') FROM memories m"+c.where(), c.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var list sql.RawBytes
		if err := rows.Scan(&list); err != nil {
			return err
		}
		keys, err := appendKeys(nil, list)
		if err != nil {
			return err
		}
		for _, key := range keys {
			m.set(key, true)
		}
	}
	return rows.Err()
}

// follow looks again at the memories that changed since a transaction.
func (m *mask) follow(ctx context.Context, tx *sql.Tx, c *condition, since int64) error {
	rows, err := tx.QueryContext(ctx, "SELECT m.key, "+c.and()+" FROM memories m INDEXED BY memories_by_change WHERE m.changed > ?"+
		" UNION ALL SELECT key, 0 FROM removals WHERE changed > ?", append(slices.Clone(c.args), since, since)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key uint32
		var selected bool
		if err := rows.Scan(&key, &selected); err != nil {
			return err
		}
		m.set(key, selected)
	}
	return rows.Err()
}

func (c *maskCache) get(name string) *mask {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.masks[name]
	if m != nil {
		c.uses++
		m.used = c.uses
	}
	return m
}

// put keeps a mask in place of the one that was used least recently.
func (c *maskCache) put(name string, m *mask) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.masks == nil {
		c.masks = map[string]*mask{}
	}
	c.uses++
	m.used = c.uses
	c.masks[name] = m
	if len(c.masks) <= keptMasks {
		return
	}
	oldest := name
	for n, k := range c.masks {
		if k.used < c.masks[oldest].used {
			oldest = n
		}
	}
	delete(c.masks, oldest)
}
