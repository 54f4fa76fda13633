package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"agentmemory/internal/memory"
)

// session is the writing connection with its prepared statements.
type session struct {
	conn *sql.Conn
	kept statements
	ran  *atomic.Int64
}

// wait sets how long statements wait for the locks of others.
func (s *session) wait(ctx context.Context, d time.Duration) error {
	_, err := s.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", d.Milliseconds()))
	return Classify(err)
}

func (s *session) close() error { return errors.Join(s.kept.close(), s.conn.Close()) }

// Tx is a running write transaction. It is used by one goroutine.
type Tx struct {
	ctx     context.Context //nolint:containedctx // lives exactly as long as the transaction
	session *session
}

// Write runs f in one BEGIN IMMEDIATE transaction and commits it durably; an
// error from f rolls everything back. The caller's cancellation is not regarded,
// a deadline of ten seconds is. A database that cannot be written is a
// *memory.Error with code Unavailable or ReadOnly.
func (d *DB) Write(ctx context.Context, f func(*Tx) error) error {
	return d.exclusively(ctx, func(ctx context.Context, s *session) error {
		tx := &Tx{ctx: ctx, session: s}
		if _, err := tx.Exec("BEGIN IMMEDIATE"); err != nil {
			return fmt.Errorf("beginning a transaction: %w", err)
		}
		err := tx.finish(f)
		if err == nil {
			d.written.Add(1)
			d.log.grew()
		}
		return err
	})
}

// finish runs f and ends the transaction, also when f panics.
func (t *Tx) finish(f func(*Tx) error) (err error) {
	done := false
	defer func() {
		if !done {
			_, rollback := t.Exec("ROLLBACK")
			err = errors.Join(err, rollback)
		}
	}()
	if err := f(t); err != nil {
		return err
	}
	if err := memory.Fenced(t.ctx); err != nil {
		return err
	}
	if _, err := t.Exec("COMMIT"); err != nil && reportsCommits {
		return fmt.Errorf("committing: %w", err)
	}
	done = true
	return nil
}

// exclusively waits for this process's right to write and runs f with it.
func (d *DB) exclusively(ctx context.Context, f func(context.Context, *session) error) error {
	if d.readOnly {
		return memory.Errorf(memory.ReadOnly, "the database was opened for reading only")
	}
	// What a caller wants written is written, also when the caller goes away:
	// only our own deadline ends the waiting. A statement under a context that
	// can end costs a goroutine each; its time is bounded by the busy timeout.
	ctx = context.WithoutCancel(ctx)
	if err := d.takeTurn(ctx); err != nil {
		return err
	}
	defer func() { d.turn <- struct{}{} }()
	if d.writer == nil {
		conn, err := d.writers.Conn(ctx)
		if err != nil {
			return Classify(err)
		}
		d.writer = &session{conn: conn, kept: statements{prepare: conn.PrepareContext}, ran: &d.ran}
	}
	return f(ctx, d.writer)
}

// takeTurn waits for this process's other writers, of whom there are none most of the time.
func (d *DB) takeTurn(ctx context.Context) error {
	select {
	case <-d.turn:
		return nil
	default:
	}
	waiting, cancel := context.WithTimeout(ctx, writeDeadline)
	defer cancel()
	select {
	case <-d.turn:
		return nil
	case <-waiting.Done():
		return memory.Errorf(memory.Unavailable, "waiting to write: %w", waiting.Err())
	}
}

// Exec runs a statement, prepared once and kept.
func (t *Tx) Exec(query string, args ...any) (sql.Result, error) {
	t.session.ran.Add(1)
	s, release, err := t.session.kept.get(t.ctx, query)
	if err != nil {
		return nil, Classify(err)
	}
	defer release()
	result, err := s.ExecContext(t.ctx, args...)
	return result, Classify(err)
}

// Script runs several statements that are used once, such as a migration.
func (t *Tx) Script(text string) error {
	_, err := t.session.conn.ExecContext(t.ctx, text)
	return Classify(err)
}

// Query runs a read inside the transaction.
func (t *Tx) Query(query string, args ...any) (*sql.Rows, error) {
	t.session.ran.Add(1)
	s, release, err := t.session.kept.get(t.ctx, query)
	if err != nil {
		return nil, Classify(err)
	}
	defer release()
	rows, err := s.QueryContext(t.ctx, args...)
	return rows, Classify(err)
}

// Row reads at most one row into dest and reports whether there was one.
func (t *Tx) Row(query string, args []any, dest ...any) (bool, error) {
	t.session.ran.Add(1)
	s, release, err := t.session.kept.get(t.ctx, query)
	if err != nil {
		return false, Classify(err)
	}
	defer release()
	err = s.QueryRowContext(t.ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, Classify(err)
}
