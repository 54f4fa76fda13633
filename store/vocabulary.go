package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// When a process asks about new terms again and again, as one that writes does,
// it reads the whole vocabulary once, in the background, instead of looking up
// each. For few memories that does not pay, for very many it takes too long.
const (
	patientQuestions = 3
	fewMemories      = 1_000
	manyMemories     = 400_000
	heldUpTo         = 20_000 // memories in a store of which it is also read which of them hold the rare terms
	// While the vocabulary is in memory, the terms that a change or removal took
	// from a memory still count, until one part in this of the memories changed.
	driftShare = 50
)

// wantsVocabulary counts a question about unknown terms and reports whether it
// is time to read the vocabulary. The caller holds x.mu.
func (x *termIndex) wantsVocabulary() bool {
	x.questions++
	return x.questions >= patientQuestions && x.takesVocabulary()
}

// takesVocabulary reports whether the vocabulary is worth being read, and not
// being read already. Whoever is told so reads it. The caller holds x.mu.
func (x *termIndex) takesVocabulary() bool {
	if x.questions < 0 || x.whole || x.highest < fewMemories || x.highest > manyMemories {
		return false
	}
	x.questions = -1 << 20 // once at a time; loadVocabulary resets it
	return true
}

// ReadVocabulary reads the vocabulary before anybody asks for it, unless the store
// is too small or too large for that: as long as it is missing, each
// new memory asks the full-text index for most of its words.
func (s *Store) ReadVocabulary(ctx context.Context) error {
	if _, err := s.look(ctx); err != nil {
		return err
	}
	x := &s.terms
	x.mu.Lock()
	wanted := x.takesVocabulary()
	x.mu.Unlock()
	if !wanted {
		return nil
	}
	return s.readVocabulary(ctx)
}

func (s *Store) readVocabulary(ctx context.Context) error {
	err := s.loadVocabulary(ctx)
	if errors.Is(err, errLargeVocabulary) {
		return nil
	}
	if err != nil {
		s.terms.mu.Lock()
		defer s.terms.mu.Unlock()
		s.terms.questions = 0 // try again later
	}
	return err
}

// startVocabulary reads the vocabulary in the background if it is time to.
func (s *Store) startVocabulary() {
	x := &s.terms
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.wantsVocabulary() {
		s.tasks.Go(func() { _ = s.readVocabulary(s.alive) }) // what could not be read is asked for
	}
}

const (
	errLargeVocabulary = vocabularyError("the vocabulary is too large to be kept in memory")
	errOrder           = vocabularyError("the vocabulary is not in the order of its terms")
)

type vocabularyError string

func (e vocabularyError) Error() string { return string(e) }

// loadVocabulary reads how often every term occurs, beside the lists that are
// in use, and joins the two as of one commit.
func (s *Store) loadVocabulary(ctx context.Context) error {
	read := &termIndex{}
	if err := s.db.Snapshot(ctx, func(tx *sql.Tx) error { return read.readVocabulary(ctx, tx) }); err != nil {
		return fmt.Errorf("reading the vocabulary: %w", err)
	}
	x := &s.terms
	x.mu.Lock()
	defer x.mu.Unlock()
	err := s.db.Snapshot(ctx, func(tx *sql.Tx) error { return errors.Join(s.follow(ctx, tx), read.follow(ctx, tx)) })
	if err != nil {
		return fmt.Errorf("following the full-text index: %w", err)
	}
	x.questions = 0
	if !read.whole {
		return nil // too much has changed meanwhile
	}
	for term, l := range read.lists {
		if _, ok := x.lists[term]; !ok {
			x.lists[term] = l
			x.size += len(l.keys)
		}
	}
	x.whole, x.words, x.drifted, x.gone = true, read.words, read.drifted, read.gone
	return nil
}

func (x *termIndex) readVocabulary(ctx context.Context, tx *sql.Tx) error {
	if err := x.follow(ctx, tx); err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "SELECT term, doc FROM vocabulary")
	if err != nil {
		return err
	}
	defer rows.Close()
	var term sql.RawBytes
	var df int
	for rows.Next() {
		if err := rows.Scan(&term, &df); err != nil {
			return err
		}
		if !x.words.add(term, df) {
			return errOrder
		}
		if x.words.size() > keptTerms {
			return errLargeVocabulary
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	x.words.fit()
	x.whole = true
	if x.highest <= heldUpTo {
		return x.readHolders(ctx, tx)
	}
	return nil
}

// readHolders reads which memories hold the rare terms: most terms of a text are
// rare, and asking FTS5 for each of them takes longer than all else that looking
// for similar texts does. In large stores reading them all would take too long.
func (x *termIndex) readHolders(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, "SELECT key, terms FROM texts ORDER BY key")
	if err != nil {
		return err
	}
	defer rows.Close()
	places := x.words.begins()
	var key uint32
	var terms sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&key, &terms); err != nil {
			return err
		}
		for term := range bytes.FieldsSeq(terms) {
			if i, rare := places[string(term)]; rare {
				x.words.hold(i, key)
			}
		}
	}
	return rows.Err()
}

// rare returns the memories that hold a term of which the vocabulary tells, if
// they are known. The list is not to be changed.
func (x *termIndex) rare(term string) ([]uint32, bool) {
	keys, known := x.words.holders(term)
	if known && len(x.gone) > 0 && slices.ContainsFunc(keys, func(k uint32) bool { return x.gone[k] }) {
		keys = slices.DeleteFunc(slices.Clone(keys), func(k uint32) bool { return x.gone[k] })
	}
	return keys, known
}
