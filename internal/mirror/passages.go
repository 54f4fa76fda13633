package mirror

import (
	"context"
	"fmt"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// passages brings the indexed prose of a file up to date. Prose is people's:
// it is followed, never rewritten, and leaves neither archive nor tombstone.
func (p *pass) passages(ctx context.Context, d *document, rows []memory.Memory) error {
	known := map[string]memory.Memory{}
	for _, row := range rows {
		known[row.ID] = row
	}
	occurrence := map[string]int{}
	prose, err := p.proseIn(ctx, d)
	if err != nil {
		return err
	}
	for _, passage := range prose {
		mem := p.passage(d, passage, occurrence[passage.Text])
		occurrence[passage.Text]++
		p.report.Passages++
		row, stands := known[mem.ID]
		delete(known, mem.ID)
		if !stands {
			rec, recorded, err := p.recordOf(mem.ID)
			if err != nil {
				return err
			}
			if recorded && !rec.gone() {
				trust := mem.Trust
				mem = rec.Memory.restore(mem)
				mem.Trust = mem.Trust.Lowest(trust)
			}
			p.change(d, memory.OpAdd, mem, "read from "+d.path)
		} else if row.Home.Line != mem.Home.Line {
			row.Home.Line = mem.Home.Line
			p.change(d, memory.OpMove, row, "moved within "+d.path)
		}
	}
	for _, row := range rows {
		if _, left := known[row.ID]; left {
			p.change(d, memory.OpRemove, row, "no longer in "+d.path)
		}
	}
	return nil
}

// proseIn returns the prose of a file: in a home file what stands between the
// entries, elsewhere all of it. Of what we fill only people's lines count: the
// memories that it repeats are found where they stand.
func (p *pass) proseIn(ctx context.Context, d *document) ([]markdown.Passage, error) {
	switch d.kind {
	case projection:
		return p.foreignLines(d), nil
	case home:
		return d.parsed.Passages(), nil
	}
	return p.peoplesPassages(ctx, d)
}

// passage is the memory of one piece of prose.
func (p *pass) passage(d *document, prose markdown.Passage, occurrence int) memory.Memory {
	result := p.Redactor.Clean(prose.Text)
	id := memory.DerivedID(d.path+"#prose", prose.Text, occurrence)
	mem := memory.Memory{
		ID: id, URI: fmt.Sprintf("knowledge://passage/%s", id), Namespace: p.namespaceOf(d.path),
		Type: memory.Knowledge, Form: memory.Passage, Title: p.clean(prose.Heading), Content: markdown.Sanitise(result.Text),
		Status: memory.Active, Trust: d.trust, Source: "file:" + d.path, CreatedAt: p.at(d, ""),
		Home: memory.Place{File: d.path, Line: prose.Line},
	}
	mem.Title = clip(mem.Title, memory.MaxLabel)
	mem.ContentHash = memory.Hash(mem.Content)
	if len(result.Reasons) > 0 && d.trust != memory.TrustUser {
		mem.Status = memory.Quarantined
	}
	for _, s := range result.Secrets {
		p.warn("%s:%d holds a secret (%s); the database has it redacted, the file is left as it is", d.path, prose.Line, s.Rule)
	}
	return withDefaults(mem)
}

// clip cuts a text to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
