package store_test

import (
	"fmt"
	"slices"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store/storetest"
)

// asked is a question for what overlaps with a text.
func asked(content string) memory.Overlap {
	return memory.Overlap{
		Namespace: "main", Type: memory.Knowledge, Form: memory.Note, Hash: memory.Hash(content), Terms: text.Index(content),
		Share: .5, Rare: 6, Postings: 2000, Compared: 10, Limit: 5,
	}
}

func TestOverlappingFindsWhatSaysTheSame(t *testing.T) {
	s, _ := storetest.Open(t)
	for i, c := range []string{
		"the gateway listens on port 8443 in Lisbon",
		"the gateway in Lisbon listens on port 8443 since the move",
		"账本数据库改用 SQLite，每晚备份",
		"Zoe keeps a goldfish called Euler in Lisbon",
	} {
		m := note(c)
		m.ID, m.Type, m.Actor = fmt.Sprintf("m%d", i), memory.Knowledge, "somebody with a rather long name"
		apply(t, s, add(m))
	}
	for i, other := range []func(*memory.Memory){
		func(m *memory.Memory) { m.Type = memory.Event },
		func(m *memory.Memory) { m.Form = memory.Fact },
		func(m *memory.Memory) { m.Namespace = "other" },
		func(m *memory.Memory) { m.Status = memory.Superseded },
	} {
		m := note(fmt.Sprintf("the gateway listens on port 8443 in Lisbon or Porto%d", i))
		m.Type = memory.Knowledge
		other(&m)
		apply(t, s, add(m))
	}
	for _, row := range []struct {
		content string
		want    []string // the most alike first
	}{
		{"the gateway listens on port 8443 in Lisbon", []string{"m0", "m1"}},
		{"the gateway listens on port 9000 in Lisbon", []string{"m0", "m1"}},
		{"账本数据库改用 SQLite", []string{"m2"}},
		{"帳本資料庫改用 Postgres，每晚備份", []string{"m2"}}, // traditional characters
		{"a goldfish was seen in Lisbon by a passer-by with a camera", nil},
		{"", nil},
	} {
		found, err := s.Overlapping(t.Context(), asked(row.content))
		if err != nil {
			t.Fatalf("%s: %v", row.content, err)
		}
		var got []string
		for _, m := range found {
			got = append(got, m.ID)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: found %v, want %v", row.content, got, row.want)
		}
	}
}

// A text that this process has just written is found at once, and so is what
// another process wrote; what was removed is not.
func TestOverlappingFollowsEveryCommit(t *testing.T) {
	s, clock := storetest.Open(t)
	other := storetest.OpenAt(t, s.Path(), clock)
	ids := func(content string) (got []string) {
		found, err := s.Overlapping(t.Context(), asked(content))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range found {
			got = append(got, m.ID)
		}
		return got
	}
	for i, writer := range []func(memory.Change){
		func(c memory.Change) { apply(t, s, c) }, func(c memory.Change) { apply(t, other, c) },
	} {
		m := note(fmt.Sprintf("quokka number%d lives on Rottnest island", i))
		m.ID, m.Type = fmt.Sprintf("w%d", i), memory.Knowledge
		asking := fmt.Sprintf("quokka number%d lives on Rottnest island today", i)
		if got := ids(asking); slices.Contains(got, m.ID) {
			t.Errorf("writer %d: found before it was written: %v", i, got)
		}
		writer(add(m))
		if got := ids(asking); len(got) == 0 || got[0] != m.ID {
			t.Errorf("writer %d: after the commit found %v", i, got)
		}
		writer(memory.Change{Op: memory.OpRemove, Memory: m})
		if got := ids(asking); slices.Contains(got, m.ID) {
			t.Errorf("writer %d: removed, and found %v", i, got)
		}
	}
}
