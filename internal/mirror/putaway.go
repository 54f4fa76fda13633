package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Journals lists the dates that have a journal, and the Mondays of the weeks
// that have a summary. One that leads to where a journal stood before it was put
// away does not count: its compound was cut short.
func (c Compounds) Journals(ctx context.Context) (dates, summaries []string, err error) {
	files, err := c.mirror.walk(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		switch class := markdown.Classify(f.path, memory.TrustUser); {
		case f.root != c.mirror.Root || !c.mirror.owns(f.path):
		case class.Kind == markdown.KindJournal && !slices.Contains(dates, class.Day):
			dates = append(dates, class.Day)
		case class.Kind == markdown.KindWeekly && class.Day != "":
			outdated, err := c.mirror.misses(f.path)
			if err != nil {
				return nil, nil, err
			}
			if !outdated {
				summaries = append(summaries, class.Day)
			}
		}
	}
	return dates, summaries, nil
}

// misses reports whether a file links to a journal that is not there.
func (m *Mirror) misses(name string) (bool, error) {
	raw, err := readFile(m.Root, name)
	if err != nil {
		return false, err
	}
	const start = "](../../memory/20" // a year: no folder
	for rest := string(raw); ; {
		_, link, found := strings.Cut(rest, start)
		if !found {
			return false, nil
		}
		target, after, _ := strings.Cut(link, ")")
		target, _, _ = strings.Cut(target, "#")
		if _, err := m.Root.Lstat("memory/20" + target); errors.Is(err, fs.ErrNotExist) {
			return true, nil
		}
		rest = after
	}
}

// PutAway moves the journals of these dates to the archive of their year, with
// every line that people wrote. The memories move with their lines. One that
// somebody is saving just now waits for the next time.
func (c Compounds) PutAway(ctx context.Context, dates []string) (archived []string, err error) {
	if len(dates) == 0 {
		return nil, nil
	}
	err = c.mirror.locked(ctx, func() error {
		if _, err := c.mirror.pass(ctx, passOptions{}); err != nil {
			return err
		}
		if _, err := c.mirror.drain(ctx); err != nil {
			return err
		}
		for _, date := range dates {
			moved, err := c.putAwayDay(ctx, date)
			if err != nil {
				return err
			}
			archived = append(archived, moved...)
		}
		ours := map[string]bool{}
		for _, name := range archived {
			ours[name] = true
		}
		_, err := c.mirror.pass(ctx, passOptions{ours: ours})
		return err
	})
	return archived, err
}

func (c Compounds) putAwayDay(ctx context.Context, date string) (archived []string, err error) {
	day, err := time.ParseInLocation(time.DateOnly, date, c.mirror.Zone)
	if err != nil {
		return nil, fmt.Errorf("reading the date of a journal: %w", err)
	}
	for part := 1; ; part++ {
		name := c.mirror.in(markdown.JournalPath(day, part))
		stands, err := c.mirror.atRest(ctx, name)
		if errors.Is(err, errUnsettled) {
			continue
		}
		if err != nil || stands == nil {
			return archived, err
		}
		to, err := c.putAwayPart(ctx, day, part, *stands)
		if err != nil {
			return archived, err
		}
		archived = append(archived, to)
	}
}

// putAwayPart moves one file to the first part of the archived day that is free.
func (c Compounds) putAwayPart(ctx context.Context, day time.Time, part int, text string) (string, error) {
	as := part
	for ; ; as++ {
		raw, err := readFile(c.mirror.Root, c.mirror.in(markdown.ArchivedJournalPath(day, as)))
		if err != nil {
			return "", err
		}
		if raw == nil {
			break
		}
	}
	move := relocation{Mirror: c.mirror, from: c.mirror.in(markdown.JournalPath(day, part)), to: c.mirror.in(markdown.ArchivedJournalPath(day, as)), text: text}
	if err := move.prepare(ctx); err != nil {
		return "", err
	}
	if err := c.files.PutAway(day, part, as); err != nil {
		return "", err
	}
	return move.to, move.finish(ctx)
}

// relocation moves a file, and the memories that live in it.
type relocation struct {
	*Mirror
	from, to string
	text     string // as people and we left it
	after    string // as it arrives: every line with its id
	rows     []memory.Memory
}

// prepare notes the move for an undo, and writes out the ids of people's lines,
// which follow from the name of the file: a move that is cut short loses none.
func (r *relocation) prepare(ctx context.Context) (err error) {
	if r.rows, err = r.Store.HomeEntries(ctx, r.from); err != nil {
		return fmt.Errorf("reading the memories of %s: %w", r.from, err)
	}
	r.after = r.annotated(r.from, r.to, r.text, r.rows)
	lines := []undoLine{{File: &undoFile{Path: r.from, Before: &r.after}}, {File: &undoFile{Path: r.to, After: &r.after}}}
	if r.after != r.text && notesBothSteps { // a kill may leave the file with its ids, where it stood
		lines = slices.Insert(lines, 0, undoLine{File: &undoFile{Path: r.from, Before: &r.text, After: &r.after}})
	}
	for _, row := range r.rows {
		if row.Form != memory.Passage {
			lines = append(lines, undoLine{Row: &undoRow{Op: memory.OpMove, ID: row.ID, Was: undoStateOf(row), Is: undoStateOf(r.moved(row))}})
		}
	}
	if err := r.note(ctx, lines...); err != nil || r.after == r.text {
		return err
	}
	if _, err := r.swapIn(r.from, &r.text, r.after, 0); err != nil {
		return fmt.Errorf("writing ids into %s: %w", r.from, err)
	}
	return r.publish(ctx, r.from)
}

func (r *relocation) moved(row memory.Memory) memory.Memory {
	row.Home = memory.Place{File: r.to, Line: row.Home.Line}
	return row
}

func (r *relocation) publish(ctx context.Context, name string) error {
	v := r.version(markdown.Parse(name, []byte(r.after)), r.after, memory.FileState{Path: name, Size: -1})
	v.Hash = digest(r.after)
	if !slices.ContainsFunc(r.rows, func(row memory.Memory) bool { return row.Form == memory.Passage }) {
		v.State.Hash = v.Hash // else the next look reads it, for its prose
	}
	if err := r.Store.Published(ctx, []memory.FileVersion{v}, nil); err != nil {
		return fmt.Errorf("recording %s: %w", name, err)
	}
	return nil
}

// finish tells the store where the memories are now. Prose is indexed again.
func (r *relocation) finish(ctx context.Context) error {
	changes := make([]memory.Change, 0, len(r.rows))
	for _, row := range r.rows {
		c := memory.Change{Op: memory.OpMove, Memory: r.moved(row), FromFile: true, Reason: "archived with its journal"}
		if row.Form == memory.Passage {
			c = memory.Change{Op: memory.OpRemove, Memory: row, FromFile: true, Restore: true, Reason: "archived with its journal"}
		}
		changes = append(changes, c)
	}
	for batch := range slices.Chunk(changes, commitBatch) {
		if _, err := r.Store.Apply(ctx, batch); err != nil {
			return fmt.Errorf("moving the memories of %s: %w", r.from, err)
		}
	}
	if err := r.Store.ForgetFile(ctx, r.from); err != nil {
		return fmt.Errorf("forgetting %s: %w", r.from, err)
	}
	return r.publish(ctx, r.to)
}

// annotated is the text of a file after it moved: lines of people get the id
// that had followed from their old place written out.
func (m *Mirror) annotated(from, to, text string, rows []memory.Memory) string {
	byID := map[string]memory.Memory{}
	for _, row := range rows {
		byID[row.ID] = row
	}
	doc := markdown.Parse(to, []byte(text))
	for _, e := range slices.Backward(markdown.Parse(from, []byte(text)).Entries()) {
		if row, known := byID[e.ID]; known && !e.Annotated {
			row.CreatedAt = row.CreatedAt.In(m.Zone)
			doc.ReplaceLine(e.Line, e.WithIdentity(row))
		}
	}
	return markdown.Relinked(string(doc.Bytes()))
}
