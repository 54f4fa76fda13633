package store

import (
	"fmt"
	"strings"

	"agentmemory/internal/memory"
)

// The tables that get a row with nearly every change, and how many one statement adds.
const (
	intoHistory = "INSERT OR REPLACE INTO history (namespace, memory_id, revision, op, content, status, reason, at) VALUES " + laterRow
	intoOutbox  = "INSERT INTO outbox (namespace, memory_id, revision, op, file, record_only, tombstone, at) VALUES " + laterRow
	laterRow    = "(?, ?, ?, ?, ?, ?, ?, ?)"
	laterValues = 8
	laterAtOnce = 25
)

// later are rows of one table that a transaction adds before it ends: many in one
// statement, which costs a row half of what a statement of its own does. Only
// transactions that change attributes do so: SQLite can take a statement of many rows
// back, for which the full-text index would be written out in small parts.
type later struct {
	into string
	args []any
}

// add takes a row, and writes what waits once it fills a statement.
func (l *later) add(b *batch, into string, values ...any) error {
	if !b.attributes {
		_, err := b.Exec(into, values...)
		return err
	}
	l.into, l.args = into, append(l.args, values...)
	if len(l.args) < laterAtOnce*laterValues {
		return nil
	}
	_, err := b.Exec(into+strings.Repeat(", "+laterRow, laterAtOnce-1), l.args...)
	l.args = l.args[:0]
	return err
}

// onlyAttributes reports whether no change concerns a text.
func onlyAttributes(changes []prepared) bool {
	for i := range changes {
		switch changes[i].Op {
		case memory.OpReinforce, memory.OpStatus, memory.OpMove:
		default:
			return false
		}
	}
	return true
}

// catchUp adds what waits, row by row, so that there are few different statements.
func (b *batch) catchUp() error {
	for _, l := range []*later{&b.history, &b.outbox} {
		for ; len(l.args) > 0; l.args = l.args[laterValues:] {
			if _, err := b.Exec(l.into, l.args[:laterValues]...); err != nil {
				return fmt.Errorf("adding what waits for the history and the outbox: %w", err)
			}
		}
	}
	return nil
}
