package store

import (
	"fmt"

	"agentmemory/internal/memory"
)

// remove deletes a memory: row, text, terms, links, history, and the vectors
// that no other memory shares; a tombstone keeps its content from coming back.
// A purge also scrubs what is kept of files; it stays pending until FinishPurge.
func (b *batch) remove(old row, p *prepared) (memory.Applied, error) {
	var terms string
	var length int
	if _, err := b.Row("SELECT x.terms, m.length FROM memories m JOIN texts x ON x.key = m.key WHERE m.key = ?",
		[]any{old.key}, &terms, &length); err != nil {
		return memory.Applied{}, fmt.Errorf("reading the terms of memory %s: %w", old.ID, err)
	}
	if err := b.unindex(old.key, terms); err != nil {
		return memory.Applied{}, err
	}
	b.count(old.Namespace, -1, -length)
	b.written = append(b.written, written{key: old.key, indexed: true})
	if err := b.deleteRows(old); err != nil {
		return memory.Applied{}, err
	}
	if err := b.dropVectors(old.ContentHash); err != nil {
		return memory.Applied{}, err
	}
	unsaid := old.Form == memory.Passage && p.FromFile // prose that its file says no more: nobody has forgotten it
	if !p.Restore && !unsaid || p.Op == memory.OpPurge {
		hash := b.store.tombstone(old.Content)
		p.left = hash
		if err := bury(b.Tx, old.Namespace, hash, b.at.UnixMicro()); err != nil {
			return memory.Applied{}, err
		}
	}
	if p.Op == memory.OpPurge {
		if err := b.purge(old); err != nil {
			return memory.Applied{}, err
		}
	}
	return memory.Applied{Memory: old.Memory}, b.announce(p, old.Memory, old.Home.File)
}

func (b *batch) deleteRows(old row) error {
	steps := []struct {
		query string
		args  []any
	}{
		{"DELETE FROM texts WHERE key = ?", []any{old.key}},
		{"DELETE FROM links WHERE key = ?", []any{old.key}},
		{"DELETE FROM memories WHERE key = ?", []any{old.key}},
		{"DELETE FROM history WHERE memory_id = ?", []any{old.ID}},
		{"INSERT OR IGNORE INTO removals (changed, key) VALUES (?, ?)", []any{b.changed, old.key}},
	}
	for _, step := range steps {
		if _, err := b.Exec(step.query, step.args...); err != nil {
			return fmt.Errorf("removing memory %s: %w", old.ID, err)
		}
	}
	return nil
}

// dropVectors deletes the vectors of a content that no memory holds any more.
func (b *batch) dropVectors(hash string) error {
	digest := digestOf(hash)
	_, err := b.Exec("DELETE FROM vectors WHERE content_hash = ?1 AND generation IN (SELECT g.generation FROM generations g"+
		" WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.namespace = g.namespace AND m.content_hash = ?1))", digest)
	if err != nil {
		return fmt.Errorf("removing vectors: %w", err)
	}
	return nil
}
