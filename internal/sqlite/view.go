package sqlite

import (
	"context"
	"database/sql"
	"sync/atomic"
)

// View is a read transaction whose statements are prepared once and kept. It is
// used by one goroutine.
type View struct {
	tx    *sql.Tx
	reads *statements
	fresh []string // statements that were not prepared yet
	ran   *atomic.Int64
}

// View runs f as Snapshot does, for statements that are asked again and again.
func (d *DB) View(ctx context.Context, f func(*View) error) error {
	v := &View{reads: &d.reads, ran: &d.ran}
	err := d.Snapshot(ctx, func(tx *sql.Tx) error {
		v.tx = tx
		return f(v)
	})
	v.prepare(ctx)
	return err
}

// QueryContext runs a read. From its second time on it is prepared.
func (v *View) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	v.ran.Add(1)
	if s, ok := v.reads.known(query); ok {
		return v.tx.StmtContext(ctx, s).QueryContext(ctx, args...)
	}
	v.fresh = append(v.fresh, query)
	return v.tx.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a read of at most one row.
func (v *View) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	v.ran.Add(1)
	if s, ok := v.reads.known(query); ok {
		return v.tx.StmtContext(ctx, s).QueryRowContext(ctx, args...)
	}
	v.fresh = append(v.fresh, query)
	return v.tx.QueryRowContext(ctx, query, args...)
}

// prepare prepares what was missing once the transaction is over: it needs a
// connection, for which transactions could wait in a circle. What cannot be
// prepared is met again by its next use.
func (v *View) prepare(ctx context.Context) {
	for _, query := range v.fresh {
		if _, release, err := v.reads.get(ctx, query); err == nil {
			release()
		}
	}
}
