//go:build !mutant_check_then_write

package markdown

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Exchange swaps two names below root in one step, so that no writer between
// reading and writing a file can be overwritten unseen. The error is
// ErrNoExchange where system or file system cannot do it.
func Exchange(root *os.Root, a, b string) error { return renameat2(root, a, b, unix.RENAME_EXCHANGE) }

// RenameNew gives a file a name that nothing has yet; else the error is
// fs.ErrExist. ErrNoExchange as with Exchange.
func RenameNew(root *os.Root, from, to string) error {
	return renameat2(root, from, to, unix.RENAME_NOREPLACE)
}

func renameat2(root *os.Root, from, to string, flags uint) error {
	return inFolders(root, from, to, func(x, y folder) error {
		err := unix.Renameat2(x.fd, x.base, y.fd, y.base, flags)
		for _, missing := range []error{unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP, unix.EPERM} {
			if errors.Is(err, missing) {
				return ErrNoExchange
			}
		}
		return err
	})
}
