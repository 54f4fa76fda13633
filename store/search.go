package store

import (
	"context"
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
	found, err := s.best(ctx, best, f, limit)
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
	var whole int
	var changed int64
	err := s.db.Row(ctx, "SELECT coalesce(sum(value) FILTER (WHERE name = 'memories' AND (?1 = '' OR namespace = ?1)), 0),"+
		" coalesce(sum(value) FILTER (WHERE name = 'length' AND (?1 = '' OR namespace = ?1)), 0),"+
		" coalesce(sum(value) FILTER (WHERE name = 'memories'), 0),"+
		" coalesce(sum(value) FILTER (WHERE name = 'transactions'), 0) FROM sums",
		[]any{namespace}, &corpus.Memories, &corpus.Length, &whole, &changed)
	if err != nil {
		return corpus, fmt.Errorf("reading the size of the store: %w", err)
	}
	if whole == 0 {
		return corpus, nil
	}
	if err := s.followTerms(ctx, changed); err != nil {
		return corpus, err
	}
	df, err := s.frequencies(s.asking(ctx), terms)
	if err != nil {
		return corpus, fmt.Errorf("reading document frequencies: %w", err)
	}
	for t, n := range df {
		share := n * corpus.Memories / whole
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
	var found []memory.Candidate
	for piece := limit + spare; len(all) > 0 && len(found) < limit; piece = limit {
		n := min(piece, len(all))
		selectBest(all, n)
		fitting, err := s.fittingCandidates(ctx, all[:n], f, limit-len(found))
		if err != nil {
			return nil, err
		}
		found, all = append(found, fitting...), all[n:]
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

// fittingCandidates returns the first candidates that fit the filter. Where a
// candidate tells whether it fits, those in memory are asked themselves.
func (s *Store) fittingCandidates(ctx context.Context, some []scored, f memory.Filter, limit int) ([]memory.Candidate, error) {
	if !plain(f) {
		return s.filteredCandidates(ctx, some, f, limit)
	}
	const atLeast = 16
	found := make([]memory.Candidate, 0, min(limit, len(some)))
	for len(some) > 0 && len(found) < limit {
		n := min(max(limit-len(found), atLeast), len(some)) // as a rule, all of them fit
		kept, err := s.fresh(ctx, some[:n])
		if err != nil {
			return nil, err
		}
		some = some[n:]
		for i := range kept {
			if len(found) < limit && kept[i].Key != 0 && kept[i].fits(f) {
				found = append(found, kept[i].Candidate)
			}
		}
	}
	return found, nil
}

// filteredCandidates lets the database decide which fit.
func (s *Store) filteredCandidates(ctx context.Context, some []scored, f memory.Filter, limit int) ([]memory.Candidate, error) {
	keys := make([]uint32, len(some))
	for i, c := range some {
		keys[i] = c.key
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	statement, args := fittingQuery(string(list), f, limit)
	rows, err := s.db.Query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	return s.candidatesOf(ctx, rows)
}

// fittingQuery asks which of a list of keys a filter selects, in their order.
// The list drives, whatever indexes the filter could use. A bare parameter as
// limit would make SQLite plan anew whenever its value changes.
func fittingQuery(list string, f memory.Filter, limit int) (string, []any) {
	c := conditionOf(f)
	args := append([]any{list}, c.args...)
	return "SELECT m.key, m.changed FROM json_each(?) k CROSS JOIN memories m ON m.key = k.value" + c.where() + " LIMIT ? + 0", append(args, limit)
}
