package store

import (
	"context"
	"database/sql"
	"errors"
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

// startExtents reports whether the extents are known; if not it begins to read
// them in the background: in a large store that takes longer than a write may.
func (s *Store) startExtents() (known bool) {
	x := &s.terms
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.extents.known() {
		return true
	}
	if !x.measuring {
		x.measuring = true
		s.tasks.Go(func() {
			_ = s.loadExtents(s.alive) // who needs them meanwhile reads them, or learns why not
			x.mu.Lock()
			defer x.mu.Unlock()
			x.measuring = false
		})
	}
	return false
}

// loadExtents reads them beside what is followed already, and joins the two as
// of one commit. Whoever else wants them at the same time waits for the first.
func (s *Store) loadExtents(ctx context.Context) error {
	x := &s.terms
	if x.hasExtents() {
		return nil
	}
	x.loading.Lock()
	defer x.loading.Unlock()
	if x.hasExtents() {
		return nil
	}
	read := &termIndex{}
	if err := s.db.Snapshot(ctx, func(tx *sql.Tx) error { return read.readExtents(ctx, tx) }); err != nil {
		return fmt.Errorf("reading the lengths of memories: %w", err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	err := s.db.Snapshot(ctx, func(tx *sql.Tx) error { return errors.Join(s.follow(ctx, tx), read.follow(ctx, tx)) })
	if err != nil {
		return fmt.Errorf("following the full-text index: %w", err)
	}
	if read.extents.known() { // else too much has changed meanwhile
		x.extents = read.extents
	}
	return nil
}

func (x *termIndex) hasExtents() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.extents.known()
}

// readExtents reads them from an index that holds nothing else.
func (x *termIndex) readExtents(ctx context.Context, tx *sql.Tx) error {
	if err := x.follow(ctx, tx); err != nil {
		return err
	}
	x.extents = extents{numbers: map[string]uint16{}}
	rows, err := tx.QueryContext(ctx, "SELECT namespace, length, group_concat(key) FROM memories INDEXED BY memories_by_length GROUP BY namespace, length")
	if err != nil {
		return err
	}
	defer rows.Close()
	var keys []uint32
	for rows.Next() {
		var namespace string
		var length int
		var list sql.RawBytes
		if err := rows.Scan(&namespace, &length, &list); err != nil {
			return err
		}
		if keys, err = appendKeys(keys[:0], list); err != nil {
			return err
		}
		for _, key := range keys {
			x.extents.set(key, namespace, length)
		}
	}
	return rows.Err()
}
