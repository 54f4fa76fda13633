package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// WriteRecentDirect writes RECENT.md from the journals of the last days,
// archived ones included, for when the database cannot be read (seed 001
// §4.3.3). A file into which people wrote is left to them until the database
// opens again. choose selects what is shown.
func (m *Mirror) WriteRecentDirect(ctx context.Context, days int, choose func([]memory.Memory) memory.Projection) (p memory.Projection, changed bool, err error) {
	if err := m.lock.take(ctx); err != nil {
		return p, false, err
	}
	// No recovery here: it needs the database.
	p, changed, err = m.recentDirect(days, choose)
	return p, changed, errors.Join(err, m.lock.release())
}

func (m *Mirror) recentDirect(days int, choose func([]memory.Memory) memory.Projection) (p memory.Projection, changed bool, err error) {
	files, err := m.loadShown()
	if err != nil {
		return p, false, err
	}
	name := m.in(markdown.RecentFile)
	s := files[name]
	disk, err := readFile(m.Root, name)
	if err != nil {
		return p, false, err
	}
	for _, line := range markdown.ForeignRecent(nil, disk) {
		if !s.shows(line) {
			return p, false, memory.Errorf(memory.Unavailable, "%s holds lines of people, and the database that would keep them cannot be read", name).
				WithHint("nothing was changed; run surface again when the database opens")
		}
	}
	memories, err := m.lastJournals(days)
	if err != nil {
		return p, false, err
	}
	p = m.withoutHidden(s, choose(memories))
	text := markdown.RenderRecent(p, markdown.Language(m.Language), m.Now().In(m.Zone))
	if disk != nil && markdown.SameRecent(disk, text) {
		return p, false, nil
	}
	next := &shown{}
	next.note(p, string(text))
	if err := m.announce(files, name, next, string(text)); err != nil {
		return p, false, err
	}
	if _, err := m.swapIn(name, textOf(disk), string(text), 0); err != nil {
		return p, false, err
	}
	s.take(next.Lines, next.Links)
	return p, true, m.saveShown(files)
}

// shows reports whether a line of RECENT.md, without its bullet, is ours.
func (s *shown) shows(line string) bool {
	_, ours := s.Lines[lineKey("- "+line)]
	return ours || strings.HasPrefix(line, "#")
}

// lastJournals reads the entries of the journals of the last days.
func (m *Mirror) lastJournals(days int) ([]memory.Memory, error) {
	var found []memory.Memory
	for back := range days {
		day := m.Now().In(m.Zone).AddDate(0, 0, -back)
		names, err := m.journalsOf(day)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			raw, err := readFile(m.Root, name)
			if err != nil {
				return nil, err
			}
			for _, e := range markdown.Parse(name, raw).Entries() {
				found = append(found, m.fromJournal(e, name, day))
			}
		}
	}
	return found, nil
}

// journalsOf lists the parts of a day's journal, wherever they stand.
func (m *Mirror) journalsOf(day time.Time) ([]string, error) {
	var names []string
	for _, folder := range []string{m.in("memory"), m.in(path.Join(archiveDir, day.Format("2006")))} {
		found, err := fs.Glob(m.Root.FS(), path.Join(folder, day.Format(time.DateOnly)+"*.md"))
		if err != nil {
			return nil, fmt.Errorf("looking for the journals of %s: %w", day.Format(time.DateOnly), err)
		}
		for _, name := range found {
			if classify(name) == home {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

func (m *Mirror) fromJournal(e markdown.Entry, name string, day time.Time) memory.Memory {
	mem := e.Memory()
	mem.Namespace, mem.Trust, mem.Home.File = m.namespace, m.defaultTrust(name), name
	if mem.Type == "" {
		mem.Type = m.Classify(mem.Content)
	}
	if mem.Status == "" {
		mem.Status = memory.Active
	}
	at, err := m.moment(day.Format(time.DateOnly), e.Section)
	if err != nil {
		at = memory.StartOfDay(day.Year(), day.Month(), day.Day(), m.Zone)
	}
	mem.CreatedAt, mem.UpdatedAt = at, at
	return withDefaults(mem)
}
