package mirror_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Whatever stands in the swap folder under the name of a temporary file, a link
// or a folder of somebody's: it is put aside, and the files go on being written.
func TestLinksInTheSwapFolderStopNothing(t *testing.T) {
	for what, make := range map[string]func(outside, at string) error{
		"a link":      func(outside, at string) error { return os.Symlink(outside, at) },
		"a dead link": func(outside, at string) error { return os.Symlink(outside+".none", at) },
		"a folder":    func(_, at string) error { return os.Mkdir(at, 0o700) },
	} {
		for when, restart := range map[string]bool{"found at a start": true, "under a server": false} {
			t.Run(what+" "+when, func(t *testing.T) {
				t.Parallel()
				b, _ := killed(t)
				outside := filepath.Join(t.TempDir(), "outside.md")
				if err := os.WriteFile(outside, []byte("- theirs\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				if !restart {
					b.open()
					b.drain()
				}
				swap := filepath.Join(b.dir, ".agent-memory", "swap")
				left, err := os.ReadDir(swap)
				if err != nil || len(left) == 0 {
					t.Fatalf("nothing was swapped out: %v", err)
				}
				name := filepath.Join(swap, left[0].Name())
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
				if err := make(outside, name); err != nil {
					t.Fatal(err)
				}
				if restart {
					b.open()
				}
				b.clock.pass(time.Hour)
				b.remember("later")
				b.drain()
				b.sync()
				b.stands(today, "later", 1)
				if _, err := os.Lstat(name); err == nil {
					t.Error("it still stands in the swap folder")
				}
			})
		}
	}
}
