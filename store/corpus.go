package store

import (
	"context"
	"fmt"
	"sync"

	"agentmemory/internal/memory"
)

// corpusCache keeps document frequencies. They are counted from the index,
// which walks the postings of a term, so they are kept while the store has
// grown or shrunk by less than a fiftieth.
type corpusCache struct {
	mu      sync.Mutex
	counted extent // of the store when the frequencies were counted
	df      map[string]int
}

// extent tells how far a store has come: memories of all namespaces, and
// transactions of changes.
type extent struct{ memories, transactions int64 }

const (
	cachedTerms = 1 << 16 // terms whose frequency is kept at most
	drift       = 50      // frequencies are counted again once the store has changed by one part in this
)

// Corpus returns the statistics by which terms are weighted: exact numbers of
// memories and terms, and document frequencies that lag behind by at most 2 %
// of the store. With several namespaces a frequency is the share of the
// whole store's that falls to this one.
func (s *Store) Corpus(ctx context.Context, namespace string, terms []string) (memory.Corpus, error) {
	corpus := memory.Corpus{DF: make(map[string]int, len(terms))}
	var whole extent
	err := s.db.Row(ctx, "SELECT coalesce(sum(value) FILTER (WHERE name = 'memories' AND (?1 = '' OR namespace = ?1)), 0),"+
		" coalesce(sum(value) FILTER (WHERE name = 'length' AND (?1 = '' OR namespace = ?1)), 0),"+
		" coalesce(sum(value) FILTER (WHERE name = 'memories'), 0), coalesce(sum(value) FILTER (WHERE name = 'transactions'), 0)"+
		" FROM sums", []any{namespace}, &corpus.Memories, &corpus.Length, &whole.memories, &whole.transactions)
	if err != nil {
		return corpus, fmt.Errorf("reading the size of the store: %w", err)
	}
	if whole.memories == 0 {
		return corpus, nil
	}
	for _, t := range terms {
		df, err := s.frequency(ctx, t, whole)
		if err != nil {
			return corpus, fmt.Errorf("counting a term: %w", err)
		}
		corpus.DF[t] = int(int64(df) * int64(corpus.Memories) / whole.memories)
		if df > 0 && corpus.DF[t] == 0 {
			corpus.DF[t] = 1
		}
	}
	return corpus, nil
}

// frequency returns how many memories hold a term.
func (s *Store) frequency(ctx context.Context, term string, whole extent) (int, error) {
	if df, ok := s.corpus.get(term, whole); ok {
		return df, nil
	}
	var df int
	if err := s.db.Row(ctx, "SELECT coalesce(sum(doc), 0) FROM vocabulary WHERE term = ?", []any{term}, &df); err != nil {
		return 0, err
	}
	s.corpus.put(term, df)
	return df, nil
}

func (c *corpusCache) get(term string, whole extent) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	added := whole.memories - c.counted.memories
	moved := max(added, -added, whole.transactions-c.counted.transactions)
	if c.df == nil || moved*drift > c.counted.memories || len(c.df) >= cachedTerms {
		c.df, c.counted = map[string]int{}, whole
	}
	df, ok := c.df[term]
	return df, ok
}

func (c *corpusCache) put(term string, df int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.df != nil {
		c.df[term] = df
	}
}
