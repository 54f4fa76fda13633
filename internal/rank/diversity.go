package rank

import (
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// collapse walks the ordered entries and folds each near-duplicate into the
// better hit before it, until limit hits stand.
func (r *Ranking) collapse(order []*entry, limit int) []*entry {
	var kept []*entry
	for _, e := range order {
		if len(kept) == limit {
			break
		}
		if twin := r.twin(kept, e); twin != nil {
			twin.explanation.Duplicates = append(twin.explanation.Duplicates, e.ID)
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

func (r *Ranking) twin(kept []*entry, e *entry) *entry {
	if r.parameters.Duplicate <= 0 {
		return nil
	}
	for _, k := range kept {
		short, long := k.length, e.length
		if short > long {
			short, long = long, short
		}
		if float64(short) >= r.parameters.Duplicate*float64(long) && text.Jaccard(k.words(), e.words()) >= r.parameters.Duplicate {
			return k
		}
		if restates(k, e) {
			return k
		}
	}
	return nil
}

// dateTerms are those of a date that stands before the terms of a text.
const dateTerms = 3

// restates reports whether one of two entries is a fact that was taken from the
// other in its own words: it may tell the day beside them.
func restates(a, b *entry) bool {
	if (a.Form == memory.Fact) == (b.Form == memory.Fact) {
		return false
	}
	long, short := a.words(), b.words()
	if len(long) < len(short) {
		long, short = short, long
	}
	more := len(long) - len(short)
	return more <= dateTerms && len(short) > 0 && slices.Equal(long[more:], short)
}
