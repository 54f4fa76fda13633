package mirror

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two names in one step, so that no writer between our reading
// and our writing can be overwritten unseen.
func exchange(root *os.Root, a, b string) error { return renamex(root, a, b, unix.RENAME_SWAP) }

// renameNew gives a file its name only where nobody else has it yet.
func renameNew(root *os.Root, from, to string) error {
	return renamex(root, from, to, unix.RENAME_EXCL)
}

func renamex(root *os.Root, from, to string, flags uint32) error {
	return inFolders(root, from, to, func(x, y folder) error {
		err := unix.RenameatxNp(x.fd, x.base, y.fd, y.base, flags)
		if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL) {
			return errors.ErrUnsupported
		}
		return err
	})
}
