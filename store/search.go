package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"agentmemory/internal/memory"
)

// Search returns up to limit memories that hold at least one of the terms
// (text.Index of a query), best first by BM25, and what the namespace holds of
// each term. The index drives; the filter only drops what does not fit, so that
// it makes no query slower.
func (s *Store) Search(ctx context.Context, terms []string, f memory.Filter, limit int) ([]memory.Candidate, memory.Corpus, error) {
	corpus, err := s.Corpus(ctx, f.Namespace, terms)
	if err != nil || len(terms) == 0 {
		return nil, corpus, err
	}
	query, args := searchQuery(terms, f, limit)
	rows, err := s.db.Query(ctx, query, args...)
	if err != nil {
		return nil, corpus, fmt.Errorf("searching: %w", err)
	}
	found, err := s.candidates(rows)
	if err != nil {
		return nil, corpus, fmt.Errorf("reading what the search found: %w", err)
	}
	return found, corpus, nil
}

const candidateColumns = "m.key, m.id, m.group_name, m.group_seq, m.type, m.form, m.status, m.trust, m.actor, m.cold, m.pinned, " +
	"m.confidence, m.stability, m.importance, m.access_count, m.last_access, m.observed, m.created_at, x.terms"

func searchQuery(terms []string, f memory.Filter, limit int) (string, []any) {
	c := conditionOf(f)
	query := "SELECT " + candidateColumns + " FROM search s CROSS JOIN memories m ON m.key = s.rowid" +
		" CROSS JOIN texts x ON x.key = m.key WHERE s.search MATCH ?"
	if len(c.parts) > 0 {
		query += " AND " + c.and()
	}
	args := append([]any{matching(terms)}, c.args...)
	return query + " ORDER BY s.rank LIMIT ?", append(args, limit)
}

// matching writes a query for any of the terms, each quoted, so that no
// character of a term means anything to FTS5.
func matching(terms []string) string {
	seen := make(map[string]bool, len(terms))
	var b strings.Builder
	for _, t := range terms {
		if seen[t] {
			continue
		}
		seen[t] = true
		if b.Len() > 0 {
			b.WriteString(" OR ")
		}
		b.WriteString(quoted(t))
	}
	return b.String()
}

// quoted makes a term an FTS5 string; NUL would end the query.
func quoted(term string) string {
	return `"` + strings.ReplaceAll(strings.ReplaceAll(term, "\x00", ""), `"`, `""`) + `"`
}

func (s *Store) candidates(rows *sql.Rows) ([]memory.Candidate, error) {
	defer rows.Close()
	var found []memory.Candidate
	for rows.Next() {
		var c memory.Candidate
		var kind, form, status, trust string
		var last, observed, created sql.NullInt64
		err := rows.Scan(&c.Key, &c.ID, &c.Group, &c.Seq, &kind, &form, &status, &trust, &c.Actor, &c.Cold, &c.Pinned,
			&c.Confidence, &c.Stability, &c.Importance, &c.Accesses, &last, &observed, &created, &c.Terms)
		if err != nil {
			return nil, err
		}
		c.Type, c.Form, c.Status, c.Trust = memory.Type(kind), memory.Form(form), memory.Status(status), memory.Trust(trust)
		c.LastAccess, c.Observed, c.Created = s.timeOf(last), s.timeOf(observed), s.timeOf(created)
		found = append(found, c)
	}
	return found, rows.Err()
}

// Candidates returns what ranking needs of the memories with these keys, in
// the order asked; keys that are gone are left out.
func (s *Store) Candidates(ctx context.Context, keys []int64) ([]memory.Candidate, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, fmt.Errorf("encoding keys: %w", err)
	}
	rows, err := s.db.Query(ctx, "SELECT "+candidateColumns+" FROM json_each(?) k CROSS JOIN memories m ON m.key = k.value"+
		" CROSS JOIN texts x ON x.key = m.key ORDER BY k.key", string(list))
	if err != nil {
		return nil, fmt.Errorf("reading candidates: %w", err)
	}
	found, err := s.candidates(rows)
	if err != nil {
		return nil, fmt.Errorf("reading candidates: %w", err)
	}
	return found, nil
}

// Around returns the recallable memories that stand up to distance places
// before or after the given ones in their session or journal, each once,
// without the given ones.
func (s *Store) Around(ctx context.Context, keys []int64, distance int) ([]memory.Candidate, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, fmt.Errorf("encoding keys: %w", err)
	}
	rows, err := s.db.Query(ctx, aroundQuery, string(list), distance)
	if err != nil {
		return nil, fmt.Errorf("reading neighbours: %w", err)
	}
	found, err := s.candidates(rows)
	if err != nil {
		return nil, fmt.Errorf("reading neighbours: %w", err)
	}
	return found, nil
}

const aroundQuery = "WITH given AS MATERIALIZED (SELECT m.key, m.namespace, m.group_name, m.group_seq" +
	" FROM json_each(?1) k CROSS JOIN memories m ON m.key = k.value WHERE m.group_name != '')," +
	" near AS MATERIALIZED (SELECT DISTINCT n.key FROM given g CROSS JOIN memories n INDEXED BY memories_by_group" +
	" ON n.namespace = g.namespace AND n.group_name = g.group_name" +
	" AND n.group_seq BETWEEN g.group_seq - ?2 AND g.group_seq + ?2 AND n.status IN ('active', 'proposed', 'missing')" +
	" WHERE n.key NOT IN (SELECT key FROM given))" +
	" SELECT " + candidateColumns + " FROM near CROSS JOIN memories m ON m.key = near.key CROSS JOIN texts x ON x.key = m.key" +
	" ORDER BY m.group_name, m.group_seq, m.key"
