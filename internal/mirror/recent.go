package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Hidden returns the ids of the memories that a person took out of a derived
// file (MEMORY.md, RECENT.md) and that it must not show now.
func (m *Mirror) Hidden(_ context.Context, file string) (map[string]bool, error) {
	files, err := m.loadShown()
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	if s := files[m.in(file)]; s != nil {
		for _, id := range s.hidden(m.Now()) {
			ids[id] = true
		}
	}
	return ids, nil
}

// Collect makes memories, in today's journal, of the lines that people wrote
// into RECENT.md. The lines themselves leave RECENT.md when it is written next.
func (m *Mirror) Collect(ctx context.Context) error {
	return m.derived(ctx, m.in(markdown.RecentFile), func() error {
		_, err := m.moveForeign(ctx)
		return err
	})
}

// WriteRecent writes RECENT.md. Lines that people wrote there move to today's
// journal first, and what they took out stays out for a week. It reports
// whether anything but the stamp had to change.
func (m *Mirror) WriteRecent(ctx context.Context, p memory.Projection) (changed bool, err error) {
	err = m.alone(ctx, m.in(markdown.RecentFile), func() error {
		moved, err := m.moveForeign(ctx)
		if err != nil {
			return err
		}
		render := func(disk []byte, shown memory.Projection) ([]byte, error) {
			if !bytes.Equal(disk, moved) { // somebody has saved it since
				return nil, errUnsettled
			}
			return markdown.RenderRecent(shown, markdown.Language(m.Language), m.Now().In(m.Zone)), nil
		}
		changed, err = m.writeProjection(ctx, m.in(markdown.RecentFile), p, render, markdown.SameRecent)
		return err
	})
	return changed, err
}

// derived runs write, which replaces a derived file, under the lock and after
// reading what people changed in any file. It waits for somebody who is saving the file.
func (m *Mirror) derived(ctx context.Context, name string, write func() error) error {
	return m.replacing(ctx, name, passOptions{}, write)
}

// alone is derived that reads what people changed in the file itself: whoever
// wrote the page had the others read before, or none of them matters to it. In a store of
// years looking at every file is most of what a small page costs.
func (m *Mirror) alone(ctx context.Context, name string, write func() error) error {
	return m.replacing(ctx, name, passOptions{only: name}, write)
}

func (m *Mirror) replacing(ctx context.Context, name string, o passOptions, write func() error) error {
	for range 12 {
		err := m.locked(ctx, func() error {
			if _, err := m.atRest(ctx, name); err != nil {
				return err
			}
			if _, err := m.pass(ctx, o); err != nil {
				return err
			}
			return write()
		})
		if !errors.Is(err, errUnsettled) {
			return err
		}
		if err := pause(ctx, m.Settle/4); err != nil {
			return fmt.Errorf("waiting for %s: %w", name, err)
		}
	}
	return memory.Errorf(memory.Unavailable, "somebody keeps saving %s", name).WithHint("try again later")
}

// moveForeign makes memories of the lines that people wrote into RECENT.md;
// they stand in today's journal before RECENT.md is written. It returns the text
// whose lines those are.
func (m *Mirror) moveForeign(ctx context.Context) (disk []byte, err error) {
	if disk, err = readFile(m.Root, m.in(markdown.RecentFile)); err != nil {
		return nil, err
	}
	lines, err := m.foreignLines(ctx, m.in(markdown.RecentFile), disk)
	if err != nil {
		return nil, err
	}
	files, err := m.loadShown()
	if err != nil {
		return nil, err
	}
	var foreign []memory.Memory
	for _, line := range lines {
		if !files[m.in(markdown.RecentFile)].shows(line) { // else written while the database was away
			foreign = append(foreign, m.foreign(line))
		}
	}
	if len(foreign) == 0 {
		return disk, nil
	}
	if err := m.addForeign(ctx, foreign); err != nil {
		return nil, err
	}
	if left, err := m.drain(ctx); err != nil || left {
		return nil, errors.Join(err, memory.Errorf(memory.Unavailable, "today's journal is being saved by somebody: %s waits", m.in(markdown.RecentFile)))
	}
	return disk, nil
}

// foreignLines returns the lines of a RECENT.md that none of the versions holds
// which we wrote: the copy that somebody saved may be older than the newest of them.
func (m *Mirror) foreignLines(ctx context.Context, name string, disk []byte) ([]string, error) {
	newest, err := m.newestBase(ctx, name)
	if err != nil {
		return nil, err
	}
	lines := markdown.ForeignRecent([]byte(newest), disk)
	if len(lines) == 0 { // nearly always
		return nil, nil
	}
	versions, err := m.Store.Bases(ctx, name, memory.KeptVersions)
	if err != nil {
		return nil, fmt.Errorf("reading the versions of %s: %w", name, err)
	}
	for _, v := range versions {
		unknown := markdown.ForeignRecent([]byte(v.Text), disk)
		lines = slices.DeleteFunc(lines, func(line string) bool { return !slices.Contains(unknown, line) })
	}
	return lines, nil
}

// addForeign adds those memories that are not yet there: the lines stay in
// RECENT.md until it is written, which may be several looks later.
func (m *Mirror) addForeign(ctx context.Context, foreign []memory.Memory) error {
	moved, err := m.movedToday(ctx)
	if err != nil {
		return err
	}
	var changes []memory.Change
	for _, mem := range foreign {
		if !moved[mem.Content] {
			changes = append(changes, memory.Change{
				Op: memory.OpAdd, Memory: mem, Reason: "written into " + m.in(markdown.RecentFile), Restore: mem.Trust == memory.TrustUser,
			})
		}
		moved[mem.Content] = true
	}
	if len(changes) == 0 {
		return nil
	}
	rows, err := m.Store.HomeEntries(ctx, m.in(markdown.RecentFile))
	if err != nil {
		return fmt.Errorf("reading what is indexed of %s: %w", m.in(markdown.RecentFile), err)
	}
	for _, row := range rows { // the same lines, as prose of RECENT.md
		changes = append(changes, memory.Change{Op: memory.OpRemove, Memory: row, FromFile: true, Reason: "moved to the journal"})
	}
	if _, err := m.Store.Apply(ctx, changes); err != nil {
		return fmt.Errorf("keeping the lines of %s: %w", m.in(markdown.RecentFile), err)
	}
	return nil
}

// movedToday returns the texts that were moved from RECENT.md to the journal,
// today or, shortly after midnight, yesterday.
func (m *Mirror) movedToday(ctx context.Context) (map[string]bool, error) {
	moved := map[string]bool{}
	today := m.Now().In(m.Zone)
	for _, at := range []time.Time{today, today.Add(-time.Hour)} {
		names, err := m.journalsOf(at)
		if err != nil {
			return nil, err
		}
		// The journal may not be written yet.
		for _, name := range append(names, m.foreign("").Home.File) {
			rows, err := m.Store.HomeEntries(ctx, name)
			if err != nil {
				return nil, fmt.Errorf("reading what is indexed of %s: %w", name, err)
			}
			for _, row := range rows {
				if row.Source == "file:"+m.in(markdown.RecentFile) && row.Status.Recallable() {
					moved[row.Content] = true
				}
			}
		}
	}
	return moved, nil
}

// foreign is the memory of a line that a person wrote into a derived file.
func (m *Mirror) foreign(line string) memory.Memory {
	now := m.Now()
	content := m.clean(line)
	mem := memory.Memory{
		Namespace: m.namespace, Type: m.Classify(content), Form: memory.Note, Content: content, Status: memory.Active,
		Trust: m.defaultTrust(m.in(markdown.RecentFile)), Source: "file:" + m.in(markdown.RecentFile), CreatedAt: now,
	}
	mem.URI = memory.JournalURI(mem.Type, now.In(m.Zone))
	mem.Home.File = Home(mem, m.Zone)
	return withDefaults(mem)
}

// newestBase returns the text that we last knew of a file, "" if none.
func (m *Mirror) newestBase(ctx context.Context, name string) (string, error) {
	versions, err := m.Store.Bases(ctx, name, 1)
	if err != nil {
		return "", fmt.Errorf("reading the versions of %s: %w", name, err)
	}
	if len(versions) == 0 {
		return "", nil
	}
	return versions[0].Text, nil
}

// writeProjection writes a derived file by render, which is given the file as
// it stands, again should somebody save it meanwhile.
func (m *Mirror) writeProjection(ctx context.Context, name string, p memory.Projection,
	render func([]byte, memory.Projection) ([]byte, error), same func(a, b []byte) bool) (bool, error) {
	files, err := m.loadShown()
	if err != nil {
		return false, err
	}
	s := files[name]
	p = m.withoutHidden(s, p)
	for range mergeRounds {
		stands, err := m.atRest(ctx, name)
		if err != nil {
			return false, err
		}
		disk := []byte(deref(stands))
		text, err := render(disk, p)
		if err != nil {
			return false, err
		}
		if stands != nil && same(disk, text) {
			return false, m.adopt(ctx, name, files, p, *stands)
		}
		if err := m.note(ctx, undoLine{Shown: map[string]*shown{name: s}}); err != nil {
			return false, err
		}
		next := &shown{}
		next.note(p, string(text))
		if err = m.publishShown(ctx, files, showing{name, stands, string(text), next}); !errors.Is(err, errChanged) {
			return err == nil, err
		}
	}
	return false, fmt.Errorf("writing %s: %w", name, errChanged)
}

// publishProjection replaces the file. Its state is left unknown, so that the
// next pass indexes people's lines where they now stand.
func (m *Mirror) publishProjection(ctx context.Context, name string, read *string, text string) error {
	before, err := m.undoTo(ctx, name, read)
	if err != nil {
		return err
	}
	if err := m.noteFile(ctx, name, before, &text); err != nil {
		return err
	}
	made, err := m.announceNew(name, read, text)
	if err != nil {
		return err
	}
	if _, err := m.swapIn(name, read, text, 0); err != nil {
		return errors.Join(err, made())
	}
	return errors.Join(m.recordProjection(ctx, name, text), made())
}

// adopt takes a person's line for ours that says exactly what we would write
// there: it was collected, and stands where its memory is shown.
func (m *Mirror) adopt(ctx context.Context, name string, files map[string]*shown, p memory.Projection, text string) error {
	old := shown{Lines: files[name].Lines, Links: files[name].Links, Hidden: files[name].Hidden}
	files[name].note(p, text)
	if maps.Equal(old.Lines, files[name].Lines) {
		return nil
	}
	if err := m.note(ctx, undoLine{Shown: map[string]*shown{name: &old}}); err != nil {
		return err
	}
	// Whoever wrote the line had loaded the rest: older versions would make taking
	// it out look like a stale save.
	if err := m.Store.ForgetFile(ctx, name); err != nil {
		return fmt.Errorf("forgetting the versions of %s: %w", name, err)
	}
	if err := m.recordProjection(ctx, name, text); err != nil {
		return err
	}
	return m.saveShown(files)
}

func (m *Mirror) recordProjection(ctx context.Context, name, text string) error {
	v := memory.FileVersion{Path: name, Text: text, Hash: digest(text), State: memory.FileState{Path: name, Size: -1}, At: m.Now()}
	if err := m.Store.Published(ctx, []memory.FileVersion{v}, nil); err != nil {
		return fmt.Errorf("recording %s: %w", name, err)
	}
	return nil
}

// undoTo is the text that an undo brings back: the one that was read, without
// the lines of people that have moved on to the journal.
func (m *Mirror) undoTo(ctx context.Context, name string, read *string) (*string, error) {
	if markdown.WithinTree(name) != markdown.RecentFile || read == nil {
		return read, nil
	}
	foreign, err := m.foreignLines(ctx, name, []byte(*read))
	if err != nil {
		return nil, err
	}
	var kept strings.Builder
	for line := range strings.Lines(*read) {
		text := strings.TrimLeft(strings.TrimSpace(line), "-*+ ")
		if text == "" || !slices.Contains(foreign, text) {
			kept.WriteString(line)
		}
	}
	return ptr(kept.String()), nil
}

func (m *Mirror) withoutHidden(s *shown, p memory.Projection) memory.Projection {
	var out memory.Projection
	for _, section := range p.Sections {
		kept := memory.Section{Name: section.Name}
		for _, e := range section.Entries {
			if !s.hides(e.MemoryID, m.Now()) {
				kept.Entries = append(kept.Entries, e)
			}
		}
		out.Sections = append(out.Sections, kept)
	}
	return out
}
