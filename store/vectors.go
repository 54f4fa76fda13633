package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// lackingVectors selects the memories m whose content has no vector of
// generation ?1. Those that nobody may read are not embedded.
const lackingVectors = " FROM generations g CROSS JOIN memories m INDEXED BY memories_by_change" +
	" ON m.changed > g.through AND m.namespace = g.namespace AND m.status NOT IN ('forgotten', 'quarantined')" +
	" WHERE g.generation = ?1" +
	" AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.generation = g.generation AND v.content_hash = m.content_hash)"

// PendingVectors returns contents that have no vector of a generation yet, the
// least recently changed first, each once. PutVectors moves past them.
func (s *Store) PendingVectors(ctx context.Context, m memory.Model, limit int) ([]memory.Unembedded, error) {
	rows, err := s.db.Query(ctx, "SELECT m.content_hash, x.title, x.content FROM (SELECT m.key, m.changed, m.content_hash"+lackingVectors+
		" ORDER BY m.changed LIMIT ?2) m CROSS JOIN texts x ON x.key = m.key ORDER BY m.changed, m.key", m.Generation, limit)
	if err != nil {
		return nil, fmt.Errorf("listing contents without a vector: %w", err)
	}
	defer rows.Close()
	var pending []memory.Unembedded
	seen := map[string]bool{}
	for rows.Next() {
		var u memory.Unembedded
		var digest []byte
		if err := rows.Scan(&digest, &u.Title, &u.Content); err != nil {
			return nil, fmt.Errorf("listing contents without a vector: %w", err)
		}
		u.ContentHash = fmt.Sprintf("%x", digest)
		if !seen[u.ContentHash] {
			seen[u.ContentHash] = true
			pending = append(pending, u)
		}
	}
	return pending, rows.Err()
}

// unembedded counts the memories that lack a vector of the serving model.
func (s *Store) unembedded(ctx context.Context, namespace string) (int, error) {
	serving, _, err := s.Serving(ctx, namespace)
	if err != nil || serving.Generation == 0 {
		return 0, err
	}
	return s.CountPending(ctx, serving)
}

// CountPending returns how many memories lack a vector of a generation. The
// time it takes grows with what has changed since the last PutVectors.
func (s *Store) CountPending(ctx context.Context, m memory.Model) (int, error) {
	var n int
	if err := s.db.Row(ctx, "SELECT count(*)"+lackingVectors, []any{m.Generation}, &n); err != nil {
		return 0, fmt.Errorf("counting contents without a vector: %w", err)
	}
	return n, nil
}

// PutVectors keeps vectors of a generation. Each must have the model's
// dimension and finite components, not all zero; no components at all mean that
// this content cannot have a vector. A bad one refuses all with InvalidArgument.
func (s *Store) PutVectors(ctx context.Context, m memory.Model, vectors []memory.Vector) error {
	packed := make([][]byte, len(vectors))
	for i, v := range vectors {
		unit, err := unitVector(v.Values, m.Dimension)
		if err != nil && len(v.Values) > 0 {
			return fmt.Errorf("vector of content %.12s: %w", v.ContentHash, err)
		}
		packed[i] = packVector(unit)
	}
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		for i, v := range vectors {
			// Only for contents that are still there, and only while the generation is.
			_, err := tx.Exec("INSERT INTO vectors (generation, content_hash, components)"+
				" SELECT g.generation, ?2, ?3 FROM generations g WHERE g.generation = ?1 AND g.state != 'retired' AND g.dimension = ?4"+
				" AND EXISTS (SELECT 1 FROM memories m WHERE m.namespace = g.namespace AND m.content_hash = ?2)"+
				" ON CONFLICT (generation, content_hash) DO NOTHING", m.Generation, digestOf(v.ContentHash), packed[i], m.Dimension)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing %d vectors: %w", len(vectors), err)
	}
	return s.advance(ctx, m.Generation)
}

// advance notes up to which change all memories have their vectors, so that
// nobody looks at those again. A row that changes later gets a higher number.
func (s *Store) advance(ctx context.Context, generation int64) error {
	var through, now int64
	err := s.db.Row(ctx, "SELECT g.through, coalesce((SELECT min(m.changed) - 1"+lackingVectors+"),"+
		" (SELECT value FROM sums WHERE namespace = '' AND name = 'transactions'), 0) FROM generations g WHERE g.generation = ?1",
		[]any{generation}, &through, &now)
	if err != nil {
		return ignoreNoRows(fmt.Errorf("reading the progress of generation %d: %w", generation, err))
	}
	if now <= through {
		return nil
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if _, err := tx.Exec("UPDATE generations SET through = max(through, ?) WHERE generation = ?", now, generation); err != nil {
			return fmt.Errorf("noting the progress of generation %d: %w", generation, err)
		}
		return nil
	})
}

// unitVector checks a vector and returns a copy of length 1.
func unitVector(values []float32, dimension int) ([]float32, error) {
	if len(values) != dimension {
		return nil, memory.Errorf(memory.InvalidArgument, "it has %d components, the model %d", len(values), dimension)
	}
	var square float64
	for _, v := range values {
		square += float64(v) * float64(v)
	}
	if math.IsNaN(square) || math.IsInf(square, 0) {
		return nil, memory.Errorf(memory.InvalidArgument, "its components are not finite")
	}
	if square == 0 {
		return nil, memory.Errorf(memory.InvalidArgument, "its components are all zero")
	}
	scale := 1 / math.Sqrt(square)
	unit := make([]float32, len(values))
	for i, v := range values {
		unit[i] = float32(float64(v) * scale)
	}
	return unit, nil
}

func packVector(values []float32) []byte {
	packed := make([]byte, 0, 4*len(values))
	for _, v := range values {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(v))
	}
	return packed
}

// unpackVector appends the components of a stored vector to into. It reports
// false for one that is damaged: of another size, not finite, not of length 1.
func unpackVector(into []float32, packed []byte, dimension int) ([]float32, bool) {
	if len(packed) != 4*dimension {
		return into, false
	}
	var square float64
	for i := 0; i < len(packed); i += 4 {
		v := math.Float32frombits(binary.LittleEndian.Uint32(packed[i:]))
		square += float64(v) * float64(v)
		into = append(into, v)
	}
	const tolerance = 1e-3
	if !(math.Abs(square-1) < tolerance) { // written so that NaN is damaged too
		return into[:len(into)-dimension], false
	}
	return into, true
}
