package store

import (
	"context"
	"fmt"
	"strings"

	"agentmemory/internal/memory"
)

// SearchPlan returns how SQLite finds the postings of a search, and then runs
// its filter.
func SearchPlan(ctx context.Context, s *Store, f memory.Filter) ([]string, error) {
	postings, err := s.explain(ctx, listTerms, "[]")
	if err != nil {
		return nil, err
	}
	statement, args := fittingQuery("[1]", conditionOf(f))
	filter, err := s.explain(ctx, statement, args...)
	return append(postings, filter...), err
}

func (s *Store) explain(ctx context.Context, statement string, args ...any) ([]string, error) {
	rows, err := s.db.Query(ctx, "EXPLAIN QUERY PLAN "+statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			return nil, err
		}
		if strings.HasPrefix(detail, "SCAN k ") || strings.HasPrefix(detail, "SCAN t ") {
			detail, _, _ = strings.Cut(detail, " INDEX") // how json_each spells its arguments
		}
		plan = append(plan, detail)
	}
	return plan, rows.Err()
}

// PruneAbove sets from how many memories frequent terms are pruned.
func PruneAbove(s *Store, memories uint32) { s.terms.prunedAbove = memories }

// KeysOf returns the keys of memories.
func KeysOf(ctx context.Context, s *Store, ids ...string) (keys []int64, err error) {
	for _, id := range ids {
		var key int64
		if err := s.db.Row(ctx, "SELECT key FROM memories WHERE id = ?", []any{id}, &key); err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// PagesRead returns how many pages were looked at once work in the background is over.
func PagesRead(ctx context.Context, s *Store) (int64, error) {
	s.tasks.Wait()
	return s.db.PagesRead(ctx)
}

// Kept returns all that is kept in memory of the candidates with these keys, as
// text; what is not kept is left out.
func Kept(s *Store, keys []int64) (kept []string) {
	s.shown.mu.Lock()
	defer s.shown.mu.Unlock()
	for _, key := range keys {
		if k, ok := s.shown.kept.get(key); ok {
			kept = append(kept, fmt.Sprintf("%+v", *k))
		}
	}
	return kept
}
