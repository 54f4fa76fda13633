package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// hiddenFor is how long a line that a person took out of RECENT.md stays out;
// MEMORY.md shows it never again.
const hiddenFor = 7 * 24 * time.Hour

// shown is what we wrote into one derived file, and what people took out of
// it. It holds digests of lines, no text.
type shown struct {
	Lines  map[string]string    `json:"lines"`  // digest of a line → id of its memory
	Links  map[string]string    `json:"links"`  // link of a line → id of its memory
	Hidden map[string]time.Time `json:"hidden"` // id → until when; the zero time: for good
	Next   *announced           `json:"next,omitempty"`

	settled bool // Next is settled, which is not saved yet
}

func anySettled(files map[string]*shown) bool {
	for _, s := range files {
		if s.settled {
			return true
		}
	}
	return false
}

// loadShown reads what is known of the derived files, by path.
func (m *Mirror) loadShown() (map[string]*shown, error) {
	raw, err := readOwn(m.Root, projectedFile)
	if err != nil {
		return nil, err
	}
	files := map[string]*shown{}
	if raw != nil {
		if files, err = m.decodeShown(string(raw)); err != nil {
			m.Log("what the derived files show is not known any more: "+projectedFile+" is damaged, and made again", err)
			files = map[string]*shown{}
		}
	}
	for _, name := range m.derivedFiles() {
		if files[name] == nil {
			files[name] = &shown{}
		}
	}
	for name, s := range files {
		if s == nil { // nobody but a person writes that
			delete(files, name)
			continue
		}
		if s.Hidden == nil {
			s.Hidden = map[string]time.Time{}
		}
		if err := m.settleAnnounced(name, s); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (m *Mirror) saveShown(files map[string]*shown) error {
	raw, err := json.MarshalIndent(files, "", " ")
	if err != nil {
		return fmt.Errorf("encoding what the derived files show: %w", err)
	}
	return replaceOwn(m.Root, projectedFile, raw)
}

// hides reports whether a person took a memory out of the file.
func (s *shown) hides(id string, now time.Time) bool {
	until, hidden := s.Hidden[id]
	return hidden && (until.IsZero() || now.Before(until))
}

// hidden lists the ids that the file is not to show now.
func (s *shown) hidden(now time.Time) []string {
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(s.Hidden)) {
		if s.hides(id, now) {
			ids = append(ids, id)
		}
	}
	return ids
}

// lineKey is the digest under which a line of a derived file is known.
func lineKey(line string) string { return digest(strings.TrimSpace(line))[:24] }

// projection takes over what a person took out of a derived file: not to be
// shown again. A stale save says nothing about what it had not loaded.
func (p *pass) projection(ctx context.Context, d *document) error {
	if telling, err := p.tellsWhatItLacks(ctx, d); err != nil || !telling {
		return err
	}
	files := p.shown // of this pass: a person may have edited several
	if files == nil {
		var err error
		if files, err = p.loadShown(); err != nil {
			return err
		}
	}
	s := files[d.path]
	if s == nil {
		return nil
	}
	stands := map[string]bool{}
	for line := range strings.Lines(d.text) {
		stands[lineKey(line)] = true
	}
	hidden := p.report.Hidden
	for _, key := range slices.Sorted(maps.Keys(s.Lines)) {
		if !stands[key] {
			p.hide(d.path, s, key)
		}
	}
	if p.report.Hidden > hidden || anySettled(files) {
		p.shown = files
	}
	return nil
}

// tellsWhatItLacks reports whether what does not stand in a derived file was taken
// out on purpose: not if we have written none yet, nor in a stale save. Nearly always
// it stands as we wrote it last, and its older versions need not be looked at.
func (p *pass) tellsWhatItLacks(ctx context.Context, d *document) (bool, error) {
	newest, err := p.newestBase(ctx, d.path)
	if err != nil || newest == d.text && newest != "" {
		return err == nil, err
	}
	if err := p.chooseBase(ctx, d); err != nil {
		return false, err
	}
	return !d.stale && len(d.bases) > 0, nil
}

func (p *pass) hide(name string, s *shown, key string) {
	until := time.Time{}
	if markdown.WithinTree(name) == markdown.RecentFile {
		until = p.Now().Add(hiddenFor)
	}
	s.Hidden[s.Lines[key]] = until
	delete(s.Lines, key)
	p.report.Hidden++
}

// foreignLines returns the lines of a derived file that people wrote, each
// list item and paragraph as a passage of its own.
func (p *pass) foreignLines(d *document) []markdown.Passage {
	files, err := p.loadShown()
	if err != nil {
		return nil
	}
	var ours map[string]string
	switch s := files[d.path]; {
	case s != nil:
		ours = s.Lines
	case markdown.Classify(d.path, memory.TrustUser).Kind != markdown.KindSummary:
		return nil
	}
	var out []markdown.Passage
	for _, piece := range pieces(d.text) {
		_, written := ours[lineKey(piece.Text)]
		if written = written || ours == nil && formOfOurs(d, piece); !written && !furniture(piece.Text) {
			piece.Text = plain(piece.Text)
			out = append(out, piece)
		}
	}
	return out
}

// formOfOurs tells by its form that we wrote a line of a derived file, where
// nothing is known of the file any more: in a copy of the Markdown alone every
// memory would be found twice, and the second time as a person's.
func formOfOurs(d *document, piece markdown.Passage) bool {
	if markdown.WithinTree(d.path) == markdown.RecentFile {
		return strings.Contains(d.text, "\n"+recentStamp) && isItem(piece.Text)
	}
	return markdown.ShowsByID(piece.Text) || markdown.ShowsFact(piece.Heading, piece.Text)
}

// plain is the text of a list item without its mark and the host's comments.
func plain(item string) string {
	if !isItem(item) {
		return item
	}
	text, comments, found := strings.Cut(strings.TrimSpace(item)[1:], " <!--")
	if found && !strings.HasSuffix(comments, "-->") {
		return strings.TrimSpace(item)[2:]
	}
	return strings.TrimSpace(text)
}

const recentStamp = "_auto-updated:"

// furniture are the lines that belong to the template of a derived file.
func furniture(line string) bool {
	return strings.HasPrefix(line, recentStamp) || strings.HasPrefix(line, "<!--")
}

// pieces cuts a text into list items and paragraphs, each with the heading above
// it. A block of code is never cut, whatever its lines begin with.
func pieces(text string) []markdown.Passage {
	var out []markdown.Passage
	code := markdown.CodeBlocks(text)
	heading, open := "", false
	number, closes := 0, 0 // the line at hand, and the one that closes the block of code around it
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		inside := number <= closes
		closes = max(closes, code[number])
		switch {
		case inside || open && trimmed != "" && !isHeading(trimmed) && !isItem(line):
			last := &out[len(out)-1]
			last.Text += "\n" + strings.TrimRight(line, "\r\n")
			last.Lines++
		case trimmed == "":
			open = false
		case isHeading(trimmed):
			heading, open = strings.TrimSpace(strings.TrimLeft(trimmed, "#")), false
		default:
			out = append(out, markdown.Passage{Heading: heading, Text: strings.TrimRight(line, "\r\n"), Line: number, Lines: 1})
			open = true
		}
	}
	return out
}

// isHeading reports whether a line is a heading, rather than a #tag.
func isHeading(line string) bool {
	rest := strings.TrimLeft(line, "#")
	return rest != line && (rest == "" || strings.ContainsAny(rest[:1], " \t"))
}

// isItem reports whether a line starts a list item.
func isItem(line string) bool {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"- ", "* ", "+ "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return false
}
