package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

const wrapupOfTheDay = "second-brain/summaries/2026-02-22-wrapup.md"

// edits changes a file as a person would, and lets the program read it.
func (l *life) edits(name string, change func(string) string) {
	l.t.Helper()
	l.at = l.at.Add(time.Minute)
	path := filepath.Join(l.dir, filepath.FromSlash(name))
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(change(string(text))), 0o600)
	}
	if err == nil {
		err = os.Chtimes(path, l.at, l.at)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.mirror.Sync(l.t.Context(), memory.SyncOptions{}); err != nil {
		l.t.Fatal(err)
	}
	l.at = l.at.Add(time.Minute) // the save has rested
}

// passages lists the prose of a file that is indexed.
func (l *life) passages(name string) []string {
	l.t.Helper()
	rows, err := l.store.HomeEntries(l.t.Context(), name)
	if err != nil {
		l.t.Fatal(err)
	}
	var texts []string
	for _, row := range rows {
		texts = append(texts, row.Content)
	}
	return texts
}

func TestAWrapupKeepsWhatPeopleDidThereForGood(t *testing.T) {
	l := newLife(t, "openclaw")
	l.call("remember", map[string]any{"content": "Ann deployed the login page"})
	l.call("remember", map[string]any{"content": "Bob reviewed the parser"})
	l.reflectOn("wrapup")
	l.edits(wrapupOfTheDay, func(s string) string {
		kept := slices.DeleteFunc(strings.SplitAfter(s, "\n"), func(line string) bool { return strings.Contains(line, "Ann deployed") })
		return strings.Join(kept, "") + "- My own remark about the harbour\n"
	})
	for _, further := range []string{"Cleo asked for the crane", "Dan paints boats", "Eve sells anchors"} {
		l.call("remember", map[string]any{"content": further})
		l.reflectOn("wrapup")
		text := l.files()[wrapupOfTheDay]
		for _, want := range []string{"My own remark about the harbour", "Bob reviewed the parser", further} {
			if strings.Count(text, want) != 1 {
				t.Fatalf("after %q the wrap-up does not hold %q once:\n%s", further, want, text)
			}
		}
		if strings.Contains(text, "Ann deployed") {
			t.Fatalf("after %q a line is back that a person took out:\n%s", further, text)
		}
	}
}

func TestAWrapupDoesNotMakeMemoriesTwice(t *testing.T) {
	l := newLife(t, "openclaw")
	l.call("remember", map[string]any{"content": "Ann deployed the login page"})
	l.reflectOn("wrapup")
	l.edits(wrapupOfTheDay, func(s string) string { return s + "- My own remark\n- See [→](../../README.md)\n" })
	if got := l.passages(wrapupOfTheDay); !slices.Equal(got, []string{"- My own remark", "- See [→](../../README.md)"}) {
		t.Errorf("passages of the wrap-up: %q", got)
	}
	l.call("remember", map[string]any{"content": "Bob reviewed the parser"})
	l.reflectOn("wrapup")
	l.edits(wrapupOfTheDay, func(s string) string { return s })
	if got := l.passages(wrapupOfTheDay); !slices.Equal(got, []string{"- My own remark", "- See [→](../../README.md)"}) {
		t.Errorf("passages after a second wrap-up: %q", got)
	}
}

func TestAWrapupOfAnotherSystemIsReadWhole(t *testing.T) {
	l := newLife(t, "openclaw")
	path := filepath.Join(l.dir, filepath.FromSlash("second-brain/summaries/2026-02-20-wrapup.md"))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("# 2026-02-20\n\n## Decisions\n\n- The harbour gets a crane\n- Dan paints it\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.edits("second-brain/summaries/2026-02-20-wrapup.md", func(s string) string { return s })
	if got := l.passages("second-brain/summaries/2026-02-20-wrapup.md"); !slices.Equal(got, []string{"- The harbour gets a crane\n- Dan paints it"}) {
		t.Errorf("passages: %q", got)
	}
}

// A version before this one indexed whole wrap-ups.
func TestOldPassagesOfAWrapupGo(t *testing.T) {
	l := newLife(t, "openclaw")
	l.call("remember", map[string]any{"content": "Ann deployed the login page"})
	l.reflectOn("wrapup")
	l.edits(wrapupOfTheDay, func(s string) string { return s + "- My own remark\n" })
	old := memory.Memory{
		ID: memory.DerivedID(wrapupOfTheDay+"#prose", "old", 0), Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Passage,
		Status: memory.Active, Trust: memory.TrustAgent, Content: "- Ann deployed the login page [→](../../memory/2026-02-22.md)\n- My own remark",
		Home: memory.Place{File: wrapupOfTheDay, Line: 11}, CreatedAt: l.at,
	}
	old.URI, old.ContentHash = "knowledge://passage/"+old.ID, memory.Hash(old.Content)
	if _, err := l.store.Apply(t.Context(), []memory.Change{{Op: memory.OpAdd, Memory: old, FromFile: true, Import: true, Reason: "test"}}); err != nil {
		t.Fatal(err)
	}
	if err := l.store.SetMeta(t.Context(), "prose_of_our_files", nil); err != nil {
		t.Fatal(err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	again := openLife(t, filepath.Dir(l.dir), "openclaw")
	again.edits(wrapupOfTheDay, func(s string) string { return s })
	if got := again.passages(wrapupOfTheDay); !slices.Equal(got, []string{"- My own remark"}) {
		t.Errorf("passages: %q", got)
	}
}
