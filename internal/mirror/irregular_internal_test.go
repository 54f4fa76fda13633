package mirror

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A link that somebody puts in the place of a file at the moment of the swap
// stays where they put it, and our text goes away.
func TestALinkThatIsSwappedOutIsGivenBack(t *testing.T) {
	root := openRoot(t)
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.WriteFile(outside, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root.Name(), "MEMORY.md"), []byte("- old\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	temp := swapDir + "/" + newSwapName("MEMORY.md", "- old\n", "- new\n", 0).String()
	state, err := prepare(root, "MEMORY.md", temp, "- new\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(root.Remove("MEMORY.md"), os.Symlink(outside, filepath.Join(root.Name(), "MEMORY.md"))); err != nil {
		t.Fatal(err)
	}
	s := swapped{Temp: temp, Target: "MEMORY.md", Read: "- old\n", Text: "- new\n", State: state}
	if out, err := s.exchange(root, temp); err == nil {
		t.Errorf("exchanged a link: %+v", out)
	}
	if to, err := os.Readlink(filepath.Join(root.Name(), "MEMORY.md")); err != nil || to != outside {
		t.Errorf("the link is %q, %v", to, err)
	}
	if _, err := root.Lstat(temp); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the temporary file stays: %v", err)
	}
	if raw, _ := os.ReadFile(outside); string(raw) != "theirs" {
		t.Errorf("the file outside holds %q", raw)
	}
}
