package markdown

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

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

// Replacement is one atomic change of a file. Paths are relative to the root,
// with slashes.
type Replacement struct {
	Path   string
	Temp   string // base name of the temporary file, in the folder of Path; see TempName
	Text   []byte // the new text
	Expect []byte // what the caller read there; only used where exchange is missing
}

// Swapped tells what a replacement found.
type Swapped struct {
	Old []byte // the bytes that stood there at the moment of the swap
	// Stale means that nothing was written, because the file was not as expected
	// (only without exchange: there the caller compares Old with what it read).
	Stale      bool
	NoExchange bool // compare-then-rename was used: a race of microseconds remains
}

// TempName returns the name for a temporary file: its owner's number and the hash
// of the text to be written, by which recovery tells swapped from not swapped.
func TempName(owner int64, text []byte) string {
	return fmt.Sprintf("%d-%x", owner, sha256.Sum256(text))
}

// ReadTempName takes a name of TempName apart.
func ReadTempName(name string) (owner int64, hash string, ok bool) {
	number, hash, found := strings.Cut(name, "-")
	if _, err := fmt.Sscanf(number, "%d", &owner); err != nil || !found || fmt.Sprint(owner) != number {
		return 0, "", false
	}
	raw, err := hex.DecodeString(hash)
	return owner, hash, err == nil && len(raw) == sha256.Size
}

// Replace puts r.Text in the place of the file at r.Path: temporary file in the
// same folder, fsync, exchange of the two names, fsync of the folder. After it
// the temporary file holds what the path held, and stays until Discard: an editor
// that still had the old file open goes on writing there. A missing file is made
// first, empty, so that the exchange always has a partner; folders are made too.
func Replace(root *os.Root, r Replacement) (Swapped, error) {
	mode, err := prepare(root, r.Path)
	if err != nil {
		return Swapped{}, err
	}
	temp := path.Join(path.Dir(r.Path), r.Temp)
	if err := writeTemp(root, temp, r.Text, mode); err != nil {
		return Swapped{}, err
	}
	err = Exchange(root, temp, r.Path)
	if errors.Is(err, ErrNoExchange) {
		return renameOver(root, r)
	}
	if err != nil {
		return Swapped{}, fmt.Errorf("exchanging %s: %w", r.Path, err)
	}
	if err := SyncDir(root, path.Dir(r.Path)); err != nil {
		return Swapped{}, err
	}
	old, err := ReadFile(root, temp, 0)
	return Swapped{Old: old}, err
}

// writeTemp writes the temporary file under another name first, so that it never
// stands there half written. One that stands there already may hold a
// person's text, and is left alone.
func writeTemp(root *os.Root, temp string, text []byte, mode fs.FileMode) error {
	if exists(root, temp) {
		return memory.Errorf(memory.Conflicting, "temporary file %s is still there", temp).
			WithHint("recovery has to deal with it first")
	}
	if err := create(root, temp+partSuffix, text, mode); err != nil {
		return err
	}
	if err := root.Rename(temp+partSuffix, temp); err != nil {
		return fmt.Errorf("naming %s: %w", temp, err)
	}
	return nil
}

// checkName refuses names that are not plain paths below the root.
func checkName(name string) error {
	if fs.ValidPath(name) && name != "." {
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "%q is not a path inside the workspace", name)
}

// prepare makes sure that a regular file stands at name and returns its mode.
func prepare(root *os.Root, name string) (fs.FileMode, error) {
	if err := checkName(name); err != nil {
		return 0, err
	}
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = CreateExclusive(root, name, nil)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return 0, err
		}
		info, err = root.Lstat(name)
	}
	if err != nil {
		return 0, fmt.Errorf("looking at %s: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return 0, memory.Errorf(memory.PermissionDenied, "%s is not a regular file", name).
			WithHint("replace the link or folder at %s by a file; links are never followed", name)
	}
	return info.Mode().Perm(), nil
}

// renameOver is Replace where names cannot be exchanged. The old text is
// kept under the temporary name afterwards, as if it had been swapped.
func renameOver(root *os.Root, r Replacement) (Swapped, error) {
	temp := path.Join(path.Dir(r.Path), r.Temp)
	now, err := ReadFile(root, r.Path, 0)
	if err != nil {
		return Swapped{}, err
	}
	s := Swapped{Old: now, NoExchange: true, Stale: !bytes.Equal(now, r.Expect)}
	if s.Stale {
		return s, Discard(root, r.Path, r.Temp)
	}
	if err := create(root, temp+oldSuffix, now, fileMode); err != nil {
		return s, err
	}
	if err := root.Rename(temp, r.Path); err != nil {
		return s, fmt.Errorf("renaming over %s: %w", r.Path, err)
	}
	if err := root.Rename(temp+oldSuffix, temp); err != nil {
		return s, fmt.Errorf("keeping the old text of %s: %w", r.Path, err)
	}
	return s, SyncDir(root, path.Dir(r.Path))
}

const (
	// oldSuffix marks the copy of the old text between the two renames of renameOver:
	// found with its temporary file, nothing was replaced; found alone, it was.
	oldSuffix = ".old"
	// partSuffix marks a temporary file that is still being written.
	partSuffix = ".part"
)

// Discard removes the temporary file of a finished replacement of name. It is
// no error if it has gone.
func Discard(root *os.Root, name, temp string) error {
	for _, suffix := range []string{"", oldSuffix, partSuffix} {
		err := root.Remove(path.Join(path.Dir(name), temp+suffix))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing the temporary file of %s: %w", name, err)
		}
	}
	return nil
}

// Leftover is a temporary file that a crash left in a folder.
type Leftover struct {
	Owner   int64  // the number given to TempName
	Temp    string // its base name
	Swapped bool   // the replacement had happened; Text is what it replaced
	Text    []byte // the old text if Swapped, else the new one, perhaps cut short
}

// Leftovers lists the temporary files in a folder; a missing folder has none.
// After dealing with one, Discard it.
func Leftovers(root *os.Root, dir string) ([]Leftover, error) {
	entries, err := fs.ReadDir(root.FS(), path.Clean(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing %s: %w", dir, err)
	}
	var out []Leftover
	for _, e := range entries {
		temp, suffix := cutSuffix(e.Name())
		owner, hash, ok := ReadTempName(temp)
		if !ok || suffix == oldSuffix && exists(root, path.Join(dir, temp)) {
			continue
		}
		text, err := ReadFile(root, path.Join(dir, e.Name()), 0)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		swapped := suffix == oldSuffix || suffix == "" && hex.EncodeToString(sum[:]) != hash
		out = append(out, Leftover{Owner: owner, Temp: temp, Swapped: swapped, Text: text})
	}
	return out, nil
}

func cutSuffix(name string) (temp, suffix string) {
	for _, suffix := range []string{oldSuffix, partSuffix} {
		if temp, found := strings.CutSuffix(name, suffix); found {
			return temp, suffix
		}
	}
	return name, ""
}

func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// CreateExclusive writes a new file durably, making its folders. The error is
// fs.ErrExist if something stands there.
func CreateExclusive(root *os.Root, name string, text []byte) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := MakeDir(root, path.Dir(name)); err != nil {
		return err
	}
	if err := create(root, name, text, fileMode); err != nil {
		return err
	}
	return SyncDir(root, path.Dir(name))
}

func create(root *os.Root, name string, text []byte, mode fs.FileMode) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return fmt.Errorf("creating %s: %w", name, err)
	}
	if mode != fileMode {
		err = f.Chmod(mode)
	}
	return errors.Join(err, writeSync(f, text))
}

func writeSync(f *os.File, text []byte) error {
	_, err := f.Write(text)
	if err == nil {
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
		if err := CreateExclusive(root, name, nil); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if _, err := prepare(root, name); err != nil {
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
	f, err := root.Open(name)
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
