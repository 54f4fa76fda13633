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
		if _, err := m.Root.Lstat(m.in("memory/20" + target)); errors.Is(err, fs.ErrNotExist) {
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
		for some := range slices.Chunk(dates, putAwayAtOnce) {
			moved, err := c.putAwayDays(ctx, some)
			archived = append(archived, moved...)
			if err != nil {
				return err
			}
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

// putAwayAtOnce is how many days are put away together: what is made durable for
// each of them would else be most of the work.
const putAwayAtOnce = 16

func (c Compounds) putAwayDays(ctx context.Context, dates []string) (archived []string, err error) {
	var moves []*relocation
	taken := map[string]bool{}
	for _, date := range dates {
		if moves, err = c.movesOf(ctx, date, moves, taken); err != nil {
			return nil, err
		}
	}
	if err := c.mirror.prepare(ctx, moves); err != nil {
		return nil, err
	}
	for i, r := range moves {
		if err = c.files.PutAway(r.day, r.part, r.as); err != nil {
			moves = moves[:i]
			break
		}
		archived = append(archived, r.to)
	}
	return archived, errors.Join(err, c.mirror.finishMoves(ctx, moves))
}

// movesOf adds the moves of all parts of a day's journal.
func (c Compounds) movesOf(ctx context.Context, date string, moves []*relocation, taken map[string]bool) ([]*relocation, error) {
	day, err := readDay(date, c.mirror.Zone)
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
			return moves, err
		}
		r := &relocation{Mirror: c.mirror, day: day, part: part, from: name, text: *stands}
		if err := r.target(taken); err != nil {
			return nil, err
		}
		moves = append(moves, r)
	}
}

// relocation moves a file, and the memories that live in it.
type relocation struct {
	*Mirror
	day      time.Time
	part, as int // of the journal, and of the archived day
	from, to string
	text     string // as people and we left it
	after    string // as it arrives: every line with its id
	rows     []memory.Memory
}

// target chooses the first part of the archived day that is free.
func (r *relocation) target(taken map[string]bool) error {
	for r.as = r.part; ; r.as++ {
		r.to = r.in(markdown.ArchivedJournalPath(r.day, r.as))
		raw, err := readFile(r.Root, r.to)
		if err != nil {
			return err
		}
		if raw == nil && !taken[r.to] {
			taken[r.to] = true
			return nil
		}
	}
}

// prepare notes the moves for an undo, and writes out the ids of people's lines,
// which follow from the name of the file: a move that is cut short loses none.
func (m *Mirror) prepare(ctx context.Context, moves []*relocation) error {
	var lines []undoLine
	for _, r := range moves {
		rows, err := m.Store.HomeEntries(ctx, r.from)
		if err != nil {
			return fmt.Errorf("reading the memories of %s: %w", r.from, err)
		}
		r.rows, r.after = rows, m.annotated(r.from, r.to, r.text, rows)
		lines = append(lines, r.undoLines()...)
	}
	if err := m.note(ctx, lines...); err != nil {
		return err
	}
	for _, r := range moves {
		if r.after == r.text {
			continue
		}
		if _, err := m.swapIn(r.from, &r.text, r.after, 0); err != nil {
			return fmt.Errorf("writing ids into %s: %w", r.from, err)
		}
		if err := m.published(ctx, []memory.FileVersion{r.versionAt(r.from)}, nil); err != nil {
			return fmt.Errorf("recording %s: %w", r.from, err)
		}
	}
	return nil
}

func (r *relocation) undoLines() []undoLine {
	lines := []undoLine{{File: &undoFile{Path: r.from, Before: &r.after}}, {File: &undoFile{Path: r.to, After: &r.after}}}
	if r.after != r.text && notesBothSteps { // a kill may leave the file with its ids, where it stood
		lines = slices.Insert(lines, 0, undoLine{File: &undoFile{Path: r.from, Before: &r.text, After: &r.after}})
	}
	for _, row := range r.rows {
		if row.Form != memory.Passage {
			lines = append(lines, undoLine{Row: &undoRow{Op: memory.OpMove, ID: row.ID, Was: undoStateOf(&row), Is: undoStateOf(new(r.moved(row)))}})
		}
	}
	return lines
}

func (r *relocation) moved(row memory.Memory) memory.Memory {
	row.Home = memory.Place{File: r.to, Line: row.Home.Line}
	return row
}

// versionAt is the file as it arrives, under its old name or its new one.
func (r *relocation) versionAt(name string) memory.FileVersion {
	v := r.version(markdown.Parse(name, []byte(r.after)), r.after, memory.FileState{Path: name, Size: -1})
	v.Hash = digest(r.after)
	if !slices.ContainsFunc(r.rows, func(row memory.Memory) bool { return row.Form == memory.Passage }) {
		v.State.Hash = v.Hash // else the next look reads it, for its prose
	}
	return v
}

// finishMoves tells the store where the memories are now. Prose is indexed again.
func (m *Mirror) finishMoves(ctx context.Context, moves []*relocation) error {
	var changes []memory.Change
	var from []string
	var versions []memory.FileVersion
	for _, r := range moves {
		for _, row := range r.rows {
			c := memory.Change{Op: memory.OpMove, Memory: r.moved(row), FromFile: true, Reason: "archived with its journal"}
			if row.Form == memory.Passage {
				c = memory.Change{Op: memory.OpRemove, Memory: row, FromFile: true, Restore: true, Reason: "archived with its journal"}
			}
			changes = append(changes, c)
		}
		from, versions = append(from, r.from), append(versions, r.versionAt(r.to))
	}
	for batch := range slices.Chunk(changes, commitBatch) {
		if _, err := m.Store.Apply(ctx, batch); err != nil {
			return fmt.Errorf("moving the memories of archived journals: %w", err)
		}
	}
	if err := m.Store.ForgetFile(ctx, from...); err != nil {
		return fmt.Errorf("forgetting where archived journals stood: %w", err)
	}
	if err := m.published(ctx, versions, nil); err != nil {
		return fmt.Errorf("recording archived journals: %w", err)
	}
	return nil
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
