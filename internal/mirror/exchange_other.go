//go:build !linux && !darwin

package mirror

import (
	"errors"
	"os"
)

// exchange is not to be had here: the caller compares, then renames.
func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }

func renameNew(*os.Root, string, string) error { return errors.ErrUnsupported }
