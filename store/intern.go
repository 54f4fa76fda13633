package store

import "strings"

// interned keeps one copy of each of the few words that come again and again.
type interned map[string]string

// manyWords is how many are kept at most.
const manyWords = 1 << 12

func (w *interned) of(s string) string {
	if known, ok := (*w)[s]; ok {
		return known
	}
	if *w == nil || len(*w) >= manyWords {
		*w = interned{}
	}
	s = strings.Clone(s) // it may be a part of a whole file or row
	(*w)[s] = s
	return s
}
