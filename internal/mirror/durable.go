package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

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

// ownPrefix begins the names of our temporary files that hold nothing of
// anybody else: a recovery drops them.
const ownPrefix = "own-"

// replaceOwn replaces a file that only we write: temporary file, sync, rename,
// folder sync. A crash leaves the old text or the new one. The caller holds the
// lock of the workspace.
func replaceOwn(root *os.Root, name string, text []byte) error {
	if err := markdown.MakeDir(root, path.Dir(name)); err != nil {
		return err
	}
	if err := markdown.MakeDir(root, swapDir); err != nil {
		return err
	}
	temp := path.Join(swapDir, ownPrefix+digest(name)[:16])
	if err := writeDurably(root, temp, text, fileMode); err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		return fmt.Errorf("replacing %s: %w", name, err)
	}
	return markdown.SyncDir(root, path.Dir(name))
}

// readFile returns a file's bytes; a missing file is nil without error. One of
// more than markdown.MaxFile is an error: nobody has written that by hand.
func readFile(root *os.Root, name string) ([]byte, error) { return readUpTo(root, name, 0) }

// readOwn is readFile for what only we write, which may have any size.
func readOwn(root *os.Root, name string) ([]byte, error) {
	return readUpTo(root, name, math.MaxInt64-1)
}

func readUpTo(root *os.Root, name string, limit int64) ([]byte, error) {
	text, err := markdown.ReadFile(root, name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// textOf is what readFile has read as a text; nil: there is no file.
func textOf(raw []byte) *string {
	if raw == nil {
		return nil
	}
	return ptr(string(raw))
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
