package markdown

import (
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// separator keeps two lists, or a list and indented text, apart (CommonMark §5.3).
const separator = "<!-- -->"

// Put writes e into the document: in place of the entry with e's id, else
// inserted under the heading of its minute (made if missing, minutes sorted), or
// at the end of the file when it has none. Comments of the host stay. In place,
// only the comment is rewritten if the content is the same.
func (d *Document) Put(e Entry) {
	if d.sheet != nil {
		d.putFact(e)
		return
	}
	if i := d.find(e.ID); i >= 0 {
		d.replace(i, e)
		return
	}
	d.insert(e)
}

// Replace writes e in place of the entry known as id, which may differ from
// e.ID: so a derived id becomes a written one. It reports whether there was one.
func (d *Document) Replace(id string, e Entry) bool {
	i := d.find(id)
	if i >= 0 {
		d.replace(i, e)
	}
	return i >= 0
}

// ReplaceLine is Replace for the entry that starts at a line, from 1; it tells
// entries of the same id apart.
func (d *Document) ReplaceLine(line int, e Entry) bool {
	i := d.findLine(line)
	if i >= 0 {
		d.replace(i, e)
	}
	return i >= 0
}

// Remove deletes the first entry of that id and reports whether there was one.
// A fact leaves its place, without its content.
func (d *Document) Remove(id string) bool {
	i := d.find(id)
	if i >= 0 {
		d.remove(i)
	}
	return i >= 0
}

// RemoveLine deletes the entry that starts at a line, from 1.
func (d *Document) RemoveLine(line int) bool {
	i := d.findLine(line)
	if i >= 0 {
		d.remove(i)
	}
	return i >= 0
}

func (d *Document) findLine(line int) int {
	return d.findEntry(func(e *Entry) bool { return e.Line == line })
}

func (d *Document) replace(i int, e Entry) {
	if d.sheet != nil {
		d.replaceFact(i, e)
		return
	}
	old := d.entries[i]
	if e.Comments == "" {
		e.Comments = old.Comments
	}
	if e.Extra == nil {
		e.Extra = old.Extra
	}
	e.Section = old.Section
	lines := d.recomment(old, e)
	if lines == nil {
		lines = e.render(d.day)
	}
	d.splice(old.Line-1, old.Lines, terminate(lines, d.eol))
	d.entries[i] = d.entryAt(old.Line-1, len(lines), old.Section)
	d.settle(!old.Annotated)
}

// entryAt reads the entry that takes count lines from index at.
func (d *Document) entryAt(at, count int, minute string) Entry {
	part := &Document{path: d.path, day: d.day, cards: d.cards, lines: d.lines[at : at+count]}
	part.reread()
	if len(part.entries) != 1 || part.entries[0].Lines != count {
		d.fragile = true
		return Entry{Line: at + 1, Lines: count, Section: minute}
	}
	e := part.entries[0]
	e.Line, e.Section, e.Heading = at+1, minute, ""
	if !isCard(e.Form) {
		e.Heading = d.headingOver(at)
	}
	if e.Annotated && e.URI == "" {
		e.URI = e.impliedURI(d.day)
	}
	return e
}

// settle completes an edit: derived ids count occurrences, and where a
// construct is half open everything is read again.
func (d *Document) settle(derived bool) {
	if d.fragile {
		d.reread()
	} else if derived {
		d.deriveIDs()
	}
}

// recomment returns the lines of old with the comment of e, or nil if e says
// something else than old.
func (d *Document) recomment(old, e Entry) []string {
	same := old.Form == e.Form && old.Content == Sanitise(e.Content) && !isCard(e.Form)
	if !same || !old.Annotated && Unescape(old.Content) != old.Content {
		return nil
	}
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(old.raw, "\r\n"), "\r\n", "\n"), "\n")
	mark := lines[0][:min(old.marker, len(lines[0]))]
	text := cutTrailer(lines[0][len(mark):], ours).text
	if strings.TrimSpace(mark) == strings.TrimRight(mark, " ") && isBlank(text) {
		mark = strings.TrimRight(mark, " ") + " "
	}
	lines[0] = mark + join(text, e.comment(d.day), e.Comments)
	return lines
}

func (d *Document) remove(i int) {
	if d.sheet != nil {
		d.buryFact(i)
		return
	}
	e := d.entries[i]
	at := e.Line - 1
	next := at + e.Lines
	lines := d.spacing(next)
	glued := at > 0 && !isBlank(d.lines[at-1]) && !d.endsItem(at) && !d.endsHeading(at)
	if lines == nil && glued && next < len(d.lines) && !isBlank(d.lines[next]) {
		lines = []string{d.eol}
	}
	size := e.Lines
	if isCard(e.Form) && lines == nil && at > 0 && isBlank(d.lines[at-1]) && next < len(d.lines) && isBlank(d.lines[next]) {
		size++ // one blank line between what stands before and after is enough
	}
	d.splice(at, size, lines)
	d.entries = slices.Delete(d.entries, i, i+1)
	d.fragile = d.fragile || isCard(e.Form) || d.underCard(at)
	d.settle(!e.Annotated)
}

// underCard reports whether the heading above a line index is a card's: what
// follows may become its fields.
func (d *Document) underCard(at int) bool {
	i := lastIndex(d.heads, func(h heading) bool { return h.line < at })
	if i < 0 {
		return false
	}
	form, _ := cardForm(d.heads[i].text)
	return form != "" || d.cards
}

// spacing returns the lines that must stand before the line at index at so that
// it does not become part of the item before it.
func (d *Document) spacing(at int) []string {
	switch {
	case at >= len(d.lines):
		return nil
	case d.indentedAfter(at):
		return []string{d.eol, separator + d.eol, d.eol}
	case isBlank(d.lines[at]) || d.isHeading(at) || d.isItem(at):
		return nil
	}
	return []string{d.eol}
}

// indentedAfter reports whether the next line with text is indented so far that
// an item before it would swallow it.
func (d *Document) indentedAfter(at int) bool {
	for ; at < len(d.lines); at++ {
		if !isBlank(d.lines[at]) {
			columns, _ := indentation(d.lines[at])
			return columns >= 2
		}
	}
	return false
}

func (d *Document) isHeading(at int) bool {
	_, _, ok := atxHeading(bare(d.lines[at]))
	return ok
}

func (d *Document) endsHeading(at int) bool {
	return slices.ContainsFunc(d.heads, func(h heading) bool { return h.end == at })
}

func (d *Document) isItem(at int) bool {
	return slices.ContainsFunc(d.entries, func(e Entry) bool { return e.Line-1 == at && !isCard(e.Form) })
}

// insert places a new entry.
func (d *Document) insert(e Entry) {
	if d.topic != "" && e.learned != "" {
		e.Section = e.learned
	}
	switch {
	case len(d.lines) == 0:
		d.start(e)
		d.reread()
	case isCard(e.Form):
		d.insertBlock(d.beforeLater(e.Section), e.render(d.day))
		d.reread()
	case e.Section == "":
		e.Section = d.minuteAt(len(d.lines))
		d.insertAt(len(d.lines), e)
	default:
		d.insertMinute(e)
	}
}

// start fills an empty document.
func (d *Document) start(e Entry) {
	var lines []string
	if d.day != "" {
		lines = append(lines, "# "+d.day, "")
	}
	if d.topic != "" {
		lines = append(lines, "# "+d.topic, "")
	}
	if e.Section != "" && !isCard(e.Form) {
		lines = append(lines, "## "+e.Section, "")
	}
	d.lines = terminate(append(lines, e.render(d.day)...), d.eol)
}

// minuteAt returns the minute whose section the line at index at belongs to.
func (d *Document) minuteAt(at int) string {
	minute := ""
	for _, h := range d.heads {
		if h.line < at && h.level <= 2 {
			minute = h.minute
		}
	}
	return minute
}

// insertMinute places an entry under the heading of its minute.
func (d *Document) insertMinute(e Entry) {
	i := slices.IndexFunc(d.heads, func(h heading) bool { return h.minute == e.Section })
	if i < 0 {
		d.insertSection(e)
		return
	}
	start, end := d.heads[i].end, len(d.lines)
	if i+1 < len(d.heads) {
		end = d.heads[i+1].line
	}
	d.insertAt(d.placeIn(start, end, e.Number), e)
}

// insertSection makes the section of e's minute, with e in it.
func (d *Document) insertSection(e Entry) {
	item := e.render(d.day)
	at := d.insertBlock(d.beforeLater(e.Section), append([]string{"## " + e.Section, ""}, item...))
	i := slices.IndexFunc(d.heads, func(h heading) bool { return h.line > at })
	if i < 0 {
		i = len(d.heads)
	}
	d.heads = slices.Insert(d.heads, i, heading{line: at, end: at + 1, level: 2, text: e.Section, minute: e.Section})
	d.enter(at+2, len(item), e.Section)
}

// enter reads the new entry at a line index into the list of entries.
func (d *Document) enter(at, count int, minute string) {
	i := d.findEntry(func(e *Entry) bool { return e.Line-1 > at })
	if i < 0 {
		i = len(d.entries)
	}
	d.entries = slices.Insert(d.entries, i, d.entryAt(at, count, minute))
	d.settle(false)
}

// placeIn returns the index for an entry of that number among the lines from
// start to end: before the first higher number, else after the last entry, else
// after the text.
func (d *Document) placeIn(start, end, number int) int {
	at := 0
	for _, e := range d.entries {
		if e.Line-1 < start || e.Line-1 >= end || isCard(e.Form) {
			continue
		}
		if number > 0 && e.Number > number {
			return e.Line - 1
		}
		at = e.Line - 1 + e.Lines
	}
	if at > 0 {
		return at
	}
	for at = end; at > start && isBlank(d.lines[at-1]); at-- {
	}
	if at == start && at < end {
		at++ // the section was emptied: its blank line serves again
	}
	return at
}

// beforeLater returns the index of the first heading of a later minute, else
// the end of the document.
func (d *Document) beforeLater(minute string) int {
	for _, h := range d.heads {
		if minute != "" && h.minute > minute {
			return h.line
		}
	}
	return len(d.lines)
}

// insertAt inserts a list item at a line index, apart from what is not a list.
func (d *Document) insertAt(at int, e Entry) {
	item := e.render(d.day)
	lines, first := terminate(item, d.eol), at
	if at > 0 && !isBlank(d.lines[at-1]) && !d.endsItem(at) {
		lines, first = append([]string{d.eol}, lines...), at+1
	}
	d.splice(at, 0, append(lines, d.spacing(at)...))
	d.enter(first, len(item), e.Section)
}

// endsItem reports whether the line before index at is the last of a list item.
func (d *Document) endsItem(at int) bool {
	return slices.ContainsFunc(d.entries, func(e Entry) bool { return e.Line-1+e.Lines == at && !isCard(e.Form) })
}

// insertBlock inserts a section, with a blank line before and after it, and
// returns the index of its first line.
func (d *Document) insertBlock(at int, block []string) int {
	lines, first := terminate(block, d.eol), at
	if at > 0 && !isBlank(d.lines[at-1]) {
		lines, first = append([]string{d.eol}, lines...), at+1
	}
	if at < len(d.lines) {
		lines = append(lines, d.eol)
	}
	d.splice(at, 0, lines)
	return first
}

// splice replaces count lines from index at and moves what stands below. Only the
// last line of a document may lack a terminator; a replaced last line keeps
// lacking it.
func (d *Document) splice(at, count int, lines []string) {
	end := at + count
	if n := len(d.lines); end == n && n > 0 && len(lines) > 0 && !strings.HasSuffix(d.lines[n-1], "\n") {
		if count > 0 {
			lines[len(lines)-1] = bare(lines[len(lines)-1])
		} else {
			d.lines[n-1] += d.eol
			d.fragile = true
		}
	}
	d.lines = slices.Replace(d.lines, at, end, lines...)
	d.shift(end, len(lines)-count)
}

func (d *Document) shift(from, by int) {
	for i := range d.entries {
		if d.entries[i].Line-1 >= from {
			d.entries[i].Line += by
		}
	}
	for i := range d.heads {
		if d.heads[i].line >= from {
			d.heads[i].line += by
			d.heads[i].end += by
		}
	}
}

// WithIdentity returns e with the identity of m: to write a person's line out with
// a comment, Replace it by this.
func (e Entry) WithIdentity(m memory.Memory) Entry {
	id := FromMemory(m)
	id.Content, id.Title, id.Fields, id.Form = e.Content, e.Title, e.Fields, e.Form
	id.Comments, id.Section = e.Comments, e.Section
	if e.Fact != nil && id.Fact != nil {
		f := *e.Fact
		f.Meta, f.ID = id.Fact.Meta, id.Fact.ID
		id.Fact = &f
	}
	return id
}
