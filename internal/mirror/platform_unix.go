//go:build !windows

package mirror

import (
	"errors"
	"syscall"
)

// unsupportedSync reports whether the file system has no sync for folders.
func unsupportedSync(err error) bool {
	return errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP)
}
