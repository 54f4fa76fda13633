package store

import "sort"

// words is how often every term of the index occurs, in a few bytes a term: the
// terms one after the other, in their order, and where each of them ends.
type words struct {
	text  []byte
	ends  []uint32
	times []uint32
}

// add appends a term; false if it does not come after all others in the order of bytes.
func (w *words) add(term []byte, times int) bool {
	if n := len(w.ends); n > 0 && string(w.word(n-1)) >= string(term) {
		return false
	}
	w.text = append(w.text, term...)
	w.ends = append(w.ends, uint32(len(w.text))) //nolint:gosec // bounded by keptTerms
	w.times = append(w.times, uint32(times))     //nolint:gosec // memories are fewer
	return true
}

func (w *words) size() int { return len(w.ends) }

// times of a term; 0 if it does not occur.
func (w *words) of(term string) int {
	i := sort.Search(len(w.ends), func(i int) bool { return string(w.word(i)) >= term })
	if i == len(w.ends) || string(w.word(i)) != term {
		return 0
	}
	return int(w.times[i])
}

func (w *words) word(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = w.ends[i-1]
	}
	return w.text[start:w.ends[i]]
}

// fit lets go of what the slices hold in reserve.
func (w *words) fit() {
	w.text = append([]byte(nil), w.text...)
	w.ends = append([]uint32(nil), w.ends...)
	w.times = append([]uint32(nil), w.times...)
}
