package markdown

import (
	"path"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Document is a parsed file. Entries of it are edited by id; every byte that an
// edit does not concern stays as it was. It is not safe for concurrent use.
type Document struct {
	path    string
	day     string // of a journal, "2026-02-21"
	cards   bool   // every section is a task card
	topic   string // its name, of a file that holds one topic under the days on which things were learned
	bom     bool
	eol     string
	lines   []string // with terminators
	entries []Entry
	heads   []heading
	fragile bool       // an edit may change how lines far away are read
	sheet   *factSheet // of an items.json, which has no lines; else nil
}

// heading is one heading of a document.
type heading struct {
	line   int // index of its first line
	end    int // index after its last line
	level  int
	text   string
	minute string // "22:00" if the text is a time of day and the level is 2; in a topic file the day
}

// Parse reads the file at path (relative to the workspace, with slashes), whose
// bytes are src. Any text can be parsed.
func Parse(path string, src []byte) *Document {
	d := &Document{path: path, day: dayOf(path), cards: strings.HasPrefix(WithinTree(path), tasksFolder+"/")}
	if d.day == "" && strings.HasPrefix(WithinTree(path), topicsFolder+"/") {
		d.topic = strings.TrimSuffix(filename(path), ".md")
	}
	if IsFacts(path) {
		d.parseSheet(src)
		return d
	}
	text, hasBOM := strings.CutPrefix(string(src), bom)
	d.bom = hasBOM
	d.lines = splitLines(text)
	d.eol = lineEnding(d.lines)
	d.reread()
	return d
}

// Path returns the path that the document was parsed under.
func (d *Document) Path() string { return d.path }

// Bytes returns the file's text with all edits.
func (d *Document) Bytes() []byte {
	if d.sheet != nil {
		return d.sheetBytes()
	}
	text := strings.Join(d.lines, "")
	if d.bom {
		text = bom + text
	}
	return []byte(text)
}

// Entries returns the entries in the order of their lines.
func (d *Document) Entries() []Entry { return slices.Clone(d.entries) }

// ByID returns the first entry of that id.
func (d *Document) ByID(id string) (Entry, bool) {
	if i := d.find(id); i >= 0 {
		return d.entries[i], true
	}
	return Entry{}, false
}

func (d *Document) find(id string) int {
	return d.findEntry(func(e *Entry) bool { return e.ID == id })
}

// findEntry is slices.IndexFunc without a copy of each entry, which is large.
func (d *Document) findEntry(wanted func(*Entry) bool) int {
	for i := range d.entries {
		if wanted(&d.entries[i]) {
			return i
		}
	}
	return -1
}

// Duplicates returns the entries whose id an earlier entry of the file carries.
func (d *Document) Duplicates() []Entry {
	seen := map[string]bool{}
	var out []Entry
	for _, e := range d.entries {
		if seen[e.ID] {
			out = append(out, e)
		}
		seen[e.ID] = true
	}
	return out
}

func filename(file string) string { return path.Base(file) }

// dayOf returns the day that a dated file name begins with, "" for any other.
func dayOf(file string) string {
	name := strings.TrimSuffix(path.Base(file), ".md")
	if len(name) < len(time.DateOnly) {
		return ""
	}
	day := name[:len(time.DateOnly)]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// minuteOf reads the time of day that a heading begins with, as "22:00".
func minuteOf(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if len(first) == len("9:05") {
		first = "0" + first
	}
	if t, err := time.Parse("15:04", first); err == nil && len(first) == len("15:04") {
		return t.Format("15:04")
	}
	return ""
}

// reread builds entries and headings from the lines.
func (d *Document) reread() {
	s := scan(d.lines)
	blocks := s.blocks
	d.entries, d.heads, d.fragile = nil, nil, s.halfOpen
	minute, last := "", ""
	above := trail{day: d.day}
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		switch b.kind {
		case headingBlock:
			h := d.heading(b)
			d.heads = append(d.heads, h)
			above.enter(h)
			if b.level <= 2 {
				minute = h.minute
			}
			if minute != "" {
				last = minute
			}
			i += d.card(blocks[i:], last)
		case itemBlock:
			d.addItem(b, minute, above.names())
		}
	}
	d.deriveIDs()
}

func (d *Document) heading(b block) heading {
	h := heading{line: b.first, end: b.first + b.count, level: b.level, text: Unescape(cutTrailer(b.text, ours).text)}
	switch {
	case b.level != 2:
	case d.topic != "":
		h.minute = dayOf(h.text)
	default:
		h.minute = minuteOf(h.text)
	}
	return h
}

func (d *Document) bareLines(b block) []string {
	out := make([]string, b.count)
	for i := range out {
		out[i] = bare(d.lines[b.first+i])
	}
	return out
}

func (d *Document) addItem(b block, minute, heading string) {
	e := Entry{Section: minute, Heading: heading}
	readItem(d.bareLines(b), b, d.day, &e)
	d.add(e, b.first, b.count)
}

func (d *Document) add(e Entry, first, count int) {
	e.Line, e.Lines = first+1, count
	e.raw = strings.Join(d.lines[first:first+count], "")
	d.entries = append(d.entries, e)
}

// card reads the card that blocks[0] heads, and returns how many blocks after
// the heading belong to it.
func (d *Document) card(blocks []block, minute string) int {
	t := cutTrailer(blocks[0].text, ours)
	form, title := cardForm(Unescape(t.text))
	if form == "" && d.cards && blocks[0].level == 2 {
		form, title = memory.Task, Unescape(t.text)
	}
	if form == "" {
		return 0
	}
	e := Entry{Form: form, Type: usualType(form), Title: oneLine(title), Status: memory.Active, Comments: t.host, Section: minute}
	fields, used := d.cardItems(blocks[1:])
	m, annotated := readMetadata(t.ours, e.Type)
	if !annotated && len(fields) == 0 {
		return 0
	}
	e.readCard(fields)
	if annotated {
		status := e.Status
		e.describe(m, d.day)
		if fieldValue(e.Fields, "status") != "" {
			e.Status = status
		}
	} else {
		e.URI = e.impliedURI("")
	}
	end := blocks[used].first + blocks[used].count
	d.add(e, blocks[0].first, end-blocks[0].first)
	return used
}

// cardItems reads the list items that follow a card's heading, up to the first
// line that is neither item nor blank.
func (d *Document) cardItems(blocks []block) (fields []memory.Field, used int) {
	for i, b := range blocks {
		if b.kind == blankBlock {
			continue
		}
		if b.kind != itemBlock {
			break
		}
		f, ok := readField(d.bareLines(b), b)
		if !ok || ours(cutTrailer(bare(d.lines[b.first]), ours).ours) {
			break
		}
		fields, used = append(fields, f), i+1
	}
	return fields, used
}

// deriveIDs gives the entries without a comment the ids that follow from their text.
func (d *Document) deriveIDs() {
	seen := map[string]int{}
	for i := range d.entries {
		e := &d.entries[i]
		if e.Annotated {
			continue
		}
		key := e.Content
		if isCard(e.Form) {
			key = e.Title
		}
		e.ID = memory.DerivedID(d.path, key, seen[key])
		seen[key]++
	}
}
