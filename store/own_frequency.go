package store

import (
	"slices"

	"agentmemory/internal/memory"
)

// ownFrequencies makes the document frequencies those of one namespace, where
// there are several: with a share of the whole store's, the score of an answer
// would tell whether another namespace holds a word. It returns the terms that are left.
func (x *termIndex) ownFrequencies(q query, corpus memory.Corpus) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if q.namespace == "" || len(x.extents.numbers) < 2 {
		return q.terms
	}
	own := x.extents.numbers[q.namespace]
	for _, t := range q.terms {
		n := 0
		for _, key := range x.keys(q, t, len(x.extents.spaces)) {
			if own != 0 && x.extents.spaces[key] == own {
				n++
			}
		}
		corpus.DF[t] = n
	}
	return slices.DeleteFunc(q.terms, func(t string) bool { return corpus.DF[t] == 0 })
}
