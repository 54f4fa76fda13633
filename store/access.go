package store

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// Access says that a recall returned a memory, or that its reader used it.
type Access struct {
	Namespace string
	MemoryID  string
	Kind      string // used or returned
	Query     string // hash of the query, never its text
	At        time.Time
}

// The kinds of accesses.
const (
	Used     = "used"
	Returned = "returned"
)

// One transaction folds this many accesses at most, of this many memories: to
// write these is what others who write wait for.
const (
	foldedAtOnce   = 500
	foldedMemories = 100
)

// RecordAccess appends to the access log. It is meant to be called off the
// path of an answer, with what several answers have gathered.
func (s *Store) RecordAccess(ctx context.Context, accesses []Access) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for _, a := range accesses {
			_, err := tx.Exec("INSERT INTO accesses (namespace, memory_id, kind, query, at) VALUES (?, ?, ?, ?, ?)",
				a.Namespace, a.MemoryID, a.Kind, a.Query, a.At.UnixMicro())
			if err != nil {
				return fmt.Errorf("recording an access: %w", err)
			}
		}
		return nil
	})
}

// FoldAccesses lets rule fold the waiting accesses of each memory, oldest
// first, into its counters (those that OpReinforce changes) and clears them,
// in transactions of bounded size. Rule must be pure: it runs inside a
// transaction and may run twice. It returns how many accesses were folded.
func (s *Store) FoldAccesses(ctx context.Context, rule func(m memory.Memory, accesses []Access) memory.Memory) (int, error) {
	total := 0
	for {
		folded, more := 0, false
		err := s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
			folded, more, err = s.foldSome(tx, rule)
			return err
		})
		if err != nil {
			return total, fmt.Errorf("folding accesses: %w", err)
		}
		total += folded
		if !more || ctx.Err() != nil {
			return total, ctx.Err()
		}
	}
}

func (s *Store) foldSome(tx *sqlite.Tx, rule func(memory.Memory, []Access) memory.Memory) (folded int, more bool, err error) {
	accesses, last, more, err := s.waiting(tx)
	if err != nil || len(accesses) == 0 {
		return 0, false, err
	}
	b, err := s.begin(tx)
	if err != nil {
		return 0, false, err
	}
	groups, order := byMemory(accesses)
	b.attributes = true
	if err := b.readAhead(order); err != nil {
		return 0, false, err
	}
	for _, id := range order {
		if err := b.fold(id, groups[id], rule); err != nil {
			return 0, false, err
		}
	}
	if _, err := tx.Exec("DELETE FROM accesses WHERE seq <= ?", last); err != nil {
		return 0, false, fmt.Errorf("clearing the access log: %w", err)
	}
	return len(accesses), more, b.finish()
}

func byMemory(accesses []Access) (map[string][]Access, []string) {
	groups := map[string][]Access{}
	var order []string
	for _, a := range accesses {
		if groups[a.MemoryID] == nil {
			order = append(order, a.MemoryID)
		}
		groups[a.MemoryID] = append(groups[a.MemoryID], a)
	}
	return groups, order
}

// fold applies the rule to one memory; one that is gone has nothing to fold.
func (b *batch) fold(id string, accesses []Access, rule func(memory.Memory, []Access) memory.Memory) error {
	old, found, err := b.byID(id)
	if err != nil || !found {
		return err
	}
	wanted := rule(old.Memory, accesses)
	b.store.normalise(&wanted)
	_, err = b.adjust(old, &prepared{Change: memory.Change{Op: memory.OpReinforce, Memory: wanted, Reason: "accesses"}})
	return err
}

// waiting returns the oldest accesses, the number of the last of them, and
// whether there may be more.
func (s *Store) waiting(tx *sqlite.Tx) (accesses []Access, last int64, more bool, err error) {
	rows, err := tx.Query("SELECT seq, namespace, memory_id, kind, query, at FROM accesses ORDER BY seq LIMIT ?", foldedAtOnce)
	if err != nil {
		return nil, 0, false, fmt.Errorf("reading the access log: %w", err)
	}
	defer rows.Close()
	memories := map[string]bool{}
	for rows.Next() {
		var a Access
		var at int64
		var seq int64
		if err := rows.Scan(&seq, &a.Namespace, &a.MemoryID, &a.Kind, &a.Query, &at); err != nil {
			return nil, 0, false, fmt.Errorf("reading the access log: %w", err)
		}
		if memories[a.MemoryID] = true; len(memories) > foldedMemories {
			return accesses, last, true, nil
		}
		last = seq
		a.At = time.UnixMicro(at).In(s.zone)
		accesses = append(accesses, a)
	}
	return accesses, last, len(accesses) == foldedAtOnce, rows.Err()
}
