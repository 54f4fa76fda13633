package store_test

import (
	"context"
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

func note(content string) memory.Memory {
	return memory.Memory{
		Namespace: "main", Type: memory.Event, Form: memory.Note, Status: memory.Active, Trust: memory.TrustAgent,
		Content: content, Confidence: .8, InitialImportance: .5, Importance: .5, Density: .5,
		Home: memory.Place{File: "memory/2026-02-21.md"},
	}
}

func options(path string, clock *storetest.Clock) store.Options {
	return store.Options{Path: path, Now: clock.Now, IDs: memory.NewIDSource(clock.Now, rand.Reader)}
}

func add(m memory.Memory) memory.Change { return memory.Change{Op: memory.OpAdd, Memory: m} }

// apply applies changes that must not conflict and returns the stored memories.
func apply(t *testing.T, s *store.Store, changes ...memory.Change) []memory.Memory {
	t.Helper()
	applied, err := s.Apply(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	stored := make([]memory.Memory, len(applied))
	for i, a := range applied {
		if a.Conflict != memory.NoConflict {
			t.Fatalf("change %d: conflict %s with %q", i, a.Conflict, a.Existing)
		}
		stored[i] = a.Memory
	}
	return stored
}

func full(clock *storetest.Clock) memory.Memory {
	m := note("账本用 SQLite，不用 Postgres\n\x01 control, \u202e bidi, 'quotes' \"double\" -- and a NUL \x00 after")
	m.ID, m.URI, m.Title = "imported:1", "knowledge://preferences/database", "Ledger"
	m.Fields = []memory.Field{{Name: "why", Value: "one file"}, {Name: "", Value: ""}}
	m.Links = []memory.Link{{Target: "core://x", Relation: "related"}}
	m.Supersedes, m.SupersededBy = "a", "b"
	m.ImportanceSet, m.Density, m.Pinned, m.Stability = clock.Now(), -.25, true, 17.5
	m.AccessCount, m.RetrievalCount, m.LastAccess, m.EmotionVal = 3, 9, clock.Now().Add(-time.Hour), -1
	m.Actor, m.Target, m.Domain, m.Source = "Ann", "Bob", "User", "memory-sync:2026-02-21"
	m.SessionID, m.SessionPath, m.MessageRange, m.Seq = "s1", "sessions/s1.jsonl", "3-9", 4
	m.ObservedAt = time.Date(1402, 5, 1, 0, 0, 0, 0, time.UTC)
	m.CreatedAt, m.UpdatedAt = clock.Now().Add(-2*time.Hour), clock.Now().Add(-time.Minute)
	m.Home.Line = 12
	return m
}

func TestAddedMemoryIsReadBackFieldByField(t *testing.T) {
	s, clock := storetest.Open(t)
	want := full(clock)
	stored := apply(t, s, add(want))[0]
	want.Revision, want.ContentHash = 1, memory.Hash(want.Content)
	if diff := cmp.Diff(want, stored); diff != "" {
		t.Errorf("answer of Apply (-want +got):\n%s", diff)
	}
	for name, read := range map[string]func() (memory.Memory, error){
		"id":  func() (memory.Memory, error) { return s.ByID(t.Context(), memory.DefaultNamespace, want.ID) },
		"uri": func() (memory.Memory, error) { return s.ByURI(t.Context(), "main", want.URI) },
		"hash": func() (memory.Memory, error) {
			found, err := s.Overlapping(t.Context(), memory.Overlap{Namespace: "main", Hash: want.ContentHash})
			return found[0], err
		},
	} {
		got, err := read()
		if err != nil {
			t.Fatalf("by %s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestEntriesOfAMinuteAreNumberedOnce(t *testing.T) {
	s, clock := storetest.Open(t)
	var got []string
	for _, kind := range []memory.Type{memory.Event, memory.Knowledge} {
		m := note("entry of type " + string(kind))
		m.Type = kind
		m.URI = memory.JournalURI(kind, clock.Now())
		got = append(got, apply(t, s, add(m))[0].URI)
	}
	last, err := s.ByURI(t.Context(), "main", got[1])
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s, memory.Change{Op: memory.OpRemove, Memory: last})
	got = append(got, apply(t, s, add(note("after a removal")))[0].URI)
	want := []string{"event://journal/2026-02-21#2200-1", "knowledge://journal/2026-02-21#2200-2", "event://journal/2026-02-21#2200-3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
}

func TestConflictsAreReportedInTheirPlace(t *testing.T) {
	s, _ := storetest.Open(t)
	named := note("tabs")
	named.URI = "core://editor"
	stored := apply(t, s, add(named))[0]
	gone := note("a secret to forget")
	gone.ID = "gone"
	apply(t, s, add(gone))
	apply(t, s, memory.Change{Op: memory.OpPurge, Memory: gone})

	sameURI := note("spaces")
	sameURI.URI = "identity://core/editor"
	sameID := note("same id")
	sameID.ID = stored.ID
	cases := []struct {
		name     string
		change   memory.Change
		conflict memory.Conflict
		existing string
	}{
		{"the address in another spelling", add(sameURI), memory.ConflictURI, stored.ID},
		{"the id", add(sameID), memory.ConflictID, stored.ID},
		{"the content but for white space", add(note(" tabs\n")), memory.ConflictHash, stored.ID},
		{"the content again, imported", memory.Change{Op: memory.OpAdd, Import: true, Memory: note("tabs")}, memory.NoConflict, ""},
		{"purged content in another case", add(note("A Secret  to forget")), memory.ConflictTombstone, ""},
		{"purged content, restored", memory.Change{Op: memory.OpAdd, Restore: true, Memory: note("a secret to forget")}, memory.NoConflict, ""},
		{"an old revision", memory.Change{Op: memory.OpUpdate, Memory: stored, Revision: 7}, memory.ConflictRevision, stored.ID},
		{"nobody", memory.Change{Op: memory.OpStatus, Memory: memory.Memory{ID: "nobody"}}, memory.ConflictGone, ""},
	}
	var changes []memory.Change
	for _, c := range cases {
		changes = append(changes, c.change)
	}
	applied, err := s.Apply(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if applied[i].Conflict != c.conflict || applied[i].Existing != c.existing {
			t.Errorf("%s: conflict %q with %q, want %q with %q", c.name, applied[i].Conflict, applied[i].Existing, c.conflict, c.existing)
		}
	}
}

func TestHistoryKeepsWhatWas(t *testing.T) {
	s, clock := storetest.Open(t)
	m := apply(t, s, add(note("first")))[0]
	for _, content := range []string{"second", "third"} {
		clock.Advance(time.Minute)
		m.Content = content
		m = apply(t, s, memory.Change{Op: memory.OpUpdate, Memory: m, Reason: "became " + content, Revision: m.Revision})[0]
	}
	m.Status = memory.Forgotten
	apply(t, s, memory.Change{Op: memory.OpStatus, Memory: m, Reason: "asked"})
	revisions, err := s.History(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range revisions {
		got = append(got, string(r.Op)+" "+r.Content+" "+string(r.Status)+": "+r.Reason)
	}
	want := []string{"status third active: asked", "update second active: became third", "update first active: became second"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
	if found, _, _ := s.Search(context.Background(), text.Index("second"), memory.Filter{Statuses: memory.Statuses()}, 10); len(found) != 0 {
		t.Errorf("the old content is still found: %v", found)
	}
}

// A number that a person or an import wrote by mistake does not use up those
// that are to come.
func TestAHugeNumberInAnAddressLeavesOthers(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	huge := note("imported")
	huge.URI = "event://journal/2026-02-21#2200-9223372036854775807"
	next := note("remembered in the same minute")
	next.URI = "event://journal/2026-02-21#2200-"
	stored := apply(t, s, add(huge), add(next), memory.Change{Op: memory.OpAdd, Memory: func() memory.Memory {
		m := note("and another one")
		m.URI = next.URI
		return m
	}()})
	for i, want := range []string{"#2200-1", "#2200-2"} {
		if got := stored[i+1].URI; !strings.HasSuffix(got, want) {
			t.Errorf("got %s, want one that ends in %s", got, want)
		}
	}
}

// What is planned to follow a change of the same memory does not count if that one
// came too late, though the revision is by now the one that it names.
func TestWhatFollowsARefusedChangeIsRefused(t *testing.T) {
	s, _ := storetest.Open(t)
	m := note("the limit is 100")
	m.ID = "limit"
	m = apply(t, s, add(m))[0]
	agent, person := m, m
	agent.Content, person.Content = "the limit is 200", "the limit is 150"
	apply(t, s, memory.Change{Op: memory.OpUpdate, Memory: agent})
	got, err := s.Apply(t.Context(), []memory.Change{
		{Op: memory.OpStatus, Memory: person, Revision: m.Revision}, {Op: memory.OpUpdate, Memory: person, Revision: m.Revision + 1},
	})
	if err != nil || got[0].Conflict != memory.ConflictRevision || got[1].Conflict != memory.ConflictRevision {
		t.Errorf("%+v, %v", got, err)
	}
	if now, err := s.ByID(t.Context(), "", "limit"); err != nil || now.Content != "the limit is 200" {
		t.Errorf("%q, %v", now.Content, err)
	}
}
