package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"agentmemory/internal/memory"
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

// keys lists the memories that are selected.
func (m *mask) keys() []uint32 {
	keys := make([]uint32, 0, m.count())
	for i, word := range m.bits {
		for ; word != 0; word &= word - 1 {
			keys = append(keys, uint32(i*64+bits.TrailingZeros64(word))) //nolint:gosec // such numbers were set
		}
	}
	return keys
}

// maskCache keeps the masks of the filters that were used last. What a filter
// that few memories pass selects is read for all of them at once: the first time
// in proportion to the store, and in the background, later for what has changed.
type maskCache struct {
	mu      sync.Mutex
	masks   map[string]*mask
	reading map[string]*maskRead
	uses    int64
}

// maskRead is a first read that is under way.
type maskRead struct {
	over   chan struct{} // closed when it is
	failed error
}

// maskName tells conditions apart. Not by %q, which writes one character for all
// numbers that are none.
func maskName(c *condition) string { return fmt.Sprintf("%s %#v", c.and(), c.args) }

// mask returns what a condition selects as of the last commit. Whoever does not
// want to wait for the first read ends its context; the read goes on.
func (s *Store) mask(ctx context.Context, c *condition) (*mask, error) {
	for {
		known, err := s.knownMask(ctx, c)
		if known != nil || err != nil {
			return known, err
		}
		r := s.startMask(c)
		select {
		case <-r.over:
		case <-ctx.Done():
			return nil, memory.Errorf(memory.DeadlineExceeded, "what a filter selects is still being read: %w", ctx.Err())
		}
		if r.failed != nil {
			return nil, fmt.Errorf("reading what a filter selects: %w", r.failed)
		}
	}
}

// knownMask is mask, but nil if what the condition selects was not read yet.
func (s *Store) knownMask(ctx context.Context, c *condition) (*mask, error) {
	name := maskName(c)
	known := s.masks.get(name)
	if known == nil {
		return nil, nil
	}
	version, err := s.version(ctx)
	if err != nil || known.version == version {
		return known, err
	}
	next := &mask{version: version, bits: slices.Clone(known.bits)}
	err = s.db.Snapshot(ctx, func(tx *sql.Tx) error {
		return errors.Join(next.cursor(ctx, tx), next.follow(ctx, tx, c, known.changed))
	})
	if err != nil {
		return nil, fmt.Errorf("following what a filter selects: %w", err)
	}
	s.masks.put(name, next)
	return next, nil
}

// startMask reads what a condition selects in the background, unless that is
// being done.
func (s *Store) startMask(c *condition) *maskRead {
	name := maskName(c)
	s.masks.mu.Lock()
	defer s.masks.mu.Unlock()
	if r := s.masks.reading[name]; r != nil {
		return r
	}
	if s.masks.reading == nil {
		s.masks.reading = map[string]*maskRead{}
	}
	r := &maskRead{over: make(chan struct{})}
	s.masks.reading[name] = r
	s.tasks.Go(func() {
		defer close(r.over)
		m, err := s.readMask(s.alive, c)
		if r.failed = err; err == nil {
			s.masks.put(name, m)
		}
		s.masks.mu.Lock()
		defer s.masks.mu.Unlock()
		delete(s.masks.reading, name)
	})
	return r
}

func (s *Store) readMask(ctx context.Context, c *condition) (*mask, error) {
	version, err := s.version(ctx)
	if err != nil {
		return nil, err
	}
	m := &mask{version: version}
	err = s.db.Snapshot(ctx, func(tx *sql.Tx) error { return errors.Join(m.cursor(ctx, tx), m.read(ctx, tx, c)) })
	return m, err
}

// cursor notes how far the snapshot reaches.
func (m *mask) cursor(ctx context.Context, tx *sql.Tx) error {
	return tx.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM sums WHERE namespace = '' AND name = 'transactions'), 0)").Scan(&m.changed)
}

// maskQuery reads the table from one end to the other unless the condition names
// a part of it: by an index on what most rows share it would take several times longer.
func maskQuery(c *condition) (string, []any) {
	const keys = "SELECT coalesce(group_concat(m.key), '') FROM "
	switch {
	case c.holding != "":
		return keys + "search h CROSS JOIN memories m ON m.key = h.rowid WHERE h.search MATCH ? AND " + c.and(), append([]any{match(c.holding)}, c.args...)
	case c.narrow:
		return keys + "memories m" + c.where(), c.args
	}
	return keys + "memories m NOT INDEXED" + c.where(), c.args
}

func (m *mask) read(ctx context.Context, tx *sql.Tx, c *condition) error {
	query, args := maskQuery(c)
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return m.take(rows)
}

// take sets the keys that a query lists.
func (m *mask) take(rows *sql.Rows) error {
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
