//go:build linux || darwin

package markdown

import (
	"fmt"
	"os"
	"path"
)

// folder is an open folder and a name in it: system calls that take both
// cannot be led out of the workspace.
type folder struct {
	fd   int
	base string
}

func inFolders(root *os.Root, from, to string, use func(x, y folder) error) error {
	x, err := root.Open(path.Dir(from))
	if err != nil {
		return fmt.Errorf("opening the folder of %s: %w", from, err)
	}
	defer x.Close()
	y, err := root.Open(path.Dir(to))
	if err != nil {
		return fmt.Errorf("opening the folder of %s: %w", to, err)
	}
	defer y.Close()
	if err := use(folder{int(x.Fd()), path.Base(from)}, folder{int(y.Fd()), path.Base(to)}); err != nil {
		return &os.LinkError{Op: "renameat", Old: from, New: to, Err: err}
	}
	return nil
}
