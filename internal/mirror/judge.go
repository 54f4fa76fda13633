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

// reasonDeleted is written with the archive line of what a person deleted.
const reasonDeleted = "deleted by hand"

// restoredKey names the note of the lines that were written again after a
// stale save; each comes back once.
const restoredKey = "mirror.restored"

// vanished collects the memories of a file that is no longer there.
func (p *pass) vanished(ctx context.Context, name string) error {
	if classify(name) == projection {
		return nil // it is derived, and will be made again
	}
	rows, err := p.rowsIn(ctx, name)
	if err != nil {
		return err
	}
	d := &document{sighted: sighted{path: name, kind: home}}
	if err := p.chooseBase(ctx, d); err != nil {
		return err
	}
	for _, row := range rows {
		if row.Form == memory.Passage {
			p.change(nil, memory.OpRemove, row, name+" is gone")
		}
	}
	rows = slices.DeleteFunc(rows, func(m memory.Memory) bool { return m.Form == memory.Passage })
	if written(name) {
		p.lost[name] = p.expected(d, rows)
		p.held[name] = len(p.lost[name])
	}
	return nil
}

// judge decides about the home lines that are nowhere any more.
func (p *pass) judge(ctx context.Context) error {
	if err := p.searchElsewhere(); err != nil {
		return err
	}
	if p.opts.AcceptDeletions {
		if err := p.acceptMissing(ctx); err != nil {
			return err
		}
	}
	once, err := p.restoredBefore(ctx)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.lost)) {
		rows := p.lost[name]
		if len(rows) == 0 {
			continue
		}
		d := p.document(name)
		a := absence{FileGone: d == nil, Entries: p.held[name], Accept: p.opts.AcceptDeletions}
		for _, row := range rows {
			a.Lost = append(a.Lost, lost{
				ID: row.ID, Ours: !byHand(row), Written: p.written(d, row), Unseen: d != nil && d.stale && !holds(d.base, row),
				Restored: !once[row.ID].IsZero(),
			})
		}
		p.sentence(d, name, rows, a.judge(p.Now()))
	}
	return nil
}

func (p *pass) document(name string) *document {
	for _, d := range p.docs {
		if d.path == name {
			return d
		}
	}
	return nil
}

func holds(doc *markdown.Document, row memory.Memory) bool {
	_, stands := doc.ByID(row.ID)
	return stands
}

// byHand reports whether a person typed the line of a memory.
func byHand(row memory.Memory) bool { return strings.HasPrefix(row.Source, "file:") }

func (p *pass) sentence(d *document, name string, rows []memory.Memory, verdicts []verdict) {
	many := 0
	for i, row := range rows {
		switch verdicts[i] {
		case restored:
			d.puts = append(d.puts, row)
			d.restoring = append(d.restoring, row.ID)
			p.report.Restored++
		case missing:
			row.Status = memory.Missing
			p.report.Missing++
			many++
			p.change(d, memory.OpStatus, row, "its line has gone from "+name+" with many others")
		case deleted:
			p.forget(d, row)
		}
	}
	if many > 0 {
		p.warn("%d entries have gone from %s: they are kept as missing; `sync --accept-deletions` forgets them, `forget --undo ID` writes a line again", many, name)
	}
}

func (p *pass) forget(d *document, row memory.Memory) {
	p.archive[reasonDeleted] = append(p.archive[reasonDeleted], row)
	row.Status = memory.Forgotten
	p.report.Deleted++
	p.change(d, memory.OpStatus, row, reasonDeleted)
}

// acceptMissing forgets what went missing earlier.
func (p *pass) acceptMissing(ctx context.Context) error {
	rows, err := p.Store.List(ctx, memory.Filter{Statuses: []memory.Status{memory.Missing}})
	if err != nil {
		return fmt.Errorf("listing what is missing: %w", err)
	}
	back := map[string]bool{}
	for _, c := range p.changes {
		back[c.Memory.ID] = true
	}
	for _, row := range rows {
		if !back[row.ID] {
			p.forget(nil, row)
		}
	}
	return nil
}

// restoredBefore returns when each line was written again; what is older than
// the guard looks at is dropped.
func (m *Mirror) restoredBefore(ctx context.Context) (map[string]time.Time, error) {
	raw, err := m.Store.Meta(ctx, restoredKey)
	if err != nil {
		return nil, fmt.Errorf("reading which lines were restored: %w", err)
	}
	once := map[string]time.Time{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &once); err != nil {
			return nil, fmt.Errorf("decoding which lines were restored: %w", err)
		}
	}
	maps.DeleteFunc(once, func(_ string, at time.Time) bool { return m.Now().Sub(at) > 2*young })
	return once, nil
}

// noteRestored remembers that lines have had their one return.
func (m *Mirror) noteRestored(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	once, err := m.restoredBefore(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		once[id] = m.Now()
	}
	raw, err := json.Marshal(once)
	if err != nil {
		return fmt.Errorf("encoding which lines were restored: %w", err)
	}
	if err := m.Store.SetMeta(ctx, restoredKey, raw); err != nil {
		return fmt.Errorf("noting which lines were restored: %w", err)
	}
	return nil
}
