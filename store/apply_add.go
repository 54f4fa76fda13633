package store

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
)

// add inserts a new memory unless something stands in its way: its id, its
// URI, the same content, or a tombstone.
func (b *batch) add(p *prepared) (memory.Applied, error) {
	around, err := b.surroundings(p)
	if err != nil {
		return memory.Applied{}, err
	}
	if conflict, existing := around.obstacle(p); conflict != memory.NoConflict {
		return memory.Applied{Memory: p.Memory, Conflict: conflict, Existing: existing}, nil
	}
	if err := b.number(&p.Memory, around.highest); err != nil {
		return memory.Applied{}, err
	}
	if p.Restore {
		if err := b.lift(p.Memory.Namespace, p.tombstone); err != nil {
			return memory.Applied{}, err
		}
	}
	r := row{Memory: p.Memory, uriKey: uriKey(p.Memory.URI), group: around.group, groupSeq: around.next}
	if err := b.insert(&r, p); err != nil {
		return memory.Applied{}, err
	}
	if err := b.bring(r.Memory, p.History); err != nil {
		return memory.Applied{}, err
	}
	return memory.Applied{Memory: r.Memory}, b.announce(p, r.Memory, r.Home.File)
}

// uriKey returns the form under which a URI is unique. What does not parse,
// such as an address kept from an import, is unique as it stands.
func uriKey(uri string) string {
	u, err := memory.ParseURI(uri)
	if err != nil {
		return uri
	}
	return u.Key()
}

// numbered takes a journal's URI apart: the minute, and the number of the entry
// in it, "" where one is still to be given. ok is false for other URIs.
func numbered(uri string) (minute, n string, ok bool) {
	_, place, found := strings.Cut(uri, "://")
	dash := strings.LastIndexByte(place, '-')
	if !found || !strings.HasPrefix(place, "journal/") || dash < strings.IndexByte(place, '#') || !strings.Contains(place, "#") {
		return "", "", false
	}
	return place[:dash+1], place[dash+1:], true
}

// greatestNumber is the greatest number of an entry that counts: what people or
// an import write beyond it would leave none for the entries to come.
const greatestNumber = 999_999_999

// number completes a URI that waits for its number, and keeps the count of a
// minute above every number that it has seen; highest is that count until now.
func (b *batch) number(m *memory.Memory, highest int64) error {
	minute, n, ok := numbered(m.URI)
	if !ok {
		return nil
	}
	if n == "" {
		m.URI += strconv.FormatInt(highest+1, 10)
		return b.keepNumber(m.Namespace, minute, highest+1)
	}
	given, err := strconv.ParseInt(n, 10, 64)
	if err != nil || given > greatestNumber {
		return nil //nolint:nilerr // not one of our numbers
	}
	return b.keepNumber(m.Namespace, minute, given)
}

// keepNumber keeps the count of a minute at or above a number.
func (b *batch) keepNumber(namespace, minute string, n int64) error {
	_, err := b.Exec("INSERT INTO numbers (namespace, minute, highest) VALUES (?, ?, ?)"+
		" ON CONFLICT DO UPDATE SET highest = max(highest, excluded.highest)", namespace, minute, n)
	if err != nil {
		return fmt.Errorf("keeping number %d of %s: %w", n, minute, err)
	}
	return nil
}

// surroundings is what an add finds in the store. One statement asks for all of
// it: each costs more than what it asks.
type surroundings struct {
	id, uri, hash, forgotten *string // ids of the memories with the same id, address and content
	buried                   bool    // there is a tombstone of the content
	highest                  int64   // number given in the journal's minute
	group                    string  // that the memory comes into
	next                     int64   // place there
	before                   int64   // number of the transaction before this one
}

const askSurroundings = askBefore + ", (SELECT id FROM memories WHERE id = ?1)," +
	" (SELECT id FROM memories WHERE namespace = ?2 AND uri_key = ?3)," +
	" (SELECT m.id FROM memories m JOIN texts t ON t.key = m.key WHERE m.namespace = ?2 AND m.content_hash = ?4 AND m.form != 'passage'" +
	" AND m.status IN ('active', 'proposed', 'missing') AND t.fields = ?8)," + // cards that say more than their title differ in their fields
	" (SELECT id FROM memories WHERE namespace = ?2 AND content_hash = ?4 AND status = 'forgotten')," +
	" EXISTS (SELECT 1 FROM tombstones WHERE namespace = ?2 AND hash = ?5)," +
	" coalesce((SELECT highest FROM numbers WHERE namespace = ?2 AND minute = ?6), 0)," +
	" coalesce((SELECT max(group_seq) + 1 FROM memories WHERE namespace = ?2 AND group_name = ?7), 0)"

func (b *batch) surroundings(p *prepared) (surroundings, error) {
	var s surroundings
	m := p.Memory
	minute, _, _ := numbered(m.URI)
	if s.group = groupOf(m); m.SessionID != "" && m.Seq > 0 {
		s.group = "" // it brings its place along
	}
	fields, err := encodeList(m.Fields)
	if err != nil {
		return s, fmt.Errorf("encoding the fields of memory %s: %w", m.ID, err)
	}
	_, err = b.Row(askSurroundings, []any{m.ID, m.Namespace, uriKey(m.URI), digestOf(m.ContentHash), p.tombstone, minute, s.group, fields},
		&s.before, &s.id, &s.uri, &s.hash, &s.forgotten, &s.buried, &s.highest, &s.next)
	if err != nil {
		return s, fmt.Errorf("looking for what stands in the way of a new memory: %w", err)
	}
	if b.changed == 0 {
		b.comesAfter(s.before)
	}
	return s, nil
}

// obstacle tells what keeps an add from being applied, and which memory. What
// was forgotten stands in the way of its return as a tombstone does.
func (s *surroundings) obstacle(p *prepared) (memory.Conflict, string) {
	prose := p.Memory.Form == memory.Passage
	switch {
	case s.id != nil:
		return memory.ConflictID, *s.id
	case s.uri != nil:
		return memory.ConflictURI, *s.uri
	case s.hash != nil && !prose && !p.FromFile && !p.Import && !p.Restore:
		return memory.ConflictHash, *s.hash
	case s.buried && !prose && !p.Restore:
		return memory.ConflictTombstone, ""
	case s.forgotten != nil && !prose && !p.Restore:
		return memory.ConflictTombstone, *s.forgotten
	}
	return memory.NoConflict, ""
}

// digestOf decodes a hash; what is no hash matches no row.
func digestOf(hash string) []byte {
	digest, err := hex.DecodeString(hash)
	if err != nil {
		return []byte{}
	}
	return digest
}

// insert writes the row, its text, its terms and its links.
func (b *batch) insert(r *row, p *prepared) error {
	r.indexed = b.changed
	values, err := b.values(r, p.length)
	if err != nil {
		return err
	}
	texts, err := r.textValues()
	if err != nil {
		return err
	}
	result, err := b.Exec(insertMemory, append(values, b.sumOf(r, values[hashColumn], texts))...)
	if err != nil {
		return fmt.Errorf("writing memory %s: %w", r.ID, err)
	}
	if r.key, err = result.LastInsertId(); err != nil {
		return fmt.Errorf("reading the key of memory %s: %w", r.ID, err)
	}
	if _, err := b.Exec("INSERT INTO texts (key, "+textual+", terms) VALUES (?, ?, ?, ?, ?, ?)",
		append(append([]any{r.key}, texts...), p.terms)...); err != nil {
		return fmt.Errorf("writing the text of memory %s: %w", r.ID, err)
	}
	if err := b.index(r.key, p.terms); err != nil {
		return err
	}
	b.count(r.Namespace, 1, p.length)
	b.written = append(b.written, written{key: r.key, namespace: r.Namespace, group: r.group, terms: p.terms, length: p.length, indexed: true, row: r})
	return b.link(r)
}

const (
	hashColumn   = 32 // of content_hash in checked
	insertMemory = "INSERT INTO memories (" + checked + ", " + derived + ") VALUES (" +
		"?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " +
		"?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

// values are those of all columns but the checksum.
func (b *batch) values(r *row, length int) ([]any, error) {
	if err := b.place(r); err != nil {
		return nil, err
	}
	return r.columnValues(length, b.changed)
}

// sumOf is the checksum of a row with this hash and these texts.
func (b *batch) sumOf(r *row, hash any, texts []any) (sum []byte) {
	digest, _ := hash.([]byte)
	fields, _ := texts[2].(string)
	links, _ := texts[3].(string)
	sum, b.scratch = r.sum(b.scratch, digest, fields, links)
	return sum
}

// columnValues are the values of checked and derived but for the checksum, of a
// row that has its place.
func (r *row) columnValues(length int, changed int64) ([]any, error) {
	values, err := r.checkedValues()
	if err != nil {
		return nil, err
	}
	return append(values, int64(r.Home.Line), r.Observed().UnixMicro(), r.group, r.groupSeq,
		flag(cold(r.Home.File)), int64(length), changed, r.indexed), nil
}

// place puts a memory into its group: the session if it has one, else its home
// file. Without a number of its own it comes after the last one there.
func (b *batch) place(r *row) error {
	group := groupOf(r.Memory)
	switch {
	case group == "":
		r.group, r.groupSeq = "", 0
		return nil
	case r.SessionID != "" && r.Seq > 0:
		r.group, r.groupSeq = group, int64(r.Seq)
		return nil
	case group == r.group:
		return nil
	}
	r.group = group
	_, err := b.Row("SELECT coalesce(max(group_seq) + 1, 0) FROM memories WHERE namespace = ? AND group_name = ?",
		[]any{r.Namespace, group}, &r.groupSeq)
	if err != nil {
		return fmt.Errorf("finding the last entry of %s: %w", group, err)
	}
	return nil
}

func groupOf(m memory.Memory) string {
	if m.SessionID != "" {
		return "session:" + m.SessionID
	}
	return m.Home.File
}

// index adds terms to the full-text index.
func (b *batch) index(key int64, terms string) error {
	if _, err := b.Exec("INSERT INTO search (rowid, terms) VALUES (?, ?)", key, terms); err != nil {
		return fmt.Errorf("indexing: %w", err)
	}
	return nil
}

// unindex takes out exactly the terms that were indexed. Their bytes stay in
// the index until its parts are merged.
func (b *batch) unindex(key int64, terms string) error {
	if _, err := b.Exec("INSERT INTO search (search, rowid, terms) VALUES ('delete', ?, ?)", key, terms); err != nil {
		return fmt.Errorf("removing from the index: %w", err)
	}
	return nil
}

// count moves the sums of a namespace.
func (b *batch) count(namespace string, memories, length int) {
	b.sums[sumKey{namespace, "memories"}] += int64(memories)
	b.sums[sumKey{namespace, "length"}] += int64(length)
}

// link replaces the links by which a memory is found from their targets.
func (b *batch) link(r *row) error {
	for _, l := range r.Links {
		_, err := b.Exec("INSERT OR IGNORE INTO links (namespace, target, key, relation) VALUES (?, ?, ?, ?)",
			r.Namespace, uriKey(l.Target), r.key, l.Relation)
		if err != nil {
			return fmt.Errorf("linking memory %s: %w", r.ID, err)
		}
	}
	return nil
}

// announce tells the mirror of a change. What a file shows already still goes
// into the records, but for passages, which have none.
func (b *batch) announce(p *prepared, m memory.Memory, file string) error {
	if m.Form == memory.Passage && p.FromFile {
		return nil
	}
	only := p.FromFile || p.Op == memory.OpReinforce
	err := b.outbox.add(b, intoOutbox, m.Namespace, m.ID, m.Revision, string(p.Op), file,
		flag(only), p.left, b.at.UnixMicro())
	if err != nil {
		return fmt.Errorf("writing the outbox: %w", err)
	}
	return nil
}
