package markdown

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// factSheet is what a Document is made of when its file is an items.json: the
// same edits by id, on facts instead of lines.
type factSheet struct {
	Facts
	src    []byte
	broken error // why src is no list of facts; then nothing of it is changed
	edited bool
	of     []int // position in the list of each entry
}

// parseSheet reads an items.json as a document.
func (d *Document) parseSheet(src []byte) {
	s := &factSheet{src: src}
	s.Facts, s.broken = ParseFacts(src)
	d.sheet = s
	d.entries, s.of = nil, nil
	lines := factLines(s.List, src)
	seen := map[string]int{}
	for i, f := range s.List {
		if f.Meta.Purged {
			continue
		}
		e := f.entry(d.path, seen)
		e.Line, e.Lines = lines[i], 1
		d.entries, s.of = append(d.entries, e), append(s.of, i)
	}
	d.crossReference()
}

// Broken tells why the file cannot be read as what its name says, such as an
// items.json that is no JSON. Markdown is never broken.
func (d *Document) Broken() error {
	if d.sheet == nil {
		return nil
	}
	return d.sheet.broken
}

// IsFacts reports whether the file at path is an items.json.
func IsFacts(path string) bool { return kindOf(path) == KindFacts }

// factLines returns the line on which each fact begins, or, where several share
// one, their positions: an entry is told apart by its line.
func factLines(list []Fact, src []byte) []int {
	lines, at, line, last := make([]int, len(list)), 0, 1, 0
	for i, f := range list {
		found := bytes.Index(src[at:], f.source)
		if f.source == nil || found < 0 {
			return ordinals(list)
		}
		line += bytes.Count(src[at:at+found], []byte("\n"))
		if line <= last {
			return ordinals(list)
		}
		at += found
		lines[i], last = line, line
	}
	return lines
}

func ordinals(list []Fact) []int {
	lines := make([]int, len(list))
	for i := range lines {
		lines[i] = i + 1
	}
	return lines
}

// ownID recognises the identifiers that we make: 26 characters of base 32.
func ownID(id string) bool { return len(id) == 26 && memory.ValidID(id) && strings.ToLower(id) == id }

// entry is the fact as an entry of the file at path; seen counts the ids met so far.
func (f Fact) entry(path string, seen map[string]int) Entry {
	e := Entry{
		Form: memory.Fact, Type: memory.Knowledge, Content: Sanitise(f.Fact), Status: f.status(),
		URI: FactURI(path, f.ID), Fact: &f, raw: string(f.render()),
	}
	switch {
	case f.Meta.ID != "":
		e.ID, e.Annotated = f.Meta.ID, true
	case ownID(f.ID):
		e.ID, e.Annotated = f.ID, true
	default:
		key := f.ID
		if key == "" {
			key = f.Fact
		}
		e.ID = memory.DerivedID(path, key, seen[key])
		seen[key]++
	}
	if e.URI == "" {
		e.URI = FactURI(path, e.ID)
	}
	return e
}

// status is what the status of a fact means for its memory.
func (f Fact) status() memory.Status {
	switch {
	case f.Meta.Status != "":
		return f.Meta.Status
	case f.Status == string(memory.Superseded):
		return memory.Superseded
	}
	return memory.Active
}

// FactURI returns the address of a fact by the items.json that holds it, "" if
// id cannot be part of one.
func FactURI(path, id string) string {
	area, entity, ok := EntityOf(path)
	if !ok || id == "" || strings.ContainsAny(id, "/#") {
		return ""
	}
	uri := "fact://" + area + "/" + entity + "/" + id
	if _, err := memory.ParseURI(uri); err != nil {
		return ""
	}
	return uri
}

// EntityOf returns area and name of the entity whose folder a file lies in.
func EntityOf(path string) (area, entity string, ok bool) {
	rest, ok := strings.CutPrefix(WithinTree(path), lifeFolder+"/")
	parts := strings.Split(rest, "/")
	if !ok || len(parts) != 3 || !slices.Contains(Areas(), parts[0]) {
		return "", "", false
	}
	return parts[0], parts[1], true
}

// crossReference tells of every replaced fact the id of the memory that
// replaced it, and the other way round.
func (d *Document) crossReference() {
	byFact := map[string]int{}
	for i := range d.entries {
		byFact[d.entries[i].Fact.ID] = i
	}
	for i := range d.entries {
		e := &d.entries[i]
		by := e.Fact.SupersededBy
		e.replacedBy = by
		if k, ok := byFact[by]; ok && by != "" {
			e.replacedBy = d.entries[k].ID
			d.entries[k].replaces = e.ID
		}
	}
}

// FactOf returns the fact that stands for a memory.
func FactOf(m memory.Memory) Fact {
	f := Fact{
		ID: m.ID, Fact: Sanitise(m.Content), Status: string(memory.Active), CreatedAt: wholeSecond(m.CreatedAt),
		LastAccessed: wholeSecond(m.LastAccess), AccessCount: m.AccessCount, SupersededBy: m.SupersededBy,
		Meta: FactMeta{ID: m.ID, Trust: m.Trust, Source: m.Source, Links: m.Links},
	}
	if rest, ok := strings.CutPrefix(m.URI, "fact://"); ok {
		if parts := strings.SplitN(rest, "/", 3); len(parts) == 3 {
			f.ID = parts[2]
		}
	}
	switch m.Status {
	case memory.Superseded:
		f.Status = string(memory.Superseded)
	case memory.Forgotten:
		f.Status, f.Meta.Status = string(memory.Superseded), m.Status
	case memory.Proposed, memory.Archived:
		f.Meta.Status = m.Status
	}
	return f
}

func wholeSecond(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Truncate(time.Second)
}

// putFact writes an entry into the list, in place of the fact with its id.
func (d *Document) putFact(e Entry) {
	if e.Fact == nil {
		f := FactOf(e.Memory())
		e.Fact = &f
	}
	if i := d.find(e.ID); i >= 0 {
		d.replaceFact(i, e)
		return
	}
	s := d.sheet
	at := slices.IndexFunc(s.List, func(f Fact) bool { return f.Meta.Purged && (f.ID == e.Fact.ID || f.Meta.ID == e.ID) })
	if at < 0 {
		at = len(s.List)
		s.List = append(s.List, Fact{})
	}
	s.List[at] = d.written(Fact{extra: s.List[at].extra}, e, at)
	d.refresh()
}

func (d *Document) replaceFact(i int, e Entry) {
	s := d.sheet
	if e.Fact == nil {
		f := FactOf(e.Memory())
		e.Fact = &f
	}
	s.List[s.of[i]] = d.written(s.List[s.of[i]], e, s.of[i])
	d.refresh()
}

// written is the fact that replaces old: what people added to it stays.
func (d *Document) written(old Fact, e Entry, at int) Fact {
	f := *e.Fact
	f.Fact, f.extra, f.source = Sanitise(e.Content), old.extra, nil
	if old.ID != "" && !d.taken(old.ID, at) {
		f.ID = old.ID
	}
	if f.Meta.ID = e.ID; f.ID == e.ID {
		f.Meta.ID = ""
	}
	if !old.CreatedAt.IsZero() {
		f.CreatedAt = old.CreatedAt
	}
	if f.LastAccessed.Before(old.LastAccessed) || f.LastAccessed.Equal(old.LastAccessed) {
		f.LastAccessed = old.LastAccessed
	}
	if old.Status != "" && old.status() == f.status() {
		f.Status = old.Status
	}
	if f.Status != string(memory.Superseded) {
		f.SupersededAt, f.SupersededBy = time.Time{}, ""
	} else if !old.SupersededAt.IsZero() {
		f.SupersededAt = old.SupersededAt
	}
	return f
}

// taken reports whether an earlier fact of the list has the same id.
func (d *Document) taken(id string, before int) bool {
	return slices.ContainsFunc(d.sheet.List[:before], func(f Fact) bool { return f.ID == id })
}

// refresh reads the entries of the changed list; those that stood keep their lines.
func (d *Document) refresh() {
	s := d.sheet
	s.edited = true
	lines, last := map[int]int{}, 0
	for i, e := range d.entries {
		lines[s.of[i]] = e.Line
		last = max(last, e.Line)
	}
	d.entries, s.of = nil, nil
	seen := map[string]int{}
	for i, f := range s.List {
		if f.Meta.Purged {
			continue
		}
		e := f.entry(d.path, seen)
		if e.Line = lines[i]; e.Line == 0 {
			last++
			e.Line = last
		}
		e.Lines = 1
		d.entries, s.of = append(d.entries, e), append(s.of, i)
	}
	d.crossReference()
}

// buryFact empties a fact whose content was removed, and leaves its place.
func (d *Document) buryFact(i int) {
	d.sheet.Purge(d.sheet.of[i])
	d.refresh()
}

// TakeOut removes an entry that has moved to another file. Of an items.json,
// where Remove leaves the place of a fact, it takes the whole fact.
func (d *Document) TakeOut(id string) bool {
	if d.sheet == nil {
		return d.Remove(id)
	}
	i := d.find(id)
	if i < 0 {
		return false
	}
	at := d.sheet.of[i]
	d.sheet.List = slices.Delete(d.sheet.List, at, at+1)
	d.sheet.edited = true
	src := d.sheet.Render()
	sheet := d.sheet
	d.parseSheet(src)
	d.sheet.src, d.sheet.edited = sheet.src, true
	return true
}

// sheetBytes is the text of the items.json. Facts name each other by the ids
// that they have in the file.
func (d *Document) sheetBytes() []byte {
	s := d.sheet
	if !s.edited || s.broken != nil {
		return s.src
	}
	names := map[string]string{}
	for i, e := range d.entries {
		names[e.ID] = s.List[s.of[i]].ID
	}
	for i := range s.List {
		if name := names[s.List[i].SupersededBy]; name != "" {
			s.List[i].SupersededBy = name
		}
	}
	src := s.Render()
	fresh := &Document{path: d.path}
	fresh.parseSheet(src)
	d.entries = fresh.entries
	d.sheet.src, d.sheet.edited = src, false
	d.sheet.List, d.sheet.of = fresh.sheet.List, fresh.sheet.of
	return src
}

// mergeSheets is Merge for an items.json. One that cannot be read is left as
// the person has it, and ours is the conflict.
func mergeSheets(base, ours, theirs []byte) Merged {
	m, err := MergeFacts(base, ours, theirs)
	if err != nil {
		return Merged{Text: theirs, Conflicts: []Conflict{{Ours: string(ours)}}}
	}
	return m
}
