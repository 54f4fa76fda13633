package sqlite

import (
	"context"
	"database/sql"
)

// Current runs f with the connection that writes, outside of a transaction.
// What this process has written is in that connection's cache, whereas every
// other one reads anew after each commit; but writers wait meanwhile, so f is
// to be short.
func (d *DB) Current(ctx context.Context, f func(*Reads) error) error {
	return d.exclusively(ctx, func(ctx context.Context, s *session) error {
		return f(&Reads{Tx{ctx: ctx, session: s}})
	})
}

// Reads asks by the connection that writes. It is used by one goroutine.
type Reads struct{ tx Tx }

// Query runs a read, prepared once and kept.
func (r *Reads) Query(query string, args ...any) (*sql.Rows, error) {
	return r.tx.Query(query, args...)
}

// Row reads at most one row into dest and reports whether there was one.
func (r *Reads) Row(query string, args []any, dest ...any) (bool, error) {
	return r.tx.Row(query, args, dest...)
}
