package store

import (
	"crypto/rand"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func openHere(t *testing.T, path string) *Store {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC) }
	s, err := Open(t.Context(), Options{Path: path, Now: now, IDs: memory.NewIDSource(now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func change(t *testing.T, s *Store, op memory.Op, id, content string) {
	t.Helper()
	m := memory.Memory{ID: id, Namespace: "main", Type: memory.Event, Form: memory.Note, Status: memory.Active, Content: content}
	applied, err := s.Apply(t.Context(), []memory.Change{{Op: op, Memory: m}})
	if err != nil || applied[0].Conflict != memory.NoConflict {
		t.Fatalf("%s %s: %v, conflict %q", op, id, err, applied[0].Conflict)
	}
}

// counts returns the frequencies that the store tells, and those that FTS5 does.
func counts(t *testing.T, s *Store, terms []string) (told, actual string) {
	t.Helper()
	corpus, err := s.Corpus(t.Context(), "", terms)
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range terms {
		var n int
		if err := s.db.Row(t.Context(), "SELECT coalesce(sum(doc), 0) FROM vocabulary WHERE term = ?", []any{term}, &n); err != nil {
			t.Fatal(err)
		}
		told += fmt.Sprintf("%s %d ", term, corpus.DF[term])
		actual += fmt.Sprintf("%s %d ", term, n)
	}
	return told, actual
}

func TestTheVocabularyFollowsEveryCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s, other := openHere(t, path), openHere(t, path)
	terms := []string{"common", "red", "blue", "never"}
	for i := range 60 {
		change(t, s, memory.OpAdd, fmt.Sprintf("m%d", i), fmt.Sprintf("common red number%d", i))
	}
	if _, err := s.postings(s.asking(t.Context()), terms[:1]); err != nil { // one with a list, the others by number
		t.Fatal(err)
	}
	if err := s.loadVocabulary(t.Context()); err != nil || !s.terms.whole {
		t.Fatalf("reading the vocabulary: %v, whole: %t", err, s.terms.whole)
	}
	change(t, other, memory.OpAdd, "new", "common blue blue")
	change(t, other, memory.OpUpdate, "m1", "common blue")
	if told, actual := counts(t, s, terms); told != "common 61 red 60 blue 2 never 0 " || !s.terms.whole {
		t.Errorf("told %q, of which only red may be one too many: %q; whole: %t", told, actual, s.terms.whole)
	}
	change(t, other, memory.OpRemove, "m2", "")
	change(t, other, memory.OpRemove, "m3", "")
	if told, actual := counts(t, s, terms); told != actual || s.terms.whole {
		t.Errorf("after more changes than may drift: told %q, actual %q; whole: %t", told, actual, s.terms.whole)
	}
}

func TestTheVocabularyIsReadOnlyWhenItPays(t *testing.T) {
	for _, c := range []struct {
		highest uint32
		want    bool
	}{{fewMemories - 1, false}, {fewMemories, true}, {manyMemories + 1, false}} {
		x := &termIndex{highest: c.highest}
		for question := range patientQuestions + 3 {
			want := c.want && question+1 == patientQuestions
			if got := x.wantsVocabulary(); got != want {
				t.Errorf("%d memories, question %d: %t, want %t", c.highest, question+1, got, want)
			}
		}
	}
}
