package markdown

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Exchange swaps two names below root in one step, so that no writer between
// reading and writing a file can be overwritten unseen. The error is
// ErrNoExchange where system or file system cannot do it.
func Exchange(root *os.Root, a, b string) error { return renamex(root, a, b, unix.RENAME_SWAP) }

// RenameNew gives a file a name that nothing has yet; else the error is
// fs.ErrExist. ErrNoExchange as with Exchange.
func RenameNew(root *os.Root, from, to string) error {
	return renamex(root, from, to, unix.RENAME_EXCL)
}

func renamex(root *os.Root, from, to string, flags uint32) error {
	return inFolders(root, from, to, func(x, y folder) error {
		err := unix.RenameatxNp(x.fd, x.base, y.fd, y.base, flags)
		if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL) {
			return ErrNoExchange
		}
		return err
	})
}
