package markdown

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"agentmemory/internal/memory"
)

// File is one file that its owner may write. Only the owner types make Files:
// a job is given the owner of its own files, and cannot name another's.
type File struct {
	root *os.Root
	path string
}

// Path returns the path relative to the workspace.
func (f File) Path() string { return f.path }

// Read returns the file's bytes, at most MaxFile; a missing file is empty.
func (f File) Read() ([]byte, error) {
	text, err := ReadFile(f.root, f.path, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// Workspace hands out the owners of a workspace's files.
type Workspace struct {
	root *os.Root
	tree string // "" or the folder of an agent, with a slash at its end
}

// NewWorkspace returns the owners of the files below root, which stays the
// caller's to close.
func NewWorkspace(root *os.Root) Workspace { return Workspace{root: root} }

// Tree returns the owners of the same files in the tree of an agent, "agents/…/".
func (w Workspace) Tree(folder string) Workspace { return Workspace{w.root, folder} }

func (w Workspace) file(path string) File { return File{w.root, w.tree + path} }

// CompoundFiles are what the weekly compound alone may write (seed 000 §3.4).
type CompoundFiles struct{ w Workspace }

// Compound returns the owner of the index, the weekly files and the archive of journals.
func (w Workspace) Compound() CompoundFiles { return CompoundFiles{w} }

// Index returns memory/INDEX.md.
func (c CompoundFiles) Index() File { return c.w.file(IndexPath) }

// Weekly returns the summary of the week of a day.
func (c CompoundFiles) Weekly(day time.Time) File { return c.w.file(WeeklyPath(day)) }

// Log returns the log of promotions and demotions of the ISO week of a day.
func (c CompoundFiles) Log(day time.Time) File { return c.w.file(WeeklyLogPath(day)) }

// PutAway moves a part of a day's journal to the archive of its year, durably,
// as the given part there. It refuses where a file stands there already.
func (c CompoundFiles) PutAway(day time.Time, part, as int) error {
	from, to := c.w.tree+JournalPath(day, part), c.w.tree+ArchivedJournalPath(day, as)
	root := c.w.root
	if exists(root, to) {
		return memory.Errorf(memory.Conflicting, "%s exists already", to)
	}
	if err := MakeDir(root, path.Dir(to)); err != nil {
		return err
	}
	if err := root.Rename(from, to); err != nil {
		return fmt.Errorf("moving %s to the archive: %w", from, err)
	}
	return errors.Join(SyncDir(root, path.Dir(to)), SyncDir(root, path.Dir(from)))
}

// WrapupFiles are the summaries of days.
type WrapupFiles struct{ w Workspace }

// Wrapups returns the owner of the wrap-up files.
func (w Workspace) Wrapups() WrapupFiles { return WrapupFiles{w} }

// Day returns a part, from 1, of the wrap-up of the day that it covers.
func (u WrapupFiles) Day(day time.Time, part int) File { return u.w.file(WrapupPath(day, part)) }
