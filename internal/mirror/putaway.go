package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Journals lists the dates that have a journal, and the Mondays of the weeks
// that have a summary.
func (c Compounds) Journals(ctx context.Context) (dates, summaries []string, err error) {
	files, err := c.mirror.walk(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		switch class := markdown.Classify(f.path, memory.TrustUser); {
		case f.root != c.mirror.Root:
		case class.Kind == markdown.KindJournal && !slices.Contains(dates, class.Day):
			dates = append(dates, class.Day)
		case class.Kind == markdown.KindWeekly && class.Day != "":
			summaries = append(summaries, class.Day)
		}
	}
	return dates, summaries, nil
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
		_, err := c.mirror.pass(ctx, passOptions{})
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
		name := markdown.JournalPath(day, part)
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
		raw, err := readFile(c.mirror.Root, markdown.ArchivedJournalPath(day, as))
		if err != nil {
			return "", err
		}
		if raw == nil {
			break
		}
	}
	from, to := markdown.JournalPath(day, part), markdown.ArchivedJournalPath(day, as)
	lines, err := c.mirror.moving(ctx, from, to, text)
	if err != nil {
		return "", err
	}
	if err := c.mirror.note(ctx, lines...); err != nil {
		return "", err
	}
	return to, c.files.PutAway(day, part, as)
}

// moving are the journal lines of a file that moves with its memories.
func (m *Mirror) moving(ctx context.Context, from, to, text string) ([]undoLine, error) {
	rows, err := m.Store.HomeEntries(ctx, from)
	if err != nil {
		return nil, fmt.Errorf("reading the memories of %s: %w", from, err)
	}
	after := m.annotated(from, to, text, rows)
	lines := []undoLine{{File: &undoFile{Path: from, Before: &text}}, {File: &undoFile{Path: to, After: &after}}}
	for _, row := range rows {
		if row.Form == memory.Passage {
			continue
		}
		is := row
		is.Home = memory.Place{File: to, Line: row.Home.Line}
		lines = append(lines, undoLine{Row: &undoRow{Op: memory.OpMove, ID: row.ID, Was: undoStateOf(row), Is: undoStateOf(is)}})
	}
	return lines, nil
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
	return string(doc.Bytes())
}
