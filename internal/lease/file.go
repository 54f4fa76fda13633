package lease

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

const unnamed = ".tmp" // ends the names of texts that wait for their own

// attempts is how often a text is written whose name was taken away by one who
// held the lock before: each of them does so once at most.
const attempts = 3

// Replace replaces a file that only the holder of a lock writes: after a power
// cut it holds the new text once Replace has returned, and never none. It asks
// whether the holder was overtaken when the new text is complete and has not
// got its name yet: who stands still after that finds nothing left to rename,
// because the next holder calls Inherit before it reads the file.
func Replace(ctx context.Context, root *os.Root, name string, text []byte) error {
	if err := markdown.MakeDir(root, path.Dir(name)); err != nil {
		return err //nolint:wrapcheck // says what it was doing
	}
	for range attempts {
		err := replace(ctx, root, name, text)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if overtaken := memory.Fenced(ctx); overtaken != nil {
			return overtaken //nolint:wrapcheck // says what happened
		}
	}
	return fmt.Errorf("writing %s: others take away what is written", name)
}

func replace(ctx context.Context, root *os.Root, name string, text []byte) error {
	temporary := name + "." + rand.Text() + unnamed
	err := write(root, temporary, text)
	if err == nil {
		err = memory.Fenced(ctx)
	}
	if err == nil {
		err = root.Rename(temporary, name)
	}
	if err == nil {
		return markdown.SyncDir(root, path.Dir(name)) //nolint:wrapcheck // says what it was doing
	}
	if left := root.Remove(temporary); !errors.Is(left, fs.ErrNotExist) {
		err = errors.Join(err, left)
	}
	return fmt.Errorf("writing %s: %w", name, err)
}

// write writes a new file durably.
func write(root *os.Root, name string, text []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Inherit takes away what earlier holders of the lock of a file have begun to
// write to it: they were killed, or stand still. A new holder calls it before
// it reads the file.
func Inherit(root *os.Root, name string) error {
	entries, err := fs.ReadDir(root.FS(), path.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking for what was begun beside %s: %w", name, err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), path.Base(name)+".") || !strings.HasSuffix(e.Name(), unnamed) {
			continue
		}
		if err := root.Remove(path.Join(path.Dir(name), e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("taking away what was begun beside %s: %w", name, err)
		}
	}
	return nil
}
