package store

import (
	"context"
	"fmt"
	"strconv"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
)

// reindexedAtOnce is how many memories one transaction analyses again.
const reindexedAtOnce = 500

// reindex analyses all texts again if another version of the analysis made the
// index. It goes on where an interrupted run stopped.
func (s *Store) reindex(ctx context.Context, o Options) error {
	version, err := s.number(ctx, "text_version")
	if err != nil || version >= text.Version { // newer ones were refused
		return err
	}
	if o.ReadOnly {
		return memory.Errorf(memory.ReadOnly, "the index was made by text analysis %d and has to be made again by %d", version, text.Version)
	}
	return s.reindexAll(ctx, o)
}

func (s *Store) number(ctx context.Context, key string) (int, error) {
	raw, err := s.Meta(ctx, key)
	if err != nil || raw == nil {
		return 0, err
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return 0, fmt.Errorf("reading %s: %w", key, err)
	}
	return n, nil
}

func (s *Store) reindexAll(ctx context.Context, o Options) error {
	var total int
	if err := s.db.Row(ctx, "SELECT count(*) FROM memories", nil, &total); err != nil {
		return fmt.Errorf("counting memories: %w", err)
	}
	for done, more := 0, true; more; {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("analysing all texts again: %w", err)
		}
		err := s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
			var some int
			some, err = s.reindexSome(tx)
			done, more = done+some, some > 0
			return err
		})
		if err != nil {
			return fmt.Errorf("analysing all texts again: %w", err)
		}
		if o.Progress != nil {
			o.Progress(done, total, "analysing texts")
		}
	}
	return nil
}

// reindexSome does the next memories and notes how far it came; 0 means done.
func (s *Store) reindexSome(tx *sqlite.Tx) (int, error) {
	// The cursor is bound to the version: an interrupted run of another version is void.
	cursor := "reindexed_" + strconv.Itoa(text.Version)
	var from int64
	if _, err := tx.Row("SELECT CAST(CAST(value AS TEXT) AS INTEGER) FROM meta WHERE key = ?", []any{cursor}, &from); err != nil {
		return 0, err
	}
	batchRows, damaged := s.collect(tx.Query, selected+"WHERE m.key > ? ORDER BY m.key LIMIT ?", from, reindexedAtOnce)
	if len(batchRows) == 0 {
		if damaged != nil {
			return 0, damaged
		}
		if _, err := tx.Exec("DELETE FROM meta WHERE key = ?", cursor); err != nil {
			return 0, err
		}
		return 0, setMeta(tx, "text_version", fmt.Append(nil, text.Version))
	}
	if err := s.reindexRows(tx, batchRows); err != nil {
		return 0, err
	}
	return len(batchRows), setMeta(tx, cursor, fmt.Append(nil, batchRows[len(batchRows)-1].key))
}

func (s *Store) reindexRows(tx *sqlite.Tx, rows []row) error {
	b, err := s.begin(tx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := b.reanalyse(r); err != nil {
			return fmt.Errorf("memory %s: %w", r.ID, err)
		}
	}
	return b.finish()
}

func (b *batch) reanalyse(r row) error {
	var old string
	var oldLength int
	if _, err := b.Row("SELECT x.terms, m.length FROM memories m JOIN texts x ON x.key = m.key WHERE m.key = ?",
		[]any{r.key}, &old, &oldLength); err != nil {
		return err
	}
	terms, length := analysed(r.Memory)
	if terms == old {
		return nil
	}
	if err := b.reterm(r.key, old, terms); err != nil {
		return err
	}
	b.count(r.Namespace, 0, length-oldLength)
	_, err := b.Exec("UPDATE memories SET length = ?1, changed = ?2, indexed = ?2 WHERE key = ?3", length, b.changed, r.key)
	return err
}
