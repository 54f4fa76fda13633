package markdown

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"agentmemory/internal/memory"
)

func testRoot(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	must(t, err)
	return string(text)
}

func TestAppendStartsOnItsOwnLine(t *testing.T) {
	root, dir := testRoot(t)
	must(t, Append(root, "memory/a.md", []byte("one\n")))
	must(t, os.WriteFile(filepath.Join(dir, "memory/a.md"), []byte("one\ntorn"), 0o600))
	must(t, Append(root, "memory/a.md", []byte("two\n")))
	if got := content(t, dir, "memory/a.md"); got != "one\ntorn\ntwo\n" {
		t.Fatalf("file is %q", got)
	}
}

func TestLinksAndTraversalAreRefused(t *testing.T) {
	root, dir := testRoot(t)
	outside := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(outside, []byte("secret"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "real.md"), []byte("real"), 0o600))
	must(t, os.Symlink(outside, filepath.Join(dir, "out.md")))
	must(t, os.Symlink("real.md", filepath.Join(dir, "in.md")))
	must(t, os.Symlink(filepath.Dir(outside), filepath.Join(dir, "folder")))
	for _, name := range []string{"out.md", "in.md", "folder/secret", "../x.md", "/etc/passwd", "a/../../x"} {
		if _, err := ReadFile(root, name, 0); err == nil {
			t.Errorf("read %s", name)
		}
		if err := Append(root, name, []byte("x")); err == nil {
			t.Errorf("appended to %s", name)
		}
	}
	if content(t, filepath.Dir(outside), "secret") != "secret" || content(t, dir, "real.md") != "real" {
		t.Error("a link's target was written")
	}
}

func TestReadFileHasALimit(t *testing.T) {
	root, dir := testRoot(t)
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), make([]byte, 11), 0o600))
	if _, err := ReadFile(root, "a.md", 10); memory.CodeOf(err) != memory.TooLarge {
		t.Errorf("11 bytes of 10: %v", err)
	}
	if _, err := ReadFile(root, "a.md", 11); err != nil {
		t.Errorf("11 bytes of 11: %v", err)
	}
	if _, err := ReadFile(root, "none.md", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if err := createExclusive(root, "a.md", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created over a file: %v", err)
	}
}
