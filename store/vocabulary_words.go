package store

import (
	"slices"
	"sort"
)

// words is how often every term of the index occurs, in a few bytes a term: the
// terms one after the other, in their order, and where each of them ends.
type words struct {
	text  []byte
	ends  []uint32
	times []uint32

	// Of those that few memories hold, which ones: the keys of the i-th from
	// starts[i] on, as many as times says. nil: that was not read.
	starts []uint32
	keys   []uint32
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
	if i := w.place(term); i >= 0 {
		return int(w.times[i])
	}
	return 0
}

// place of a term; -1 if it does not occur.
func (w *words) place(term string) int {
	i := sort.Search(len(w.ends), func(i int) bool { return string(w.word(i)) >= term })
	if i == len(w.ends) || string(w.word(i)) != term {
		return -1
	}
	return i
}

// holders returns the memories that hold a term, in ascending order, if that is
// known. The list is not to be changed.
func (w *words) holders(term string) ([]uint32, bool) {
	if w.starts == nil {
		return nil, false
	}
	i := w.place(term)
	if i < 0 || w.times[i] > rarelyHeld {
		return nil, false
	}
	keys := w.keys[w.starts[i] : w.starts[i]+w.times[i]]
	return keys, !slices.Contains(keys, 0)
}

// rarelyHeld is by how many memories a term is held at most whose holders are kept.
const rarelyHeld = 8

// begins makes room for the holders of rare terms and returns where each of
// these terms is.
func (w *words) begins() map[string]int {
	places := make(map[string]int, len(w.ends))
	w.starts = make([]uint32, len(w.ends))
	total := uint32(0)
	for i, n := range w.times {
		w.starts[i] = total
		if n <= rarelyHeld {
			places[string(w.word(i))] = i
			total += n
		}
	}
	w.keys = make([]uint32, total)
	return places
}

// hold notes that a memory holds the i-th term. Memories come in ascending
// order. Where there is one more than was counted, the list is not known.
func (w *words) hold(i int, key uint32) {
	keys := w.keys[w.starts[i] : w.starts[i]+w.times[i]]
	for j := range keys {
		if keys[j] == key {
			return
		}
		if keys[j] == 0 {
			keys[j] = key
			return
		}
	}
	clear(keys)
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
