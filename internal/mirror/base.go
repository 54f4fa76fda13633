package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// rowsIn returns the memories that have their home in a file. What waits to be
// written is read after them: a row that has no line yet is then known to wait.
func (p *pass) rowsIn(ctx context.Context, file string) ([]memory.Memory, error) {
	rows, err := p.Store.HomeEntries(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("reading the memories of %s: %w", file, err)
	}
	return rows, p.loadPending(ctx)
}

// chooseBase picks the published version that the file is closest to: the one
// that its last editor had loaded.
func (p *pass) chooseBase(ctx context.Context, d *document) (err error) {
	if d.bases, err = p.Store.Bases(ctx, d.path, 0); err != nil {
		return fmt.Errorf("reading its versions: %w", err)
	}
	texts := make([]string, len(d.bases), len(d.bases)+1)
	for i, b := range d.bases {
		texts[i] = b.Text
	}
	texts = append(texts, older(d.path, texts, d.text))
	best := closest(texts, d.text)
	d.newest = markdown.Parse(d.path, []byte(texts[0]))
	d.base, d.stale = markdown.Parse(d.path, []byte(texts[best])), best > 0
	p.newest = append(p.newest, d.newest)
	return nil
}

// closest returns which of some versions an edited text differs least from; the
// first of several.
func closest(versions []string, edited string) int {
	best, least := 0, distance(versions[0], edited)
	for i, text := range versions[1:] {
		if n := distance(text, edited); n < least && basesAreChosen {
			best, least = i+1, n
		}
	}
	return best
}

// older is the version, older than those that are kept, which an editor may have
// loaded: before the first one there was no file, and one that is not kept any more is
// the oldest that is, without the lines of ours that stand behind all of ours that
// the edited text holds, too. (Their numbers begin anew each minute.)
func older(path string, kept []string, edited string) string {
	if len(kept) < memory.KeptVersions {
		return ""
	}
	oldest := kept[len(kept)-1]
	if markdown.IsFacts(path) {
		return oldest
	}
	doc, now := markdown.Parse(path, []byte(oldest)), markdown.Parse(path, []byte(edited))
	for _, e := range slices.Backward(doc.Entries()) {
		if _, stands := now.ByID(e.ID); stands && e.Annotated {
			break
		}
		if e.Annotated {
			doc.RemoveLine(e.Line)
		}
	}
	return string(doc.Bytes())
}

// distance is the number of lines that only one of two texts has.
func distance(a, b string) int {
	count := map[string]int{}
	for line := range strings.Lines(a) {
		count[strings.TrimRight(line, "\r\n")]++
	}
	for line := range strings.Lines(b) {
		count[strings.TrimRight(line, "\r\n")]--
	}
	n := 0
	for _, c := range count {
		n += max(c, -c)
	}
	return n
}

// editedIn begins the reason of a wording that a person gave a memory in its file.
const editedIn = "edited in "

// overtaken reports whether an entry says what a wording of ours has replaced
// lately: a stale save, which takes nothing back. The wording is written again, once.
func (p *pass) overtaken(ctx context.Context, d *document, e markdown.Entry, row memory.Memory) (bool, error) {
	if p.Now().Sub(row.UpdatedAt) >= young {
		return false, nil
	}
	past, err := p.Store.History(ctx, row.ID)
	if err != nil {
		return false, err
	}
	if !p.replaced(past, e) && !(d.stale && p.unchanged(e, d.base, row.ID) && !reworded(past)) {
		return false, nil
	}
	note, err := p.notRestored(ctx, row)
	if err != nil || note == "" {
		return false, err
	}
	d.puts = append(d.puts, row)
	d.restoring = append(d.restoring, note)
	p.report.Restored++
	return true, nil
}

// notRestored returns the note under which a wording of ours is written again,
// "" if it was before: each is once.
func (p *pass) notRestored(ctx context.Context, row memory.Memory) (note string, err error) {
	once, err := p.restoredBefore(ctx)
	if err != nil {
		return "", err
	}
	if note = row.ID + " " + row.ContentHash; !once[note].IsZero() {
		return "", nil
	}
	return note, nil
}

// replaced reports whether the text of an entry is one that a wording of ours
// has lately taken the place of.
func (p *pass) replaced(past []memory.Revision, e markdown.Entry) bool {
	text := p.clean(e.Content)
	for _, r := range past {
		if p.Now().Sub(r.At) >= young {
			return false
		}
		if r.Op != memory.OpUpdate {
			continue
		}
		if strings.HasPrefix(r.Reason, editedIn) {
			return false // a person takes back what a person wrote
		}
		if r.Content == text {
			return true
		}
	}
	return false
}

// reworded reports whether it was a person who last worded a memory.
func reworded(past []memory.Revision) bool {
	i := slices.IndexFunc(past, func(r memory.Revision) bool { return r.Op == memory.OpUpdate })
	return i >= 0 && strings.HasPrefix(past[i].Reason, editedIn)
}

// written tells when the line of a memory was first published in its file. Of
// one that stands in every version which is kept, it is known when it was made.
func (p *pass) written(d *document, row memory.Memory) time.Time {
	if d == nil {
		return row.CreatedAt
	}
	at := p.Now()
	for i, b := range d.bases {
		if !strings.Contains(b.Text, row.ID) {
			break
		}
		at = b.At
		if i == memory.KeptVersions-1 && row.CreatedAt.Before(at) {
			at = row.CreatedAt
		}
	}
	return at
}
