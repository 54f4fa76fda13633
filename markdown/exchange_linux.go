package markdown

import (
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// exchange swaps the file at name with temp in the same folder, atomically.
func exchange(root *os.Root, name, temp string) error {
	dir, err := root.Open(path.Dir(name))
	if err != nil {
		return fmt.Errorf("opening folder %s: %w", path.Dir(name), err)
	}
	defer dir.Close()
	fd := int(dir.Fd())
	err = unix.Renameat2(fd, temp, fd, path.Base(name), unix.RENAME_EXCHANGE)
	for _, missing := range []error{unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP, unix.EPERM} {
		if errors.Is(err, missing) {
			return errNoExchange
		}
	}
	return err
}

// syncDir makes the names in a folder durable.
func syncDir(root *os.Root, dir string) error {
	f, err := root.Open(dir)
	if err != nil {
		return fmt.Errorf("opening folder %s: %w", dir, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("syncing folder %s: %w", dir, err)
	}
	return nil
}
