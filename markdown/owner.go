package markdown

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
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

// Replace puts text in the file's place; see the function Replace.
func (f File) Replace(temp string, expect, text []byte) (Swapped, error) {
	return Replace(f.root, Replacement{Path: f.path, Temp: temp, Text: text, Expect: expect})
}

// Discard removes the temporary file of a finished replacement.
func (f File) Discard(temp string) error { return Discard(f.root, f.path, temp) }

// Append adds text at the end, durably. The caller holds the lock of the file.
func (f File) Append(text []byte) error { return Append(f.root, f.path, text) }

// Conflict keeps text that gave way to a person's beside the file, as
// <file>.conflict-<UTC>.md, and returns its path.
func (f File) Conflict(at time.Time, text []byte) (string, error) {
	name := fmt.Sprintf("%s.conflict-%s.md", f.path, at.UTC().Format("20060102T150405Z"))
	err := CreateExclusive(f.root, name, text)
	if errors.Is(err, fs.ErrExist) {
		err = Append(f.root, name, text)
	}
	return name, err
}

// Workspace hands out the owners of a workspace's files.
type Workspace struct{ root *os.Root }

// NewWorkspace returns the owners of the files below root, which stays the
// caller's to close.
func NewWorkspace(root *os.Root) Workspace { return Workspace{root} }

func (w Workspace) file(path string) File { return File{w.root, path} }

// JournalFiles are the daily journals: written by whoever remembers.
type JournalFiles struct{ w Workspace }

// Journals returns the owner of the journals.
func (w Workspace) Journals() JournalFiles { return JournalFiles{w} }

// Day returns a part, from 1, of the journal of a local day.
func (j JournalFiles) Day(day time.Time, part int) File { return j.w.file(JournalPath(day, part)) }

// Overflow returns the file for the decisions of a topic that a journal has no room for.
func (j JournalFiles) Overflow(topic string) File { return j.w.file(OverflowPath(topic)) }

// TopicFiles are the homes of named URIs.
type TopicFiles struct{ w Workspace }

// Topics returns the owner of the topic files.
func (w Workspace) Topics() TopicFiles { return TopicFiles{w} }

// Scheme returns the file of a URI scheme.
func (t TopicFiles) Scheme(scheme string) File { return t.w.file(TopicPath(scheme)) }

// ImportFiles are the homes of imported batches.
type ImportFiles struct{ w Workspace }

// Imports returns the owner of the imported files.
func (w Workspace) Imports() ImportFiles { return ImportFiles{w} }

// Batch returns a part, from 1, of a batch.
func (i ImportFiles) Batch(batch string, part int) File { return i.w.file(ImportPath(batch, part)) }

// UntrustedFiles are the homes of what must not stand where hosts load files.
type UntrustedFiles struct{ w Workspace }

// Untrusted returns the owner of the untrusted files.
func (w Workspace) Untrusted() UntrustedFiles { return UntrustedFiles{w} }

// Day returns the file of a local day.
func (u UntrustedFiles) Day(day time.Time) File { return u.w.file(UntrustedPath(day)) }

// StateFile is CURRENT_STATE.md.
type StateFile struct{ w Workspace }

// State returns the owner of the state file.
func (w Workspace) State() StateFile { return StateFile{w} }

// Current returns the file.
func (s StateFile) Current() File { return s.w.file(StatePath) }

// TaskFiles are the task cards.
type TaskFiles struct{ w Workspace }

// Tasks returns the owner of the task cards.
func (w Workspace) Tasks() TaskFiles { return TaskFiles{w} }

// Day returns the cards of a local day.
func (t TaskFiles) Day(day time.Time) File { return t.w.file(TasksPath(day)) }

// SurfaceFile is RECENT.md.
type SurfaceFile struct{ w Workspace }

// Surface returns the owner of RECENT.md.
func (w Workspace) Surface() SurfaceFile { return SurfaceFile{w} }

// Recent returns the file.
func (s SurfaceFile) Recent() File { return s.w.file(RecentFile) }

// CompoundFiles are what the weekly compound alone may write (seed 000 §3.4).
type CompoundFiles struct{ w Workspace }

// Compound returns the owner of MEMORY.md, the index, the weekly files and the archive.
func (w Workspace) Compound() CompoundFiles { return CompoundFiles{w} }

// Memory returns MEMORY.md.
func (c CompoundFiles) Memory() File { return c.w.file(MemoryFile) }

// Index returns memory/INDEX.md.
func (c CompoundFiles) Index() File { return c.w.file(IndexPath) }

// Weekly returns the summary of the week of a day.
func (c CompoundFiles) Weekly(day time.Time) File { return c.w.file(WeeklyPath(day)) }

// Log returns the log of promotions and demotions of the ISO week of a day.
func (c CompoundFiles) Log(day time.Time) File { return c.w.file(WeeklyLogPath(day)) }

// Demoted returns the file of the lines that left MEMORY.md in the month of a day.
func (c CompoundFiles) Demoted(day time.Time) File { return c.w.file(DemotedPath(day)) }

// PutAway moves a part of a day's journal to the archive of its year, durably,
// as the given part there. It refuses where a file stands there already.
func (c CompoundFiles) PutAway(day time.Time, part, as int) error {
	from, to := JournalPath(day, part), ArchivedJournalPath(day, as)
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

// ArchiveFiles are the records of removed memories: written by forget and gc.
type ArchiveFiles struct{ w Workspace }

// Archive returns the owner of the archive records.
func (w Workspace) Archive() ArchiveFiles { return ArchiveFiles{w} }

// Day returns the records of a local day.
func (a ArchiveFiles) Day(day time.Time) File { return a.w.file(ArchivePath(day)) }

// EntityFiles are the facts and summaries of entities.
type EntityFiles struct{ w Workspace }

// Entities returns the owner of the entity files.
func (w Workspace) Entities() EntityFiles { return EntityFiles{w} }

// Facts returns the items.json of an entity.
func (e EntityFiles) Facts(area, entity string) File {
	return e.w.file(EntityPath(area, entity, "items.json"))
}

// Summary returns the summary.md of an entity.
func (e EntityFiles) Summary(area, entity string) File {
	return e.w.file(EntityPath(area, entity, "summary.md"))
}

// WrapupFiles are the summaries of days.
type WrapupFiles struct{ w Workspace }

// Wrapups returns the owner of the wrap-up files.
func (w Workspace) Wrapups() WrapupFiles { return WrapupFiles{w} }

// Day returns a part, from 1, of the wrap-up of the day that it covers.
func (u WrapupFiles) Day(day time.Time, part int) File { return u.w.file(WrapupPath(day, part)) }

// HomeFiles are all files in which memories have their home line, for the
// mirror, which carries out what every owner has acknowledged.
type HomeFiles struct{ w Workspace }

// Homes returns the writer of home files.
func (w Workspace) Homes() HomeFiles { return HomeFiles{w} }

// File returns the home file at path and refuses any other kind of file.
func (h HomeFiles) File(path string) (File, error) {
	if err := checkName(path); err != nil {
		return File{}, err
	}
	if !Classify(path, memory.TrustExternal).Home() {
		return File{}, memory.Errorf(memory.PermissionDenied, "%s is not a file in which memories live", path)
	}
	return h.w.file(path), nil
}

// Reader reads files of some kinds only: a job gets one for what its seed lets it see.
type Reader struct {
	w     Workspace
	kinds []Kind
}

// Reader returns a reader of these kinds.
func (w Workspace) Reader(kinds ...Kind) Reader { return Reader{w, kinds} }

// Read returns the bytes of a file, at most MaxFile.
func (r Reader) Read(path string) ([]byte, error) {
	if kind := kindOf(path); !slices.Contains(r.kinds, kind) {
		return nil, memory.Errorf(memory.PermissionDenied, "%s (%s) is not for this job to read", path, kind)
	}
	return ReadFile(r.w.root, path, 0)
}
