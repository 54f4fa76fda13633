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

func TestPutAwayMovesAJournalOnce(t *testing.T) {
	w, read := workspace(t, map[string]string{"memory/2026-02-21.md": "day\n"})
	if err := w.Compound().PutAway(evening(), 1, 1); err != nil {
		t.Fatal(err)
	}
	if read("memory/2026-02-21.md") != "missing" || read("memory/archive/2026/2026-02-21.md") != "day\n" {
		t.Error("not moved")
	}
	if err := w.Compound().PutAway(evening(), 1, 1); memory.CodeOf(err) != memory.Conflicting {
		t.Errorf("moved over an archived journal: %v", err)
	}
}
