package store

import (
	"database/sql"
	"fmt"
	"strconv"

	"agentmemory/internal/memory"
)

// countUpTo counts the memories that hold a term no further than a limit, which
// for terms that most memories hold takes a small part of the time.
const countUpTo = `SELECT t.value, (SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH '"' || replace(t.value, '"', '""') || '"' LIMIT %d))` +
	" FROM json_each(?) t"

// fewHolders is up to how many memories terms are counted at first: most texts
// have enough terms that fewer hold, whatever the others.
const fewHolders = 64

// rareFrequencies counts terms as far as it takes to know which are the rarest.
func (s *Store) rareFrequencies(ask ask, terms []string, o memory.Overlap) (map[string]int, error) {
	if fewHolders*o.Rare <= o.Postings {
		df, err := s.rarities(ask, terms, fewHolders+1)
		if err != nil || rarerThan(fewHolders+1, df) >= o.Rare {
			return df, err
		}
	}
	return s.rarities(ask, terms, o.Postings+1)
}

// rarerThan returns how many terms are held, but by fewer memories than that.
func rarerThan(memories int, df map[string]int) (terms int) {
	for _, n := range df {
		if n > 0 && n < memories {
			terms++
		}
	}
	return terms
}

// rarities is frequencies for a writer, who holds others up: terms that enough
// memories hold are all the same to it, so that they are not counted to the end.
func (s *Store) rarities(ask ask, terms []string, enough int) (map[string]int, error) {
	x := &s.terms
	df, unknown, seen := x.rarities(terms, enough)
	if len(unknown) == 0 {
		return df, nil
	}
	err := eachTerm(ask, fmt.Sprintf(countUpTo, enough), unknown, func(term string, value sql.RawBytes) error {
		n, err := strconv.Atoi(string(value))
		df[term] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("counting terms: %w", err)
	}
	counted, common := map[string]*termList{}, map[string]int{}
	for _, t := range unknown {
		if df[t] < enough {
			counted[t] = &termList{df: df[t]}
		} else {
			common[t] = df[t]
		}
	}
	x.keep(seen, counted)
	x.keepCommon(seen, common)
	s.startVocabulary()
	return df, nil
}

// rarities returns what is kept, and which terms are not.
func (x *termIndex) rarities(terms []string, enough int) (df map[string]int, unknown []string, seen int64) {
	df, missing, seen := x.frequencies(terms)
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, t := range missing {
		if n := x.common[t]; n >= enough {
			df[t] = n
		} else {
			unknown = append(unknown, t)
		}
	}
	return df, unknown, seen
}

// keepCommon keeps terms as keep does. They are few, as each stands for many keys.
func (x *termIndex) keepCommon(seen int64, common map[string]int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.changed != seen {
		return
	}
	if x.common == nil {
		x.common = map[string]int{}
	}
	for term, n := range common {
		x.common[term] = n
	}
}
