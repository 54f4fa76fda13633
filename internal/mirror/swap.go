package mirror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// errChanged says that somebody else made, removed or replaced the file
// between our reading and our writing it.
var errChanged = errors.New("the file changed while it was being written")

// partial ends the name of a temporary file that is still being written.
const partial = ".partial"

// swapName is the name of a temporary file. It tells a recovery everything:
// which changes the new text holds, whether the swap has happened (the file's
// digest is not the one in its name any more), whether what came out is what
// had been read, and which file it belongs to.
type swapName struct {
	UpTo   int64  // highest outbox row that the new text shows; 0 for none
	Text   string // SHA-256 of the new text
	Read   string // first 16 digits of the SHA-256 of the text that was read
	Target string // first 16 digits of the SHA-256 of the file's path
}

func newSwapName(target, read, text string, upTo int64) swapName {
	return swapName{UpTo: upTo, Text: digest(text), Read: digest(read)[:16], Target: digest(target)[:16]}
}

func (n swapName) String() string {
	return fmt.Sprintf("%d-%s-%s-%s", n.UpTo, n.Text, n.Read, n.Target)
}

func parseSwapName(s string) (swapName, bool) {
	parts := strings.Split(s, "-")
	if len(parts) != 4 || len(parts[1]) != 64 || len(parts[2]) != 16 || len(parts[3]) != 16 {
		return swapName{}, false
	}
	upTo, err := strconv.ParseInt(parts[0], 10, 64)
	return swapName{UpTo: upTo, Text: parts[1], Read: parts[2], Target: parts[3]}, err == nil
}

// swapped is a replaced file: what it held before stands in Temp.
type swapped struct {
	Temp   string // name in the swap folder; "" when there was no file before
	Target string
	Read   string           // the text that we had read
	Text   string           // the text that we wrote
	State  memory.FileState // of the file that we wrote
	Out    string           // the text that came out

	noExchange bool // a save at the moment of the swap would have been overwritten
}

// replace puts text in the place of what was read. Nil read means that there
// is to be no file yet. It returns errChanged when that does not hold any more
// and nothing was written.
func replace(root *os.Root, target string, read *string, text string, upTo int64) (swapped, error) {
	before := ""
	if read != nil {
		before = *read
	}
	temp := path.Join(swapDir, newSwapName(target, before, text, upTo).String())
	state, err := prepare(root, target, temp, text)
	if err != nil {
		return swapped{}, err
	}
	s := swapped{Temp: temp, Target: target, Read: before, Text: text, State: state}
	if read == nil {
		s.Temp = ""
		return s, create(root, temp, target)
	}
	return s.exchange(root, temp)
}

// prepare writes the temporary file with the mode of the one that it replaces.
func prepare(root *os.Root, target, temp, text string) (memory.FileState, error) {
	if err := markdown.MakeDir(root, path.Dir(target)); err != nil {
		return memory.FileState{}, err
	}
	if err := markdown.MakeDir(root, swapDir); err != nil {
		return memory.FileState{}, err
	}
	mode := fs.FileMode(fileMode)
	if info, err := root.Lstat(target); err == nil {
		if !info.Mode().IsRegular() {
			return memory.FileState{}, errIrregular(target)
		}
		mode = info.Mode().Perm()
	}
	// Under its name a temporary file is whole: recovery takes one whose text is
	// not the named one for swapped.
	if err := writeDurably(root, temp+partial, []byte(text), mode); err != nil {
		var at *fs.PathError
		if errors.As(err, &at) { // the name of the temporary file says nothing to anybody
			err = at.Err
		}
		return memory.FileState{}, errors.Join(fmt.Errorf("writing %s: %w", target, err), ignoreMissing(root.Remove(temp+partial)))
	}
	if err := root.Rename(temp+partial, temp); err != nil {
		return memory.FileState{}, fmt.Errorf("naming a temporary file: %w", err)
	}
	info, err := root.Lstat(temp)
	if err != nil {
		return memory.FileState{}, fmt.Errorf("reading the state of %s: %w", temp, err)
	}
	return stateOf(target, info, digest(text)), nil
}

func create(root *os.Root, temp, target string) error {
	err := markdown.RenameNew(root, temp, target)
	if errors.Is(err, markdown.ErrNoExchange) {
		if _, statErr := root.Lstat(target); statErr == nil {
			err = fs.ErrExist
		} else {
			err = root.Rename(temp, target)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return errors.Join(errChanged, root.Remove(temp))
	}
	if err != nil {
		return fmt.Errorf("creating %s: %w", target, err)
	}
	return markdown.SyncDir(root, path.Dir(target))
}

func (s swapped) exchange(root *os.Root, temp string) (swapped, error) {
	err := markdown.Exchange(root, temp, s.Target)
	if errors.Is(err, markdown.ErrNoExchange) {
		return s.compareAndRename(root, temp)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return s, errors.Join(errChanged, root.Remove(temp))
	}
	if err != nil {
		return s, fmt.Errorf("exchanging %s: %w", s.Target, err)
	}
	if err := markdown.SyncDir(root, path.Dir(s.Target)); err != nil {
		return s, err
	}
	if theirs, err := irregular(root, temp); err != nil {
		return s, err
	} else if theirs {
		return s, s.giveBack(root)
	}
	out, err := root.ReadFile(temp)
	if err != nil {
		return s, fmt.Errorf("reading what %s held: %w", s.Target, err)
	}
	s.Out = string(out)
	return s, nil
}

// compareAndRename is the way of file systems without an exchange. A save
// between the comparison and the rename is overwritten: status says so.
func (s swapped) compareAndRename(root *os.Root, temp string) (swapped, error) {
	now, err := readFile(root, s.Target)
	if err != nil {
		return s, err
	}
	if now == nil || string(now) != s.Read {
		return s, errors.Join(errChanged, root.Remove(temp))
	}
	if err := root.Rename(temp, s.Target); err != nil {
		return s, fmt.Errorf("replacing %s: %w", s.Target, err)
	}
	s.Temp, s.Out, s.noExchange = "", s.Read, true
	return s, markdown.SyncDir(root, path.Dir(s.Target))
}
