package store

import (
	"context"

	"agentmemory/internal/memory"
)

// SearchPlan returns how SQLite runs the filter of a search.
func SearchPlan(ctx context.Context, s *Store, f memory.Filter) ([]string, error) {
	statement, args := fittingQuery("[1]", f, 10)
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
		if len(detail) > 20 && detail[:7] == "SCAN k " {
			detail = "SCAN k VIRTUAL TABLE"
		}
		plan = append(plan, detail)
	}
	return plan, rows.Err()
}
