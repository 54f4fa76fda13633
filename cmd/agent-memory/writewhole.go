package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"agentmemory/internal/memory"
)

// writePrivate writes a file of ours whole or not at all: a disk that is full
// leaves the old text. A link leads to the file that it names, and a file keeps its
// mode; one that nobody may write is left.
func writePrivate(path, text string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return memory.Errorf(memory.PermissionDenied, "writing %s: %w", path, fs.ErrPermission)
		}
	}
	err := replaceWhole(path, text, mode)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EBUSY) { // a folder that is closed, or a file mounted by itself
		err = os.WriteFile(path, []byte(text), mode)
	}
	if err != nil {
		return memory.Errorf(codeOfFile(err), "writing %s: %w", path, err)
	}
	return nil
}

// replaceWhole replaces a file with a new one of that mode.
func replaceWhole(path, text string, mode fs.FileMode) error {
	temporary := path + ".agent-memory.tmp"
	err := writeSynced(temporary, text, mode)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary)
	}
	return err //nolint:wrapcheck // the caller names the file
}

func writeSynced(path, text string, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode) //nolint:gosec // beside a file that the caller names
	if err != nil {
		return err //nolint:wrapcheck // the caller names the file
	}
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Chmod(mode) // whatever the umask
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
