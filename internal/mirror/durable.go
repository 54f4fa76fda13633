package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"agentmemory/internal/memory"
)

// appendDurably appends text to a line file and syncs it. A line that a crash
// tore is closed first, so that it cannot swallow ours.
func appendDurably(root *os.Root, name string, text []byte) error {
	_, statErr := root.Lstat(name)
	f, err := openOwn(root, name, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("opening %s: %w", name, err)
	}
	defer f.Close()
	if torn, err := endsTorn(f); err != nil {
		return fmt.Errorf("reading the end of %s: %w", name, err)
	} else if torn {
		text = append([]byte{'\n'}, text...)
	}
	if _, err := f.Write(text); err != nil {
		return fmt.Errorf("appending to %s: %w", name, err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("syncing %s: %w", name, err)
	}
	if statErr != nil {
		return syncDir(root, path.Dir(name))
	}
	return nil
}

func endsTorn(f *os.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil {
		return false, err
	}
	return last[0] != '\n', nil
}

// openOwn opens a file of ours, making its folder where that is missing.
func openOwn(root *os.Root, name string, flags int) (*os.File, error) {
	f, err := root.OpenFile(name, flags, fileMode)
	if !errors.Is(err, fs.ErrNotExist) || flags&os.O_CREATE == 0 {
		return f, err
	}
	if err := makeDirs(root, path.Dir(name)); err != nil {
		return nil, err
	}
	return root.OpenFile(name, flags, fileMode)
}

// makeDirs makes a folder and its parents durable.
func makeDirs(root *os.Root, dir string) error {
	if dir == "." {
		return nil
	}
	if _, err := root.Stat(dir); err == nil {
		return nil
	}
	if err := root.MkdirAll(dir, dirMode); err != nil {
		return fmt.Errorf("making the folder %s: %w", dir, err)
	}
	for d := path.Dir(dir); ; d = path.Dir(d) {
		if err := syncDir(root, d); err != nil {
			return err
		}
		if d == "." {
			return nil
		}
	}
}

// syncDir makes the names in a folder durable.
func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return fmt.Errorf("opening the folder %s: %w", dir, err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !unsupportedSync(err) {
		return fmt.Errorf("syncing the folder %s: %w", dir, err)
	}
	return nil
}

// writeDurably writes a new file and syncs it; the name is not yet durable.
func writeDurably(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return fmt.Errorf("creating %s: %w", name, err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// replaceOwn replaces a file that only we write: temporary file, sync, rename,
// folder sync. A crash leaves the old text or the new one.
func replaceOwn(root *os.Root, name string, text []byte) error {
	if err := makeDirs(root, path.Dir(name)); err != nil {
		return err
	}
	temp := name + ".new"
	if err := writeDurably(root, temp, text, fileMode); err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		return fmt.Errorf("replacing %s: %w", name, err)
	}
	return syncDir(root, path.Dir(name))
}

// readFile returns a file's bytes; a missing file is nil without error.
func readFile(root *os.Root, name string) ([]byte, error) {
	text, err := root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if text == nil {
		text = []byte{}
	}
	return text, nil
}

// digest is the SHA-256 of a text in hex, outer white space included.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// stateOf describes a file as the store remembers it.
func stateOf(name string, info fs.FileInfo, hash string) memory.FileState {
	return memory.FileState{Path: name, Size: info.Size(), ModTime: info.ModTime(), Hash: hash}
}
