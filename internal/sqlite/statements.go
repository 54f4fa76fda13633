package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// statements keeps prepared statements by their text. Beyond its bound new ones
// are prepared for one use.
type statements struct {
	prepare func(context.Context, string) (*sql.Stmt, error)
	mu      sync.Mutex
	kept    map[string]*sql.Stmt
}

// get returns the statement and what to call when it is no longer needed;
// results of a query stay valid after that. It prepares without the lock:
// preparing waits for a connection, and whoever holds one may wait for the lock.
func (s *statements) get(ctx context.Context, query string) (*sql.Stmt, func(), error) {
	if p, ok := s.known(query); ok {
		return p, func() {}, nil
	}
	p, err := s.prepare(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	if !s.keep(query, p) {
		return p, func() { p.Close() }, nil //nolint:errcheck // database/sql keeps it open while rows are
	}
	return p, func() {}, nil
}

// keep takes a statement in, unless there are enough or another one of the same text came first.
func (s *statements) keep(query string, p *sql.Stmt) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.kept[query]; taken || len(s.kept) >= keptStatement {
		return false
	}
	if s.kept == nil {
		s.kept = map[string]*sql.Stmt{}
	}
	s.kept[query] = p
	return true
}

// known returns a statement that is kept already.
func (s *statements) known(query string) (*sql.Stmt, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.kept[query]
	return p, ok
}

func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, p := range s.kept {
		errs = append(errs, p.Close())
	}
	s.kept = nil
	return errors.Join(errs...)
}
