package mirror

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// factsName is the file of an entity's facts, in its folder.
const factsName = "items.json"

// entityIn reads area and entity of fact://<area>/<entity>/<id>.
func entityIn(uri memory.URI) (area, entity string, ok bool) {
	parts := strings.SplitN(uri.Path, "/", 3)
	if uri.Scheme != "fact" || len(parts) < 3 {
		return "", "", false
	}
	return parts[0], parts[1], true
}

// brokenFacts tells why an items.json cannot be read: it is left alone until a
// person has mended it.
func brokenFacts(name string, text []byte) error {
	if !markdown.IsFacts(name) {
		return nil
	}
	if err := markdown.Parse(name, text).Broken(); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// BrokenFacts lists the items.json that cannot be read, with the reason.
func (m *Mirror) BrokenFacts(ctx context.Context) ([]string, error) {
	files, err := m.walk(ctx)
	if err != nil {
		return nil, err
	}
	var broken []string
	for _, f := range files {
		if !markdown.IsFacts(f.path) {
			continue
		}
		raw, err := readFile(f.root, f.name)
		if err != nil {
			return nil, err
		}
		if err := brokenFacts(f.path, raw); err != nil {
			broken = append(broken, err.Error())
		}
	}
	return broken, nil
}

// takeOut removes the entries that moved to another file, without a trace.
func (p *publication) takeOut(ctx context.Context, doc *markdown.Document, ids []string) error {
	if !markdown.IsFacts(doc.Path()) {
		return p.eraseAll(ctx, doc, ids)
	}
	for _, id := range ids {
		doc.TakeOut(id)
	}
	return nil
}

// followEntity gives a fact the address of the entity in whose folder it stands
// now: whoever moves the folder moves the entity.
func (p *pass) followEntity(d *document, e markdown.Entry, row *memory.Memory) bool {
	area, entity, ok := markdown.EntityOf(d.path)
	was, err := memory.ParseURI(row.URI)
	if !ok || err != nil || e.Fact == nil {
		return false
	}
	oldArea, oldEntity, inEntity := entityIn(was)
	if inEntity && oldArea == area && oldEntity == entity {
		return false
	}
	uri := markdown.FactURI(d.path, e.Fact.ID)
	if uri == "" {
		uri = markdown.FactURI(d.path, row.ID)
	}
	row.URI, row.Form = uri, memory.Fact
	return true
}

// factEdited takes over what a person changed about a fact besides its text:
// whether it is in force, what replaced it, and how often it was used.
func (p *pass) factEdited(d *document, e, before markdown.Entry, row memory.Memory) {
	if _, waits := p.pending[row.ID]; waits || e.Fact == nil || before.ID != row.ID || before.Fact == nil {
		return
	}
	now, was := e.Memory(), before.Memory()
	if now.Status != was.Status && now.Status != row.Status && (now.Status == memory.Superseded || row.Status == memory.Superseded) ||
		now.SupersededBy != was.SupersededBy && now.SupersededBy != row.SupersededBy {
		row.Status, row.SupersededBy = now.Status, now.SupersededBy
		p.report.Updated++
		p.change(d, memory.OpStatus, row, "status set in "+d.path)
	}
	if now.AccessCount != was.AccessCount || !now.LastAccess.Equal(was.LastAccess) {
		row.AccessCount, row.LastAccess = now.AccessCount, now.LastAccess
		p.report.Updated++
		p.change(d, memory.OpReinforce, row, "uses set in "+d.path)
	}
}

// cleanVersion is clean for a kept text whose file is not known: one of facts
// stays one, and a card goes with all of its fields.
func (s *scrubber) cleanVersion(text string) string {
	facts := markdown.EntityPath("resources", "any", factsName)
	if strings.HasPrefix(strings.TrimSpace(text), "[") || strings.HasPrefix(strings.TrimSpace(text), "{") {
		if markdown.Parse(facts, []byte(text)).Broken() == nil {
			return s.erase(facts, text)
		}
	}
	return s.clean(s.erase(markdown.JournalPath(time.Time{}, 1), text))
}
