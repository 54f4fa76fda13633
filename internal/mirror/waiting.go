package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// waitsReason marks the archive lines of memories whose file cannot be written:
// until it can, they are the only copy outside the database.
const waitsReason = "waits for its file"

// Waiting tells why a file could not be written when that was last tried; ""
// when it could, or has not been tried by this process.
func (m *Mirror) Waiting(file string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if why := m.complaints[file]; why != "" {
		return why
	}
	return m.complaints[recordsFile] // without it no file is written
}

// complain notes why a file cannot be written, and logs each reason once.
func (m *Mirror) complain(name string, err error) {
	why := m.obstacle(name)
	if why == "" {
		why = err.Error()
	}
	m.mu.Lock()
	said := m.complaints[name] == why
	m.complaints[name] = why
	m.mu.Unlock()
	if !said {
		m.Log("a file cannot be written", err)
	}
}

// content notes that a file could be written.
func (m *Mirror) content(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.complaints, name)
}

// complaintsNow returns a copy of what is wrong, by file.
func (m *Mirror) complaintsNow() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.complaints)
}

// Obstacle is something that keeps a file of the workspace from being read or
// written.
type Obstacle struct {
	File    string
	Why     string
	Changes int // that wait for the file
}

// Obstacles looks for what is in the way of the files that we keep, and of those
// that changes wait for. It changes nothing.
func (m *Mirror) Obstacles(ctx context.Context) ([]Obstacle, error) {
	waiting, err := m.waitingFiles(ctx)
	if err != nil {
		return nil, err
	}
	names := append(topLevel(), "memory", "second-brain", untrustedDir, recordsFile)
	names = append(names, slices.Collect(maps.Keys(waiting))...)
	for _, dir := range []string{"memory", untrustedDir} {
		names = append(names, m.linksBelow(dir)...)
	}
	slices.Sort(names)
	states, err := m.Store.FileStates(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the states of files: %w", err)
	}
	complaints := m.complaintsNow()
	var found []Obstacle
	for _, name := range slices.Compact(names) {
		why := m.obstacle(name)
		if why == "" && waiting[name] > 0 {
			why = cmp.Or(complaints[name], m.oversized(states[name], name))
		}
		if why != "" {
			found = append(found, Obstacle{File: name, Why: why, Changes: waiting[name]})
		}
	}
	return found, nil
}

// oversized tells that a file has become too large to be read since we last knew it.
func (m *Mirror) oversized(known memory.FileState, name string) string {
	info, err := m.Root.Lstat(name)
	if err != nil || info.Size() <= maxRead || info.Size() == known.Size && info.ModTime().Equal(known.ModTime) {
		return ""
	}
	return errTooLarge.Error()
}

// waitingFiles counts the changes that wait, by the file that is to show them.
func (m *Mirror) waitingFiles(ctx context.Context) (map[string]int, error) {
	pending, err := m.Store.Outbox(ctx, math.MaxInt32)
	if err != nil && len(pending) == 0 {
		return nil, fmt.Errorf("reading the outbox: %w", err)
	}
	waiting := map[string]int{}
	for _, j := range jobsOf(pending) {
		waiting[j.path] += len(j.ids)
	}
	return waiting, nil
}

// linksBelow lists the symbolic links in a folder; what they lead to is not ours.
func (m *Mirror) linksBelow(dir string) []string {
	var links []string
	_ = fs.WalkDir(m.Root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type()&fs.ModeSymlink != 0 {
			links = append(links, name)
		}
		return nil
	})
	return links
}

// obstacle tells in words what is in the way of a file, or "".
func (m *Mirror) obstacle(name string) string {
	for dir := name; dir != "."; dir = path.Dir(dir) {
		info, err := m.Root.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			if why := unreadable(err); why != "" {
				return why
			}
		case info.Mode()&fs.ModeSymlink != 0:
			if why := m.linked(name, dir); why != "" {
				return why
			}
		case dir != name && !info.IsDir():
			return dir + " is a file, not a folder"
		case dir == name && strings.Contains(path.Base(name), ".") && !info.Mode().IsRegular():
			return "it is no regular file"
		}
	}
	return ""
}

// unreadable is the reason of a failed look at a file. A link further up is
// found there.
func unreadable(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "permission denied"
	}
	return ""
}

// linked tells what is wrong with a symbolic link in the path of a file: folders
// may be linked within the workspace, files never.
func (m *Mirror) linked(name, link string) string {
	what := "it is a symbolic link"
	if link != name {
		what = link + " is a symbolic link"
	}
	info, err := m.Root.Stat(link)
	switch {
	case err == nil && info.IsDir():
		return ""
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return what + " that leaves the workspace"
	}
	return what
}

// keepWaiting puts what waits for a file into the archive, so that the database
// is not the only place that has it.
func (m *Mirror) keepWaiting(ctx context.Context, j *job) error {
	known := func(mem memory.Memory) bool { return m.kept[mem.ID] == memory.Hash(mem.Content) }
	texts := slices.DeleteFunc(slices.Clone(j.puts), known)
	if len(texts) == 0 {
		return nil
	}
	// Another process may have kept them already.
	keep := func(mem memory.Memory) bool { m.kept[mem.ID] = memory.Hash(mem.Content); return false }
	if _, err := m.archive.Find(ctx, keep); err != nil {
		return err
	}
	texts = slices.DeleteFunc(texts, known)
	if err := m.archive.Append(ctx, waitsReason, texts); err != nil {
		return err
	}
	for _, mem := range texts {
		keep(mem)
	}
	return nil
}

// stuck reports that all that is left waits for files which cannot be written,
// or rest after having been emptied: trying again at once is of no use. The
// caller holds the lock.
func (m *Mirror) stuck() error {
	files := slices.Sorted(maps.Keys(m.complaintsNow()))
	if !m.hopeless || len(files) == 0 {
		return nil
	}
	name := files[0]
	return memory.Errorf(memory.Unavailable, "%s cannot be written: %s", name, m.Waiting(name)).
		WithHint("nothing is lost: it is in the database, and written when the file can be")
}
