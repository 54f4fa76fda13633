package store

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"agentmemory/internal/memory"
)

// A listing is read in pieces: a slice that grows is copied several times, and
// these may be all memories of a store.
const (
	piece  = 512 // rows
	pieces = 4   // that wait to be decoded
	breath = 32  // rows, a third of a millisecond, after which others may have the processor
)

// packedRow is a row as SQLite hands it over.
type packedRow struct {
	text  string
	reals [6]float64
}

// decoded are the intact rows of a piece, and what is wrong with the others.
type decoded struct {
	memories []memory.Memory
	damaged  []error
	err      error
}

// listed reads all memories of a query that selects packed.
func (s *Store) listed(ask ask, query string, args []any) ([]memory.Memory, error) {
	rows, err := ask(query, args...)
	if err != nil {
		return nil, err
	}
	found, err := s.pieced(rows, false)
	if !errors.Is(err, errUneven) {
		return found, err
	}
	if rows, err = ask(exactly(query), args...); err != nil {
		return nil, err
	}
	return s.pieced(rows, true)
}

// pieced reads rows, and closes them. SQLite finds a piece while the one before
// it is taken apart and checked.
func (s *Store) pieced(rows *sql.Rows, measured bool) ([]memory.Memory, error) {
	defer rows.Close()
	first, err := nextPiece(rows)
	if err != nil {
		return nil, err
	}
	if len(first) < piece {
		d := s.decode(first, measured)
		return d.memories, errors.Join(append(d.damaged, d.err)...)
	}
	waiting, done := make(chan []packedRow, pieces), make(chan decoded, 1)
	go func() { done <- s.decodeAll(waiting, measured) }()
	waiting <- first
	for len(first) == piece && err == nil {
		if first, err = nextPiece(rows); err == nil {
			waiting <- first
		}
	}
	close(waiting)
	d := <-done
	if err = errors.Join(err, d.err); err != nil {
		return nil, err
	}
	return d.memories, errors.Join(d.damaged...)
}

func nextPiece(rows *sql.Rows) ([]packedRow, error) {
	var list []packedRow
	for len(list) < piece && rows.Next() {
		list = append(list, packedRow{})
		r := &list[len(list)-1]
		if err := rows.Scan(&r.text, &r.reals[0], &r.reals[1], &r.reals[2], &r.reals[3], &r.reals[4], &r.reals[5]); err != nil {
			return nil, fmt.Errorf("reading a memory: %w", err)
		}
		if len(list)%breath == 0 {
			runtime.Gosched() // whoever remembers meanwhile is not to wait for a turn of 10 ms
		}
	}
	if len(list) == piece {
		return list, nil
	}
	return list, rows.Err()
}

func (s *Store) decodeAll(waiting <-chan []packedRow, measured bool) (all decoded) {
	var parts [][]memory.Memory
	for list := range waiting {
		d := s.decode(list, measured)
		parts = append(parts, d.memories)
		all.damaged, all.err = append(all.damaged, d.damaged...), errors.Join(all.err, d.err)
	}
	all.memories = slices.Concat(parts...)
	return all
}

func (s *Store) decode(list []packedRow, measured bool) (d decoded) {
	reading := s.reading(measured)
	d.memories = make([]memory.Memory, 0, len(list))
	for i, p := range list {
		if i%breath == breath-1 {
			runtime.Gosched()
		}
		r, err := reading.next(p)
		var damage *DamagedError
		switch {
		case err == nil:
			d.memories = append(d.memories, r.Memory)
		case errors.As(err, &damage):
			d.damaged = append(d.damaged, err)
		default:
			d.err = errors.Join(d.err, err)
		}
	}
	return d
}

// Scan hands a row over once more.
func (p packedRow) Scan(dest ...any) error {
	if text, ok := dest[0].(*string); ok {
		*text = p.text
	}
	for i, d := range dest[1:] {
		if real, ok := d.(*float64); ok {
			*real = p.reals[i]
		}
	}
	return nil
}
