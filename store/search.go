package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
)

// Search returns up to limit memories that hold at least one of the terms
// (text.Index of a query), best first by BM25 over which terms they hold, and
// what the namespace holds of each term. The full-text index drives; the filter
// is asked about the best ones only, so that it makes no query slower.
func (s *Store) Search(ctx context.Context, terms []string, f memory.Filter, limit int) ([]memory.Candidate, memory.Corpus, error) {
	corpus, err := s.Corpus(ctx, f.Namespace, terms)
	if err != nil || len(terms) == 0 || limit <= 0 {
		return nil, corpus, err
	}
	terms = slices.Compact(slices.Sorted(slices.Values(terms)))
	terms = slices.DeleteFunc(terms, func(t string) bool { return corpus.DF[t] == 0 })
	lists, err := s.postings(s.asking(ctx), terms)
	if err != nil {
		return nil, corpus, err
	}
	if err := s.loadExtents(ctx); err != nil {
		return nil, corpus, err
	}
	best := s.terms.score(query{terms: terms, lists: lists, namespace: f.Namespace, corpus: corpus})
	defer s.terms.release(best)
	found, err := s.best(ctx, best.found, f, limit)
	if err != nil {
		return nil, corpus, fmt.Errorf("searching: %w", err)
	}
	return found, corpus, nil
}

// Corpus returns the statistics by which terms are weighted. With several
// namespaces a document frequency is the share of the whole store's that falls
// to this one; all other numbers are exact.
func (s *Store) Corpus(ctx context.Context, namespace string, terms []string) (memory.Corpus, error) {
	corpus := memory.Corpus{DF: make(map[string]int, len(terms))}
	g, err := s.look(ctx)
	if err != nil {
		return corpus, err
	}
	whole, own := g.of(""), g.of(namespace)
	corpus.Memories, corpus.Length = own.memories, own.length
	if whole.memories == 0 {
		return corpus, nil
	}
	df, err := s.frequencies(s.asking(ctx), terms)
	if err != nil {
		return corpus, fmt.Errorf("reading document frequencies: %w", err)
	}
	for t, n := range df {
		share := n * corpus.Memories / whole.memories
		if n > 0 && corpus.Memories > 0 {
			share = max(share, 1)
		}
		corpus.DF[t] = share
	}
	return corpus, nil
}

// best returns the candidates of the best that fit the filter. It asks about
// a few more than wanted first; if too few of them fit, the filter is looked up
// for all memories.
func (s *Store) best(ctx context.Context, all []scored, f memory.Filter, limit int) ([]memory.Candidate, error) {
	const spare, few = 64, 2000
	found := make([]memory.Candidate, 0, min(limit, len(all)))
	for piece := limit + spare; len(all) > 0 && len(found) < limit; piece = limit {
		n := min(piece, len(all))
		selectBest(all, n)
		var err error
		if found, err = s.fittingCandidates(ctx, found, all[:n], f, limit); err != nil {
			return nil, err
		}
		all = all[n:]
		if len(found) < limit && len(all) > few {
			if all, err = s.selected(ctx, all, f); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// selected keeps those that a filter selects.
func (s *Store) selected(ctx context.Context, all []scored, f memory.Filter) ([]scored, error) {
	m, err := s.mask(ctx, conditionOf(f))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(c scored) bool { return !m.has(c.key) }), nil
}

// selectBest moves the n best to the front, in order: by quickselect, so that
// the others need not be sorted.
func selectBest(all []scored, n int) {
	low, high := 0, len(all)
	for high-low > 1 && n < len(all) {
		pivot := all[low+(high-low)/2]
		i, j := low, high-1
		for i <= j {
			for better(all[i], pivot) < 0 {
				i++
			}
			for better(all[j], pivot) > 0 {
				j--
			}
			if i <= j {
				all[i], all[j] = all[j], all[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			high = j + 1
		case n >= i:
			low = i
		default:
			low, high = n, n
		}
	}
	slices.SortFunc(all[:n], better)
}

// fittingCandidates appends candidates that fit the filter until there are
// limit. Where a candidate tells whether it fits, those in memory are asked.
func (s *Store) fittingCandidates(ctx context.Context, found []memory.Candidate, some []scored, f memory.Filter, limit int) ([]memory.Candidate, error) {
	if !plain(f) {
		return s.filteredCandidates(ctx, found, some, f, limit)
	}
	const atLeast = 16
	for len(some) > 0 && len(found) < limit {
		n := min(max(limit-len(found), atLeast), len(some)) // as a rule, all of them fit
		keys := make([]int64, n)
		for i, c := range some[:n] {
			keys[i] = int64(c.key)
		}
		kept, err := s.fresh(ctx, keys)
		if err != nil {
			return nil, err
		}
		some = some[n:]
		for _, k := range kept {
			if len(found) < limit && k != nil && k.fits(f) {
				found = append(found, k.Candidate)
			}
		}
	}
	return found, nil
}

// filteredCandidates lets the database decide which fit.
func (s *Store) filteredCandidates(ctx context.Context, found []memory.Candidate, some []scored, f memory.Filter, limit int) ([]memory.Candidate, error) {
	keys := make([]uint32, len(some))
	for i, c := range some {
		keys[i] = c.key
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	statement, args := fittingQuery(string(list), f, limit-len(found))
	rows, err := s.db.Query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	fitting, err := readKeys(rows)
	if err != nil {
		return nil, err
	}
	kept, err := s.fresh(ctx, fitting)
	return appendPresent(found, kept), err
}

// readKeys reads the rows of a query for keys, and closes them.
func readKeys(rows *sql.Rows) (keys []int64, err error) {
	defer rows.Close()
	for rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, rows.Err()
}

// fittingQuery asks which of a list of keys a filter selects, in their order.
// The list drives, whatever indexes the filter could use. A bare parameter as
// limit would make SQLite plan anew whenever its value changes.
func fittingQuery(list string, f memory.Filter, limit int) (string, []any) {
	c := conditionOf(f)
	args := append([]any{list}, c.args...)
	return "SELECT m.key FROM json_each(?) k CROSS JOIN memories m ON m.key = k.value" + c.where() + " LIMIT ? + 0", append(args, limit)
}
