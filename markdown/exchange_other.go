//go:build !linux

package markdown

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// exchange is not available; the caller compares and renames.
func exchange(*os.Root, string, string) error { return errNoExchange }

// syncDir makes the names in a folder durable, where the system can do so.
func syncDir(root *os.Root, dir string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return nil
	}
	f, err := root.Open(dir)
	if err != nil {
		return fmt.Errorf("opening folder %s: %w", dir, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("syncing folder %s: %w", dir, err)
	}
	return nil
}
