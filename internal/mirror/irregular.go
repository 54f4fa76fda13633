package mirror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"agentmemory/markdown"
)

// errIrregular says that a link or folder stands where a file is to be.
func errIrregular(name string) error {
	return fmt.Errorf("%s is not a regular file: it is left alone", name)
}

// irregular reports whether a link, a folder or the like has this name.
func irregular(root *os.Root, name string) (bool, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking at %s: %w", name, err)
	}
	return !info.Mode().IsRegular(), nil
}

// giveBack undoes an exchange that took out a link or folder, which somebody
// had put there in that moment: it is theirs, and nothing for us to read.
func (s swapped) giveBack(root *os.Root) error {
	if err := markdown.Exchange(root, s.Temp, s.Target); err != nil {
		return fmt.Errorf("giving %s back: %w", s.Target, err)
	}
	if another, err := irregular(root, s.Temp); err != nil || another { // they go on: recovery puts it aside
		return errors.Join(errIrregular(s.Target), err)
	}
	return errors.Join(errIrregular(s.Target), root.Remove(s.Temp))
}

// putAside moves what is no file out of the swap folder, into the backups, and
// reports whether it did: nobody can merge it, and it must not stop the rest.
func (m *Mirror) putAside(temp string) (bool, error) {
	is, err := irregular(m.Root, temp)
	if err != nil || !is {
		return false, err
	}
	err = m.keepAmongBackups(temp)
	return err == nil, err
}

// keepAmongBackups moves something out of the swap folder that nobody can merge.
func (m *Mirror) keepAmongBackups(temp string) error {
	if err := markdown.MakeDir(m.Root, backupDir); err != nil {
		return err
	}
	if err := m.Root.Rename(temp, path.Join(backupDir, path.Base(temp))); err != nil {
		return fmt.Errorf("putting %s aside: %w", temp, err)
	}
	return nil
}
