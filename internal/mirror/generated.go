package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Wrapups writes the summaries of days, and nothing else: it holds the owner
// of those files only.
type Wrapups struct {
	mirror *Mirror
	files  markdown.WrapupFiles
}

// Wrapups returns the writer of the summaries of days.
func (m *Mirror) Wrapups() Wrapups {
	return Wrapups{m, markdown.NewWorkspace(m.Root).Tree(namespaceDir(m.namespace)).Wrapups()}
}

// WriteWrapup writes the summary of the day that it covers, in as many parts as
// its length needs, and returns the files that changed. Lines that people added
// stay. A part that is not needed any more is left empty of ours.
func (w Wrapups) WriteWrapup(ctx context.Context, day time.Time, p memory.Projection) (written []string, err error) {
	parts := markdown.RenderWrapup(day, linkedFrom(w.files.Day(day, 1), p), markdown.Language(w.mirror.Language))
	for i := 0; ; i++ {
		file := w.files.Day(day, i+1)
		if i >= len(parts) {
			if text, err := file.Read(); err != nil || text == nil {
				return written, err
			}
			parts = append(parts, nil)
		}
		changed, err := w.mirror.generate(ctx, page{file: file, text: parts[i]})
		if written = append(written, changed...); err != nil {
			return written, err
		}
	}
}

// page is a generated file and what it is to say: text, beside what people wrote
// there, or what stands there with an addition. That a File can be named at all is
// the proof that the caller owns it.
type page struct {
	file markdown.File
	text []byte
	add  func(disk []byte) []byte // nil: text is all that we say there
}

// generate writes files that their owner derives from memories, and returns
// those that this changed.
func (m *Mirror) generate(ctx context.Context, pages ...page) (changed []string, err error) {
	if len(pages) == 0 {
		return nil, nil
	}
	err = m.alone(ctx, pages[0].file.Path(), func() error {
		for _, p := range pages {
			written, err := m.generated(ctx, p)
			if err != nil {
				return fmt.Errorf("writing %s: %w", p.file.Path(), err)
			}
			if written && !slices.Contains(changed, p.file.Path()) {
				changed = append(changed, p.file.Path())
			}
		}
		return nil
	})
	return changed, err
}

func (m *Mirror) generated(ctx context.Context, p page) (bool, error) {
	name := p.file.Path()
	for range mergeRounds {
		stands, err := m.atRest(ctx, name)
		if err != nil {
			return false, err
		}
		text, err := m.textFor(ctx, p, []byte(deref(stands)))
		if err != nil {
			return false, err
		}
		if string(text) == deref(stands) {
			return false, nil
		}
		if err := m.publishProjection(ctx, name, stands, string(text)); !errors.Is(err, errChanged) {
			return err == nil, err
		}
	}
	return false, errChanged
}

// textFor is the new text of a page that stands as given.
func (m *Mirror) textFor(ctx context.Context, p page, disk []byte) ([]byte, error) {
	if p.add != nil {
		return p.add(disk), nil
	}
	base, err := m.newestBase(ctx, p.file.Path())
	if err != nil {
		return nil, err
	}
	return m.renewed(ctx, p.file.Path(), p.text, []byte(base), disk)
}

// linkedFrom makes the links of a projection, which are relative to the
// workspace, relative to the file that shows them.
func linkedFrom(f markdown.File, p memory.Projection) memory.Projection {
	within := markdown.WithinTree(f.Path())
	tree := strings.TrimSuffix(f.Path(), within)
	up := strings.Repeat("../", strings.Count(within, "/"))
	out := memory.Projection{Sections: slices.Clone(p.Sections)}
	for i, section := range out.Sections {
		entries := slices.Clone(section.Entries)
		for j := range entries {
			if entries[j].Link != "" {
				entries[j].Link = up + strings.TrimPrefix(entries[j].Link, tree)
			}
		}
		out.Sections[i].Entries = entries
	}
	return out
}

// Compounds writes what the weekly compound alone may write, besides MEMORY.md:
// the week's summary and log, the navigation, the archive of journals.
type Compounds struct {
	mirror *Mirror
	files  markdown.CompoundFiles
}

// Compounds returns the writer of compound's files.
func (m *Mirror) Compounds() Compounds {
	return Compounds{m, markdown.NewWorkspace(m.Root).Tree(namespaceDir(m.namespace)).Compound()}
}

func (c Compounds) language() markdown.Language { return markdown.Language(c.mirror.Language) }

// WriteWeeklies writes the summaries of weeks, given by one of their days, and
// returns the files that changed.
func (c Compounds) WriteWeeklies(ctx context.Context, weeks []memory.DatedProjection) (changed []string, err error) {
	var pages []page
	for _, w := range weeks {
		f := c.files.Weekly(w.Day)
		pages = append(pages, page{file: f, text: markdown.RenderWeekly(w.Day, linkedFrom(f, w.Projection), c.language())})
	}
	return c.mirror.generate(ctx, pages...)
}

// AppendLog adds what a compound did, with reasons, to the log of the ISO week
// of that moment, and returns its name; "" if that said nothing new.
func (c Compounds) AppendLog(ctx context.Context, at time.Time, p memory.Projection) (file string, err error) {
	f := c.files.Log(at)
	p = linkedFrom(f, p)
	changed, err := c.mirror.generate(ctx, page{file: f, add: func(disk []byte) []byte {
		return markdown.AppendWeeklyLog(disk, at, p, c.language())
	}})
	if len(changed) == 0 {
		return "", err
	}
	return f.Path(), err
}

// WriteNavigation writes memory/INDEX.md: the way to every file of the memory,
// those included that are about to be written.
func (c Compounds) WriteNavigation(ctx context.Context) (changed []string, err error) {
	f := c.files.Index()
	if err := c.mirror.Drain(ctx); err != nil {
		return nil, err
	}
	files, err := c.mirror.walk(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, one := range files {
		if one.root == c.mirror.Root && one.path != f.Path() && c.mirror.owns(one.path) {
			paths = append(paths, markdown.WithinTree(one.path))
		}
	}
	slices.Sort(paths)
	text := markdown.RenderIndex(paths, c.language())
	return c.mirror.generate(ctx, page{file: f, text: text})
}
