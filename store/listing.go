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
	found, err := s.pieced(rows, query, false)
	if !errors.Is(err, errUneven) {
		return found, err
	}
	if rows, err = ask(exactly(query), args...); err != nil {
		return nil, err
	}
	return s.pieced(rows, query, true)
}

// pieced reads the rows of a query, and closes them. SQLite finds a piece while
// the one before it is taken apart and checked.
func (s *Store) pieced(rows *sql.Rows, query string, measured bool) ([]memory.Memory, error) {
	defer rows.Close()
	first, err := nextPiece(rows, nil)
	if err != nil {
		return nil, err
	}
	if len(first) < piece {
		d := decoded{memories: make([]memory.Memory, 0, len(first))}
		s.decode(first, measured, &d)
		return d.memories, errors.Join(append(d.damaged, d.err)...)
	}
	waiting, spent, done := make(chan []packedRow, pieces), make(chan []packedRow, pieces), make(chan decoded, 1)
	go func() { done <- s.decodeAll(query, waiting, spent, measured) }()
	waiting <- first
	for len(first) == piece && err == nil {
		if first, err = nextPiece(rows, again(spent)); err == nil {
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

// again returns a piece that was decoded, if there is one, to be filled once more.
func again(spent <-chan []packedRow) []packedRow {
	select {
	case list := <-spent:
		return list[:0]
	default:
		return make([]packedRow, 0, piece)
	}
}

func nextPiece(rows *sql.Rows, list []packedRow) ([]packedRow, error) {
	columns := packedColumns{}
	dest := columns.dest()
	for len(list) < piece && rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return nil, fmt.Errorf("reading a memory: %w", err)
		}
		list = append(list, packedRow{})
		if !columns.fill(&list[len(list)-1]) {
			return nil, fmt.Errorf("reading a memory: %w", errPacked)
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

// packedColumns are those of a row, as the driver gives them: to turn each into
// its type in database/sql takes longer than all else that it does for a row.
type packedColumns [1 + len(packedRow{}.reals)]any

func (c *packedColumns) dest() []any {
	dest := make([]any, len(c))
	for i := range c {
		dest[i] = &c[i]
	}
	return dest
}

// fill reports whether the columns are a text and numbers.
func (c *packedColumns) fill(r *packedRow) (ok bool) {
	r.text, ok = c[0].(string)
	for i := range r.reals {
		real, is := c[1+i].(float64)
		r.reals[i], ok = real, ok && is
	}
	return ok
}

// decodeAll decodes pieces, and hands them back. A slice of so large values that
// grows is copied several times: it is made for as many as the query gave the last
// time and a few more; the first time the pieces are joined.
func (s *Store) decodeAll(query string, waiting <-chan []packedRow, spent chan<- []packedRow, measured bool) (all decoded) {
	last, _ := s.lengths.Load(query)
	expected, known := last.(int)
	all.memories = make([]memory.Memory, 0, expected+expected/16+piece)
	var parts [][]memory.Memory
	for list := range waiting {
		if !known && len(all.memories)+len(list) > cap(all.memories) {
			parts = append(parts, all.memories)
			all.memories = make([]memory.Memory, 0, piece)
		}
		s.decode(list, measured, &all)
		select {
		case spent <- list:
		default:
		}
	}
	if len(parts) > 0 {
		all.memories = slices.Concat(append(parts, all.memories)...)
	}
	s.lengths.Store(query, len(all.memories))
	return all
}

func (s *Store) decode(list []packedRow, measured bool, d *decoded) {
	reading := s.reading(measured)
	for i := range list {
		if i%breath == breath-1 {
			runtime.Gosched()
		}
		err := reading.read(&list[i])
		var damage *DamagedError
		switch {
		case err == nil:
			d.memories = append(d.memories, reading.Memory)
		case errors.As(err, &damage):
			d.damaged = append(d.damaged, err)
		default:
			d.err = errors.Join(d.err, err)
		}
	}
}

// Scan hands a row over once more.
func (p *packedRow) Scan(dest ...any) error {
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
