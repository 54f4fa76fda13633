package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentmemory/internal/memory"
)

// held returns which memories hold a term: as the store tells, and as FTS5 does.
func held(t *testing.T, s *Store, term string) (told, actual []uint32) {
	t.Helper()
	if _, err := s.look(t.Context()); err != nil {
		t.Fatal(err)
	}
	read, err := s.postings(s.asking(t.Context()), []string{term})
	if err != nil {
		t.Fatal(err)
	}
	s.terms.mu.RLock()
	told = slices.Clone(s.terms.keys(query{lists: read}, term, 1<<30))
	s.terms.mu.RUnlock()
	rows, err := s.db.Query(t.Context(), "SELECT rowid FROM search WHERE search MATCH ?", `"`+term+`"`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var key uint32
		if err := rows.Scan(&key); err != nil {
			t.Fatal(err)
		}
		actual = append(actual, key)
	}
	return told, actual
}

// What is told from memory of who holds a term is what FTS5 would tell, whoever
// adds, changes and removes memories, this process or another one.
func TestHoldersOfRareTermsFollowEveryCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s, other := openHere(t, path), openHere(t, path)
	r := rand.New(rand.NewPCG(5, 9))
	text := func() string {
		words := make([]string, 6)
		for i := range words {
			words[i] = fmt.Sprintf("word%dq", r.IntN(250))
		}
		return strings.Join(append(words, words[0], "everywhere"), " ")
	}
	ids, made := []string{}, 0
	grow := func(by *Store, n int) {
		for range n {
			id := fmt.Sprintf("m%d", made)
			change(t, by, memory.OpAdd, id, fmt.Sprintf("%s number%dq", text(), made))
			made++
			ids = append(ids, id)
		}
	}
	grow(s, 120)
	if err := s.loadVocabulary(t.Context()); err != nil || !s.terms.whole || s.terms.words.starts == nil {
		t.Fatalf("reading the vocabulary: %v, whole: %t", err, s.terms.whole)
	}
	before := s.Work().Statements
	if told, _ := held(t, s, "number7q"); len(told) != 1 || s.Work().Statements-before > 4 {
		t.Errorf("number7q is held by %v, told by %d statements", told, s.Work().Statements-before)
	}
	for round := range 24 {
		by := []*Store{s, other}[round%2]
		switch round % 3 {
		case 0:
			grow(by, 2)
		case 1:
			change(t, by, memory.OpUpdate, ids[r.IntN(len(ids))], text())
		case 2:
			gone := r.IntN(len(ids))
			change(t, by, memory.OpRemove, ids[gone], "")
			ids = slices.Delete(ids, gone, gone+1)
			if round%6 == 5 { // by now too much may have changed, and all is read again
				if err := s.loadVocabulary(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range 250 {
			term := fmt.Sprintf("word%dq", i)
			if told, actual := held(t, s, term); !slices.Equal(told, actual) {
				t.Fatalf("round %d: %s is held by %v, told %v", round, term, actual, told)
			}
		}
	}
}
