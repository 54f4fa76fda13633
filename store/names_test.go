package store_test

import (
	"fmt"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store"
)

// TestANameThatFewHaveReadsFewMemories counts the pages of the database that the
// first question with the name of somebody reads: nobody's, or that of few,
// costs about as much as a question without a filter, not a look at all memories.
func TestANameThatFewHaveReadsFewMemories(t *testing.T) {
	s := named(t)
	search(t, s, memory.Filter{Namespace: "main"}, 100)
	for name, f := range map[string]memory.Filter{
		"an actor who is not there":                 {Namespace: "main", Actor: "Zoe"},
		"an actor in Chinese who is not there":      {Namespace: "main", Actor: "王小敏"},
		"an actor with a type":                      {Namespace: "main", Actor: "Zoe", Types: []memory.Type{memory.Knowledge}},
		"somebody who is spoken of but never spoke": {Namespace: "main", Actor: "Grace"},
		"a target that is not there":                {Namespace: "main", Target: "Zoe"},
		"an actor whom few quote":                   {Namespace: "main", Actor: "Lin"},
	} {
		t.Run(name, func(t *testing.T) {
			unfiltered := pagesOf(t, s, func() { search(t, s, memory.Filter{Namespace: "main"}, 100) })
			want := map[string]int{"Lin": 3}[f.Actor]
			if read := pagesOf(t, s, func() { search(t, s, f, want) }); read > unfiltered+120 {
				t.Errorf("a question: %d pages, without a filter %d", read, unfiltered)
			}
			f.Limit, f.Order = 200, memory.Newest
			read := pagesOf(t, s, func() {
				if found, err := s.List(t.Context(), f); err != nil || len(found) != want {
					t.Errorf("%d listed, want %d, %v", len(found), want, err)
				}
			})
			if read > 60 {
				t.Errorf("the latest: %d pages", read)
			}
		})
	}
}

// TestNamesAreFoundWhateverTheyAreMadeOf asks for names that the analysis of
// texts treats in special ways: all of their memories have to be found.
func TestNamesAreFoundWhateverTheyAreMadeOf(t *testing.T) {
	s := named(t)
	for i, name := range []string{
		"The", "i", "A B", "Who", "J. R. R.", "o'neil", "Zoë", "ZOË", "小敏", "王小敏", "臺灣", "Ｚｏｅ", "x", "?", "-", "agent_memory", "Wi-Fi",
		"user@example.com", "运维机器人-7", "e\u0301lan", "the bot", "😀", "\u200bghost", "Anna-Lena, Dr.", "C++", "ﬁona", "ŉ", "a\u0300", "2026-11-22", "行くよ", "ｶﾅ",
	} {
		t.Run(name, func(t *testing.T) {
			m, n := note(fmt.Sprintf("gateway moved once more %d", i)), note(fmt.Sprintf("gateway moved for somebody %d", i))
			m.Actor, n.Target = name, name
			apply(t, s, memory.Change{Op: memory.OpAdd, Memory: m}, memory.Change{Op: memory.OpAdd, Memory: n})
			search(t, s, memory.Filter{Namespace: "main", Actor: name}, 1)
			search(t, s, memory.Filter{Namespace: "main", Target: name}, 1)
			for _, f := range []memory.Filter{{Namespace: "main", Actor: name}, {Target: name}} {
				if found, err := s.List(t.Context(), f); err != nil || len(found) != 1 {
					t.Errorf("%+v: %d listed, %v", f, len(found), err)
				}
				if n, err := s.Count(t.Context(), f); err != nil || n != 1 {
					t.Errorf("%+v: %d counted, %v", f, n, err)
				}
			}
		})
	}
}

// TestANameThatIsNewIsFound asks for somebody before and after the first memory
// of theirs, and again when it is gone.
func TestANameThatIsNewIsFound(t *testing.T) {
	s := named(t)
	f := memory.Filter{Namespace: "main", Actor: "Zoe"}
	search(t, s, f, 0)
	m := note("gateway moved to the attic")
	m.Actor = "Zoe"
	added := apply(t, s, memory.Change{Op: memory.OpAdd, Memory: m})
	search(t, s, f, 1)
	apply(t, s, memory.Change{Op: memory.OpRemove, Memory: added[0]})
	search(t, s, f, 0)
}

// named is a store in which all memories share a word and a few were said by Lin.
func named(t *testing.T) *store.Store {
	t.Helper()
	s := shelved(t)
	var changes []memory.Change
	for i := range 5 {
		m := note(fmt.Sprintf("gateway %d moved, said Grace to Lin", i))
		if i < 3 {
			m.Actor = "Lin"
		}
		changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m, Import: true})
	}
	apply(t, s, changes...)
	return s
}

// search asks about all memories of a store that is shelved.
func search(t *testing.T, s *store.Store, f memory.Filter, want int) {
	t.Helper()
	found, _, err := s.Search(t.Context(), text.Index("gateway moved"), f, 100)
	if err != nil || len(found) != want {
		t.Errorf("%+v: %d found, want %d, %v", f, len(found), want, err)
	}
}

// pagesOf counts the pages that are looked at while f runs and in the background after it.
func pagesOf(t *testing.T, s *store.Store, f func()) int64 {
	t.Helper()
	before, err := store.PagesRead(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	f()
	after, err := store.PagesRead(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return after - before
}
