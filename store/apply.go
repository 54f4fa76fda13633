package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
)

// Apply commits the changes in one durable transaction. A change that the store
// has moved past is reported as a conflict in its place, and so are those after it
// that name a revision of the same memory, while the others are committed; an
// error means that nothing was. The caller's cancellation is not regarded.
// Unavailable and ReadOnly tell that the database cannot be written at all.
func (s *Store) Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error) {
	if len(changes) == 0 {
		return nil, nil
	}
	prepared := make([]prepared, len(changes))
	indexer, is := s.indexers.Get().(*text.Indexer)
	if !is {
		indexer = text.NewIndexer()
	}
	defer s.indexers.Put(indexer)
	for i, c := range changes {
		var err error
		if prepared[i], err = s.prepareChange(c, indexer); err != nil {
			return nil, fmt.Errorf("preparing change %d: %w", i, err)
		}
	}
	var applied []memory.Applied
	var b *batch
	err := s.db.Write(ctx, func(tx *sqlite.Tx) (err error) {
		b, applied, err = s.applyAll(tx, prepared)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("applying %d changes: %w", len(changes), err)
	}
	s.follows(b)
	return applied, nil
}

// prepared is a change with what can be computed before the transaction.
type prepared struct {
	memory.Change
	terms     string
	length    int
	tombstone []byte // of the wanted content
	left      any    // the tombstone that a removal left
}

func (s *Store) prepareChange(c memory.Change, indexer *text.Indexer) (prepared, error) {
	s.normalise(&c.Memory)
	p := prepared{Change: c}
	switch c.Op {
	case memory.OpAdd:
		if err := s.completeNew(&p.Memory); err != nil {
			return p, err
		}
		p.Memory.Revision = max(p.Memory.Revision, int64(len(p.History)+1))
	case memory.OpUpdate:
	case memory.OpReinforce, memory.OpStatus, memory.OpMove, memory.OpRemove, memory.OpPurge:
		return p, nil
	default:
		return p, memory.Errorf(memory.Internal, "unknown operation %q", c.Op)
	}
	p.terms, p.length = joined(indexer.Document(p.Memory))
	p.tombstone = s.tombstone(p.Memory.Content)
	return p, nil
}

// analysed returns the indexed terms of a memory, as text and by number.
func analysed(m memory.Memory) (string, int) { return joined(text.Document(m)) }

func joined(terms []string) (string, int) { return strings.Join(terms, " "), len(terms) }

// completeNew fills in what an add may leave open, but for its number.
func (s *Store) completeNew(m *memory.Memory) (err error) {
	if m.ID == "" {
		if m.ID, err = s.ids.Next(); err != nil {
			return err
		}
	}
	if m.Namespace == "" {
		m.Namespace = memory.DefaultNamespace
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = s.clock()
	}
	if m.UpdatedAt.IsZero() {
		m.UpdatedAt = m.CreatedAt
	}
	if m.URI == "" {
		m.URI = memory.JournalURI(m.Type, m.CreatedAt)
	}
	m.Revision = max(m.Revision, 1)
	return nil
}

// clock returns now as the database keeps it.
func (s *Store) clock() time.Time { return time.UnixMicro(s.now().UnixMicro()).In(s.zone) }

// batch is the state of one transaction of changes.
type batch struct {
	*sqlite.Tx
	store   *Store
	at      time.Time
	changed int64 // number of this transaction
	sums    map[sumKey]int64
	written []written
	scratch []byte         // of checksums
	known   map[string]row // read ahead, by id
	refused map[string]bool

	attributes bool // all that is changed; then rows of these wait
	history    later
	outbox     later
}

type sumKey struct{ namespace, name string }

// askBefore asks for the number of the transaction before.
const askBefore = "SELECT coalesce((SELECT value FROM sums WHERE namespace = '' AND name = 'transactions'), 0)"

func (s *Store) begin(tx *sqlite.Tx) (*batch, error) {
	b := s.unnumbered(tx)
	var before int64
	if _, err := tx.Row(askBefore, nil, &before); err != nil {
		return nil, fmt.Errorf("numbering the transaction: %w", err)
	}
	b.comesAfter(before)
	return b, nil
}

// unnumbered begins with what will tell the number of the transaction.
func (s *Store) unnumbered(tx *sqlite.Tx) *batch {
	return &batch{Tx: tx, store: s, at: s.clock(), sums: map[sumKey]int64{}}
}

func (b *batch) comesAfter(before int64) {
	b.changed = before + 1
	b.sums[sumKey{"", "transactions"}] = 1
}

// finish adds the rows that wait, and writes the sums that the transaction moved in one statement.
func (b *batch) finish() error {
	if err := b.catchUp(); err != nil {
		return err
	}
	const row = "(?, ?, ?)"
	values, args := "", make([]any, 0, 3*len(b.sums))
	for k, delta := range b.sums {
		if delta == 0 {
			continue
		}
		if values != "" {
			values += ", "
		}
		values, args = values+row, append(args, k.namespace, k.name, delta)
	}
	_, err := b.Exec("INSERT INTO sums (namespace, name, value) VALUES "+values+
		" ON CONFLICT DO UPDATE SET value = value + excluded.value", args...)
	if err != nil {
		return fmt.Errorf("updating the sums: %w", err)
	}
	return nil
}

// beginWith leaves the numbering to an addition, which asks for all it needs at once.
func (s *Store) beginWith(tx *sqlite.Tx, first memory.Op) (*batch, error) {
	if first == memory.OpAdd {
		return s.unnumbered(tx), nil
	}
	return s.begin(tx)
}

func (s *Store) applyAll(tx *sqlite.Tx, changes []prepared) (*batch, []memory.Applied, error) {
	b, err := s.beginWith(tx, changes[0].Op)
	if err != nil {
		return nil, nil, err
	}
	if err := b.prefetch(changes); err != nil {
		return nil, nil, err
	}
	b.attributes = onlyAttributes(changes)
	applied := make([]memory.Applied, len(changes))
	for i := range changes {
		if applied[i], err = b.apply(&changes[i]); err != nil {
			return nil, nil, fmt.Errorf("change %d, %s: %w", i, changes[i].Op, err)
		}
	}
	return b, applied, b.finish()
}

func (b *batch) apply(p *prepared) (memory.Applied, error) {
	if p.Op == memory.OpAdd {
		return b.add(p)
	}
	old, found, err := b.byID(p.Memory.ID)
	if err != nil {
		return memory.Applied{}, err
	}
	if !found {
		return memory.Applied{Memory: p.Memory, Conflict: memory.ConflictGone}, nil
	}
	if p.Revision != 0 && (p.Revision != old.Revision || b.refused[old.ID]) {
		b.refuse(old.ID)
		return memory.Applied{Memory: old.Memory, Conflict: memory.ConflictRevision, Existing: old.ID}, nil
	}
	switch p.Op {
	case memory.OpUpdate:
		return b.update(old, p)
	case memory.OpRemove, memory.OpPurge:
		return b.remove(old, p)
	}
	return b.adjust(old, p)
}

// refuse has what was planned to follow a change refused with it.
func (b *batch) refuse(id string) {
	if b.refused == nil {
		b.refused = map[string]bool{}
	}
	b.refused[id] = true
}

func (b *batch) byID(id string) (row, bool, error) {
	if r, known := b.known[id]; known {
		delete(b.known, id)
		return r, true, nil
	}
	rows, err := b.store.collect(b.Query, selected+"WHERE m.id = ?", id)
	if err != nil || len(rows) == 0 {
		return row{}, false, err
	}
	return rows[0], true, nil
}
