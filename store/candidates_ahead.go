package store

import "context"

// A process that asks again and again about a store whose candidates all have
// room in memory reads them ahead, in the background and in the order of the
// file, which takes a fifth of the time of reading them as questions need them.
const (
	patientReads = 6     // of candidates that were not kept, before that
	aheadPiece   = 1_000 // keys between two looks at what was written
)

// readsAhead counts a read of what was not kept and reports whether it is time
// to read all.
func (c *candidateCache) readsAhead(memories int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.misses++
	return c.misses == patientReads && memories <= keptCandidates
}

// readAhead reads the candidates with the keys up to a highest one. What is
// written meanwhile may be left out.
func (s *Store) readAhead(ctx context.Context, highest int64) error {
	for from := int64(0); from <= highest; from += aheadPiece {
		s.shown.mu.Lock()
		look := s.shown.looks
		s.shown.mu.Unlock()
		rows, err := s.db.Query(ctx, "SELECT "+candidateColumns+" FROM memories m CROSS JOIN texts x ON x.key = m.key"+
			" WHERE m.key >= ? AND m.key < ?", from, from+aheadPiece)
		if err != nil {
			return err
		}
		read, err := s.scanCandidates(rows, aheadPiece)
		if err != nil {
			return err
		}
		s.shown.put(read, look, int(highest))
	}
	return nil
}
