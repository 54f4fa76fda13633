package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

const summaryName = "summary.md"

// summaryOf names the summary beside an items.json.
func summaryOf(items string) string { return path.Join(path.Dir(items), summaryName) }

// EntityFolder is one entity as its folder shows it.
type EntityFolder struct {
	Area string // projects, areas, resources, archives
	Name string // of its folder
	Path string // of the folder
	Also string // the title of its summary, "" if it has none
}

// EntityFolders lists the entities of a namespace, by area and name.
func (m *Mirror) EntityFolders(_ context.Context, namespace string) ([]EntityFolder, error) {
	var list []EntityFolder
	for _, area := range markdown.Areas() {
		dir := namespaceDir(namespace) + path.Dir(path.Dir(markdown.EntityPath(area, "x", factsName)))
		entries, err := fs.ReadDir(m.Root.FS(), dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("listing %s: %w", dir, err)
		}
		for _, e := range entries {
			f := EntityFolder{Area: area, Name: e.Name(), Path: path.Join(dir, e.Name())}
			if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || strings.HasSuffix(markdown.TacitPath, f.Path+"/"+path.Base(markdown.TacitPath)) {
				continue
			}
			raw, err := readFile(m.Root, path.Join(f.Path, summaryName))
			if err != nil {
				return nil, err
			}
			f.Also = markdown.ParseSummary(raw).Name
			list = append(list, f)
		}
	}
	return list, nil
}

// ReadSummary returns the summary of an entity as it stands, "" if there is none.
func (m *Mirror) ReadSummary(_ context.Context, namespace, area, name string) (text, file string, err error) {
	file = namespaceDir(namespace) + markdown.EntityPath(area, name, summaryName)
	raw, err := readFile(m.Root, file)
	return string(raw), file, err
}

// MoveEntity moves the folder of an entity to another area; its facts follow to
// their new addresses, as they do when a person moves it.
func (m *Mirror) MoveEntity(ctx context.Context, namespace, name, from, to string) error {
	tree := namespaceDir(namespace)
	source, target := path.Dir(tree+markdown.EntityPath(from, name, factsName)), path.Dir(tree+markdown.EntityPath(to, name, factsName))
	return m.locked(ctx, func() error {
		if left, err := m.drain(ctx); err != nil || left {
			return errors.Join(err, memory.Errorf(memory.Unavailable, "some files of %s are being saved or cannot be written", source).WithHint("try again in a moment"))
		}
		if _, err := m.Root.Lstat(target); err == nil {
			return memory.Errorf(memory.Conflicting, "%s exists already", target).WithHint("move or rename it first")
		}
		if err := markdown.MakeDir(m.Root, path.Dir(target)); err != nil {
			return err
		}
		if err := m.Root.Rename(source, target); err != nil {
			return fmt.Errorf("moving %s: %w", source, err)
		}
		if err := errors.Join(markdown.SyncDir(m.Root, path.Dir(target)), markdown.SyncDir(m.Root, path.Dir(source))); err != nil {
			return err
		}
		if _, err := m.pass(ctx, passOptions{all: true}); err != nil {
			return err
		}
		_, err := m.drain(ctx)
		return err
	})
}

// RenewEntities brings the counters in every items.json and all summaries up to
// date: temperatures change without anybody's doing. A summary that somebody is
// saving is waited for, within bounds.
func (m *Mirror) RenewEntities(ctx context.Context) error {
	work := m.renew
	for range 12 {
		waits := false
		err := m.locked(ctx, func() error {
			err := work(ctx)
			waits = len(m.stale) > 0
			return err
		})
		if err != nil || !waits {
			return err
		}
		work = m.summarise
		if err := pause(ctx, m.Settle/4); err != nil {
			return err
		}
	}
	return nil
}

// renew does the work of RenewEntities once. The caller holds the lock.
func (m *Mirror) renew(ctx context.Context) error {
	if _, err := m.pass(ctx, passOptions{}); err != nil {
		return err
	}
	if _, err := m.drain(ctx); err != nil {
		return err
	}
	files, err := m.walk(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !markdown.IsFacts(f.path) {
			continue
		}
		if err := m.refreshFacts(ctx, f.path); err != nil {
			return fmt.Errorf("renewing %s: %w", f.path, err)
		}
		m.stale[f.path] = true
	}
	return m.summarise(ctx)
}

// refreshFacts writes how often the facts of a file were used. A file that
// somebody is changing is left for the next time.
func (m *Mirror) refreshFacts(ctx context.Context, name string) error {
	states, err := m.Store.FileStates(ctx, name)
	if err != nil {
		return fmt.Errorf("reading the states of files: %w", err)
	}
	p := publication{Mirror: m, states: states, blocked: map[int64]bool{}}
	text, err := p.known(name)
	if err != nil || text == nil {
		return nil //nolint:nilerr // somebody is changing it, or it is broken: next time
	}
	rows, err := m.Store.HomeEntries(ctx, name)
	if err != nil {
		return fmt.Errorf("reading its memories: %w", err)
	}
	doc := markdown.Parse(name, []byte(*text))
	for _, row := range rows {
		e, stands := doc.ByID(row.ID)
		if !stands || e.Fact == nil || e.Fact.AccessCount == row.AccessCount && !e.Fact.LastAccessed.Before(row.LastAccess.Truncate(time.Second)) {
			continue
		}
		if err := m.put(ctx, doc, row); err != nil {
			return err
		}
	}
	err = p.write(&job{path: name}, text, doc, nil)
	if errors.Is(err, errChanged) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := m.Store.Published(ctx, p.versions, nil); err != nil {
		return fmt.Errorf("recording it: %w", err)
	}
	return nil
}

// summarise rewrites the summaries whose facts have changed. One that somebody
// is saving is left for the next time. The caller holds the lock.
func (m *Mirror) summarise(ctx context.Context) error {
	if m.Summarise == nil {
		clear(m.stale)
		return nil
	}
	for _, items := range slices.Sorted(maps.Keys(m.stale)) {
		err := m.writeSummary(ctx, items)
		if errors.Is(err, errUnsettled) || errors.Is(err, errChanged) {
			continue
		}
		delete(m.stale, items)
		if err != nil {
			return fmt.Errorf("writing %s: %w", summaryOf(items), err)
		}
	}
	return nil
}

func (m *Mirror) writeSummary(ctx context.Context, items string) error {
	name := summaryOf(items)
	rows, err := m.Store.HomeEntries(ctx, items)
	if err != nil {
		return fmt.Errorf("reading the facts: %w", err)
	}
	stands, err := m.atRest(ctx, name)
	if err != nil || len(rows) == 0 && stands == nil {
		return err
	}
	files, err := m.loadShown()
	if err != nil {
		return err
	}
	s := files[name]
	if s == nil {
		s = &shown{Hidden: map[string]time.Time{}}
		files[name] = s
	}
	shows := m.withoutHidden(s, m.Summarise(rows, m.Now()))
	summary, lines := s.summary(shows, deref(stands), path.Base(path.Dir(items)), markdown.Language(m.Language))
	if gone, err := m.entityGone(items, rows, summary); err != nil || gone {
		return errors.Join(err, m.takeAway(name, *stands))
	}
	text := string(summary.Render(markdown.Language(m.Language)))
	if stands != nil && text == *stands {
		return nil
	}
	if err := m.note(ctx, undoLine{Shown: map[string]*shown{name: s}}); err != nil {
		return err
	}
	return m.publishShown(ctx, files, showing{name, stands, text, &shown{Lines: lines, Links: map[string]string{}}})
}

// entityGone reports whether nothing is left of an entity but the summary that
// we wrote: its facts were taken back.
func (m *Mirror) entityGone(items string, rows []memory.Memory, s markdown.Summary) (bool, error) {
	if len(rows) > 0 || s.Status+s.Deadline+s.Focus != "" || len(s.Hot)+len(s.Warm)+len(s.Notes) > 0 {
		return false, nil
	}
	raw, err := readFile(m.Root, items)
	return raw == nil && err == nil, err
}

// summary is what a summary is to say: what the facts give, and below it every
// line of the file that is not ours. It returns which of its lines stand for
// which fact.
func (s *shown) summary(p memory.Projection, stands, entity string, lang markdown.Language) (markdown.Summary, map[string]string) {
	was := markdown.ParseSummary([]byte(stands))
	out := markdown.Summary{Name: was.Name}
	if out.Name == "" {
		out.Name = entity
	}
	lines, said := map[string]string{}, map[string]bool{}
	for _, section := range p.Sections {
		if len(section.Entries) == 0 { // a person took every line of it out
			continue
		}
		var texts []string
		for _, e := range section.Entries {
			key := lineKey(markdown.SummaryLine(e.Text))
			texts, said[key] = append(texts, e.Text), true
			if section.Name == "hot" || section.Name == "warm" { // the labelled ones stand in no line of their own
				lines[key] = e.MemoryID
			}
		}
		switch section.Name {
		case "status", "deadline", "focus":
			value := strings.Join(texts, "; ")
			out.Set(section.Name, value)
			lines[lineKey(out.Label(section.Name, lang))] = section.Entries[0].MemoryID
		case "hot":
			out.Hot = texts
		case "warm":
			out.Warm = texts
		}
	}
	for _, name := range []string{"status", "deadline", "focus"} {
		if label := was.Label(name, lang); label != "" && s.Lines[lineKey(label)] == "" {
			out.Set(name, was.Get(name)) // a person's word stands above ours
		}
	}
	for _, text := range append(slices.Clone(was.Hot), was.Warm...) {
		line := markdown.SummaryLine(text)
		if key := lineKey(line); s.Lines[key] == "" && !said[key] {
			out.Notes = append(out.Notes, line)
		}
	}
	out.Notes = append(out.Notes, was.Notes...)
	return out, lines
}
