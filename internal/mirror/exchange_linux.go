package mirror

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one step, so that no writer between our reading
// and our writing can be overwritten unseen.
func exchange(root *os.Root, a, b string) error { return renameat2(root, a, b, unix.RENAME_EXCHANGE) }

// renameNew gives a file its name only where nobody else has it yet.
func renameNew(root *os.Root, from, to string) error {
	return renameat2(root, from, to, unix.RENAME_NOREPLACE)
}

func renameat2(root *os.Root, from, to string, flags uint) error {
	return inFolders(root, from, to, func(x, y folder) error {
		err := unix.Renameat2(x.fd, x.base, y.fd, y.base, flags)
		if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
			return errors.ErrUnsupported
		}
		return err
	})
}
