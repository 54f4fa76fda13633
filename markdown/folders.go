package markdown

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// SyncDir makes the names in a folder durable, where the system can do so.
func SyncDir(root *os.Root, dir string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" || !syncsFolders {
		return nil
	}
	f, err := root.Open(dir)
	if err != nil {
		return fmt.Errorf("opening folder %s: %w", dir, err)
	}
	err = f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		err = nil // a file system without it, such as some network ones
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("syncing folder %s: %w", dir, err)
	}
	return nil
}
