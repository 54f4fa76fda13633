package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// place decides about the entries that no memory of their file accounts for:
// moved here from another file, a copy, back from the dead, or new.
func (p *pass) place(ctx context.Context) error {
	rows, err := p.rowsOf(ctx, p.strangers)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, s := range p.strangers {
		row, exists := rows[s.entry.ID]
		switch {
		case !exists && !seen[s.entry.ID]:
			err = p.added(s)
		case !exists:
			p.copied(s, memory.Memory{})
		default:
			err = p.relocated(ctx, s, row)
		}
		if err != nil {
			return err
		}
		seen[s.entry.ID] = true
	}
	return p.newLines(ctx)
}

// relocated handles an annotated entry whose memory is known, but not as one of this file.
func (p *pass) relocated(ctx context.Context, s stranger, row memory.Memory) error {
	if row.Status == memory.Forgotten {
		return p.returned(ctx, s, row)
	}
	if p.findLost(row.ID) {
		p.move(s.doc, s.entry, row)
		return nil
	}
	if w, waits := p.pending[row.ID]; waits && (w.File == s.doc.path || row.Home.File == s.doc.path) {
		return nil // we are about to move the line ourselves
	}
	p.copied(s, row)
	return nil
}

// move makes the file in which an entry now stands its home.
func (p *pass) move(d *document, e markdown.Entry, row memory.Memory) {
	p.dropLost(row.ID)
	row.Home = memory.Place{File: d.path, Line: e.Line}
	p.report.Moved++
	p.change(d, memory.OpMove, row, "moved to "+d.path)
	readdressed, worded := p.followEntity(d, e, &row), p.differs(e, row) && !p.publishedAs(e, row.ID)
	if !worded && !readdressed {
		return
	}
	if _, waits := p.pending[row.ID]; waits && worded {
		p.clash(d, row)
	}
	if worded || !p.differs(e, row) { // else its words are newer than the line
		row = p.edited(d, e, row)
	}
	p.report.Updated++
	p.change(d, memory.OpUpdate, row, "edited in "+d.path)
}

// publishedAs reports whether an entry says what we published last: whoever moved
// it has not worded it anew.
func (p *pass) publishedAs(e markdown.Entry, id string) bool {
	return slices.ContainsFunc(p.newest, func(version *markdown.Document) bool { return p.unchanged(e, version, id) })
}

// copied handles a second line of a memory: the recorded home wins. The same
// text is let be, a differing one is a new memory with an id of its own.
func (p *pass) copied(s stranger, row memory.Memory) {
	if row.ID != "" && !p.differs(s.entry, row) {
		return
	}
	e := s.entry
	e.ID = memory.DerivedID(s.doc.path, e.Content, 1000+e.Line)
	e.URI, e.Number = markdown.FactURI(s.doc.path, e.ID), 0
	mem := p.remembered(s.doc, e)
	s.doc.rename[e.Line] = mem
	p.report.Added++
	p.change(s.doc, memory.OpAdd, mem, "a differing copy in "+s.doc.path)
}

// returned handles a line of ours whose memory was forgotten. A person who
// had deleted it has put it back; a line that was forgotten by request comes
// back with a stale save only, and goes again.
func (p *pass) returned(ctx context.Context, s stranger, row memory.Memory) error {
	byHand := false
	err := p.Mirror.archive.each(ctx, func(a archived) {
		if a.ID == row.ID {
			byHand = a.Reason == reasonDeleted
		}
	})
	if err != nil {
		return err
	}
	if !byHand && s.entry.Fact != nil {
		s.doc.puts = append(s.doc.puts, row) // its place stays, as forgotten
		return nil
	}
	if !byHand {
		s.doc.removes = append(s.doc.removes, s.entry.Line)
		return nil
	}
	p.revived(s, row)
	if row.Home.File != s.doc.path {
		p.move(s.doc, s.entry, row)
	}
	return nil
}

func (p *pass) findLost(id string) bool {
	for _, rows := range p.lost {
		if slices.ContainsFunc(rows, func(r memory.Memory) bool { return r.ID == id }) {
			return true
		}
	}
	return false
}

func (p *pass) dropLost(id string) {
	for name, rows := range p.lost {
		p.lost[name] = slices.DeleteFunc(rows, func(r memory.Memory) bool { return r.ID == id })
	}
}

// newLines handles the lines that people typed: the same words gone from
// another file were moved, a forgotten line that is typed again is meant, all
// else is new.
func (p *pass) newLines(ctx context.Context) error {
	moved := map[string][]memory.Memory{}
	for _, name := range slices.Sorted(maps.Keys(p.lost)) {
		for _, row := range p.lost[name] {
			key := wording(row.Form, row.Title, markdown.Sanitise(row.Content))
			moved[key] = append(moved[key], row)
		}
	}
	taken, err := p.rowsOf(ctx, p.newcomers)
	if err != nil {
		return err
	}
	for _, s := range p.newcomers {
		key := wording(s.entry.Form, s.entry.Title, p.clean(s.entry.Content))
		row, known := taken[s.entry.ID]
		switch same := moved[key]; {
		case len(same) > 0:
			moved[key] = same[1:]
			s.doc.rename[s.entry.Line] = same[0]
			p.move(s.doc, s.entry, same[0])
		case known && row.Status == memory.Forgotten && row.Home.File == s.doc.path:
			p.revived(s, row)
		case known:
			p.copied(s, memory.Memory{})
		default:
			err = errors.Join(err, p.added(s))
		}
	}
	return err
}

// revived makes a memory active again whose line a person has put back.
func (p *pass) revived(s stranger, row memory.Memory) {
	row.Status = memory.Active
	p.report.Restored++
	p.change(s.doc, memory.OpStatus, row, "its line is back in "+s.doc.path)
	if p.differs(s.entry, row) {
		p.change(s.doc, memory.OpUpdate, p.edited(s.doc, s.entry, row), "as it stands in "+s.doc.path)
	}
}

// rowsOf returns the memories that have the ids of entries.
func (p *pass) rowsOf(ctx context.Context, entries []stranger) (map[string]memory.Memory, error) {
	ids := make([]string, len(entries))
	for i, s := range entries {
		ids[i] = s.entry.ID
	}
	rows := map[string]memory.Memory{}
	for start := 0; start < len(ids); start += lookedUp {
		found, err := p.Store.ByIDs(ctx, ids[start:min(start+lookedUp, len(ids))])
		if err != nil && len(found) == 0 {
			return nil, fmt.Errorf("looking up entries: %w", err)
		}
		for _, row := range found {
			rows[row.ID] = row
		}
	}
	return rows, nil
}

// added makes a memory of an entry that nobody knows. What the records tell
// of its id is believed as far as the file may be trusted.
func (p *pass) added(s stranger) error {
	mem := p.remembered(s.doc, s.entry)
	rec, known, err := p.recordOf(mem.ID)
	if err != nil {
		return err
	}
	if known && !rec.gone() {
		trust := mem.Trust
		mem = rec.Memory.restore(mem)
		if rec.Memory.File != s.doc.path {
			mem.Trust = mem.Trust.Lowest(trust)
		}
		if mem.Status == memory.Forgotten || mem.Status == memory.Missing {
			mem.Status = memory.Active
		}
		p.followEntity(s.doc, s.entry, &mem)
	}
	p.report.Added++
	p.change(s.doc, memory.OpAdd, mem, "read from "+s.doc.path)
	p.noteSecrets(s.doc, s.entry)
	return nil
}

// remembered is the memory that an entry alone describes.
func (p *pass) remembered(d *document, e markdown.Entry) memory.Memory {
	mem := e.Memory()
	result := p.Redactor.Clean(e.Content)
	mem.ID, mem.Namespace = e.ID, p.namespaceOf(d.path)
	mem.Content, mem.Title, mem.Fields = markdown.Sanitise(result.Text), p.titleOf(e), p.cleanFields(mem.Fields)
	mem.ContentHash = memory.Hash(mem.Content)
	mem.Home = memory.Place{File: d.path, Line: e.Line}
	if e.Fact == nil || mem.CreatedAt.IsZero() || mem.CreatedAt.After(p.Now()) {
		mem.CreatedAt = p.at(d, e.Section)
	}
	if mem.Trust = d.trust; e.Fact != nil && e.Fact.Meta.Trust != "" {
		mem.Trust = d.trust.Lowest(e.Fact.Meta.Trust)
	}
	if mem.Source == "" {
		mem.Source = "file:" + d.path
	}
	if mem.Status == "" || mem.Status == memory.Forgotten || mem.Status == memory.Missing {
		mem.Status = memory.Active
	}
	if len(result.Reasons) > 0 && d.trust != memory.TrustUser {
		mem.Status = memory.Quarantined
	}
	if !e.Annotated {
		mem.Type = p.typeOf(d, e, mem.Content)
	}
	if uri, err := memory.ParseURI(mem.URI); err == nil && uri.FormOf() != "" && mem.Form == memory.Note {
		mem.Form = uri.FormOf()
	}
	if _, err := memory.ParseURI(mem.URI); err != nil {
		mem.URI = memory.JournalURI(mem.Type, mem.CreatedAt.In(p.Zone))
	}
	return withDefaults(mem)
}

// titleOf is the title of a card, or what the headings above a note say.
func (m *Mirror) titleOf(e markdown.Entry) string {
	if e.Form == memory.Note && e.Title == "" {
		return clip(m.clean(e.Heading), memory.MaxLabel)
	}
	return m.clean(e.Title)
}

// typeOf classes a person's line: by its topic file, else by its words.
func (p *pass) typeOf(d *document, e markdown.Entry, content string) memory.Type {
	if e.Form != memory.Note {
		return e.Type
	}
	for _, scheme := range memory.Schemes() {
		if strings.HasSuffix("/"+d.path, "/"+markdown.TopicPath(scheme)) {
			return memory.URI{Scheme: scheme}.TypeOf()
		}
	}
	return p.Classify(content)
}

// withDefaults gives a memory the values of one about which nothing else is known.
func withDefaults(m memory.Memory) memory.Memory {
	if m.Confidence == 0 {
		m.Confidence = 1
	}
	m.InitialImportance, m.Importance, m.Density = .5, .5, .5
	m.ImportanceSet = m.CreatedAt
	return m
}

// recordOf looks an id up in records.jsonl, which is read when first needed.
func (p *pass) recordOf(id string) (record, bool, error) {
	if err := p.indexRecords(); err != nil {
		return record{}, false, err
	}
	return p.records.of(id)
}

func (p *pass) indexRecords() (err error) {
	if p.records == nil {
		p.records, err = indexRecords(p.Root)
	}
	return err
}

// searchElsewhere looks for the ids of lost lines in the files that have not
// changed: a copy there becomes the home.
func (p *pass) searchElsewhere() error {
	lost := map[string]memory.Memory{}
	for _, rows := range p.lost {
		for _, row := range rows {
			lost[row.ID] = row
		}
	}
	if len(lost) == 0 {
		return nil
	}
	changed := map[string]bool{}
	for _, d := range p.docs {
		changed[d.path] = true
	}
	for _, f := range p.present {
		if f.kind != home || changed[f.path] {
			continue
		}
		text, err := readFile(f.root, f.name)
		if memory.CodeOf(err) == memory.TooLarge {
			continue // whoever moved lines there gets them back when it can be read
		}
		if err != nil {
			return err
		}
		if !markdown.IsFacts(f.path) && !bytes.Contains(text, []byte("<!-- am:")) {
			continue
		}
		p.adopt(f, text, lost)
	}
	return nil
}

// adopt makes a file that has not changed the home of the lost lines that stand in it.
func (p *pass) adopt(f sighted, text []byte, lost map[string]memory.Memory) {
	for _, e := range markdown.Parse(f.path, text).Entries() {
		row, wanted := lost[e.ID]
		if !wanted || !e.Annotated {
			continue
		}
		delete(lost, e.ID)
		d := &document{sighted: f, trust: p.defaultTrust(f.path), rename: map[int]memory.Memory{}}
		p.move(d, e, row)
	}
}
