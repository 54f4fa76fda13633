package markdown_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// workspace makes a workspace of these files.
func workspace(t *testing.T, files map[string]string) (markdown.Workspace, func(name string) string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return markdown.NewWorkspace(root), func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			return "missing"
		}
		return string(text)
	}
}

func TestFileReadsReplacesAndKeepsConflicts(t *testing.T) {
	w, read := workspace(t, nil)
	f := w.Surface().Recent()
	if text, err := f.Read(); err != nil || len(text) != 0 {
		t.Fatalf("a missing file reads %q, %v", text, err)
	}
	temp := markdown.TempName(1, []byte("new\n"))
	if _, err := f.Replace(temp, nil, []byte("new\n")); err != nil {
		t.Fatal(err)
	}
	if err := f.Discard(temp); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"first\n", "second\n"} {
		name, err := f.Conflict(evening(), []byte(text))
		if err != nil || name != "RECENT.md.conflict-20260221T140500Z.md" {
			t.Fatalf("%s, %v", name, err)
		}
	}
	if got := read("RECENT.md.conflict-20260221T140500Z.md"); got != "first\nsecond\n" || read("RECENT.md") != "new\n" {
		t.Errorf("conflict file %q", got)
	}
}

func TestPutAwayMovesAJournalOnce(t *testing.T) {
	w, read := workspace(t, map[string]string{"memory/2026-02-21.md": "day\n"})
	if err := w.Compound().PutAway(evening(), 1, 1); err != nil {
		t.Fatal(err)
	}
	if read("memory/2026-02-21.md") != "missing" || read("memory/archive/2026/2026-02-21.md") != "day\n" {
		t.Error("not moved")
	}
	if err := w.Journals().Day(evening(), 1).Append([]byte("again\n")); err != nil {
		t.Fatal(err)
	}
	if err := w.Compound().PutAway(evening(), 1, 1); memory.CodeOf(err) != memory.Conflicting {
		t.Errorf("moved over an archived journal: %v", err)
	}
}

func TestHomesAndReadersKeepToTheirKinds(t *testing.T) {
	w, _ := workspace(t, map[string]string{"MEMORY.md": "secret\n", journal: "day\n"})
	for _, name := range []string{"MEMORY.md", "RECENT.md", "second-brain/research/x.md", "memory/2026-02-21-call.md", "../x.md", "/etc/passwd", ".agent-memory/records.jsonl"} {
		if _, err := w.Homes().File(name); err == nil {
			t.Errorf("%s counts as a home", name)
		}
	}
	if f, err := w.Homes().File(journal); err != nil || f.Path() != journal {
		t.Errorf("the journal is no home: %v", err)
	}
	reader := w.Reader(markdown.KindJournal)
	if text, err := reader.Read(journal); err != nil || string(text) != "day\n" {
		t.Errorf("journal %q, %v", text, err)
	}
	if _, err := reader.Read("MEMORY.md"); memory.CodeOf(err) != memory.PermissionDenied {
		t.Errorf("a reader of journals read MEMORY.md: %v", err)
	}
}

func TestEraserEmptiesFactsAndArchiveRecords(t *testing.T) {
	m := decision()
	line, err := markdown.EncodeArchive(markdown.ArchiveRecord{At: evening(), Memory: m})
	if err != nil {
		t.Fatal(err)
	}
	const items, archive = "memory/life/projects/x/items.json", "memory/archive/2026-02-21.jsonl"
	w, read := workspace(t, map[string]string{items: string(facts().Render()), archive: string(line) + "torn"})
	for _, name := range []string{items, archive} {
		got, err := w.Eraser().Erase(name, 1, firstID, m.ID)
		if err != nil || len(got.Removed) != 1 {
			t.Fatalf("%s: %d removed, %v", name, len(got.Removed), err)
		}
		if err := w.Eraser().Discard(name, got.Temp); err != nil {
			t.Error(err)
		}
		if again, err := w.Eraser().Erase(name, 2, firstID, m.ID); err != nil || len(again.Removed) != 0 || again.Temp != "" {
			t.Errorf("%s: erased twice: %+v, %v", name, again, err)
		}
	}
	if read(archive) != "torn" {
		t.Errorf("archive holds %q", read(archive))
	}
	left, err := markdown.ParseFacts([]byte(read(items)))
	if err != nil || len(left.List) != 2 || left.List[0].Fact != "" || !left.List[0].Meta.Purged || left.List[1].Fact == "" {
		t.Errorf("facts %+v, %v", left.List, err)
	}
}
