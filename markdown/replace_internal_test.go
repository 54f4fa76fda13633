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

func TestReplaceKeepsTheOldTextUntilDiscarded(t *testing.T) {
	root, dir := testRoot(t)
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("old"), 0o644))
	r := Replacement{Path: "a.md", Text: []byte("new"), Expect: []byte("old")}
	r.Temp = TempName(7, r.Text)
	s, err := Replace(root, r)
	must(t, err)
	if string(s.Old) != "old" || s.Stale || content(t, dir, "a.md") != "new" || content(t, dir, r.Temp) != "old" {
		t.Fatalf("swapped %q, file %q", s.Old, content(t, dir, "a.md"))
	}
	if info, _ := os.Stat(filepath.Join(dir, "a.md")); info.Mode().Perm() != 0o644 {
		t.Errorf("mode became %v", info.Mode())
	}
	left, err := Leftovers(root, ".")
	must(t, err)
	if len(left) != 1 || !left[0].Swapped || left[0].Owner != 7 || string(left[0].Text) != "old" {
		t.Fatalf("recovery sees %+v", left)
	}
	must(t, Discard(root, r.Path, r.Temp))
	must(t, Discard(root, r.Path, r.Temp))
	if left, _ = Leftovers(root, "."); len(left) != 0 {
		t.Fatalf("left after discarding: %+v", left)
	}
}

func TestReplaceMakesMissingFileAndFoldersPrivate(t *testing.T) {
	root, dir := testRoot(t)
	r := Replacement{Path: "memory/topics/x.md", Text: []byte("new")}
	r.Temp = TempName(1, r.Text)
	s, err := Replace(root, r)
	must(t, err)
	if len(s.Old) != 0 || content(t, dir, r.Path) != "new" {
		t.Fatalf("old %q", s.Old)
	}
	for name, want := range map[string]fs.FileMode{r.Path: 0o600, "memory/topics": 0o700, "memory": 0o700} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v", name, info.Mode(), err)
		}
	}
}

// A person saves between our read and our write: nothing of it is lost.
func TestReplaceReturnsWhatAPersonSavedMeanwhile(t *testing.T) {
	root, dir := testRoot(t)
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("person"), 0o600))
	r := Replacement{Path: "a.md", Text: []byte("new"), Expect: []byte("old")}
	r.Temp = TempName(1, r.Text)
	s, err := Replace(root, r)
	must(t, err)
	if string(s.Old) != "person" {
		t.Fatalf("old text is %q", s.Old)
	}
}

func TestRenameOverWritesOnlyWhatWasExpected(t *testing.T) {
	root, dir := testRoot(t)
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("person"), 0o600))
	r := Replacement{Path: "a.md", Text: []byte("new"), Expect: []byte("old")}
	r.Temp = TempName(1, r.Text)
	must(t, create(root, r.Temp, r.Text, fileMode))
	s, err := renameOver(root, r)
	must(t, err)
	if !s.Stale || !s.NoExchange || string(s.Old) != "person" || content(t, dir, "a.md") != "person" {
		t.Fatalf("%+v, file %q", s, content(t, dir, "a.md"))
	}
	r.Expect = []byte("person")
	must(t, create(root, r.Temp, r.Text, fileMode))
	s, err = renameOver(root, r)
	must(t, err)
	if s.Stale || content(t, dir, "a.md") != "new" || content(t, dir, r.Temp) != "person" {
		t.Fatalf("%+v, file %q", s, content(t, dir, "a.md"))
	}
}

// The states in which a kill can leave a folder, and what recovery says of each.
func TestLeftoversTellSwappedFromNot(t *testing.T) {
	temp := TempName(3, []byte("new"))
	for name, c := range map[string]struct {
		files   map[string]string
		swapped bool
	}{
		"written, not exchanged":      {map[string]string{temp: "new"}, false},
		"cut short while writing":     {map[string]string{temp + partSuffix: "ne"}, false},
		"exchanged":                   {map[string]string{temp: "old"}, true},
		"copy made, not renamed":      {map[string]string{temp: "new", temp + oldSuffix: "old"}, false},
		"renamed, copy not yet moved": {map[string]string{temp + oldSuffix: "old"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			root, dir := testRoot(t)
			for f, text := range c.files {
				must(t, os.WriteFile(filepath.Join(dir, f), []byte(text), 0o600))
			}
			left, err := Leftovers(root, ".")
			must(t, err)
			if len(left) != 1 || left[0].Swapped != c.swapped || left[0].Temp != temp {
				t.Fatalf("recovery sees %+v", left)
			}
		})
	}
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
		r := Replacement{Path: name, Text: []byte("x"), Temp: TempName(1, []byte("x"))}
		if _, err := Replace(root, r); err == nil {
			t.Errorf("replaced %s", name)
		}
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
	if err := CreateExclusive(root, "a.md", nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created over a file: %v", err)
	}
}

func BenchmarkReplace60KB(b *testing.B) {
	root, err := os.OpenRoot(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	text := make([]byte, 60<<10)
	for b.Loop() {
		r := Replacement{Path: "a.md", Text: text, Temp: TempName(1, text)}
		if _, err := Replace(root, r); err != nil {
			b.Fatal(err)
		}
		if err := Discard(root, r.Path, r.Temp); err != nil {
			b.Fatal(err)
		}
	}
}
