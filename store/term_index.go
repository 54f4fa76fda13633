package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"agentmemory/internal/sqlite"
)

// Bounds of what is kept of the full-text index in memory.
const (
	keptPostings = 4 << 20 // keys in all lists: 16 MiB
	keptPasses   = 8       // in a store so large that this is more: as many keys for each memory
	keptTerms    = 1 << 18 // terms of which a list or a frequency is kept
	followedRows = 5_000   // new memories that are followed one by one; after more the lists are read again
	changedRows  = 64      // old memories likewise, each of which costs a look at every list
)

// termIndex keeps, for the terms that were asked about, which memories hold
// them. The lists come from FTS5 when first needed and follow every commit, of
// this process or others, by the numbers that transactions give to the rows
// that they write.
type termIndex struct {
	mu      sync.RWMutex
	changed int64  // last transaction in the lists
	highest uint32 // key
	lists   map[string]*termList
	common  map[string]int // for terms without a list: so many memories at least hold them
	size    int            // keys in all lists
	extents extents
	spare   spareScorings

	loading   sync.Mutex // held while extents are read
	measuring bool       // extents are read in the background

	whole     bool            // every term that occurs is in lists or, as of when they were read, in words
	words     words           // for terms without a list
	drifted   int             // memories whose old terms still count, while whole
	gone      map[uint32]bool // those memories
	questions int             // about unknown terms

	prunedAbove uint32 // memories; 0: the default
}

// termList is what is known of a term: how many memories hold it and, if keys
// is not nil, which, in ascending order.
type termList struct {
	df   int
	keys []uint32
}

// reset forgets everything but the place in the sequence of transactions.
func (x *termIndex) reset() {
	x.lists, x.size, x.extents = map[string]*termList{}, 0, extents{}
	x.whole, x.words, x.drifted, x.gone, x.common = false, words{}, 0, nil, nil
}

// followTerms brings the lists up to the last transaction, which is the given one
// or later; -1: it is not known which.
func (s *Store) followTerms(ctx context.Context, changed int64) error {
	x := &s.terms
	x.mu.RLock()
	fresh := x.lists != nil && (changed >= 0 && x.changed >= changed || !followsOthers)
	x.mu.RUnlock()
	if fresh {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := s.db.View(ctx, func(v *sqlite.View) error { return s.follow(ctx, v) }); err != nil {
		return fmt.Errorf("following the full-text index: %w", err)
	}
	return nil
}

// written is a row that a transaction wrote, or removed if it has no namespace.
type written struct {
	key       int64
	namespace string
	group     string
	terms     string
	length    int
	indexed   bool // its terms are new
	row       *row // of a new memory
}

// follows is follow for what this process has just committed, without reading
// it again: provided that the lists held everything before it. Whoever has written
// does not wait for it, whoever asks next does; it only concerns memory, so that
// closing the store need not.
func (s *Store) follows(b *batch) {
	s.terms.mu.Lock()
	go func() {
		defer s.terms.mu.Unlock()
		s.take(b)
	}()
}

// take brings what is kept up to date. s.terms.mu is held.
func (s *Store) take(b *batch) {
	x := &s.terms
	if x.lists == nil || x.changed != b.changed-1 || len(b.written) > changedRows {
		return // the next question reads what was written
	}
	for _, w := range b.written {
		if w.indexed {
			key := uint32(w.key) //nolint:gosec // keys are few
			x.apply(key, w.terms)
			x.extents.set(key, w.namespace, w.length)
			x.highest = max(x.highest, key)
		}
	}
	x.changed = b.changed
	x.bound()
	s.replace(b.written)
}

// bound starts anew when the terms of too many memories still count that do not
// hold them any more.
func (x *termIndex) bound() {
	if x.drifted*driftShare > int(x.highest) {
		x.reset()
	}
}

// reader is a transaction of reads.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// highestKey is about as many memories as there are, or were.
func (x *termIndex) highestKey() uint32 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.highest
}

// follow applies what was committed since the last look to everything that is
// kept in memory of single memories. The caller holds s.terms.mu.
func (s *Store) follow(ctx context.Context, tx reader) error {
	since := s.terms.changed
	if err := s.terms.follow(ctx, tx); err != nil || s.terms.changed == since {
		return err
	}
	err := s.shown.follow(ctx, tx, since)
	if err != nil {
		s.shown.clear() // the next look begins after what this one has not read
	}
	return err
}

func (x *termIndex) follow(ctx context.Context, tx reader) error {
	var changed int64
	var highest uint32
	row := tx.QueryRowContext(ctx, askBefore+", coalesce((SELECT max(key) FROM memories), 0)")
	if err := row.Scan(&changed, &highest); err != nil {
		return err
	}
	if x.lists != nil && changed == x.changed {
		return nil // the commits were about something else
	}
	if x.lists == nil {
		x.reset()
	} else if err := x.followRows(ctx, tx); err != nil {
		x.reset() // some rows have been counted, and would be once more
		return err
	}
	x.changed, x.highest = changed, max(x.highest, highest)
	return nil
}

// followRows applies the removals and the rows whose terms have changed.
func (x *termIndex) followRows(ctx context.Context, tx reader) error {
	rows, err := tx.QueryContext(ctx, "SELECT key, '', '', 0 FROM removals WHERE changed > ?1 UNION ALL"+
		" SELECT m.key, m.namespace, x.terms, m.length FROM memories m INDEXED BY memories_by_change JOIN texts x ON x.key = m.key"+
		" WHERE m.changed > ?1 AND m.indexed > ?1 LIMIT ?2", x.changed, followedRows+1)
	if err != nil {
		return err
	}
	defer rows.Close()
	for seen, old := 0, 0; rows.Next(); seen++ {
		var key uint32
		var namespace, terms string
		var length int
		if err := rows.Scan(&key, &namespace, &terms, &length); err != nil {
			return err
		}
		if key <= x.highest {
			old++
		}
		if seen >= followedRows || old > changedRows {
			x.reset()
			return nil
		}
		x.apply(key, terms)
		x.extents.set(key, namespace, length)
	}
	x.bound()
	return rows.Err()
}

// apply makes the lists agree with the terms of one memory; none: it is gone.
func (x *termIndex) apply(key uint32, terms string) {
	if key <= x.highest {
		x.takeOut(key)
	}
	seen := map[string]bool{}
	for term := range strings.FieldsSeq(terms) {
		l, ok := x.lists[term]
		if !ok && x.whole && !seen[term] {
			l, ok = x.begun(term), true
			x.lists[term] = l
		}
		if !ok || seen[term] {
			continue
		}
		seen[term] = true
		if l.keys == nil {
			l.df++
		} else if i, found := slices.BinarySearch(l.keys, key); !found {
			l.keys = slices.Insert(l.keys, i, key)
			l.df = len(l.keys)
			x.size++
		}
	}
}

// begun is the list of a term of which all that is known is how many memories
// held it when the vocabulary was read: where none did, the list is known too.
func (x *termIndex) begun(term string) *termList {
	if keys, known := x.rare(term); known {
		x.size += len(keys)
		return &termList{df: len(keys), keys: slices.Clone(keys)}
	}
	if n := x.words.of(term); n > 0 {
		return &termList{df: n}
	}
	return &termList{keys: []uint32{}}
}

// takeOut removes an old memory from every list. Where only a number is known,
// nobody can tell whether it counted: the term is forgotten, or, if all are
// known, may count one too many.
func (x *termIndex) takeOut(key uint32) {
	if x.whole {
		x.drifted++
		if x.gone == nil {
			x.gone = map[uint32]bool{}
		}
		x.gone[key] = true
	}
	x.common = nil
	for term, l := range x.lists {
		if l.keys == nil {
			if !x.whole {
				delete(x.lists, term)
			}
			continue
		}
		if i, found := slices.BinarySearch(l.keys, key); found {
			l.keys = slices.Delete(l.keys, i, i+1)
			l.df = len(l.keys)
			x.size--
		}
	}
}

// keep takes lists in if they are as old as the others, and makes room for
// them. It must not be called while a query is being read: whoever holds x.mu may
// be waiting for that query's connection.
func (x *termIndex) keep(seen int64, lists map[string]*termList) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.changed != seen {
		return // they may lack what a commit meanwhile has added to the others
	}
	for term, l := range lists {
		if x.lists == nil || x.size+len(l.keys) > max(keptPostings, keptPasses*int(x.highest)) || len(x.lists) >= keptTerms {
			x.lists, x.size, x.whole, x.words, x.gone = map[string]*termList{}, 0, false, words{}, nil
		}
		if old, ok := x.lists[term]; ok {
			x.size -= len(old.keys)
		}
		x.lists[term] = l
		x.size += len(l.keys)
	}
}

// frequencies returns in how many memories of all namespaces each term occurs,
// as of the last followTerms.
func (s *Store) frequencies(ask ask, terms []string) (map[string]int, error) {
	x := &s.terms
	df, unknown, seen := x.frequencies(terms)
	if len(unknown) == 0 {
		return df, nil
	}
	err := eachTerm(ask, countTerms, unknown, func(term string, value sql.RawBytes) error {
		n, err := strconv.Atoi(string(value))
		df[term] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("counting terms: %w", err)
	}
	counted := make(map[string]*termList, len(unknown))
	for _, t := range unknown {
		counted[t] = &termList{df: df[t]}
	}
	x.keep(seen, counted)
	s.startVocabulary()
	return df, nil
}

// frequencies returns what is kept, which terms are not, and as of which commit.
func (x *termIndex) frequencies(terms []string) (df map[string]int, unknown []string, seen int64) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	df = make(map[string]int, len(terms))
	for _, t := range terms {
		if _, asked := df[t]; asked {
			continue
		}
		df[t] = 0
		if l, ok := x.lists[t]; ok {
			df[t] = l.df
		} else if x.whole {
			df[t] = x.words.of(t)
		} else {
			unknown = append(unknown, t)
		}
	}
	return df, unknown, x.changed
}

// The questions to FTS5, each for a list of terms at once: in how many memories
// a term occurs; and in which, as one text, which is several times faster to
// read than a row a key.
const (
	countTerms = "SELECT t.value, coalesce((SELECT sum(doc) FROM vocabulary WHERE term = t.value), 0) FROM json_each(?) t"
	listTerms  = `SELECT t.value, coalesce((SELECT group_concat(rowid) FROM search WHERE search MATCH '"' || replace(t.value, '"', '""') || '"'), '')` +
		" FROM json_each(?) t"
)

// eachTerm calls visit, which must not wait for anything, with the answer for
// each of the terms.
func eachTerm(ask ask, question string, terms []string, visit func(term string, value sql.RawBytes) error) error {
	if len(terms) == 0 {
		return nil
	}
	list, err := json.Marshal(terms)
	if err != nil {
		return err
	}
	rows, err := ask(question, string(list))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var term string
		var value sql.RawBytes
		if err := rows.Scan(&term, &value); err != nil {
			return err
		}
		if err := visit(term, value); err != nil {
			return err
		}
	}
	return rows.Err()
}

// postings returns the lists of those terms that the index does not keep, and
// keeps them. The others are in x.lists, to be read while x.mu is held.
func (s *Store) postings(ask ask, terms []string) (map[string][]uint32, error) {
	x := &s.terms
	var unknown []string
	read := make(map[string][]uint32, len(terms))
	x.mu.RLock()
	seen := x.changed
	for _, t := range terms {
		l, ok := x.lists[t]
		if ok && l.keys != nil || !ok && x.whole && x.words.of(t) == 0 {
			continue
		}
		if keys, known := x.rare(t); known && !ok {
			read[t] = keys
			continue
		}
		unknown = append(unknown, t)
	}
	x.mu.RUnlock()
	if len(unknown) == 0 {
		return read, nil
	}
	err := eachTerm(ask, listTerms, unknown, func(term string, value sql.RawBytes) error {
		keys, err := appendKeys([]uint32{}, value)
		read[term] = keys
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the postings of terms: %w", err)
	}
	kept := make(map[string]*termList, len(unknown))
	for _, term := range unknown {
		kept[term] = &termList{df: len(read[term]), keys: slices.Clone(read[term])}
	}
	x.keep(seen, kept)
	return read, nil
}

// appendKeys reads decimal numbers separated by commas.
func appendKeys(keys []uint32, list []byte) ([]uint32, error) {
	if len(list) == 0 {
		return keys, nil
	}
	var key uint32
	for _, c := range list {
		switch {
		case c == ',':
			keys = append(keys, key)
			key = 0
		case c >= '0' && c <= '9':
			key = key*10 + uint32(c-'0')
		default:
			return nil, fmt.Errorf("unexpected %s in a list of keys", strconv.QuoteRune(rune(c)))
		}
	}
	return append(keys, key), nil
}
