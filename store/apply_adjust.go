package store

import (
	"encoding/json"
	"fmt"

	"agentmemory/internal/memory"
)

// adjust changes attributes only; the text, its terms and vectors stay.
func (b *batch) adjust(old row, p *prepared) (memory.Applied, error) {
	r := old
	r.Revision++
	switch w := p.Memory; p.Op {
	case memory.OpReinforce:
		r.Confidence, r.Importance, r.ImportanceSet, r.Density = w.Confidence, w.Importance, w.ImportanceSet, w.Density
		r.Stability, r.AccessCount, r.RetrievalCount, r.LastAccess = w.Stability, w.AccessCount, w.RetrievalCount, w.LastAccess
		r.Pinned = w.Pinned
	case memory.OpStatus:
		r.Status, r.Supersedes, r.SupersededBy, r.Trust = w.Status, w.Supersedes, w.SupersededBy, w.Trust
	case memory.OpMove:
		r.Home = w.Home
	}
	if err := b.remember(old, r, p); err != nil {
		return memory.Applied{}, err
	}
	if err := b.place(&r); err != nil {
		return memory.Applied{}, err
	}
	query, args, err := b.adjustment(&r, old, p.Op)
	if err != nil {
		return memory.Applied{}, err
	}
	if _, err := b.Exec(query, args...); err != nil {
		return memory.Applied{}, fmt.Errorf("writing memory %s: %w", r.ID, err)
	}
	b.written = append(b.written, written{key: r.key, namespace: r.Namespace, group: r.group})
	return memory.Applied{Memory: r.Memory}, b.announce(p, r.Memory, old.Home.File)
}

// adjustment is the statement that writes what an operation may change, and
// nothing else: SQLite rewrites an index of every column that is named, and
// binding the forty that stay takes longer than writing the row.
func (b *batch) adjustment(r *row, old row, op memory.Op) (query string, args []any, err error) {
	switch {
	case op == memory.OpReinforce:
		query = "confidence = ?, importance = ?, importance_set = ?, density = ?, pinned = ?, stability = ?, access_count = ?, retrieval_count = ?, last_access = ?"
		args = []any{r.Confidence, r.Importance, micros(r.ImportanceSet), r.Density, flag(r.Pinned), r.Stability, int64(r.AccessCount), int64(r.RetrievalCount), micros(r.LastAccess)}
	case op == memory.OpStatus:
		query = "status = ?, supersedes = ?, superseded_by = ?, trust = ?"
		args = []any{string(r.Status), r.Supersedes, r.SupersededBy, string(r.Trust)}
	case r.Home.File == old.Home.File && r.group == old.group:
		query, args = "home_line = ?", []any{int64(r.Home.Line)}
	default:
		query = "home_line = ?, home_file = ?, cold = ?, group_name = ?, group_seq = ?"
		args = []any{int64(r.Home.Line), r.Home.File, flag(cold(r.Home.File)), r.group, r.groupSeq}
	}
	texts, err := r.textValues()
	if err != nil {
		return "", nil, err
	}
	return "UPDATE memories SET " + query + ", revision = ?, changed = ?, checksum = ? WHERE key = ?",
		append(args, r.Revision, b.changed, b.sumOf(r, digestOf(r.ContentHash), texts), r.key), nil
}

// prefetch reads the rows that changes are about in one query. Whoever takes one
// with byID is the only one who writes it; a later change of it reads it again.
func (b *batch) prefetch(changes []prepared) error {
	var ids []string
	for i := range changes {
		if p := &changes[i]; p.Op != memory.OpAdd {
			ids = append(ids, p.Memory.ID)
		}
	}
	return b.readAhead(ids)
}

func (b *batch) readAhead(ids []string) error {
	if len(ids) < 2 {
		return nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return fmt.Errorf("encoding ids: %w", err)
	}
	found, err := b.store.collect(b.Query, selected+"WHERE m.id IN (SELECT value FROM json_each(?))", string(list))
	if err != nil && len(damagedIDs(err)) == 0 {
		return fmt.Errorf("reading %d memories: %w", len(ids), err)
	} // byID meets what is damaged again, and tells
	b.known = make(map[string]row, len(found))
	for _, r := range found {
		b.known[r.ID] = r
	}
	return nil
}
