package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// publish records a file as the mirror does, and clears the outbox.
func publish(t *testing.T, s *store.Store, path, text string, lines map[string]int) {
	t.Helper()
	pending, err := s.Outbox(t.Context(), 10_000)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]int64, len(pending))
	for i, p := range pending {
		ids[i] = p.ID
	}
	sum := sha256.Sum256([]byte(text))
	v := memory.FileVersion{
		Path: path, Text: text, Hash: hex.EncodeToString(sum[:]), Lines: lines,
		State: memory.FileState{Size: int64(len(text)), ModTime: time.Unix(1, 5), Hash: hex.EncodeToString(sum[:])},
	}
	if err := s.Published(t.Context(), []memory.FileVersion{v}, ids); err != nil {
		t.Fatal(err)
	}
}

func TestTheOutboxTellsWhatFilesLack(t *testing.T) {
	s, _ := storetest.Open(t)
	m := apply(t, s, add(note("a line")))[0]
	read := note("read from the file")
	apply(t, s, memory.Change{Op: memory.OpAdd, Memory: read, FromFile: true})
	prose := note("prose of a person")
	prose.Form = memory.Passage
	apply(t, s, memory.Change{Op: memory.OpAdd, Memory: prose, FromFile: true})
	moved := m
	moved.Home.File = "memory/topics/event.md"
	m = apply(t, s, memory.Change{Op: memory.OpMove, Memory: moved})[0]
	m.AccessCount = 3
	apply(t, s, memory.Change{Op: memory.OpReinforce, Memory: m})

	pending, err := s.Outbox(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pending {
		got = append(got, fmt.Sprintf("%s %s only=%t now in %s", p.Op, p.File, p.RecordOnly, p.Memory.Home.File))
	}
	want := []string{
		"add memory/2026-02-21.md only=false now in memory/topics/event.md",
		"add memory/2026-02-21.md only=true now in memory/2026-02-21.md",
		"move memory/2026-02-21.md only=false now in memory/topics/event.md",
		"reinforce memory/topics/event.md only=true now in memory/topics/event.md",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outbox (-want +got):\n%s", diff)
	}
}

func TestPublishingKeepsTheLastVersionsAndTheLines(t *testing.T) {
	s, _ := storetest.Open(t)
	m := apply(t, s, add(note("a line")))[0]
	const path = "memory/2026-02-21.md"
	for i := range 20 {
		publish(t, s, path, fmt.Sprintf("version %d\n", i), map[string]int{m.ID: i + 3})
	}
	versions, err := s.Bases(t.Context(), path, 0)
	if err != nil || len(versions) != 16 || versions[0].Text != "version 19\n" || versions[15].Text != "version 4\n" {
		t.Errorf("%d versions, %v", len(versions), err)
	}
	entries, err := s.HomeEntries(t.Context(), path)
	if err != nil || len(entries) != 1 || entries[0].Home.Line != 22 {
		t.Errorf("entries %+v, %v", entries, err)
	}
	if n, _, err := s.OutboxSize(t.Context()); err != nil || n != 0 {
		t.Errorf("outbox: %d, %v", n, err)
	}
	states, err := s.FileStates(t.Context())
	want := memory.FileState{Path: path, Size: 11, ModTime: time.Unix(1, 5).UTC(), Hash: versions[0].Hash}
	if diff := cmp.Diff(map[string]memory.FileState{path: want}, states); err != nil || diff != "" {
		t.Errorf("states, %v (-want +got):\n%s", err, diff)
	}
	if err := s.ForgetFile(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if versions, err := s.Bases(t.Context(), path, 0); err != nil || len(versions) != 0 {
		t.Errorf("after forgetting: %d versions, %v", len(versions), err)
	}
}

// Names are what a file system allows: anything but a zero byte.
func TestFileStatesOfAnyName(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	none, err := s.FileStates(t.Context())
	if err != nil || len(none) != 0 {
		t.Fatalf("of no files: %v, %v", none, err)
	}
	want := map[string]memory.FileState{}
	for i, name := range []string{"a,b.md", "two\nlines.md", "memory/2026-02-21.md", "extra:notes/结果, 2.md", "broken\xffname.md", " "} {
		want[name] = memory.FileState{Path: name, Size: int64(i) - 1, ModTime: time.Unix(int64(i), 7).UTC(), Hash: memory.Hash(name)}
	}
	want["unread.md"] = memory.FileState{Path: "unread.md", Size: -1, ModTime: time.Unix(-5, 0).UTC()}
	if err := s.SetFileStates(t.Context(), slices.Collect(maps.Values(want))); err != nil {
		t.Fatal(err)
	}
	states, err := s.FileStates(t.Context())
	if diff := cmp.Diff(want, states); err != nil || diff != "" {
		t.Errorf("states, %v (-want +got):\n%s", err, diff)
	}
	for name, state := range want {
		one, err := s.FileStates(t.Context(), name, "nobody knows.md")
		if diff := cmp.Diff(map[string]memory.FileState{name: state}, one); err != nil || diff != "" {
			t.Errorf("state of %q, %v (-want +got):\n%s", name, err, diff)
		}
	}
}
