package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// ByID returns a memory of any status; NotFound if the namespace ("": any) holds none.
func (s *Store) ByID(ctx context.Context, namespace, id string) (memory.Memory, error) {
	return s.one(ctx, "id", id, "WHERE m.id = ?1 AND (?2 = '' OR m.namespace = ?2)", id, namespace)
}

// ByURI returns the memory that has an address, in any of its spellings.
func (s *Store) ByURI(ctx context.Context, namespace, uri string) (memory.Memory, error) {
	return s.one(ctx, "uri", uri, "WHERE m.namespace = ? AND m.uri_key = ?", namespace, uriKey(uri))
}

func (s *Store) one(ctx context.Context, key, value, where string, args ...any) (memory.Memory, error) {
	found, err := s.many(ctx, selected+where, args...)
	if len(found) > 0 {
		return found[0].Memory, nil
	}
	if err != nil {
		return memory.Memory{}, fmt.Errorf("reading the memory with %s %.60q: %w", key, value, err)
	}
	return memory.Memory{}, memory.Errorf(memory.NotFound, "no memory with %s %.60q", key, value).
		WithHint("recall finds memories by words and tells their ids and uris")
}

// many returns the intact rows of a query, and with them an error that names
// the damaged ones.
func (s *Store) many(ctx context.Context, query string, args ...any) ([]row, error) {
	return s.collect(s.asking(ctx), query, args...)
}

func (s *Store) collect(ask ask, query string, args ...any) ([]row, error) {
	return each(s, ask, func(r *row) row { return *r }, query, args...)
}

// each takes what it needs of every intact row of a query that selects packed;
// what take is given holds until the next row is read. Damaged rows are named by the error.
func each[T any](s *Store, ask ask, take func(*row) T, query string, args ...any) ([]T, error) {
	rows, err := ask(query, args...)
	if err != nil {
		return nil, err
	}
	found, err := takeEach(rows, s.reading(false), take)
	if !errors.Is(err, errUneven) {
		return found, err
	}
	if rows, err = ask(exactly(query), args...); err != nil {
		return nil, err
	}
	return takeEach(rows, s.reading(true), take)
}

// exactly is a query with its columns measured, those of a survey whole.
func exactly(query string) string {
	return strings.Replace(strings.Replace(query, surveyed, separated, 1), separated, measured, 1)
}

func takeEach[T any](rows *sql.Rows, reading *reading, take func(*row) T) (found []T, err error) {
	defer rows.Close()
	var damaged []error
	for rows.Next() {
		err := reading.read(rows)
		var d *DamagedError
		switch {
		case err == nil:
			found = append(found, take(&reading.row))
		case errors.As(err, &d):
			damaged = append(damaged, err)
		default:
			return nil, err
		}
	}
	return found, errors.Join(append(damaged, rows.Err())...)
}

// Load returns the memories with these keys in the order asked; keys that are
// gone are left out. Damaged rows are left out too and named by the error.
func (s *Store) Load(ctx context.Context, keys []int64) ([]memory.Memory, error) {
	return s.loadBy(s.asking(ctx), keys)
}

// ask runs a query on some connection.
type ask func(query string, args ...any) (*sql.Rows, error)

// asking asks by a connection that only reads.
func (s *Store) asking(ctx context.Context) ask {
	return func(query string, args ...any) (*sql.Rows, error) { return s.db.Query(ctx, query, args...) }
}

func (s *Store) loadBy(ask ask, keys []int64) ([]memory.Memory, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, fmt.Errorf("encoding keys: %w", err)
	}
	found, err := each(s, ask, func(r *row) memory.Memory { return r.Memory }, loadKeys, string(list)) // in the order of the keys
	if err != nil {
		return found, fmt.Errorf("loading %d memories: %w", len(keys), err)
	}
	return found, nil
}

const loadKeys = "SELECT " + packed +
	" FROM (SELECT value FROM json_each(?)) k CROSS JOIN memories m ON m.key = k.value JOIN texts x ON x.key = m.key"

func orderBy(o memory.Order) string {
	switch o {
	case memory.Newest:
		return " ORDER BY m.observed DESC, m.key DESC"
	case memory.Oldest:
		return " ORDER BY m.observed, m.key"
	case memory.ByURI:
		return " ORDER BY m.uri_key, m.key"
	case memory.ByHome:
		return " ORDER BY m.home_file, m.home_line, m.key"
	case memory.ByGroup:
		return " ORDER BY m.namespace, m.group_name, m.group_seq, m.key"
	}
	return " ORDER BY m.key"
}

// List returns the memories that a filter selects. Damaged rows are left out
// and named by the error.
func (s *Store) List(ctx context.Context, f memory.Filter) ([]memory.Memory, error) {
	c, err := s.selection(ctx, f)
	if err != nil {
		return nil, err
	}
	switch {
	case c.holding != "":
		c.through()
	case wide(f):
		c.parts[0] = "+" + c.parts[0]
		if err := s.latest(ctx, f, c); err != nil {
			return nil, fmt.Errorf("listing memories: %w", err)
		}
	}
	query := selected + c.where() + orderBy(f.Order)
	query += limited(f, c)
	found, err := s.listed(s.asking(ctx), query, c.args)
	if err != nil {
		err = fmt.Errorf("listing memories: %w", err)
	}
	return found, err
}

// wide reports whether a filter selects so much of the main agent's memory, in
// the order of the keys, that an index would only lead to its rows one by one.
func wide(f memory.Filter) bool {
	return f.Namespace == memory.DefaultNamespace && f.Order == memory.ByArrival && f.URIPrefix == "" && f.SessionID == "" && f.File == "" &&
		f.After.IsZero() && f.Before.IsZero()
}

// Bounds of what latest looks up.
const (
	season      = 7 * 24 * time.Hour // a filter by Since is looked up from the beginning of one
	fewOfSeason = 8192
)

// latest leads a filter by Since to the rows that can fit: no index knows when a text
// last changed, and RECENT.md, which asks for the last days again and again, would
// look at every row of years each time. What a season holds is kept as a mask and
// follows what is written.
func (s *Store) latest(ctx context.Context, f memory.Filter, c *condition) error {
	if f.Since.IsZero() {
		return nil
	}
	f.Since = f.Since.Truncate(season)
	m, err := s.mask(ctx, conditionOf(f))
	if err != nil {
		return err
	}
	if m.count() > fewOfSeason {
		return nil
	}
	list, err := json.Marshal(m.keys())
	if err != nil {
		return fmt.Errorf("encoding keys: %w", err)
	}
	c.add("m.key IN (SELECT value FROM json_each(?))", string(list))
	return nil
}

// limited adds the window of a filter to a condition.
func limited(f memory.Filter, c *condition) string {
	if f.Limit <= 0 && f.Offset <= 0 {
		return ""
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	c.args = append(c.args, limit, f.Offset)
	return " LIMIT ? OFFSET ?"
}

// Count returns how many memories a filter selects; its window is not regarded.
// All of a namespace are counted from memory: a server that learns from what is
// written asks for them again and again.
func (s *Store) Count(ctx context.Context, f memory.Filter) (int, error) {
	c := conditionOf(f)
	if f.Namespace != "" && len(f.Statuses) == 0 && len(c.parts) == len(conditionOf(memory.Filter{Namespace: f.Namespace}).parts) {
		m, err := s.mask(ctx, c)
		if err != nil {
			return 0, fmt.Errorf("counting memories: %w", err)
		}
		return m.count(), nil
	}
	var n int
	if err := s.db.Row(ctx, "SELECT count(*) FROM memories m"+c.where(), c.args, &n); err != nil {
		return 0, fmt.Errorf("counting memories: %w", err)
	}
	return n, nil
}

func ignoreNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
