package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"agentmemory/internal/memory"
)

const keyFile = ownDir + "/tombstone.key"

// revive completes a database that is new: the files gave it what stands in
// them, the archive and the records give it what does not.
func (p *pass) revive(ctx context.Context) error {
	if err := p.indexRecords(); err != nil {
		return err
	}
	planned, err := p.knownIDs(ctx)
	if err != nil {
		return err
	}
	texts := map[string]archived{}
	if err := p.Mirror.archive.each(ctx, func(a archived) { texts[a.ID] = a }); err != nil {
		return err
	}
	var buried []record
	for _, id := range slices.Sorted(maps.Keys(p.records.lines)) {
		rec, whole, err := p.records.of(id)
		if err != nil {
			return err
		}
		if !whole {
			continue
		}
		if rec.Tombstone != "" {
			buried = append(buried, rec)
		}
		if rec.gone() || planned[id] || rec.Memory.Form == memory.Passage {
			continue
		}
		p.reviveOne(rec, texts)
	}
	if p.opts.DryRun {
		return nil
	}
	return p.bury(ctx, buried)
}

// knownIDs are the ids of the records that the store has, or is about to get.
func (p *pass) knownIDs(ctx context.Context) (map[string]bool, error) {
	known := map[string]bool{}
	for _, c := range p.changes {
		known[c.Memory.ID] = true
	}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(p.records.lines)), lookedUp) {
		rows, err := p.Store.ByIDs(ctx, ids)
		if err != nil && len(rows) == 0 {
			return nil, fmt.Errorf("looking up recorded memories: %w", err)
		}
		for _, row := range rows {
			known[row.ID] = true
		}
	}
	return known, nil
}

// reviveOne brings back a memory that stands in no file. One that should do so
// is missing, unless its file could never be written: then it still waits.
func (p *pass) reviveOne(rec record, texts map[string]archived) {
	text, kept := texts[rec.ID]
	if !kept {
		p.warn("%s is in the records, but its text is in no file", rec.ID)
		return
	}
	m := rec.Memory.restore(text.memory())
	m.ID, m.Home.File = rec.ID, rec.Memory.File
	waits := text.Reason == waitsReason
	if m.Status != memory.Forgotten && !waits {
		m.Status = memory.Missing
	}
	p.report.Added++
	p.change(nil, memory.OpAdd, m, "from the archive")
	p.changes[len(p.changes)-1].FromFile = !waits
}

// bury puts the tombstones back, under the key with which they were made.
func (p *pass) bury(ctx context.Context, buried []record) error {
	if err := p.shareKey(ctx); err != nil {
		return err
	}
	for _, rec := range buried {
		namespace := rec.Namespace
		if rec.Memory != nil {
			namespace = rec.Memory.Namespace
		}
		if namespace == "" {
			namespace = memory.DefaultNamespace
		}
		if err := p.Store.Tombstone(ctx, namespace, rec.Tombstone); err != nil {
			p.Log("a tombstone cannot be restored", err)
		}
	}
	return nil
}

// shareKey keeps the key of the tombstones beside the database: a new
// database takes the kept one, and a first one leaves its own.
func (m *Mirror) shareKey(ctx context.Context) error {
	kept, err := m.Root.ReadFile(keyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return replaceOwn(m.Root, keyFile, m.Store.TombstoneKey())
	}
	if err != nil {
		return fmt.Errorf("reading the key of the tombstones: %w", err)
	}
	if err := m.Store.SetTombstoneKey(ctx, kept); err != nil {
		return fmt.Errorf("restoring the key of the tombstones: %w", err)
	}
	return nil
}
