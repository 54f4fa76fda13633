package markdown

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/memory"
)

// ParseOutline reads MEMORY.md line by line. resolve returns the id of the memory
// that a link leads to, "" if none; nil resolves nothing.
func ParseOutline(src []byte, resolve func(link string) string) memory.Outline {
	d := Parse(MemoryFile, src)
	o := memory.Outline{Exists: len(src) > 0}
	head := 0
	current := ""
	for i, raw := range d.lines {
		for head < len(d.heads) && d.heads[head].line <= i {
			current = d.heads[head].text
			head++
		}
		l := memory.OutlineLine{Number: i + 1, Text: bare(raw), Heading: current, Link: linkOf(raw)}
		if l.Link != "" && resolve != nil {
			l.MemoryID = resolve(l.Link)
		}
		o.Lines = append(o.Lines, l)
	}
	return o
}

// Disown makes people's lines of those that are not in the version which we
// published last: whoever worded a line of ours anew owns it, link and all.
func Disown(o memory.Outline, published []byte) {
	ours := recentTexts(published)
	for i, l := range o.Lines {
		if ours[strings.TrimSpace(l.Text)] == 0 {
			o.Lines[i].MemoryID = ""
		}
	}
}

// linkOf returns the target of the last inline link of a list line, or "".
func linkOf(line string) string {
	if _, ok := listMarker(bare(line)); !ok {
		return ""
	}
	text := cutTrailer(bare(line), ours).text
	open := strings.LastIndex(text, "](")
	if open < 0 {
		return ""
	}
	target, _, found := strings.Cut(text[open+2:], ")")
	if !found {
		return ""
	}
	return decodeValue(strings.Trim(target, "<>"))
}

// OutlineLimits are the caps of MEMORY.md; 0 sets none.
type OutlineLimits struct {
	Lines, Characters, Bytes int
}

// outlineSize is what the limits count.
type outlineSize struct{ lines, characters, bytes int }

func sizeOf(text string) outlineSize {
	return outlineSize{strings.Count(text, "\n"), utf8.RuneCountInString(text), len(text)}
}

func (s outlineSize) plus(o outlineSize) outlineSize {
	return outlineSize{s.lines + o.lines, s.characters + o.characters, s.bytes + o.bytes}
}

func (s outlineSize) minus(o outlineSize) outlineSize {
	return outlineSize{s.lines - o.lines, s.characters - o.characters, s.bytes - o.bytes}
}

// allow reports whether a size keeps within the limits.
func (l OutlineLimits) allow(s outlineSize) bool {
	return (l.Lines == 0 || s.lines <= l.Lines) &&
		(l.Characters == 0 || s.characters <= l.Characters) &&
		(l.Bytes == 0 || s.bytes <= l.Bytes)
}

// OutlineEdit is what compound wants of MEMORY.md.
type OutlineEdit struct {
	Projection memory.Projection // our lines, best first in each section
	Demoted    []memory.Demotion // lines to take out, ours or a person's
	Published  []byte            // the version that we wrote last, nil if unknown: a line that is not in it is a person's
	Resolve    func(link string) string
	Language   Language
	Limits     OutlineLimits
	Overflow   string // path of the file that takes people's lines which do not fit
}

// EditOutline returns the new text of MEMORY.md. Our lines are found by their
// links; people's lines stay verbatim where they are. If the text is over its
// limits our own importance comments go first, then our last lines, then people's
// blocks from the end: these are returned, to be kept in the overflow file, to
// which the text then links.
func EditOutline(src []byte, e OutlineEdit) (text []byte, overflow []memory.Demotion) {
	o := outliner{edit: e, doc: Parse(MemoryFile, src)}
	o.read(src)
	o.place()
	o.shrink()
	return o.bytes(), o.overflow
}

// outlineRow is one line of the new text.
type outlineRow struct {
	text     string // with terminator
	line     int    // in the source, from 1; 0 for a new one
	heading  string // level 2 heading above it, or itself
	isHead   bool
	ours     bool
	out      bool   // to be moved out
	spacing  bool   // the blank lines after what is moved out
	stripped string // the text without the importance that we add
}

type outliner struct {
	edit     OutlineEdit
	doc      *Document
	rows     []outlineRow
	placed   map[string]bool // links
	overflow []memory.Demotion
}

// read takes over the lines that stay, and rewrites ours.
func (o *outliner) read(src []byte) {
	o.placed = map[string]bool{}
	wanted := map[string]memory.ProjectedLine{}
	for _, s := range o.edit.Projection.Sections {
		for _, l := range s.Entries {
			wanted[l.Link] = l
		}
	}
	outline := ParseOutline(src, o.edit.Resolve)
	if o.edit.Published != nil {
		Disown(outline, o.edit.Published)
	}
	for _, l := range outline.Lines {
		raw := o.doc.lines[l.Number-1]
		mine := l.MemoryID != ""
		want, stays := wanted[l.Link]
		switch {
		case o.demoted(l) || mine && (!stays || o.placed[l.Link]):
			continue
		case mine:
			o.placed[l.Link] = true
			row := o.row(want, cutTrailer(l.Text, ours).host)
			row.heading, row.line = l.Heading, l.Number
			o.rows = append(o.rows, row)
		default:
			o.placed[l.Link] = o.placed[l.Link] || l.Link != ""
			_, _, head := atxHeading(l.Text)
			o.rows = append(o.rows, outlineRow{text: raw, line: l.Number, heading: l.Heading, isHead: head, stripped: raw})
		}
	}
}

func (o *outliner) demoted(l memory.OutlineLine) bool {
	return slices.ContainsFunc(o.edit.Demoted, func(d memory.Demotion) bool {
		return d.Line.Number == l.Number && d.Line.Text == l.Text
	})
}

// row renders one line of ours; host are comments that stand on it already.
func (o *outliner) row(l memory.ProjectedLine, host string) outlineRow {
	text := listingLine(l)
	r := outlineRow{ours: true, stripped: join(text, host) + o.doc.eol}
	if host == "" && l.Importance > 0 {
		host = fmt.Sprintf("<!-- importance: %d -->", min(10, max(1, int(math.Round(l.Importance*10)))))
	}
	r.text = join(text, host) + o.doc.eol
	return r
}

// place adds the lines that do not stand anywhere yet, under their headings.
func (o *outliner) place() {
	if len(o.rows) == 0 && len(o.edit.Projection.Sections) > 0 {
		o.rows = append(o.rows, outlineRow{text: "# MEMORY" + o.doc.eol, isHead: true})
	}
	for _, s := range o.edit.Projection.Sections {
		var rows []outlineRow
		for _, l := range s.Entries {
			if !o.placed[l.Link] {
				o.placed[l.Link] = true
				rows = append(rows, o.row(l, ""))
			}
		}
		if len(rows) > 0 {
			o.insert(s.Name, rows)
		}
	}
}

// insert puts rows at the end of the section of that name.
func (o *outliner) insert(name string, rows []outlineRow) {
	zh, en := outlineHeading(name)
	under := func(r outlineRow) bool { return strings.EqualFold(r.heading, zh) || strings.EqualFold(r.heading, en) }
	at := 0
	for i, r := range o.rows {
		if under(r) && !isBlank(r.text) {
			at = i + 1
		}
	}
	if at == 0 {
		at = len(o.rows)
		rows = append(o.section(o.edit.Language.pick(zh, en)), rows...)
	} else if o.rows[at-1].isHead && at < len(o.rows) && isBlank(o.rows[at].text) {
		at++ // the section was emptied: its blank line serves again
	} else if !o.endsItem(at) {
		rows = append([]outlineRow{{text: o.doc.eol, stripped: o.doc.eol}}, rows...)
	}
	for i := range rows {
		rows[i].heading = o.edit.Language.pick(zh, en)
	}
	o.closeLine(at)
	o.rows = slices.Insert(o.rows, at, rows...)
}

func (o *outliner) blocks() []block {
	lines := make([]string, len(o.rows))
	for i, r := range o.rows {
		lines[i] = r.text
	}
	return scan(lines).blocks
}

func (o *outliner) endsItem(at int) bool {
	return slices.ContainsFunc(o.blocks(), func(b block) bool { return b.kind == itemBlock && b.first+b.count == at })
}

// section returns the rows of a new heading at the end of the file.
func (o *outliner) section(heading string) []outlineRow {
	blank := outlineRow{text: o.doc.eol, stripped: o.doc.eol}
	head := "## " + heading + o.doc.eol
	rows := []outlineRow{{text: head, stripped: head, isHead: true}, blank}
	if n := len(o.rows); n > 0 && !isBlank(o.rows[n-1].text) {
		rows = append([]outlineRow{blank}, rows...)
	}
	return rows
}

// closeLine terminates the row before at, if it was the last of a file without
// a line feed at its end.
func (o *outliner) closeLine(at int) {
	if at > 0 && !strings.HasSuffix(o.rows[at-1].text, "\n") {
		o.rows[at-1].text += o.doc.eol
		o.rows[at-1].stripped += o.doc.eol
	}
}

func outlineHeading(name string) (zh, en string) {
	switch name {
	case "identity":
		return "身份", "Identity"
	case "emotion":
		return "情感", "Emotions"
	case "knowledge":
		return "知识", "Knowledge"
	case "decision":
		return "决策", "Decisions"
	case "task":
		return "任务", "Tasks"
	case "event":
		return "事件", "Events"
	}
	return name, name
}

func (o *outliner) text() string {
	var b strings.Builder
	for _, r := range o.rows {
		b.WriteString(r.text)
	}
	return b.String()
}

// size measures the rows from first to end.
func (o *outliner) size(first, end int) outlineSize {
	var s outlineSize
	for _, r := range o.rows[first:end] {
		s = s.plus(sizeOf(r.text))
	}
	return s
}

func (o *outliner) bytes() []byte {
	if o.doc.bom {
		return []byte(bom + o.text())
	}
	return []byte(o.text())
}
