package mirror

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// ReadOutline reads MEMORY.md as it stands: which lines are ours, and for
// which memory, and which are people's, be it that they worded one of ours anew.
func (m *Mirror) ReadOutline(ctx context.Context) (memory.Outline, error) {
	name := m.in(markdown.MemoryFile)
	files, err := m.loadShown()
	if err != nil {
		return memory.Outline{}, err
	}
	disk, err := readFile(m.Root, name)
	if err != nil {
		return memory.Outline{}, err
	}
	published, err := m.newestBase(ctx, name)
	if err != nil {
		return memory.Outline{}, err
	}
	outline := markdown.ParseOutline(disk, files[name].resolve)
	if published != "" { // else the database was made anew, and nobody knows who worded what
		markdown.Disown(outline, []byte(published))
	}
	return outline, nil
}

// WriteIndex writes MEMORY.md within its limits. Lines that leave it, ours or
// people's, stand verbatim in memory/archive/demoted-YYYY-MM.md before. It
// reports whether the file changed.
func (m *Mirror) WriteIndex(ctx context.Context, p memory.Projection, demoted []memory.Demotion) (changed bool, err error) {
	err = m.derived(ctx, m.in(markdown.MemoryFile), func() error {
		files, err := m.loadShown()
		if err != nil {
			return err
		}
		published, err := m.newestBase(ctx, m.in(markdown.MemoryFile))
		if err != nil {
			return err
		}
		edit := markdown.OutlineEdit{
			Demoted: demoted, Published: []byte(published), Resolve: files[m.in(markdown.MemoryFile)].resolve,
			Language: markdown.Language(m.Language), Limits: m.IndexLimits, Overflow: markdown.DemotedPath(m.Now().In(m.Zone)),
		}
		changed, err = m.writeProjection(ctx, m.in(markdown.MemoryFile), m.anchored(p), m.indexer(ctx, edit), bytes.Equal)
		return err
	})
	return changed, err
}

// anchored gives every line a link of its own, for the link is its identity:
// many memories stand in one file. It leads from the tree in which the file stands.
func (m *Mirror) anchored(p memory.Projection) memory.Projection {
	var out memory.Projection
	for _, section := range p.Sections {
		section.Entries = slices.Clone(section.Entries)
		for i, e := range section.Entries {
			e.Link = strings.TrimPrefix(e.Link, namespaceDir(m.namespace))
			section.Entries[i].Link = e.Link
			if e.Link != "" && !strings.Contains(e.Link, "#") {
				section.Entries[i].Link += "#" + e.MemoryID
			}
		}
		out.Sections = append(out.Sections, section)
	}
	return out
}

// indexer renders MEMORY.md; what leaves it is in the archive when it returns.
func (m *Mirror) indexer(ctx context.Context, edit markdown.OutlineEdit) func([]byte, memory.Projection) ([]byte, error) {
	return func(disk []byte, p memory.Projection) ([]byte, error) {
		edit.Projection = p
		text, overflow := markdown.EditOutline(disk, edit)
		leaving := append(presentIn(disk, edit.Demoted), overflow...)
		return text, m.keepDemoted(ctx, m.in(edit.Overflow), leaving)
	}
}

// presentIn returns the demotions whose lines the file still holds.
func presentIn(disk []byte, demoted []memory.Demotion) []memory.Demotion {
	lines := strings.Split(strings.ReplaceAll(string(disk), "\r\n", "\n"), "\n")
	var out []memory.Demotion
	for _, d := range demoted {
		if i := d.Line.Number - 1; i >= 0 && i < len(lines) && strings.TrimRight(lines[i], "\r") == d.Line.Text {
			out = append(out, d)
		}
	}
	return out
}

func (m *Mirror) keepDemoted(ctx context.Context, name string, demoted []memory.Demotion) error {
	if len(demoted) == 0 {
		return nil
	}
	disk, err := readFile(m.Root, name)
	if err != nil {
		return err
	}
	entry := markdown.RenderDemoted(m.Now().In(m.Zone).Format("2006-01-02 15:04"), demoted)
	if err := m.noteFile(ctx, name, textOf(disk), ptr(string(disk)+string(entry))); err != nil {
		return err
	}
	return markdown.Append(m.Root, name, entry)
}

// resolve returns the memory that a link of ours stands for.
func (s *shown) resolve(link string) string { return s.Links[link] }

// note remembers which lines of a derived file stand for which memory.
func (s *shown) note(p memory.Projection, text string) {
	s.Lines, s.Links = map[string]string{}, map[string]string{}
	standing := map[string]bool{}
	for line := range strings.Lines(text) {
		standing[lineKey(line)] = true
	}
	links := markdown.ParseOutline([]byte(text), nil)
	for _, section := range p.Sections {
		for _, e := range section.Entries {
			for _, line := range linesOf(e, links) {
				if standing[lineKey(line.Text)] && e.MemoryID != "" {
					s.Lines[lineKey(line.Text)] = e.MemoryID
				}
				if line.Link != "" {
					s.Links[line.Link] = e.MemoryID
				}
			}
		}
	}
}

// linesOf returns the lines that stand for one projected entry: the one with
// its link, or the one that RECENT.md shows of its text.
func linesOf(e memory.ProjectedLine, outline memory.Outline) []memory.OutlineLine {
	single := memory.Projection{Sections: []memory.Section{{Name: "event", Entries: []memory.ProjectedLine{e}}}}
	text, _ := markdown.EditOutline(nil, markdown.OutlineEdit{Projection: single})
	link := ""
	for _, l := range markdown.ParseOutline(text, nil).Lines {
		if l.Link != "" {
			link = l.Link
		}
	}
	var lines []memory.OutlineLine
	for _, l := range outline.Lines {
		if link != "" && l.Link == link {
			lines = append(lines, l)
		}
	}
	for line := range strings.Lines(string(markdown.RenderRecent(single, "", time.Time{}))) {
		if strings.HasPrefix(line, "- ") {
			lines = append(lines, memory.OutlineLine{Text: line})
		}
	}
	return lines
}
