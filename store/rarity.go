package store

import (
	"database/sql"
	"fmt"
	"strconv"
)

// countUpTo counts the memories that hold a term no further than a limit, which
// for terms that most memories hold takes a small part of the time.
const countUpTo = `SELECT t.value, (SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH '"' || replace(t.value, '"', '""') || '"' LIMIT %d))` +
	" FROM json_each(?) t"

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
