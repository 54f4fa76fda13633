package mirror

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Undo takes back the newest run that has not been taken back yet: of that
// phase, or of any for "". Files that nobody else has touched since are as they
// were, byte for byte; into the others the old text is merged, and what others
// wrote stays. A memory that was changed since is left alone.
//
// One that was cut short is ended, and reported, instead.
func (m *Mirror) Undo(ctx context.Context, phase string) (done memory.Undone, err error) {
	if err := m.lock.take(ctx); err != nil {
		return done, err
	}
	err = m.recovered(ctx, func() error {
		ended, namespace, err := m.finishUndo(ctx)
		if err != nil {
			return err
		}
		if namespace == m.namespace && (phase == "" || ended.Phase == phase) {
			done = ended
			return nil
		}
		done, err = m.undoNewest(ctx, phase)
		return err
	})
	return done, err
}

func (m *Mirror) undoNewest(ctx context.Context, phase string) (done memory.Undone, err error) {
	name, lines, err := m.newestRun(phase)
	if err != nil {
		return done, err
	}
	if _, err := m.pass(ctx, passOptions{}); err != nil {
		return done, err
	}
	if _, err := m.drain(ctx); err != nil {
		return done, err
	}
	u := m.undoing(name, lines)
	if err := u.plan(ctx); err != nil {
		return done, err
	}
	if err := u.announce(); err != nil {
		return done, err
	}
	if err := u.all(ctx); err != nil {
		return done, err
	}
	return u.done, u.end()
}

// newestRun returns the lines of the newest journal; a torn one at its end,
// which a crash may leave, describes nothing that happened.
func (m *Mirror) newestRun(phase string) (string, []undoLine, error) {
	names, err := m.journals()
	if err != nil {
		return "", nil, err
	}
	for _, name := range slices.Backward(names) {
		lines, err := m.journal(name)
		if err != nil {
			return "", nil, err
		}
		if len(lines) > 0 && lines[0].Run != nil && lines[0].Run.in() == m.namespace && (phase == "" || lines[0].Run.Phase == phase) {
			return name, lines, nil
		}
	}
	return "", nil, memory.Errorf(memory.NotFound, "there is no run to undo").
		WithHint("the last %d runs that changed something can be undone, until a purge", undoRuns)
}

func (m *Mirror) journal(name string) (lines []undoLine, err error) {
	f, err := m.Root.Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening an undo journal: %w", err)
	}
	defer f.Close()
	_, err = eachLine(f, func(text []byte) bool {
		var l undoLine
		ok := json.Unmarshal(text, &l) == nil
		if ok {
			lines = append(lines, l)
		}
		return ok
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return lines, nil
}

// undoing is the undo of one run.
type undoing struct {
	*Mirror
	journal  string // of the run
	lines    []undoLine
	files    []returning
	restored map[string]bool // files that are as they should be, so that rows need not be written there
	done     memory.Undone
}

func (m *Mirror) undoing(journal string, lines []undoLine) *undoing {
	return &undoing{
		Mirror: m, journal: journal, lines: lines, restored: map[string]bool{},
		done: memory.Undone{Phase: lines[0].Run.Phase, At: lines[0].Run.At, Files: []string{}, Merged: []string{}, Kept: []string{}},
	}
}

// plan finds out what each file is to become. What is made comes before what is
// removed: a line that moves stands in one of two files at any moment.
func (u *undoing) plan(ctx context.Context) error {
	at := map[string]int{}
	for _, l := range slices.Backward(u.lines) {
		if l.File == nil {
			continue
		}
		i, known := at[l.File.Path]
		if !known {
			stands, err := u.rested(ctx, l.File.Path)
			if err != nil {
				return err
			}
			i = len(u.files)
			at[l.File.Path] = i
			u.files = append(u.files, returning{Path: l.File.Path, Stood: stands, Want: stands})
		}
		want, merged := u.before(*l.File, u.files[i].Want)
		u.files[i].Want, u.files[i].Merged = want, merged || u.files[i].Merged
	}
	slices.SortStableFunc(u.files, func(a, b returning) int { return cmp.Compare(a.order(), b.order()) })
	return nil
}

func (f returning) order() int {
	if f.Want == nil {
		return 1
	}
	return 0
}

// rested returns a file's text, unless somebody is saving it just now.
func (u *undoing) rested(ctx context.Context, name string) (*string, error) {
	stands, err := u.atRest(ctx, name)
	if errors.Is(err, errUnsettled) {
		return nil, memory.Errorf(memory.Unavailable, "somebody is saving %s", name).WithHint("try again in a few seconds")
	}
	return stands, err
}

// all does what was announced. Each step finds out whether it was done before.
func (u *undoing) all(ctx context.Context) error {
	for _, f := range u.files {
		if err := u.file(ctx, f); err != nil {
			return err
		}
	}
	if err := u.shown(); err != nil {
		return err
	}
	if err := u.rows(ctx); err != nil {
		return err
	}
	if _, err := u.pass(ctx, passOptions{ours: u.restored}); err != nil {
		return err
	}
	_, err := u.drain(ctx)
	return err
}

// file brings one file back and tells the store.
func (u *undoing) file(ctx context.Context, f returning) error {
	text, err := u.bring(ctx, f)
	if err != nil {
		return err
	}
	if f.Merged {
		u.done.Merged = append(u.done.Merged, f.Path)
	}
	if !same(f.Stood, f.Want) {
		u.done.Files = append(u.done.Files, f.Path)
	}
	if text == nil {
		if markdown.IsFacts(f.Path) {
			u.stale[f.Path] = true // a summary that the run did not write itself goes with its facts
		}
		return nil
	}
	if err := u.Store.Published(ctx, []memory.FileVersion{u.unread(f.Path, *text)}, nil); err != nil {
		return fmt.Errorf("recording %s: %w", f.Path, err)
	}
	return nil
}

// bring gives a file the text that it is to have, and returns that.
func (u *undoing) bring(ctx context.Context, f returning) (*string, error) {
	stands, want, err := u.target(ctx, f)
	if err != nil {
		return nil, err
	}
	switch {
	case same(stands, want):
	case want == nil:
		if err := u.takeAway(f.Path, deref(stands)); err != nil {
			return nil, err
		}
	default:
		if _, err := u.swapIn(f.Path, stands, *want, 0); err != nil {
			return nil, fmt.Errorf("restoring %s: %w", f.Path, err)
		}
	}
	u.restored[f.Path] = true
	return want, nil
}

// before returns the text that a file is to have, and whether others' changes
// are merged into it.
func (u *undoing) before(f undoFile, stands *string) (want *string, merged bool) {
	switch {
	case same(stands, f.After) || same(stands, f.Before):
		return f.Before, false
	case stands == nil:
		return nil, false // somebody removed it since: that stays
	}
	text := string(markdown.Merge(f.Path, []byte(deref(f.After)), []byte(deref(f.Before)), []byte(*stands)).Text)
	return &text, true
}

func same(a, b *string) bool {
	return a == nil && b == nil || a != nil && b != nil && *a == *b
}

// unread describes a restored file such that the next pass reads it again.
func (u *undoing) unread(name, text string) memory.FileVersion {
	v := u.version(markdown.Parse(name, []byte(text)), text, memory.FileState{Path: name, Size: -1})
	v.Hash = digest(text)
	if !written(name) {
		v.Lines = nil
	}
	return v
}

// undone ends the name of a file that an undo took away; before it stands the
// digest of what it should hold.
const undone = ".undone"

// dropUndone removes such a file of a killed process. What somebody saved at the
// moment when it was taken away is kept among the backups.
func (m *Mirror) dropUndone(name string) error {
	aside := path.Join(swapDir, name)
	raw, err := readFile(m.Root, aside)
	if err != nil {
		return err
	}
	if strings.Contains(name, digest(string(raw))) {
		return m.discard(aside)
	}
	return m.keepAmongBackups(aside)
}

// takeAway removes a file that we had made, and the folder of an entity with its
// last file. Who saved it in this very moment gets it back.
func (m *Mirror) takeAway(name, expect string) error {
	if err := markdown.MakeDir(m.Root, swapDir); err != nil {
		return err
	}
	aside := path.Join(swapDir, digest(name)[:16]+"-"+digest(expect)+undone)
	if err := m.Root.Rename(name, aside); err != nil {
		return fmt.Errorf("removing %s: %w", name, err)
	}
	raw, err := readFile(m.Root, aside)
	if err != nil {
		return err
	}
	if string(raw) != expect {
		return errors.Join(errChanged, m.Root.Rename(aside, name))
	}
	if err := errors.Join(m.discard(aside), markdown.SyncDir(m.Root, path.Dir(name))); err != nil {
		return err
	}
	if _, _, ofEntity := markdown.EntityOf(name); ofEntity {
		_ = m.Root.Remove(path.Dir(name)) // fails while anything else is in it
	}
	return nil
}

// shown tells again which lines of the derived files are ours.
func (u *undoing) shown() error {
	before := map[string]*shown{} // of each file, when the run first wrote it
	for _, l := range u.lines {
		for name, was := range l.Shown {
			if before[name] == nil {
				before[name] = was
			}
		}
	}
	if len(before) == 0 {
		return nil
	}
	files, err := u.loadShown()
	if err != nil {
		return err
	}
	for name, was := range before {
		if err := u.shownIn(name, files[name], was); err != nil {
			return err
		}
	}
	return u.saveShown(files)
}

// shownIn joins what was known before with what is known now, as far as it
// stands in the file.
func (u *undoing) shownIn(name string, now, was *shown) error {
	if now == nil || was == nil {
		return nil
	}
	raw, err := readFile(u.Root, name)
	if err != nil {
		return err
	}
	lines := map[string]string{}
	for line := range bytes.Lines(raw) {
		key := lineKey(string(line))
		for _, s := range []*shown{now, was} {
			if id, ours := s.Lines[key]; ours {
				lines[key] = id
			}
		}
	}
	if now.Links == nil {
		now.Links = map[string]string{}
	}
	for link, id := range was.Links {
		now.Links[link] = id
	}
	now.Lines = lines
	return nil
}

// rows brings the memories back, in the opposite order. One that somebody words
// anew meanwhile was changed since, and is left alone; one that is only used is not.
func (u *undoing) rows(ctx context.Context) error {
	var steps []undoRow
	for _, l := range slices.Backward(u.lines) {
		if l.Row != nil {
			steps = append(steps, *l.Row)
		}
	}
	var err error
	for range passRounds {
		if steps, err = u.takeBack(ctx, steps); err != nil || len(steps) == 0 {
			return err
		}
	}
	for _, s := range steps {
		u.done.Kept = append(u.done.Kept, s.ID)
	}
	return nil
}

// takeBack takes back what the steps did, and returns those whose memories
// somebody changed between our reading and our changing them.
func (u *undoing) takeBack(ctx context.Context, steps []undoRow) (again []undoRow, err error) {
	ids := make([]string, len(steps))
	for i, s := range steps {
		ids[i] = s.ID
	}
	now, err := u.byIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	var changes []memory.Change
	var of []undoRow // the step of each change
	for _, s := range steps {
		row, exists := now[s.ID]
		c, possible := s.reversed(row, exists)
		if !possible {
			u.done.Kept = append(u.done.Kept, s.ID)
			continue
		}
		c.FromFile = u.restored[c.Memory.Home.File] || c.Memory.Home.File == ""
		c.Revision = row.Revision // 0 of what is not there
		next := wanted(&row, &c)
		next.Revision = row.Revision + 1
		changes, of, now[s.ID] = append(changes, c), append(of, s), next
	}
	if err := u.archive.Append(ctx, "undo of reflect", removedBy(changes)); err != nil {
		return nil, err
	}
	return u.bringBack(ctx, changes, of)
}

// bringBack applies changes and returns the steps of those that came too late.
func (u *undoing) bringBack(ctx context.Context, changes []memory.Change, of []undoRow) (again []undoRow, err error) {
	late := map[string]bool{}
	for start := 0; start < len(changes); start += commitBatch {
		end := min(start+commitBatch, len(changes))
		var batch []memory.Change
		var steps []undoRow
		for i, c := range changes[start:end] {
			if late[c.Memory.ID] {
				again = append(again, of[start+i])
				continue
			}
			batch, steps = append(batch, c), append(steps, of[start+i])
		}
		applied, err := u.Store.Apply(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("bringing memories back: %w", err)
		}
		for i, a := range applied {
			switch a.Conflict {
			case memory.NoConflict:
				u.done.Memories++
			case memory.ConflictRevision:
				late[batch[i].Memory.ID] = true
				again = append(again, steps[i])
			default:
				u.done.Kept = append(u.done.Kept, a.Memory.ID)
			}
		}
	}
	return again, nil
}

func removedBy(changes []memory.Change) (removed []memory.Memory) {
	for _, c := range changes {
		if c.Op == memory.OpRemove {
			removed = append(removed, c.Memory)
		}
	}
	return removed
}

func (m *Mirror) byIDs(ctx context.Context, ids []string) (map[string]memory.Memory, error) {
	rows := map[string]memory.Memory{}
	for batch := range slices.Chunk(ids, lookedUp) {
		found, err := m.Store.ByIDs(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("reading the memories of a run: %w", err)
		}
		for _, row := range found {
			rows[row.ID] = row
		}
	}
	return rows, nil
}

// reversed is the change that takes a step back, unless somebody else changed
// the memory since.
func (s undoRow) reversed(row memory.Memory, exists bool) (memory.Change, bool) {
	c := memory.Change{Op: s.Op, Memory: row, Reason: "undo of reflect"}
	switch s.Op {
	case memory.OpStatus:
		c.Memory.Status, c.Memory.Supersedes, c.Memory.SupersededBy, c.Memory.Trust = s.Was.Status, s.Was.Supersedes, s.Was.SupersededBy, s.Was.Trust
		return c, exists && row.Status == s.Is.Status && row.SupersededBy == s.Is.SupersededBy
	case memory.OpMove:
		c.Memory.Home = s.Was.Place
		return c, exists && row.Home.File == s.Is.Place.File
	case memory.OpAdd:
		c.Op, c.Restore = memory.OpRemove, true
		return c, exists && row.ContentHash == s.Is.Hash && row.Status == s.Is.Status
	case memory.OpRemove:
		c.Op, c.Memory, c.Restore, c.Import = memory.OpAdd, s.Whole.memory(), true, true
		return c, !exists
	case memory.OpUpdate:
		old := s.Whole.memory()
		c.Memory.Content, c.Memory.ContentHash, c.Memory.Title, c.Memory.Fields = old.Content, old.ContentHash, old.Title, old.Fields
		c.Memory.Links, c.Memory.Status, c.Memory.Supersedes, c.Memory.SupersededBy = old.Links, old.Status, old.Supersedes, old.SupersededBy
		c.Memory.UpdatedAt = old.UpdatedAt
		return c, exists && row.ContentHash == s.Is.Hash
	}
	return c, false
}
