package mirror

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// notes are all that compaction asks of a store.
type notes struct {
	Store
	kept map[string][]byte
}

func (n notes) Meta(_ context.Context, key string) ([]byte, error) { return n.kept[key], nil }

func (n notes) SetMeta(_ context.Context, key string, value []byte) error {
	n.kept[key] = value
	return nil
}

// considering makes a process that is about to consider the records of root.
func considering(t *testing.T, root *os.Root, n notes) *Mirror {
	t.Helper()
	m, err := New(Options{Root: root, Store: n, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Reading all records costs more than what a command does: of many processes,
// only the one that finds the file grown by a quarter reads them.
func TestRecordsAreConsideredAgainOnlyWhenTheyHaveGrown(t *testing.T) {
	root := openRoot(t)
	n := notes{kept: map[string][]byte{}}
	write := func(ids, lines int) {
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, "{\"id\":\"m%05d\",\"op\":\"add\",\"memory\":{\"source\":\"%s\"}}\n", i%ids, strings.Repeat("x", 200))
		}
		if err := root.MkdirAll(ownDir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := root.WriteFile(recordsFile, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		what       string
		ids, lines int
		want       int // lines afterwards
	}{
		{"nothing is crowded", 6000, 6000, 6000},
		{"crowded, but not grown since another process looked", 10, 6000, 6000},
		{"grown by a quarter, and crowded", 10, 8000, 10},
	}
	for _, s := range steps {
		write(s.ids, s.lines)
		if err := considering(t, root, n).tidyRecords(t.Context()); err != nil {
			t.Fatal(err)
		}
		text, err := root.ReadFile(recordsFile)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(string(text), "\n"); got != s.want {
			t.Errorf("%s: %d lines, want %d", s.what, got, s.want)
		}
	}
}
