package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"agentmemory/internal/memory"
)

// Bounds of the related words of a search.
const (
	relatedEach = 12 // that memories hold, of one term of the question
	// relatedShare is how common a related word may be, one memory in so many, to
	// find any by itself: it is only a hint.
	relatedShare = 20
	fewEnough    = 10     // that many hold any word that is not common
	relatedWords = 32     // that find memories by themselves, of one question
	relatedKeys  = 10_000 // memories that all of these may hold together
)

// planRelated adds the related words that take part. With several namespaces it
// is counted what this one holds before any is chosen: otherwise the answer would tell
// what others hold.
func (s *Store) planRelated(ctx context.Context, q *query, terms []string, related []memory.Related) error {
	if !s.terms.alone(q.namespace) {
		if err := s.ownRelated(ctx, q, related); err != nil {
			return err
		}
	}
	kept := takingPart(related, q.corpus)
	forget(q.corpus, terms, kept)
	q.hints = q.hinting(kept)
	terms = make([]string, len(q.hints))
	for i, h := range q.hints {
		terms[i] = h.term
	}
	return s.list(ctx, q, terms)
}

// alone reports whether a namespace is the only one.
func (x *termIndex) alone(namespace string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return namespace == "" || len(x.extents.numbers) < 2
}

// ownRelated counts which related words the namespace holds.
func (s *Store) ownRelated(ctx context.Context, q *query, related []memory.Related) error {
	words := slices.DeleteFunc(allTerms(nil, related), func(t string) bool { return q.corpus.DF[t] == 0 || slices.Contains(q.terms, t) })
	slices.Sort(words)
	words = slices.Compact(words)
	if err := s.list(ctx, q, words); err != nil {
		return err
	}
	s.terms.ownFrequencies(query{terms: words, lists: q.lists, namespace: q.namespace}, q.corpus)
	return nil
}

// list reads which memories hold further terms.
func (s *Store) list(ctx context.Context, q *query, terms []string) error {
	lists, err := s.postings(s.asking(ctx), terms)
	if err != nil {
		return err
	}
	maps.Copy(q.lists, lists)
	return nil
}

// allTerms returns the terms of a search and those related to them.
func allTerms(terms []string, related []memory.Related) []string {
	all := make([]string, len(terms), len(terms)+len(related))
	copy(all, terms)
	for _, r := range related {
		all = append(all, r.Term)
	}
	return all
}

// takingPart returns the first of the related words of each term that memories hold.
func takingPart(related []memory.Related, corpus memory.Corpus) []memory.Related {
	var kept []memory.Related
	of := map[string]int{}
	for _, r := range related {
		if corpus.DF[r.Term] > 0 && of[r.Of] < relatedEach {
			of[r.Of]++
			kept = append(kept, r)
		}
	}
	return kept
}

// hint is a related word that finds memories by itself, with its weight.
type hint struct {
	term   string
	weight float32
}

// hinting returns the related words that find memories by themselves, the weightiest
// first: the share of the term that each stands for, and no more than its own weight.
func (q query) hinting(related []memory.Related) []hint {
	weights := map[string]float32{}
	common := max(fewEnough, q.corpus.Memories/relatedShare)
	for _, r := range related {
		if _, asked := slices.BinarySearch(q.terms, r.Term); !asked && q.corpus.DF[r.Term] <= common {
			weights[r.Term] = max(weights[r.Term], float32(r.Share)*min(q.weight(r.Term), q.weight(r.Of)))
		}
	}
	hints := make([]hint, 0, len(weights))
	for t, w := range weights {
		hints = append(hints, hint{t, w})
	}
	slices.SortFunc(hints, func(a, b hint) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term)) })
	return q.affordable(hints)
}

// affordable cuts the hints where reading who holds them would take long.
func (q query) affordable(hints []hint) []hint {
	keys := 0
	for i, h := range hints {
		if keys += q.corpus.DF[h.term]; i == relatedWords || keys > relatedKeys {
			return hints[:i]
		}
	}
	return hints
}

// forget leaves out of the statistics what is neither asked nor kept.
func forget(corpus memory.Corpus, terms []string, kept []memory.Related) {
	stays := map[string]bool{}
	for _, t := range terms {
		stays[t] = true
	}
	for _, r := range kept {
		stays[r.Term] = true
	}
	for t := range corpus.DF {
		if !stays[t] {
			delete(corpus.DF, t)
		}
	}
}
