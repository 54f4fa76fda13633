package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// recover finishes what a killed process left in the swap folder: a swap that
// had not happened is dropped, for the outbox still has its changes; one that
// had is noted, so that its lines are not written again, and what came out of it
// is merged if it was not what had been read. The caller holds the lock.
func (m *Mirror) recover(ctx context.Context) error {
	entries, err := fs.ReadDir(m.Root.FS(), swapDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("listing temporary files: %w", err)
	}
	var left leftovers
	tended := m.tended()
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ownPrefix) {
			if err := m.discard(path.Join(swapDir, e.Name())); err != nil {
				return err
			}
		}
		if strings.HasSuffix(e.Name(), undone) {
			if err := m.dropUndone(e.Name()); err != nil {
				return err
			}
		}
		if strings.HasSuffix(e.Name(), partial) {
			if err := m.discard(path.Join(swapDir, e.Name())); err != nil {
				return err
			}
		}
		if mark, is := strings.CutSuffix(e.Name(), created); is {
			if name, ok := parseSwapName(mark); ok {
				left.made = append(left.made, name)
			}
			continue
		}
		if name, ok := parseSwapName(e.Name()); ok && !tended[e.Name()] {
			left.names = append(left.names, name)
		}
	}
	if len(left.names)+len(left.made) == 0 {
		return nil
	}
	if err := left.resolve(ctx, m); err != nil {
		return err
	}
	if err := m.finishNew(ctx, &left); err != nil {
		return err
	}
	slices.SortFunc(left.names, func(a, b swapName) int { return cmp.Compare(a.UpTo, b.UpTo) })
	for _, name := range left.names {
		if err := m.finishSwap(ctx, name, &left); err != nil {
			return fmt.Errorf("recovering %s: %w", left.paths[name.Target], err)
		}
	}
	return nil
}

// tended lists the names of the temporary files that this process looks after.
func (m *Mirror) tended() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := make(map[string]bool, len(m.lingering))
	for _, l := range m.lingering {
		names[path.Base(l.Temp)] = true
	}
	return names
}

// leftovers are the temporary files of a dead process, and the files that
// they may belong to.
type leftovers struct {
	names   []swapName
	made    []swapName        // of derived files that were being made
	paths   map[string]string // by the digest in a name
	pending []memory.Pending
}

func (l *leftovers) resolve(ctx context.Context, m *Mirror) error {
	l.paths = map[string]string{}
	add := func(name string) { l.paths[digest(name)[:16]] = name }
	files, err := m.walk(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		add(f.path)
	}
	if l.pending, err = m.Store.Outbox(ctx, math.MaxInt32); err != nil && len(l.pending) == 0 {
		return fmt.Errorf("reading the outbox: %w", err)
	}
	for _, p := range l.pending {
		add(p.File)
		add(p.Memory.Home.File)
	}
	states, err := m.Store.FileStates(ctx)
	if err != nil {
		return fmt.Errorf("reading the states of files: %w", err)
	}
	for name := range states {
		add(name)
	}
	return nil
}

func (m *Mirror) finishSwap(ctx context.Context, name swapName, found *leftovers) error {
	temp := path.Join(swapDir, name.String())
	if aside, err := m.putAside(temp); aside || err != nil {
		return err
	}
	raw, err := readFile(m.Root, temp)
	if err != nil || raw == nil {
		return err
	}
	text, target := string(raw), found.paths[name.Target]
	if digest(text) == name.Text || target == "" && text == "" {
		return m.discard(temp)
	}
	if target == "" {
		return m.keepUnknown(temp)
	}
	if err := m.noteSwapped(ctx, name, target, found.pending); err != nil {
		return err
	}
	if err := m.noteDerived(ctx, name, target); err != nil {
		return err
	}
	read := text
	if digest(text)[:16] != name.Read {
		// Somebody saved at the moment of the swap: tend merges it.
		if read, err = m.readText(ctx, name, target); err != nil {
			return err
		}
	}
	info, err := m.Root.Lstat(temp)
	if err != nil {
		return ignoreMissing(err)
	}
	left := swapped{Temp: temp, Target: target, Read: read, Out: text}
	m.linger(lingering{swapped: left, last: text, since: info.ModTime(), merged: read})
	return nil
}

// keepUnknown puts a swapped-out text among the backups whose file nobody knows.
func (m *Mirror) keepUnknown(temp string) error {
	if err := m.Root.Chmod(temp, fileMode); err != nil { // it had the mode that its owner gave it
		return fmt.Errorf("closing %s: %w", temp, err)
	}
	return m.keepAmongBackups(temp)
}

// readText returns the text that had been read before a swap, as far as it is
// still known.
func (m *Mirror) readText(ctx context.Context, name swapName, target string) (string, error) {
	versions, err := m.Store.Bases(ctx, target, 0)
	if err != nil {
		return "", fmt.Errorf("reading its versions: %w", err)
	}
	for _, v := range versions {
		if v.Hash[:16] == name.Read {
			return v.Text, nil
		}
	}
	return "", nil
}

// noteSwapped records that the file shows the changes up to a row of the outbox.
func (m *Mirror) noteSwapped(ctx context.Context, name swapName, target string, pending []memory.Pending) error {
	var ids []int64
	var lines []string
	for _, p := range pending {
		if p.ID <= name.UpTo && p.Op != memory.OpMove && p.Memory.Home.File == target && (p.File == target || p.File == "") {
			ids = append(ids, p.ID)
			lines = append(lines, p.MemoryID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := m.record(ctx, pending); err != nil {
		return err
	}
	versions, err := m.standing(name, target)
	if err != nil {
		return err
	}
	if len(versions) == 0 {
		// Whatever of these lines is gone was deleted after we had written it.
		if err := m.noteRestored(ctx, lines); err != nil {
			return err
		}
		unread := memory.FileState{Path: target, Size: -1}
		if err := m.Store.SetFileStates(ctx, []memory.FileState{unread}); err != nil {
			return fmt.Errorf("marking the file as unread: %w", err)
		}
	}
	if err := m.Store.Published(ctx, versions, ids); err != nil {
		return fmt.Errorf("recording what the file shows: %w", err)
	}
	m.forgetRecorded(ids)
	return nil
}

// standing describes the file if it still is what was swapped in.
func (m *Mirror) standing(name swapName, target string) ([]memory.FileVersion, error) {
	raw, err := readFile(m.Root, target)
	if err != nil || raw == nil || digest(string(raw)) != name.Text {
		return nil, err
	}
	info, err := m.Root.Lstat(target)
	if err != nil {
		return nil, fmt.Errorf("reading the state of %s: %w", target, err)
	}
	state := stateOf(target, info, name.Text)
	return []memory.FileVersion{m.version(markdown.Parse(target, raw), string(raw), state)}, nil
}
