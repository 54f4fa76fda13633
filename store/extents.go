package store

import (
	"context"
	"database/sql"
	"fmt"
)

// extents knows of every memory, by its key, how many terms it has and which
// namespace it is in: what scoring needs of those that it does not read.
type extents struct {
	lengths []uint16 // clipped
	spaces  []uint16 // number of the namespace; 0: no such memory
	numbers map[string]uint16
}

// known reports whether extents have been loaded.
func (e *extents) known() bool { return e.numbers != nil }

// set notes a memory, or with the empty namespace that it is gone.
func (e *extents) set(key uint32, namespace string, length int) {
	if !e.known() {
		return
	}
	if missing := int(key) + 1 - len(e.lengths); missing > 0 {
		e.lengths = append(e.lengths, make([]uint16, missing)...)
		e.spaces = append(e.spaces, make([]uint16, missing)...)
	}
	e.lengths[key] = uint16(min(length, 1<<16-1)) //nolint:gosec // clipped
	e.spaces[key] = e.number(namespace)
}

// number returns the number of a namespace, a new one if it has none.
func (e *extents) number(namespace string) uint16 {
	if namespace == "" {
		return 0
	}
	n, ok := e.numbers[namespace]
	if !ok {
		n = uint16(len(e.numbers) + 1) //nolint:gosec // namespaces are few
		e.numbers[namespace] = n
	}
	return n
}

// loadExtents reads them from an index that holds nothing else.
func (s *Store) loadExtents(ctx context.Context) error {
	x := &s.terms
	x.mu.RLock()
	known, seen := x.extents.known(), x.changed
	x.mu.RUnlock()
	if known {
		return nil
	}
	loaded := extents{numbers: map[string]uint16{}}
	rows, err := s.db.Query(ctx, "SELECT namespace, length, group_concat(key) FROM memories INDEXED BY memories_by_length GROUP BY namespace, length")
	if err != nil {
		return fmt.Errorf("reading the lengths of memories: %w", err)
	}
	defer rows.Close()
	var keys []uint32
	for rows.Next() {
		var namespace string
		var length int
		var list sql.RawBytes
		if err := rows.Scan(&namespace, &length, &list); err != nil {
			return fmt.Errorf("reading the lengths of memories: %w", err)
		}
		if keys, err = appendKeys(keys[:0], list); err != nil {
			return fmt.Errorf("reading the lengths of memories: %w", err)
		}
		for _, key := range keys {
			loaded.set(key, namespace, length)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading the lengths of memories: %w", err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.changed == seen {
		x.extents = loaded
	}
	return nil
}
