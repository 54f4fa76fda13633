package store

import "context"

// A process that asks again and again about a store whose candidates all have
// room in memory reads them ahead, in the background and in the order of the
// file, which takes a fifth of the time of reading them as questions need them.
const (
	patientReads = 6     // of candidates that were not kept, before that
	aheadPiece   = 1_000 // keys between two looks at what was written
	aheadTries   = 5     // to read a piece while nobody commits
)

// readsAhead counts a read of what was not kept and reports whether it is time
// to read all.
func (c *candidateCache) readsAhead(memories int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.misses++
	return c.misses == patientReads && memories <= keptCandidates
}

// readAhead reads the candidates with the keys up to a highest one. What somebody
// goes on writing to meanwhile may be left out.
func (s *Store) readAhead(ctx context.Context, highest int64) error {
	for from := int64(0); from <= highest; from += aheadPiece {
		err := s.shown.keepPiece(int(highest), func() (map[int64]*keptCandidate, error) { return s.readPiece(ctx, from) })
		if err != nil {
			return err
		}
	}
	return nil
}

// readPiece reads the candidates with the keys from one on.
func (s *Store) readPiece(ctx context.Context, from int64) (map[int64]*keptCandidate, error) {
	rows, err := s.db.Query(ctx, "SELECT "+candidateColumns+" FROM memories m CROSS JOIN texts x ON x.key = m.key"+
		" WHERE m.key >= ? AND m.key < ?", from, from+aheadPiece)
	if err != nil {
		return nil, err
	}
	return s.scanCandidates(rows, aheadPiece)
}

// keepPiece keeps what is read, and reads it again if somebody committed meanwhile.
func (c *candidateCache) keepPiece(memories int, read func() (map[int64]*keptCandidate, error)) error {
	for range aheadTries {
		c.mu.Lock()
		look := c.looks
		c.mu.Unlock()
		piece, err := read()
		if err != nil || c.put(piece, look, memories) {
			return err
		}
	}
	return nil
}
