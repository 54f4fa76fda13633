package store

import (
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// A writer learns of a common term that it is common, is not asked again for
// that, and leaves no half count behind for those who need the whole.
func TestCommonTermsAreCountedNoFurtherThanAWriterNeeds(t *testing.T) {
	s := openHere(t, filepath.Join(t.TempDir(), "memory.db"))
	for i := range 12 {
		change(t, s, memory.OpAdd, fmt.Sprintf("m%d", i), fmt.Sprintf("common number%d", i))
	}
	terms := []string{"common", "number3", "never"}
	rarities := func() map[string]int {
		t.Helper()
		if err := s.followTerms(t.Context(), -1); err != nil {
			t.Fatal(err)
		}
		df, err := s.rarities(s.asking(t.Context()), terms, 10)
		if err != nil {
			t.Fatal(err)
		}
		return df
	}
	for _, step := range []struct {
		name  string
		do    func()
		want  map[string]int
		asked bool
	}{
		{"at first", func() {}, map[string]int{"common": 10, "number3": 1, "never": 0}, true},
		{"again", func() {}, map[string]int{"common": 10, "number3": 1, "never": 0}, false},
		{"with one more", func() { change(t, s, memory.OpAdd, "more", "common never") }, map[string]int{"common": 10, "number3": 1, "never": 1}, false},
		{"with most of them gone", func() {
			for i := range 11 {
				change(t, s, memory.OpRemove, fmt.Sprintf("m%d", i), "")
			}
		}, map[string]int{"common": 2, "number3": 0, "never": 1}, true},
	} {
		step.do()
		if err := s.followTerms(t.Context(), -1); err != nil {
			t.Fatal(err)
		}
		before := s.Work().Statements
		got := rarities()
		// Following takes one statement.
		if asked := s.Work().Statements - before; (asked > 1) != step.asked {
			t.Errorf("%s: %d statements", step.name, asked)
		}
		if !maps.Equal(got, step.want) {
			t.Errorf("%s: %v, want %v", step.name, got, step.want)
		}
		if told, actual := counts(t, s, terms); told != actual {
			t.Errorf("%s: the store tells %s, FTS5 %s", step.name, told, actual)
		}
		s.terms.mu.Lock()
		delete(s.terms.lists, "common") // counts has asked for all of it
		s.terms.mu.Unlock()
	}
}

// What another namespace holds is in nobody's way, also while it is not known in
// memory which namespace a memory is in; and a writer does not wait for that.
func TestOverlappingStaysInItsNamespaceFromTheFirstQuestionOn(t *testing.T) {
	s := openHere(t, filepath.Join(t.TempDir(), "memory.db"))
	of := func(namespace, id string) memory.Change {
		return memory.Change{Op: memory.OpAdd, Memory: memory.Memory{
			ID: id, Namespace: namespace, Type: memory.Event, Form: memory.Note, Status: memory.Active, Content: "a quokka on Rottnest, " + id,
		}}
	}
	changes := []memory.Change{of("main", "mine")}
	for i := range 50 {
		changes = append(changes, of("other", fmt.Sprintf("other%d", i)))
	}
	if _, err := s.Apply(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	question := memory.Overlap{
		Namespace: "main", Type: memory.Event, Form: memory.Note, Terms: text.Index("quokka Rottnest"),
		Share: .5, Rare: 6, Postings: 2000, Compared: 10, Limit: 5,
	}
	for _, known := range []bool{false, true} {
		if s.terms.hasExtents() != known {
			t.Errorf("known: %t, want %t", !known, known)
		}
		found, err := s.Overlapping(t.Context(), question)
		if err != nil || len(found) != 1 || found[0].ID != "mine" {
			t.Errorf("known %t: found %d, %v", known, len(found), err)
		}
		s.tasks.Wait()
	}
}

// What is read in the background holds also what was written meanwhile.
func TestExtentsReadDuringWritesMissNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s, other := openHere(t, path), openHere(t, path)
	for i := range 40 {
		change(t, s, memory.OpAdd, fmt.Sprintf("m%d", i), fmt.Sprintf("common number%d", i))
		if i == 20 {
			s.startExtents()
		}
		change(t, other, memory.OpAdd, fmt.Sprintf("o%d", i), fmt.Sprintf("common text of the other%d", i))
	}
	change(t, other, memory.OpRemove, "m3", "")
	s.tasks.Wait()
	if err := s.followTerms(t.Context(), -1); err != nil {
		t.Fatal(err)
	}
	want := &termIndex{}
	if err := s.db.Snapshot(t.Context(), func(tx *sql.Tx) error { return want.readExtents(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
	got := s.terms.extents
	if !slices.Equal(got.spaces, want.extents.spaces) || !slices.Equal(got.lengths, want.extents.lengths) {
		t.Errorf("spaces %v, want %v; lengths %v, want %v", got.spaces, want.extents.spaces, got.lengths, want.extents.lengths)
	}
}

// Counting a little at first chooses the same terms as counting all of them.
func TestTheRarestTermsAreTheSameHoweverFarTermsAreCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := openHere(t, path)
	for i := range 300 {
		content := "always"
		for _, every := range []int{2, 3, 5, 7, 11, 50, 100} {
			if i%every == 0 {
				content += fmt.Sprintf(" every%dth", every)
			}
		}
		change(t, s, memory.OpAdd, fmt.Sprintf("m%d", i), fmt.Sprintf("%s once%d", content, i))
	}
	terms := []string{"always", "every2th", "every3th", "every5th", "every7th", "every11th", "every50th", "every100th", "once7", "never"}
	for _, o := range []memory.Overlap{
		{Rare: 1, Postings: 2000}, {Rare: 3, Postings: 2000}, {Rare: 6, Postings: 2000}, {Rare: 9, Postings: 2000},
		{Rare: 3, Postings: 100}, {Rare: 6, Postings: 20}, {Rare: 6, Postings: 500},
	} {
		fresh := openHere(t, path)
		if err := fresh.followTerms(t.Context(), -1); err != nil {
			t.Fatal(err)
		}
		whole, err := fresh.frequencies(fresh.asking(t.Context()), terms)
		if err != nil {
			t.Fatal(err)
		}
		other := openHere(t, path)
		if err := other.followTerms(t.Context(), -1); err != nil {
			t.Fatal(err)
		}
		part, err := other.rareFrequencies(other.asking(t.Context()), terms, o)
		if err != nil {
			t.Fatal(err)
		}
		want, got := rarest(slices.Clone(terms), whole, o), rarest(slices.Clone(terms), part, o)
		if !slices.Equal(got, want) {
			t.Errorf("%d terms of %d memories: %v, want %v", o.Rare, o.Postings, got, want)
		}
	}
}

// A server reads the vocabulary before anybody asks; from then on a writer need
// not ask how rare words are, in a store that is large enough for that.
func TestAVocabularyThatWasReadAheadAnswersTheFirstWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	writer := openHere(t, path)
	var changes []memory.Change
	for i := range fewMemories + 10 {
		changes = append(changes, memory.Change{Op: memory.OpAdd, Import: true, Memory: memory.Memory{
			ID: fmt.Sprintf("m%d", i), Namespace: "main", Type: memory.Event, Form: memory.Note, Status: memory.Active, Content: fmt.Sprintf("common number%d", i),
		}})
	}
	for part := range slices.Chunk(changes, 600) {
		before := openHere(t, path)
		if err := before.ReadVocabulary(t.Context()); err != nil || before.terms.whole {
			t.Errorf("of a small store: %t, %v", before.terms.whole, err)
		}
		if _, err := writer.Apply(t.Context(), part); err != nil {
			t.Fatal(err)
		}
	}
	s := openHere(t, path)
	if err := s.ReadVocabulary(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := s.Work().Statements
	df, err := s.rareFrequencies(s.asking(t.Context()), []string{"common", "number3", "never"}, memory.Overlap{Rare: 6, Postings: 2000})
	if want := map[string]int{"common": fewMemories + 10, "number3": 1, "never": 0}; err != nil || !maps.Equal(df, want) {
		t.Errorf("%v, %v", df, err)
	}
	if asked := s.Work().Statements - before; asked != 0 {
		t.Errorf("a writer asked %d times", asked)
	}
}
