package store

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// update gives a memory its wanted state; the old content goes to the history.
func (b *batch) update(old row, p *prepared) (memory.Applied, error) {
	r := old
	r.Memory = p.Memory
	r.Namespace, r.Revision = old.Namespace, old.Revision+1
	if r.URI == "" {
		r.URI = old.URI
	}
	if r.CreatedAt.IsZero() {
		r.CreatedAt = old.CreatedAt
	}
	if err := b.renumber(&r.Memory); err != nil {
		return memory.Applied{}, err
	}
	r.uriKey = uriKey(r.URI)
	if r.uriKey != old.uriKey {
		if existing, err := b.holder(r); err != nil || existing != "" {
			return memory.Applied{Memory: old.Memory, Conflict: memory.ConflictURI, Existing: existing}, err
		}
	}
	touch(&r, old, b)
	if err := b.rewrite(&r, old, p); err != nil {
		return memory.Applied{}, err
	}
	if r.Home.File != old.Home.File && !p.FromFile {
		moved := prepared{Change: memory.Change{Op: memory.OpMove}}
		if err := b.announce(&moved, r.Memory, old.Home.File); err != nil {
			return memory.Applied{}, err
		}
	}
	return memory.Applied{Memory: r.Memory}, b.announce(p, r.Memory, r.Home.File)
}

// renumber is number for a memory that gets another address.
func (b *batch) renumber(m *memory.Memory) error {
	var highest int64
	minute, n, ok := numbered(m.URI)
	if ok && n == "" {
		_, err := b.Row("SELECT highest FROM numbers WHERE namespace = ? AND minute = ?", []any{m.Namespace, minute}, &highest)
		if err != nil {
			return fmt.Errorf("reading the last number of %s: %w", minute, err)
		}
	}
	return b.number(m, highest)
}

// holder returns the id of the memory that has the wanted URI.
func (b *batch) holder(r row) (id string, err error) {
	_, err = b.Row("SELECT id FROM memories WHERE namespace = ? AND uri_key = ?", []any{r.Namespace, r.uriKey}, &id)
	if err != nil {
		return "", fmt.Errorf("checking the address %s: %w", r.URI, err)
	}
	return id, nil
}

// touch sets when the text last changed, unless the change brings a later time.
func touch(r *row, old row, b *batch) {
	same := r.Content == old.Content && r.Title == old.Title && slices.Equal(r.Fields, old.Fields)
	switch {
	case r.UpdatedAt.After(old.UpdatedAt):
	case same:
		r.UpdatedAt = old.UpdatedAt
	default:
		r.UpdatedAt = b.at
	}
}

// rewrite replaces a row and its text; its terms only if they differ.
func (b *batch) rewrite(r *row, old row, p *prepared) error {
	if err := b.remember(old, *r, p); err != nil {
		return err
	}
	var terms string
	var length int
	if _, err := b.Row("SELECT x.terms, m.length FROM memories m JOIN texts x ON x.key = m.key WHERE m.key = ?",
		[]any{old.key}, &terms, &length); err != nil {
		return fmt.Errorf("reading the terms of memory %s: %w", old.ID, err)
	}
	if p.terms != terms {
		r.indexed = b.changed
	}
	if err := b.rewriteRow(r, old, length, p); err != nil {
		return err
	}
	if p.terms != terms {
		if err := b.reterm(r.key, terms, p.terms); err != nil {
			return err
		}
		b.count(r.Namespace, 0, p.length-length)
	}
	b.written = append(b.written, written{key: r.key, namespace: r.Namespace, group: r.group, terms: p.terms, length: p.length, indexed: p.terms != terms})
	if r.ContentHash != old.ContentHash {
		return b.dropVectors(old.ContentHash)
	}
	return nil
}

// rewriteRow writes the columns of a row, and its text.
// length is that of the terms that it had.
func (b *batch) rewriteRow(r *row, old row, length int, p *prepared) error {
	before, err := old.columnValues(length, 0)
	if err != nil {
		return err
	}
	values, err := b.values(r, p.length)
	if err != nil {
		return err
	}
	texts, err := r.textValues()
	if err != nil {
		return err
	}
	query, args := updateOf(before, append(values, b.sumOf(r, values[hashColumn], texts)))
	if _, err := b.Exec(query, append(args, r.key)...); err != nil {
		return fmt.Errorf("writing memory %s: %w", r.ID, err)
	}
	if _, err := b.Exec("UPDATE texts SET title = ?, content = ?, fields = ?, links = ? WHERE key = ?",
		append(texts, r.key)...); err != nil {
		return fmt.Errorf("writing the text of memory %s: %w", r.ID, err)
	}
	if _, err := b.Exec("DELETE FROM links WHERE key = ?", r.key); err != nil {
		return fmt.Errorf("unlinking memory %s: %w", r.ID, err)
	}
	return b.link(r)
}

// updateOf sets a row's columns to values. Of those that an index covers it
// names only the ones that differ: SQLite rewrites an index of every column that
// is named, and most changes concern none. So there are few different statements.
func updateOf(before, values []any) (query string, args []any) {
	var set strings.Builder
	for i, column := range strings.Split(checked+", "+derived, ", ") {
		if covered(column) && reflect.DeepEqual(before[i], values[i]) {
			continue
		}
		if len(args) > 0 {
			set.WriteString(", ")
		}
		set.WriteString(column + " = ?")
		args = append(args, values[i])
	}
	return "UPDATE memories SET " + set.String() + " WHERE key = ?", args
}

// covered reports whether an index covers a column that need not differ.
func covered(column string) bool {
	switch column {
	case "id", "namespace", "uri_key", "content_hash", "home_file", "observed", "group_name", "group_seq", "length":
		return true
	}
	return false
}

// reterm replaces the indexed terms of a row.
func (b *batch) reterm(key int64, old, terms string) error {
	if err := b.unindex(key, old); err != nil {
		return err
	}
	if _, err := b.Exec("UPDATE texts SET terms = ? WHERE key = ?", terms, key); err != nil {
		return fmt.Errorf("writing terms: %w", err)
	}
	return b.index(key, terms)
}

// remember writes the state before a change to the history; counters alone are not history.
func (b *batch) remember(old, next row, p *prepared) error {
	if p.Op == memory.OpReinforce || old.Form == memory.Passage {
		return nil
	}
	var content any
	if next.Content != old.Content {
		content = old.Content
	}
	err := b.history.add(b, intoHistory, old.Namespace, old.ID, old.Revision, string(p.Op),
		content, string(old.Status), p.Reason, b.at.UnixMicro())
	if err != nil {
		return fmt.Errorf("writing the history of memory %s: %w", old.ID, err)
	}
	return nil
}
