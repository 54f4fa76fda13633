// Package legacy reads databases of the original agent-memory (versions 2.0 to
// 5.1, schemas 2 to 8), read-only, as a stream of memories with their addresses,
// links and history. Which columns there are is asked of the database, not
// concluded from its version: those releases differ in little else.
package legacy

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// newestSchema is the schema of release 5.1, the last one of that program.
const newestSchema = 8

// Database is an open database of the original agent-memory.
type Database struct {
	db      *sqlite.DB
	columns map[string]map[string]bool // of each table
	schema  int                        // 0: the database does not say
}

// Open opens the database at path for reading only. A file that is no such
// database is InvalidArgument, a schema later than 8 is NewerStore.
func Open(ctx context.Context, path string) (*Database, error) {
	db, err := sqlite.Open(sqlite.Options{Path: path, ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	d := &Database{db: db, columns: map[string]map[string]bool{}}
	if err := d.inspect(ctx, path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return d, nil
}

// Close closes the database.
func (d *Database) Close() error {
	if err := d.db.Close(); err != nil {
		return fmt.Errorf("closing the old database: %w", err)
	}
	return nil
}

// Schema returns the version that the database gives for itself, 0 if none.
func (d *Database) Schema() int { return d.schema }

func (d *Database) inspect(ctx context.Context, path string) error {
	rows, err := d.db.Query(ctx, `SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`)
	if err != nil {
		return notOurs(path, err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return fmt.Errorf("reading the schema: %w", err)
		}
		if d.columns[table] == nil {
			d.columns[table] = map[string]bool{}
		}
		d.columns[table][column] = true
	}
	if err := rows.Err(); err != nil {
		return notOurs(path, err)
	}
	return d.checkSchema(ctx, path)
}

func notOurs(path string, cause error) error {
	return memory.Errorf(memory.InvalidArgument, "%s is no database of agent-memory: %w", path, cause).
		WithHint("give the file that AGENT_MEMORY_DB named, usually agent-memory.db")
}

func (d *Database) checkSchema(ctx context.Context, path string) error {
	for _, column := range []string{"id", "content", "type", "created_at"} {
		if !d.columns["memories"][column] {
			return notOurs(path, fmt.Errorf("no column memories.%s", column))
		}
	}
	if !d.columns["schema_meta"]["value"] {
		return nil
	}
	var text string
	err := d.db.Row(ctx, `SELECT value FROM schema_meta WHERE key = 'version'`, nil, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading the schema version: %w", err)
	}
	d.schema, err = strconv.Atoi(strings.TrimSpace(text))
	if err != nil || d.schema > newestSchema {
		return memory.Errorf(memory.NewerStore, "%s has schema %s; schemas up to %d are known", path, text, newestSchema).
			WithHint("export it with the program that made it, and import the JSON lines")
	}
	return nil
}

// Count returns how many memories Records yields, for showing progress.
func (d *Database) Count(ctx context.Context) (int, error) {
	total := 0
	for _, table := range d.tables() {
		var n int
		if err := d.db.Row(ctx, "SELECT count(*) FROM "+table, nil, &n); err != nil {
			return 0, fmt.Errorf("counting %s: %w", table, err)
		}
		total += n
	}
	return total, nil
}

// tables lists those that hold memories: releases from 5.0 on keep what they
// evicted in a table of its own.
func (d *Database) tables() []string {
	if d.columns["memory_archive"]["content"] {
		return []string{"memories", "memory_archive"}
	}
	return []string{"memories"}
}

// Records yields every memory, oldest first, then the archived ones. It stops
// after the first error that it yields. It can be ranged over again.
func (d *Database) Records(ctx context.Context) iter.Seq2[memory.Imported, error] {
	return func(yield func(memory.Imported, error) bool) {
		for _, table := range d.tables() {
			if !d.table(ctx, table, yield) {
				return
			}
		}
	}
}

// table yields the rows of one table and reports whether to go on.
func (d *Database) table(ctx context.Context, table string, yield func(memory.Imported, error) bool) bool {
	rows, err := d.db.Query(ctx, "SELECT "+d.selection(table)+" FROM "+table+" ORDER BY created_at, rowid")
	if err != nil {
		yield(memory.Imported{}, fmt.Errorf("reading %s: %w", table, err))
		return false
	}
	defer rows.Close()
	for rows.Next() {
		r, err := d.record(ctx, rows, table)
		if !yield(r, err) || err != nil {
			return false
		}
	}
	if err := rows.Err(); err != nil {
		yield(memory.Imported{}, fmt.Errorf("reading %s: %w", table, err))
		return false
	}
	return true
}

func (d *Database) record(ctx context.Context, rows *sql.Rows, table string) (memory.Imported, error) {
	var r row
	if err := rows.Scan(r.targets()...); err != nil {
		return memory.Imported{}, fmt.Errorf("reading a row of %s: %w", table, err)
	}
	imported := r.imported(table == "memory_archive")
	err := errors.Join(d.addPaths(ctx, &imported), d.addLinks(ctx, &imported), d.addHistory(ctx, &imported))
	if err != nil {
		return memory.Imported{}, fmt.Errorf("reading what belongs to memory %s: %w", imported.Memory.ID, err)
	}
	return imported, nil
}

func (d *Database) addPaths(ctx context.Context, r *memory.Imported) error {
	if !d.columns["paths"]["uri"] {
		return nil
	}
	return d.each(ctx, `SELECT uri FROM paths WHERE memory_id = ? ORDER BY created_at, rowid`, r.Memory.ID, func(rows *sql.Rows) error {
		var uri string
		if err := rows.Scan(&uri); err != nil {
			return err
		}
		if r.Memory.URI == "" {
			r.Memory.URI = uri
		} else {
			r.Aliases = append(r.Aliases, uri)
		}
		return nil
	})
}

func (d *Database) addLinks(ctx context.Context, r *memory.Imported) error {
	if !d.columns["links"]["source_id"] {
		return nil
	}
	return d.each(ctx, `SELECT target_id, relation FROM links WHERE source_id = ? ORDER BY created_at, target_id`, r.Memory.ID, func(rows *sql.Rows) error {
		var l memory.Link
		if err := rows.Scan(&l.Target, &l.Relation); err != nil {
			return err
		}
		r.Memory.Links = append(r.Memory.Links, l)
		return nil
	})
}

// addHistory takes snapshots as what they are: the content before a change.
func (d *Database) addHistory(ctx context.Context, r *memory.Imported) error {
	if !d.columns["snapshots"]["content"] {
		return nil
	}
	return d.each(ctx, `SELECT content, action, coalesce(changed_by, ''), created_at FROM snapshots WHERE memory_id = ? ORDER BY created_at, rowid`, r.Memory.ID, func(rows *sql.Rows) error {
		var content, action, by, at string
		if err := rows.Scan(&content, &action, &by, &at); err != nil {
			return err
		}
		r.History = append(r.History, memory.Revision{
			MemoryID: r.Memory.ID, Revision: int64(len(r.History) + 1), Op: memory.OpUpdate, Content: content,
			Status: memory.Active, Reason: strings.TrimSpace("before " + action + " " + by), At: parseTime(at),
		})
		return nil
	})
}

func (d *Database) each(ctx context.Context, query, id string, read func(*sql.Rows) error) error {
	rows, err := d.db.Query(ctx, query, id)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
