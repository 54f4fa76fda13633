package tools

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/lifecycle"
)

// Bounds that make a write cost the same in every store.
const (
	guardTerms    = 6    // rarest terms of the new text that are searched
	guardPostings = 2000 // documents that these terms may hold together
	guardLoaded   = 5    // candidates, of those that share terms, that are compared in full
)

// Bounds below which a note shares too few terms with a new one for the guard
// to see them as alike. They lie under the guard's own, because the terms of a
// candidate also hold who said it and when.
const (
	sharedAtLeast = 0.4 // of the shorter one's terms
	aboutTerms    = 8   // terms of a candidate that may not be its content's
)

// AlikeStore is what finding similar memories needs of the store.
type AlikeStore interface {
	ByURI(ctx context.Context, namespace, uri string) (memory.Memory, error)
	ByHash(ctx context.Context, namespace, hash string) (memory.Memory, error)
	Corpus(ctx context.Context, namespace string, terms []string) (memory.Corpus, error)
	Search(ctx context.Context, terms []string, f memory.Filter, limit int) ([]memory.Candidate, memory.Corpus, error)
	Load(ctx context.Context, keys []int64) ([]memory.Memory, error)
}

// LookAlikes finds the stored memories that a new one may repeat or contradict.
type LookAlikes struct {
	Store AlikeStore
	ByID  func(ctx context.Context, namespace, id string) (memory.Memory, error)
}

// Of returns them: by address, by hash, by the memory that the new one says it
// supersedes, then by shared rare terms; each once.
func (l *LookAlikes) Of(ctx context.Context, m memory.Memory) ([]lifecycle.Similar, error) {
	var found []memory.Memory
	for _, find := range []func(context.Context, memory.Memory) ([]memory.Memory, error){l.named, l.same, l.replaced, l.worded} {
		more, err := find(ctx, m)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	seen := map[string]bool{}
	var similar []lifecycle.Similar
	for _, f := range found {
		if !seen[f.ID] {
			seen[f.ID] = true
			similar = append(similar, lifecycle.Similar{Memory: f})
		}
	}
	return similar, nil
}

func (l *LookAlikes) named(ctx context.Context, m memory.Memory) ([]memory.Memory, error) {
	if m.URI == "" || memory.NeedsNumber(m.URI) {
		return nil, nil
	}
	return optional(l.Store.ByURI(ctx, m.Namespace, m.URI))
}

func (l *LookAlikes) same(ctx context.Context, m memory.Memory) ([]memory.Memory, error) {
	return optional(l.Store.ByHash(ctx, m.Namespace, m.ContentHash))
}

func (l *LookAlikes) replaced(ctx context.Context, m memory.Memory) ([]memory.Memory, error) {
	if m.Supersedes == "" {
		return nil, nil
	}
	if _, err := memory.ParseURI(m.Supersedes); err == nil {
		return l.required(l.Store.ByURI(ctx, m.Namespace, m.Supersedes))
	}
	return l.required(l.ByID(ctx, m.Namespace, m.Supersedes))
}

// required keeps "not found": a caller who supersedes what is not there is wrong.
func (l *LookAlikes) required(m memory.Memory, err error) ([]memory.Memory, error) {
	if err != nil {
		return nil, fmt.Errorf("the memory to supersede: %w", err)
	}
	return []memory.Memory{m}, nil
}

func optional(m memory.Memory, err error) ([]memory.Memory, error) {
	if memory.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []memory.Memory{m}, nil
}

// worded searches the rarest terms of the text: what says the same shares them.
func (l *LookAlikes) worded(ctx context.Context, m memory.Memory) ([]memory.Memory, error) {
	said := text.Index(m.Content)
	terms := slices.Compact(slices.Sorted(slices.Values(said)))
	corpus, err := l.Store.Corpus(ctx, m.Namespace, terms)
	if err != nil {
		return nil, fmt.Errorf("weighing terms: %w", err)
	}
	rare := rarest(terms, corpus.DF)
	if len(rare) == 0 {
		return nil, nil
	}
	filter := memory.Filter{Namespace: m.Namespace, Types: []memory.Type{m.Type}}
	candidates, _, err := l.Store.Search(ctx, rare, filter, lifecycle.MaxCandidates)
	if err != nil {
		return nil, fmt.Errorf("searching similar texts: %w", err)
	}
	keys := closest(said, candidates)
	if len(keys) == 0 {
		return nil, nil
	}
	return l.Store.Load(ctx, keys)
}

// closest returns the keys of the candidates that share most terms with a text,
// and not of those that share too few: reading and comparing a whole memory
// costs far more than looking at its terms.
func closest(said []string, candidates []memory.Candidate) []int64 {
	counts := make(map[string]int, len(said))
	for _, t := range said {
		counts[t]++
	}
	type sharing struct {
		key   int64
		share float64
	}
	var alike []sharing
	for _, c := range candidates {
		if share := sharedTerms(counts, len(said), c.Terms); share >= sharedAtLeast || c.Form != memory.Note {
			alike = append(alike, sharing{c.Key, share})
		}
	}
	slices.SortStableFunc(alike, func(a, b sharing) int { return cmp.Compare(b.share, a.share) })
	keys := make([]int64, 0, guardLoaded)
	for _, a := range alike[:min(guardLoaded, len(alike))] {
		keys = append(keys, a.key)
	}
	return keys
}

// sharedTerms returns at least the share of the shorter text's terms that two
// texts have in common: a text whose terms are counted, and the content of a
// candidate with these terms.
func sharedTerms(counts map[string]int, size int, terms string) float64 {
	left := maps.Clone(counts)
	shared, own := 0, -aboutTerms
	for t := range strings.FieldsSeq(terms) {
		own++
		if left[t] > 0 {
			left[t]--
			shared++
		}
	}
	shorter := min(size, own)
	if shorter <= 0 {
		return 1
	}
	return float64(shared) / float64(shorter)
}

// rarest chooses the terms that some document holds, rarest first, within the bounds.
func rarest(terms []string, df map[string]int) []string {
	known := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return df[t] == 0 })
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(cmp.Compare(df[a], df[b]), cmp.Compare(a, b)) })
	postings := 0
	for i, t := range known {
		if postings += df[t]; i == guardTerms || postings > guardPostings {
			return known[:i]
		}
	}
	return known
}
