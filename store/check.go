package store

import (
	"context"
	"fmt"
	"strconv"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// Check reads everything and returns what is not consistent, one line a
// finding: damaged rows, broken references, an index that disagrees with the
// rows, wrong sums, numbers that could be given twice. It takes time in
// proportion to the store and changes nothing.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	var findings []string
	for _, c := range checks() {
		found, err := s.findings(ctx, c)
		if err != nil {
			return findings, fmt.Errorf("checking %s: %w", c.what, err)
		}
		findings = append(findings, found...)
	}
	damaged, err := s.damagedRows(ctx)
	findings = append(findings, damaged...)
	if err != nil || s.db.ReadOnly() {
		return findings, err
	}
	inFile, err := s.fileFindings(ctx)
	return append(findings, inFile...), err
}

// check is a query whose every row is a finding.
type check struct{ what, query string }

func checks() []check {
	return []check{
		{"references", `SELECT "table" || ' row ' || coalesce(rowid, '?') || ' refers to nothing' FROM pragma_foreign_key_check`},
		{"texts", "SELECT 'memory ' || id || ' has no text' FROM memories WHERE key NOT IN (SELECT key FROM texts)"},
		{"the index", "SELECT 'the index holds ' || f || ' memories, the store ' || n FROM" +
			" (SELECT (SELECT count(*) FROM search_docsize) f, (SELECT count(*) FROM memories) n) WHERE f != n"},
		{"addresses", "SELECT 'address ' || uri_key || ' is used ' || count(*) || ' times' FROM memories NOT INDEXED" +
			" GROUP BY namespace, uri_key HAVING count(*) > 1"},
		{"sums", "SELECT 'namespace ' || n.namespace || ' counts ' || coalesce(s.value, 0) || ' ' || n.name || ', has ' || n.found FROM" +
			" (SELECT namespace, 'memories' name, count(*) found FROM memories GROUP BY namespace UNION ALL" +
			" SELECT namespace, 'length', sum(length) FROM memories GROUP BY namespace) n" +
			" LEFT JOIN sums s USING (namespace, name) WHERE coalesce(s.value, 0) != n.found"},
		{"numbers", "SELECT 'number ' || n || ' of ' || minute || ' could be given again' FROM" +
			" (SELECT m.namespace, substr(place, 1, 24) minute, CAST(substr(place, 25) AS INTEGER) n FROM" +
			" (SELECT namespace, substr(uri_key, instr(uri_key, '://') + 3) place FROM memories) m" +
			" WHERE place GLOB 'journal/????-??-??#????-[0-9]*') m" +
			" WHERE n <= " + strconv.Itoa(greatestNumber) + " AND n > coalesce((SELECT highest FROM numbers c WHERE c.namespace = m.namespace AND c.minute = m.minute), 0)"},
		{"the outbox", "SELECT 'the outbox names memory ' || memory_id || ', which is gone' FROM outbox o" +
			" WHERE op NOT IN ('remove', 'purge') AND memory_id NOT IN (SELECT id FROM memories)" +
			" AND NOT EXISTS (SELECT 1 FROM outbox l WHERE l.memory_id = o.memory_id AND l.seq > o.seq AND l.op IN ('remove', 'purge'))"},
		{"vectors", "SELECT 'generation ' || g.generation || ' holds a vector of ' || (length(v.components) / 4) || ' components' FROM vectors v" +
			" JOIN generations g USING (generation) WHERE length(v.components) NOT IN (0, 4 * g.dimension)"},
	}
}

func (s *Store) findings(ctx context.Context, c check) ([]string, error) {
	rows, err := s.db.Query(ctx, c.query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return found, err
		}
		found = append(found, line)
	}
	return found, rows.Err()
}

// checkedAtOnce is how many memories are in memory at a time.
const checkedAtOnce = 1000

// damagedRows reads every memory, and with it checks its checksum, and
// compares its terms with a fresh analysis.
func (s *Store) damagedRows(ctx context.Context) ([]string, error) {
	var findings []string
	for from := int64(0); ; {
		last, found, err := s.damagedAfter(ctx, from)
		findings = append(findings, found...)
		if err != nil || last == from {
			return findings, err
		}
		from = last
	}
}

// damagedAfter looks at the memories after a key and returns the last one's.
func (s *Store) damagedAfter(ctx context.Context, from int64) (last int64, findings []string, err error) {
	err = s.db.Row(ctx, "SELECT coalesce(max(key), ?1) FROM (SELECT key FROM memories WHERE key > ?1 ORDER BY key LIMIT ?2)",
		[]any{from, checkedAtOnce}, &last)
	if err != nil || last == from {
		return last, nil, err
	}
	intact, err := s.many(ctx, selected+"WHERE m.key > ? AND m.key <= ? ORDER BY m.key", from, last)
	for id := range damagedIDs(err) {
		findings = append(findings, "memory "+id+" is damaged")
	}
	if err != nil && len(findings) == 0 {
		return last, nil, fmt.Errorf("reading all memories: %w", err)
	}
	for _, r := range intact {
		var stored string
		if err := s.db.Row(ctx, "SELECT terms FROM texts WHERE key = ?", []any{r.key}, &stored); err != nil {
			return last, findings, fmt.Errorf("reading the terms of memory %s: %w", r.ID, err)
		}
		if terms, _ := analysed(r.Memory); terms != stored {
			findings = append(findings, "memory "+r.ID+" is indexed under other terms than its text has")
		}
	}
	return last, findings, nil
}

// fileFindings lets FTS5 compare its postings with the terms of the rows, a
// write statement that writes nothing, and then SQLite examine the file. The
// order matters: only the former makes a connection see what others wrote to
// the index since; without it the latter finds corruption where there is none.
func (s *Store) fileFindings(ctx context.Context) ([]string, error) {
	var findings []string
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if _, err := tx.Exec("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)"); memory.CodeOf(err) == memory.ReadOnly {
			return err
		} else if err != nil {
			findings = append(findings, "the full-text index disagrees with the rows: "+err.Error())
		}
		rows, err := tx.Query("SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check != 'ok'")
		if err != nil {
			return fmt.Errorf("examining the file: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				return fmt.Errorf("examining the file: %w", err)
			}
			findings = append(findings, line)
		}
		return rows.Err()
	})
	return findings, err
}
