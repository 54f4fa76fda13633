package mirror

import (
	"context"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// read compares one changed file with what the store holds of it.
func (p *pass) read(ctx context.Context, d *document) error {
	if d.kind == stateHome {
		return p.readState(ctx, d)
	}
	d.parsed = markdown.Parse(d.path, []byte(d.text))
	rows, err := p.rowsIn(ctx, d.path)
	if err != nil {
		return err
	}
	passages := slices.DeleteFunc(slices.Clone(rows), func(m memory.Memory) bool { return m.Form != memory.Passage })
	if err := p.passages(ctx, d, passages); err != nil {
		return err
	}
	switch d.kind {
	case home:
		rows = slices.DeleteFunc(rows, func(m memory.Memory) bool { return m.Form == memory.Passage })
		return p.entries(ctx, d, rows)
	case projection:
		return p.projection(ctx, d)
	}
	return nil
}

// entries pairs the entries of a home file with the memories that have their
// line there.
func (p *pass) entries(ctx context.Context, d *document, rows []memory.Memory) error {
	if err := p.chooseBase(ctx, d); err != nil {
		return err
	}
	expected := p.expected(d, rows)
	d.known = len(expected)
	entries := d.parsed.Entries()
	candidates := slices.DeleteFunc(slices.Clone(rows), func(m memory.Memory) bool { return m.Status == memory.Forgotten })
	pairs := match(p.knownOf(d, candidates), p.foundOf(entries))
	stands := map[string]bool{}
	for i, e := range entries {
		if pairs[i] < 0 {
			p.unmatched(d, e)
			continue
		}
		row := candidates[pairs[i]]
		stands[row.ID] = true
		if err := p.paired(ctx, d, e, row); err != nil {
			return err
		}
	}
	for _, row := range expected {
		if !stands[row.ID] {
			p.lost[d.path] = append(p.lost[d.path], row)
		}
	}
	p.held[d.path] = d.known
	return nil
}

// expected are the memories whose line must stand in the file: those of the
// newest text that we know of it, and those that no commit is about to write.
func (p *pass) expected(d *document, rows []memory.Memory) []memory.Memory {
	published := map[string]bool{}
	for _, e := range d.newest.Entries() {
		published[e.ID] = true
	}
	var expected []memory.Memory
	for _, row := range rows {
		_, waits := p.pending[row.ID]
		if row.Status != memory.Forgotten && row.Status != memory.Missing && (published[row.ID] || !waits) {
			expected = append(expected, row)
		}
	}
	return expected
}

func (p *pass) knownOf(d *document, rows []memory.Memory) []known {
	out := make([]known, len(rows))
	for i, r := range rows {
		out[i] = known{ID: r.ID, Text: wording(r.Form, r.Title, markdown.Sanitise(r.Content)), Unseen: p.unseen(d, r)}
	}
	return out
}

// unseen reports whether the author of the file cannot have seen the line of a
// memory: it waits to be written, or they edited a version without it and the
// line has our comment, which whoever rewords a line leaves.
func (p *pass) unseen(d *document, row memory.Memory) bool {
	e, stands := d.newest.ByID(row.ID)
	if !stands {
		_, waits := p.pending[row.ID]
		return waits
	}
	return d.stale && e.Annotated && !holds(d.base, row)
}

func (m *Mirror) foundOf(entries []markdown.Entry) []found {
	out := make([]found, len(entries))
	for i, e := range entries {
		out[i] = found{ID: e.ID, Annotated: e.Annotated, Text: wording(e.Form, e.Title, m.clean(e.Content))}
	}
	return out
}

// wording is the text by which an entry is recognised.
func wording(form memory.Form, title, content string) string {
	if form == memory.Decision || form == memory.Task {
		return title + "\n" + content
	}
	return content
}

// paired takes over what a person changed in an entry of a known memory.
func (p *pass) paired(ctx context.Context, d *document, e markdown.Entry, row memory.Memory) error {
	if row.Status == memory.Missing {
		row.Status = memory.Active
		p.report.Restored++
		p.change(d, memory.OpStatus, row, "its line is back in "+d.path)
	}
	if !e.Annotated && e.ID != row.ID {
		d.rename[e.Line] = row
	}
	before, _ := d.base.ByID(row.ID)
	if !p.differs(e, row) {
		p.relabelled(d, e, before, row)
		p.retitled(d, e, row)
		p.factEdited(d, e, before, row)
		return nil
	}
	if p.unchanged(e, d.newest, row.ID) {
		return nil // the store is ahead of the file, nobody has touched the line
	}
	if stale, err := p.overtaken(ctx, d, e, row); err != nil || stale {
		return err
	}
	if _, waits := p.pending[row.ID]; waits {
		p.clash(d, row)
	}
	p.report.Updated++
	p.change(d, memory.OpUpdate, p.edited(d, e, row), editedIn+d.path)
	return nil
}

// unchanged reports whether an entry says what a published version said.
func (m *Mirror) unchanged(e markdown.Entry, version *markdown.Document, id string) bool {
	before, stands := version.ByID(id)
	return stands && !m.entriesDiffer(e, before)
}

// relabelled takes over a type or status that a person wrote into our comment.
func (p *pass) relabelled(d *document, e, before markdown.Entry, row memory.Memory) {
	if _, waits := p.pending[row.ID]; waits || !e.Annotated || before.ID != row.ID {
		return
	}
	if e.Status != before.Status && e.Status != row.Status && e.Status.Recallable() {
		row.Status = e.Status
		p.change(d, memory.OpStatus, row, "status set in "+d.path)
	}
	if e.Type != before.Type && e.Type != row.Type {
		row.Type = e.Type
		p.report.Updated++
		p.change(d, memory.OpUpdate, row, "type set in "+d.path)
	}
}

// retitled takes over the headings that a person wrote above a note.
func (p *pass) retitled(d *document, e markdown.Entry, row memory.Memory) {
	title := p.titleOf(e)
	if _, waits := p.pending[row.ID]; waits || e.Form != memory.Note || e.Heading == "" || title == row.Title {
		return
	}
	row.Title = title
	p.report.Updated++
	p.change(d, memory.OpUpdate, row, "heading set in "+d.path)
}

// clash keeps our side of an entry that both changed, beside the file: the
// person's text stays.
func (p *pass) clash(d *document, row memory.Memory) {
	row.CreatedAt = row.CreatedAt.In(p.Zone)
	side := markdown.Parse(d.path, nil)
	side.Put(markdown.FromMemory(row))
	p.conflicts[d.path] += string(side.Bytes())
	p.report.Conflicts = append(p.report.Conflicts, d.path)
}

// edited is the memory with the wording of the file. An edit by somebody whom
// the file does not vouch for lowers the trust.
func (p *pass) edited(d *document, e markdown.Entry, row memory.Memory) memory.Memory {
	told := e.Memory()
	row.Content, row.ContentHash = p.clean(e.Content), ""
	if e.Form == memory.Decision || e.Form == memory.Task {
		row.Title, row.Fields = p.clean(told.Title), p.cleanFields(told.Fields)
	} else if e.Heading != "" {
		row.Title = p.titleOf(e)
	}
	row.Trust = row.Trust.Lowest(d.trust)
	row.UpdatedAt = p.Now()
	p.noteSecrets(d, e)
	return row
}

func (m *Mirror) cleanFields(fields []memory.Field) []memory.Field {
	out := make([]memory.Field, len(fields))
	for i, f := range fields {
		out[i] = memory.Field{Name: f.Name, Value: m.clean(f.Value)}
	}
	return out
}

func (p *pass) noteSecrets(d *document, e markdown.Entry) {
	for _, s := range p.Redactor.Clean(e.Content).Secrets {
		p.warn("%s:%d holds a secret (%s); the database has it redacted, the file is left as it is", d.path, e.Line, s.Rule)
	}
}

// differs reports whether an entry says something else than its memory, apart
// from what was redacted.
func (m *Mirror) differs(e markdown.Entry, row memory.Memory) bool {
	row.CreatedAt = row.CreatedAt.In(m.Zone)
	return m.entriesDiffer(e, markdown.FromMemory(row))
}

func (m *Mirror) entriesDiffer(a, b markdown.Entry) bool {
	if m.clean(a.Content) != m.clean(b.Content) {
		return true
	}
	if a.Form != memory.Decision && a.Form != memory.Task {
		return false
	}
	return m.clean(a.Title) != m.clean(b.Title) || !slices.Equal(m.fieldsOf(a), m.fieldsOf(b))
}

// fieldsOf are the fields of a card that a person may have changed, by name.
func (m *Mirror) fieldsOf(e markdown.Entry) []memory.Field {
	fields := m.cleanFields(e.Fields)
	fields = slices.DeleteFunc(fields, func(f memory.Field) bool { return f.Value == "" || f.Name == "status" || f.Name == "date" })
	slices.SortFunc(fields, func(a, b memory.Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// leaving reports whether a line stands only because its removal, which was
// asked for, has not been written yet.
func (p *pass) leaving(id string) bool {
	w, waits := p.pending[id]
	return waits && (w.Memory.ID == "" || w.Memory.Status == memory.Forgotten)
}

// unmatched sorts an entry that no memory of the file accounts for.
func (p *pass) unmatched(d *document, e markdown.Entry) {
	if strings.TrimSpace(e.Content) == "" || p.leaving(e.ID) || e.Fact != nil && e.Status == memory.Forgotten {
		return
	}
	if e.Annotated {
		p.strangers = append(p.strangers, stranger{d, e})
	} else {
		p.newcomers = append(p.newcomers, stranger{d, e})
	}
}
