package rank

import "agentmemory/internal/text"

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
	}
	return nil
}
