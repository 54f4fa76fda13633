package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// flatAbove is the number of vectors above which they are scanned flat. For
// 10,000 vectors of 128 dimensions, on two busy cores, chromem took 6.7 ms to
// answer and the scan 1.1 (BenchmarkNearest).
const flatAbove = 4_000

// vectorCache holds the loaded vectors of each generation in use.
type vectorCache struct {
	mu     sync.Mutex
	loaded map[int64]*vectorIndex
	few    int // vectors up to which chromem searches them
}

// vectorIndex is one generation in memory, up to some commit.
type vectorIndex struct {
	namespace string
	model     memory.Model
	ready     chan struct{} // closed when the first load is over
	failed    error         // of the first load
	mu        sync.RWMutex
	search    vectorSearch
	few       int
	version   int64 // data_version that search was seen at
	changed   int64 // the last transaction in it
	seq       int64 // the last vector in it
}

// Nearest returns up to limit memories that a filter selects whose vectors of a
// model lie nearest to query, by cosine. The filter must name the namespace, which
// has to be the model's. The first call for a generation loads its vectors in
// the background; one that does not want to wait ends its context and gets
// DeadlineExceeded, while the load goes on.
func (s *Store) Nearest(ctx context.Context, m memory.Model, query []float32, f memory.Filter, limit int) ([]memory.Neighbour, error) {
	unit, err := unitVector(query, m.Dimension)
	if err != nil {
		return nil, fmt.Errorf("vector of the query: %w", err)
	}
	index, err := s.index(ctx, f.Namespace, m)
	if err != nil {
		return nil, fmt.Errorf("loading vectors: %w", err)
	}
	found, err := s.nearestFitting(ctx, index, unit, f, limit)
	if err != nil {
		return nil, fmt.Errorf("searching vectors: %w", err)
	}
	return found, nil
}

// commonplace reports whether nearly all memories of a namespace fit a filter.
func commonplace(f memory.Filter) bool {
	return plain(f) && len(f.Types)+len(f.Forms) == 0 && f.Actor == "" && f.After.IsZero() && f.Before.IsZero() && f.Layer != memory.LayerCold
}

// nearestFitting asks about as many neighbours as wanted first, as a rule all of
// them fit; then about a few more, and about many. If too few of them fit the
// filter, what it selects is waited for.
func (s *Store) nearestFitting(ctx context.Context, index *vectorIndex, unit []float32, f memory.Filter, limit int) ([]memory.Neighbour, error) {
	const spare = 64
	if !commonplace(f) {
		if m, err := s.cheapMask(ctx, f); err != nil || m != nil {
			if err != nil {
				return nil, err
			}
			found, _, err := index.nearest(ctx, unit, limit, m)
			return found, err
		}
	}
	near, total, err := index.nearest(ctx, unit, limit+spare, nil)
	if err != nil {
		return nil, err
	}
	asked := min(limit, len(near))
	fitting, err := s.fittingNear(ctx, near[:asked], f)
	if err != nil || len(fitting) == limit {
		return fitting, err
	}
	more, err := s.fittingNear(ctx, near[asked:], f)
	if err != nil {
		return nil, err
	}
	fitting = append(slices.Clip(fitting), more...)
	if len(fitting) < limit && limit+spare < total {
		fitting, err = s.nearestSelected(ctx, index, unit, conditionOf(f), limit)
	}
	return fitting[:min(limit, len(fitting))], err
}

// cheapMask returns what a filter selects if that is known already, or read from
// the index of names; else nil.
func (s *Store) cheapMask(ctx context.Context, f memory.Filter) (*mask, error) {
	c, err := s.selection(ctx, f)
	if err != nil {
		return nil, err
	}
	if c.holding != "" {
		return s.mask(ctx, c)
	}
	return s.knownMask(ctx, c)
}

// manyNear is how many neighbours the database is asked about before what a
// filter selects is waited for.
const manyNear = 8_000

// nearestSelected looks only at vectors of memories that a condition selects.
func (s *Store) nearestSelected(ctx context.Context, index *vectorIndex, unit []float32, c *condition, limit int) ([]memory.Neighbour, error) {
	m, err := s.knownMask(ctx, c)
	if err != nil {
		return nil, err
	}
	if m == nil {
		s.startMask(c)
		near, total, err := index.nearest(ctx, unit, manyNear, nil)
		if err != nil {
			return nil, err
		}
		keys := make([]int64, len(near))
		for i, n := range near {
			keys[i] = n.Key
		}
		selected, err := s.maskOf(ctx, keys, c)
		if err != nil {
			return nil, err
		}
		near = selected.among(near)
		if len(near) >= limit || total <= manyNear {
			return near, nil
		}
		if m, err = s.mask(ctx, c); err != nil {
			return nil, err
		}
	}
	found, _, err := index.nearest(ctx, unit, limit, m)
	return found, err
}

// nearest also returns how many vectors there are.
func (x *vectorIndex) nearest(ctx context.Context, unit []float32, limit int, allowed *mask) ([]memory.Neighbour, int, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	near, err := x.search.nearest(ctx, unit, limit, allowed)
	return near, x.search.count(), err
}

// fittingNear keeps the neighbours whose memories the filter selects, in order.
// Most of them are wanted as candidates next.
func (s *Store) fittingNear(ctx context.Context, near []memory.Neighbour, f memory.Filter) ([]memory.Neighbour, error) {
	if len(near) == 0 {
		return nil, nil
	}
	keys := make([]int64, len(near))
	for i, n := range near {
		keys[i] = n.Key
	}
	if !plain(f) {
		m, err := s.maskOf(ctx, keys, conditionOf(f))
		if err != nil {
			return nil, err
		}
		return m.among(near), nil
	}
	if _, err := s.look(ctx); err != nil {
		return nil, err
	}
	candidates, err := s.fresh(ctx, keys)
	if err != nil {
		return nil, err
	}
	kept := near[:0]
	for i, n := range near {
		if k := candidates[i]; k != nil && k.fits(f) {
			kept = append(kept, n)
		}
	}
	return kept, nil
}

// among keeps the neighbours that are in the mask.
func (m *mask) among(near []memory.Neighbour) []memory.Neighbour {
	return slices.DeleteFunc(near, func(n memory.Neighbour) bool { return !m.has(uint32(n.Key)) }) //nolint:gosec // keys are positive and small
}

// index returns the loaded vectors of a generation, as of the last commit.
func (s *Store) index(ctx context.Context, namespace string, m memory.Model) (*vectorIndex, error) {
	index := s.vectors.of(s, namespace, m)
	select {
	case <-index.ready:
	case <-ctx.Done():
		return nil, memory.Errorf(memory.DeadlineExceeded, "the vectors are still being loaded: %w", ctx.Err())
	}
	if index.failed != nil {
		s.vectors.forget(index)
		return nil, index.failed
	}
	version, err := s.version(ctx)
	if err != nil {
		return nil, err
	}
	index.mu.RLock()
	fresh := version == index.version
	index.mu.RUnlock()
	if fresh {
		return index, nil
	}
	return index, s.refresh(ctx, index, version)
}

// of returns the index of a generation and starts loading it if nobody did.
func (v *vectorCache) of(s *Store, namespace string, m memory.Model) *vectorIndex {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.loaded == nil {
		v.loaded = map[int64]*vectorIndex{}
	}
	if index, ok := v.loaded[m.Generation]; ok {
		return index
	}
	for generation, old := range v.loaded {
		if old.namespace == namespace {
			delete(v.loaded, generation) // another generation serves now
		}
	}
	index := &vectorIndex{namespace: namespace, model: m, ready: make(chan struct{}), few: v.few}
	v.loaded[m.Generation] = index
	s.tasks.Go(func() {
		defer close(index.ready)
		index.failed = s.load(s.alive, index)
	})
	return index
}

// forget lets the next call try again.
func (v *vectorCache) forget(index *vectorIndex) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.loaded[index.model.Generation] == index {
		delete(v.loaded, index.model.Generation)
	}
}

// load reads all vectors of a generation.
func (s *Store) load(ctx context.Context, index *vectorIndex) error {
	version, err := s.version(ctx)
	if err != nil {
		return err
	}
	index.mu.Lock()
	defer index.mu.Unlock()
	index.version = version
	return s.db.Snapshot(ctx, func(tx *sql.Tx) error { return index.load(ctx, tx) })
}

func (x *vectorIndex) load(ctx context.Context, tx reader) error {
	var total int
	if err := x.cursors(ctx, tx); err != nil {
		return err
	}
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM vectors WHERE generation = ?", x.model.Generation).Scan(&total)
	if err != nil {
		return fmt.Errorf("counting the vectors: %w", err)
	}
	if total > x.few {
		x.search = newFlatSearch(x.model.Dimension, total)
	} else if x.search, err = newChromemSearch(); err != nil {
		return err
	}
	held, err := x.holders(ctx, tx, total)
	if err != nil {
		return fmt.Errorf("reading which memories hold which content: %w", err)
	}
	rows, err := tx.QueryContext(ctx, "SELECT content_hash, components FROM vectors NOT INDEXED WHERE generation = ? AND components != x'' ORDER BY seq",
		x.model.Generation)
	if err != nil {
		return fmt.Errorf("reading vectors: %w", err)
	}
	defer rows.Close()
	return x.loadRows(ctx, rows, held)
}

// cursors notes how far the snapshot reaches.
func (x *vectorIndex) cursors(ctx context.Context, tx reader) error {
	row := tx.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM sums WHERE namespace = '' AND name = 'transactions'), 0),"+
		" coalesce((SELECT max(seq) FROM vectors), 0)")
	if err := row.Scan(&x.changed, &x.seq); err != nil {
		return fmt.Errorf("reading the extent of the vectors: %w", err)
	}
	return nil
}

// contentKey is the beginning of a content hash: enough to tell contents of
// one store apart, and half as large.
type contentKey [16]byte

// holders are the memories by their content: mostly one.
type holders struct {
	first map[contentKey]uint32
	more  map[contentKey][]uint32
}

// holders reads them as two long texts: a row for each would take twice the time.
func (x *vectorIndex) holders(ctx context.Context, tx reader, size int) (holders, error) {
	h := holders{first: make(map[contentKey]uint32, size), more: map[contentKey][]uint32{}}
	const each = len(contentKey{})
	rows, err := tx.QueryContext(ctx, "SELECT CAST(coalesce(group_concat(substr(content_hash, 1, ?2), ''), '') AS BLOB), coalesce(group_concat(key), '')"+
		" FROM memories INDEXED BY memories_by_hash WHERE namespace = ?1 AND octet_length(content_hash) >= ?2", x.namespace, each)
	if err != nil {
		return h, err
	}
	defer rows.Close()
	for rows.Next() {
		var digests, list sql.RawBytes
		if err := rows.Scan(&digests, &list); err != nil {
			return h, err
		}
		keys, err := appendKeys(make([]uint32, 0, size), list)
		if err != nil {
			return h, err
		}
		if len(digests) != each*len(keys) {
			return h, errPacked
		}
		for i, key := range keys {
			h.add(contentKey(digests[each*i:]), key)
		}
	}
	return h, rows.Err()
}

func (h *holders) add(k contentKey, key uint32) {
	if _, held := h.first[k]; held {
		h.more[k] = append(h.more[k], key)
		return
	}
	h.first[k] = key
}

func (x *vectorIndex) loadRows(ctx context.Context, rows *sql.Rows, h holders) error {
	unit := make([]float32, 0, x.model.Dimension)
	for rows.Next() {
		var digest, packed sql.RawBytes
		if err := rows.Scan(&digest, &packed); err != nil {
			return fmt.Errorf("reading a vector: %w", err)
		}
		if len(digest) < len(contentKey{}) {
			continue
		}
		k := contentKey(digest)
		key, held := h.first[k]
		if !held {
			continue
		}
		var intact bool
		if unit, intact = unpackVector(unit[:0], packed, x.model.Dimension); !intact {
			continue
		}
		if err := x.search.put(ctx, int64(key), unit); err != nil {
			return fmt.Errorf("indexing a vector: %w", err)
		}
		for _, key := range h.more[k] {
			if err := x.search.put(ctx, int64(key), unit); err != nil {
				return fmt.Errorf("indexing a vector: %w", err)
			}
		}
	}
	return rows.Err()
}

// refresh brings an index up to the last commit of any process.
func (s *Store) refresh(ctx context.Context, index *vectorIndex, version int64) error {
	index.mu.Lock()
	defer index.mu.Unlock()
	if index.version == version {
		return nil
	}
	err := s.db.View(ctx, func(v *sqlite.View) error { return index.follow(ctx, v) })
	if err != nil {
		return fmt.Errorf("following the store: %w", err)
	}
	index.version = version
	return nil
}

// follow applies removals, changed rows and new vectors since the last look. Left
// to itself SQLite would go through all memories of the namespace, and all vectors.
// Cut short, it leaves the cursors where they were: the next one begins there.
func (x *vectorIndex) follow(ctx context.Context, tx reader) (err error) {
	changed, seq, search := x.changed, x.seq, x.search
	defer func() {
		if err != nil {
			x.changed, x.seq, x.search = changed, seq, search
		}
	}()
	if err := x.cursors(ctx, tx); err != nil {
		return err
	}
	if changed == x.changed && seq == x.seq {
		return nil // the commits were about something else
	}
	steps := []struct {
		query string
		args  []any
	}{
		{"SELECT key, NULL FROM removals WHERE changed > ?", []any{changed}},
		{"SELECT m.key, v.components FROM memories m INDEXED BY memories_by_change LEFT JOIN vectors v ON v.generation = ?2 AND v.content_hash = m.content_hash" +
			" WHERE m.changed > ?1 AND m.namespace = ?3", []any{changed, x.model.Generation, x.namespace}},
		{"SELECT m.key, v.components FROM vectors v NOT INDEXED CROSS JOIN memories m ON m.namespace = ?3 AND m.content_hash = v.content_hash" +
			" WHERE v.seq > ?1 AND v.generation = ?2", []any{seq, x.model.Generation, x.namespace}},
	}
	for _, step := range steps {
		rows, err := tx.QueryContext(ctx, step.query, step.args...)
		if err != nil {
			return err
		}
		if err := x.take(ctx, rows); err != nil {
			return err
		}
	}
	if _, small := x.search.(*chromemSearch); small && x.search.count() > x.few {
		return x.load(ctx, tx)
	}
	return nil
}

// take puts the vectors of the rows in; a row without one is dropped.
func (x *vectorIndex) take(ctx context.Context, rows *sql.Rows) error {
	defer rows.Close()
	unit := make([]float32, 0, x.model.Dimension)
	for rows.Next() {
		var key int64
		var packed sql.RawBytes
		if err := rows.Scan(&key, &packed); err != nil {
			return err
		}
		var intact bool
		unit, intact = unpackVector(unit[:0], packed, x.model.Dimension)
		var err error
		if intact {
			err = x.search.put(ctx, key, unit)
		} else {
			err = x.search.drop(ctx, key)
		}
		if err != nil {
			return err
		}
	}
	return rows.Err()
}
