package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// A kept version that cannot be unpacked is passed over: what was written before
// it still serves, a purge takes its bytes away, and it can be named.
func TestAKeptVersionThatCannotBeUnpackedIsPassedOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
	s, err := store.Open(t.Context(), options(path, clock))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"- one\n", "- one\n- two\n", "- one\n- two\n- three\n"} {
		v := memory.FileVersion{Path: "memory/2026-02-21.md", Text: text, Hash: text}
		if err := s.Published(t.Context(), []memory.FileVersion{v}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, "UPDATE bases SET text = x'ffffff' WHERE version = (SELECT max(version) FROM bases)")
	if s, err = store.Open(t.Context(), options(path, clock)); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	kept, err := s.Bases(t.Context(), "memory/2026-02-21.md", 1)
	if err != nil || len(kept) != 1 || kept[0].Text != "- one\n- two\n" {
		t.Errorf("the newest version that can be read: %+v, %v", kept, err)
	}
	named, err := s.UnreadableVersions(t.Context())
	if err != nil || !slices.Equal(named, []string{"memory/2026-02-21.md"}) {
		t.Errorf("named: %q, %v", named, err)
	}
	if err := s.Verify(t.Context()); err != nil {
		t.Errorf("for that alone the database is put aside: %v", err)
	}
	drop := func(text string) string { return strings.ReplaceAll(text, "- two\n", "") }
	if err := s.ScrubBases(t.Context(), "", drop); err != nil {
		t.Fatal(err)
	}
	kept, err = s.Bases(t.Context(), "memory/2026-02-21.md", 0)
	if err != nil || len(kept) != 2 || kept[0].Text != "- one\n" {
		t.Errorf("after the purge: %+v, %v", kept, err)
	}
	if named, err = s.UnreadableVersions(t.Context()); err != nil || len(named) > 0 {
		t.Errorf("what may hold purged words is still there: %q, %v", named, err)
	}
}
