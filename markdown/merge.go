package markdown

import (
	"slices"
	"strings"
)

// Conflict is a change of ours that gave way to a person's.
type Conflict struct {
	ID   string // of the entry; "" for a line without one
	Ours string // what we wanted there, as it would stand in the file; "" for a removal
}

// Merged is the result of a three-way merge.
type Merged struct {
	Text      []byte
	Conflicts []Conflict
}

// Merge joins two versions of the file at path that come from the same base:
// ours and theirs, a person's. It starts from theirs and applies what we
// changed: entries by id, wherever they stand now, and other lines by a
// three-way line merge. Where both changed the same entry or line theirs stays
// and ours is returned as a conflict. No line that the person added or changed
// is ever lost.
func Merge(path string, base, ours, theirs []byte) Merged {
	switch {
	case slices.Equal(base, ours):
		return Merged{Text: theirs}
	case slices.Equal(base, theirs), slices.Equal(ours, theirs):
		return Merged{Text: ours}
	}
	if IsFacts(path) {
		return mergeSheets(base, ours, theirs)
	}
	m := merger{base: Parse(path, base), ours: Parse(path, ours), theirs: Parse(path, theirs)}
	m.findTwice()
	m.written()
	m.prose()
	m.entries()
	merged := m.result.Bytes()
	if lostLine(base, theirs, merged) {
		return Merged{Text: theirs, Conflicts: []Conflict{{Ours: string(ours)}}}
	}
	return Merged{Text: merged, Conflicts: m.conflicts}
}

type merger struct {
	base, ours, theirs *Document
	result             *Document       // theirs with the changes so far
	twice              map[string]bool // ids that stand more than once in a version
	conflicts          []Conflict
}

func (m *merger) findTwice() {
	m.twice = map[string]bool{}
	for _, d := range []*Document{m.base, m.ours, m.theirs} {
		for _, e := range d.Duplicates() {
			m.twice[e.ID] = true
		}
	}
}

// written handles the lines of people that we gave a comment: in base and in
// theirs they get it too, where their text is unchanged, so that they count as
// the same entry in all three.
func (m *merger) written() {
	for _, e := range m.ours.entries {
		if !e.Annotated || m.base.find(e.ID) >= 0 || m.theirs.find(e.ID) >= 0 {
			continue
		}
		for _, d := range []*Document{m.base, m.theirs} {
			i := slices.IndexFunc(d.entries, func(o Entry) bool {
				return !o.Annotated && o.sameText(e) && m.ours.find(o.ID) < 0
			})
			if i < 0 {
				break
			}
			d.replace(i, e)
		}
	}
}

// lostLine reports whether a line with text that theirs has and base has not is
// missing from merged: the last guard of the promise.
func lostLine(base, theirs, merged []byte) bool {
	count := map[string]int{}
	for _, l := range splitLines(string(theirs)) {
		count[plainText(l)]++
	}
	for _, text := range [][]byte{base, merged} {
		for _, l := range splitLines(string(text)) {
			count[plainText(l)]--
		}
	}
	delete(count, "")
	for _, n := range count {
		if n > 0 {
			return true
		}
	}
	return false
}

// PlainLine is a line as a person sees it: without our comment and outer white
// space.
func PlainLine(line string) string { return plainText(line) }

// plainText is a line without our comment and outer white space.
func plainText(line string) string {
	t := cutTrailer(bare(strings.TrimPrefix(line, bom)), ours)
	return strings.TrimSpace(t.text + " " + t.host)
}

// entries applies our changes of annotated entries to the result, those apart
// whose id stands twice: they were merged as text.
func (m *merger) entries() {
	for _, e := range m.base.entries {
		if e.Annotated && !m.twice[e.ID] && m.ours.find(e.ID) < 0 {
			m.removed(e)
		}
	}
	for _, e := range m.ours.entries {
		if e.Annotated && !m.twice[e.ID] {
			m.changed(e)
		}
	}
}

func (m *merger) removed(base Entry) {
	now, ok := m.result.ByID(base.ID)
	if !ok {
		return
	}
	if now.bareRaw() != base.bareRaw() {
		m.conflicts = append(m.conflicts, Conflict{ID: base.ID})
		return
	}
	m.result.Remove(base.ID)
}

func (m *merger) changed(ours Entry) {
	base, inBase := m.base.ByID(ours.ID)
	now, inTheirs := m.result.ByID(ours.ID)
	switch {
	case inBase && base.bareRaw() == ours.bareRaw():
	case !inBase && !inTheirs:
		m.result.Put(ours)
	case inTheirs && now.bareRaw() == ours.bareRaw():
	case !inTheirs:
		m.conflict(ours)
	case inBase && now.bareRaw() == base.bareRaw():
		m.result.Replace(ours.ID, ours)
	default:
		m.bothChanged(base, ours, now)
	}
}

// bothChanged keeps a person's text and our metadata, unless both changed the text.
func (m *merger) bothChanged(base, ours, now Entry) {
	if !now.sameText(base) && !ours.sameText(base) && !now.sameText(ours) {
		m.conflict(ours)
		return
	}
	merged := ours
	if !now.sameText(base) {
		merged.Content, merged.Title, merged.Fields = now.Content, now.Title, now.Fields
	}
	merged.Comments = now.Comments
	m.result.Replace(ours.ID, merged)
}

func (e Entry) sameText(o Entry) bool {
	return e.Content == o.Content && e.Title == o.Title && e.Form == o.Form && slices.Equal(e.Fields, o.Fields)
}

// bareRaw is the raw text without line endings, which editors may convert.
func (e Entry) bareRaw() string {
	return strings.TrimRight(strings.ReplaceAll(e.raw, "\r\n", "\n"), "\n")
}

func (m *merger) conflict(e Entry) {
	m.conflicts = append(m.conflicts, Conflict{ID: e.ID, Ours: e.raw})
}
