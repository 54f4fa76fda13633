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
	return s.SearchRelated(ctx, terms, nil, f, limit)
}

// SearchRelated is Search with words related to the terms, nearest first for each
// of these. Memories that hold one of them are found, too, unless it is common. The
// statistics tell of the related words that took part, and of no other one.
func (s *Store) SearchRelated(ctx context.Context, terms []string, related []memory.Related, f memory.Filter, limit int) ([]memory.Candidate, memory.Corpus, error) {
	if len(terms) == 0 || limit <= 0 {
		corpus, err := s.Corpus(ctx, f.Namespace, terms)
		return nil, corpus, err
	}
	if _, err := s.look(ctx); err != nil {
		return nil, memory.Corpus{}, err
	}
	q, err := s.plan(ctx, terms, related, f.Namespace)
	corpus := q.corpus
	if err != nil {
		return nil, corpus, err
	}
	best := s.terms.score(q)
	defer s.terms.spare.release(best)
	found, err := s.best(ctx, best.found, f, limit)
	if err != nil {
		return nil, corpus, fmt.Errorf("searching: %w", err)
	}
	return found, corpus, nil
}

// plan reads which memories hold the terms and how many there are of each.
func (s *Store) plan(ctx context.Context, terms []string, related []memory.Related, namespace string) (query, error) {
	q := query{namespace: namespace}
	asked := slices.Compact(slices.Sorted(slices.Values(terms)))
	var err error
	if q.lists, err = s.postings(s.asking(ctx), asked); err != nil { // they tell the frequencies, too
		return q, err
	}
	if q.corpus, err = s.Corpus(ctx, namespace, allTerms(terms, related)); err != nil {
		return q, err
	}
	if err := s.loadExtents(ctx); err != nil {
		return q, err
	}
	q.terms = slices.DeleteFunc(asked, func(t string) bool { return q.corpus.DF[t] == 0 })
	q.terms = s.terms.ownFrequencies(q, q.corpus)
	if len(related) == 0 {
		return q, nil
	}
	return q, s.planRelated(ctx, &q, terms, related)
}

// Corpus returns the statistics by which terms are weighted. With several
// namespaces a document frequency is the share of the whole store's that falls
// to this one, until Search counts; all other numbers are exact.
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

// best returns the best candidates that fit the filter. It asks about a few more
// than wanted first; if too few of them fit, about more and more.
func (s *Store) best(ctx context.Context, all []scored, f memory.Filter, limit int) ([]memory.Candidate, error) {
	const spare, growth = 64, 6
	found := make([]memory.Candidate, 0, min(limit, len(all)))
	fits := (*keptCandidate).fits
	for piece := limit + spare; len(all) > 0 && len(found) < limit; piece *= growth {
		n := min(piece, len(all))
		selectBest(all, n)
		some := all[:n]
		var err error
		if n > limit+spare || !commonplace(f) {
			if some, err = s.selected(ctx, some, f); err != nil {
				return nil, err
			}
			fits = func(*keptCandidate, memory.Filter) bool { return true }
		}
		if found, err = s.fitting(ctx, found, some, limit, func(k *keptCandidate) bool { return fits(k, f) }); err != nil {
			return nil, err
		}
		all = all[n:]
	}
	return found, nil
}

// patience is the share of a store, one in so many memories, that the database is
// asked about before what a filter selects is read in the background, for the
// questions to come.
const patience = 50

// hasty is the share, one in so many, that takes about as long to ask about as
// reading what the filter selects: that is waited for then.
const hasty = 8

// selected keeps those that a filter selects, in order.
func (s *Store) selected(ctx context.Context, some []scored, f memory.Filter) ([]scored, error) {
	c, err := s.selection(ctx, f)
	if err != nil {
		return nil, err
	}
	m, err := s.knownMask(ctx, c)
	if err != nil {
		return nil, err
	}
	if m == nil {
		if m, err = s.maskFor(ctx, some, c); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(some, func(one scored) bool { return !m.has(one.key) }), nil
}

// maskFor tells which of some memories a condition selects that is new.
func (s *Store) maskFor(ctx context.Context, some []scored, c *condition) (*mask, error) {
	if c.holding != "" {
		return s.mask(ctx, c)
	}
	if g := s.glanced.Load(); g != nil && len(some)*patience > g.whole.memories {
		s.startMask(c)
		if len(some)*hasty > g.whole.memories && g.whole.memories > fewMemories {
			return s.mask(ctx, c)
		}
	}
	keys := make([]int64, len(some))
	for i, one := range some {
		keys[i] = int64(one.key)
	}
	return s.maskOf(ctx, keys, c)
}

// maskOf asks the database which of some keys a condition selects.
func (s *Store) maskOf(ctx context.Context, keys []int64, c *condition) (*mask, error) {
	slices.Sort(keys) // neighbours are on one page
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	statement, args := fittingQuery(string(list), c)
	rows, err := s.db.Query(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	m := &mask{}
	return m, m.take(rows)
}

// fittingQuery asks which of a list of keys a condition selects. The list
// drives, whatever indexes the condition could use.
func fittingQuery(list string, c *condition) (string, []any) {
	return "SELECT coalesce(group_concat(m.key), '') FROM json_each(?) k CROSS JOIN memories m ON m.key = k.value" + c.where(), append([]any{list}, c.args...)
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

// fitting appends the candidates that fit until there are limit.
func (s *Store) fitting(ctx context.Context, found []memory.Candidate, some []scored, limit int, fits func(*keptCandidate) bool) ([]memory.Candidate, error) {
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
			if len(found) < limit && k != nil && fits(k) {
				found = append(found, k.Candidate)
			}
		}
	}
	return found, nil
}
