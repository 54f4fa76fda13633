//go:build (!linux && !darwin) || (linux && mutant_check_then_write)

package markdown

import "os"

// Exchange is not available; the caller compares and renames.
func Exchange(*os.Root, string, string) error { return ErrNoExchange }

// RenameNew is not available; the caller looks and renames.
func RenameNew(*os.Root, string, string) error { return ErrNoExchange }
