package markdown

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"agentmemory/internal/memory"
)

// Limits and modes of the files that we write.
const (
	MaxFile  = 16 << 20 // bytes that ReadFile takes when no smaller limit is given
	fileMode = 0o600
	dirMode  = 0o700
)

// ErrNoExchange says that the file system or system cannot exchange two names.
var ErrNoExchange = errors.New("no atomic exchange of names here")

// checkName refuses names that are not plain paths below the root.
func checkName(name string) error {
	if fs.ValidPath(name) && name != "." {
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "%q is not a path inside the workspace", name)
}

// mustBeRegular refuses links and folders: they are never followed.
func mustBeRegular(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	if err != nil {
		return fmt.Errorf("looking at %s: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return memory.Errorf(memory.PermissionDenied, "%s is not a regular file", name).
			WithHint("replace the link or folder at %s by a file; links are never followed", name)
	}
	return nil
}

func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// createExclusive writes a new file durably, making its folders. The error is
// fs.ErrExist if something stands there.
func createExclusive(root *os.Root, name string, text []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := MakeDir(root, path.Dir(name)); err != nil {
		return err
	}
	if err := create(root, name, text); err != nil {
		return err
	}
	return SyncDir(root, path.Dir(name))
}

func create(root *os.Root, name string, text []byte) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return fmt.Errorf("creating %s: %w", name, err)
	}
	return writeSync(f, text)
}

func writeSync(f *os.File, text []byte) error {
	_, err := f.Write(text)
	if err == nil && syncsFiles {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing %s: %w", f.Name(), err)
	}
	return nil
}

// Append adds text to the end of a file durably, after a line feed if the file
// does not end in one, and makes file and folders if needed. Writers that append
// to the same file take a lock around it.
func Append(root *os.Root, name string, text []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if !exists(root, name) {
		if err := createExclusive(root, name, nil); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if err := mustBeRegular(root, name); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("opening %s: %w", name, err)
	}
	if !endsLine(f) {
		text = append([]byte("\n"), text...)
	}
	return writeSync(f, text)
}

func endsLine(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return true
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] == '\n'
}

// ReadFile reads a regular file of at most limit bytes (0: MaxFile); a larger
// one gives a TooLarge error, a missing one fs.ErrNotExist.
func ReadFile(root *os.Root, name string, limit int64) ([]byte, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = MaxFile
	}
	if info, err := root.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, memory.Errorf(memory.PermissionDenied, "%s is not a regular file", name)
	}
	f, err := open(root, name)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if int64(len(text)) > limit {
		return nil, memory.Errorf(memory.TooLarge, "%s is larger than %d bytes", name, limit)
	}
	return text, nil
}

// MakeDir makes a folder and its parents, private, and syncs what it made.
func MakeDir(root *os.Root, dir string) error {
	if dir == "." || exists(root, dir) {
		return nil
	}
	if err := MakeDir(root, path.Dir(dir)); err != nil {
		return err
	}
	if err := root.Mkdir(dir, dirMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making folder %s: %w", dir, err)
	}
	return SyncDir(root, path.Dir(dir))
}
