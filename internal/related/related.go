// Package related knows which English words mean something near: "tennis" and
// "sport", "puppy" and "pet". The table is made once, from vectors that were
// learned from an encyclopedia and news (generate.go), and is part of the program:
// nothing is downloaded, and looking a word up reads a few hundred bytes.
package related

import (
	"cmp"
	_ "embed"
	"encoding/binary"
	"maps"
	"slices"
	"sort"
)

// Bounds of the nearness of two words: below Least they are not related, from Most
// on they are as good as the same. It is the cosine of their vectors twice,
// less how near each of them is to its ten nearest words.
const (
	Least = -0.4
	Most  = 0.2
)

// levels into which nearness is rounded.
const levels = 8

// Word is related to another one.
type Word struct {
	Term     string  // as text.Index gives it
	Nearness float64 // Least to Most
}

// Likeness is the nearness as a share: 0 of Least and 1 of Most.
func (w Word) Likeness() float64 {
	return min(1, max(0, (w.Nearness-Least)/(Most-Least)))
}

//go:embed words.bin
var words string

// Words returns up to limit words that are related to a term, nearest first; nothing
// for a term that is not in the table, or is a name.
func Words(term string, limit int) []Word { return table(words).words(term, limit) }

// table is the encoded form: the number of terms; where each term's text ends and
// where its row ends, from the end of these numbers on; the texts in ascending order;
// the rows. A row holds how many words there are of each level, the nearest
// level first, a byte each, and then their places among the terms, two bytes each.
// Numbers are little-endian.
type table string

const number = 4 // bytes of one

func (t table) number(i int) int {
	at := i * number
	return int(uint32(t[at]) | uint32(t[at+1])<<8 | uint32(t[at+2])<<16 | uint32(t[at+3])<<24)
}

func (t table) terms() int { return t.number(0) }

// piece is the i-th of the texts and rows: the rows follow the texts.
func (t table) piece(i int) string {
	n := t.terms()
	begin := number * (1 + 2*n)
	start := 0
	if i > 0 {
		start = t.number(i)
	}
	return string(t[begin+start : begin+t.number(i+1)])
}

func (t table) words(term string, limit int) []Word {
	n := t.terms()
	i := sort.Search(n, func(i int) bool { return t.piece(i) >= term })
	if i == n || t.piece(i) != term {
		return nil
	}
	row := t.piece(n + i)
	if row == "" {
		return nil
	}
	counts, places := row[:levels], row[levels:]
	limit = min(limit, len(places)/2)
	list := make([]Word, 0, limit)
	for level := range levels {
		for range min(int(counts[level]), limit-len(list)) {
			list = append(list, Word{Term: t.piece(int(places[0]) | int(places[1])<<8), Nearness: nearness(level)})
			places = places[2:]
		}
	}
	return list
}

// nearness is the middle of a level.
func nearness(level int) float64 {
	return Most - (Most-Least)*(float64(level)+0.5)/levels
}

func levelOf(nearness float64) int {
	return min(levels-1, max(0, int((Most-nearness)/(Most-Least)*levels)))
}

// Encode writes a table: for each term its related words, of which those that are
// no terms themselves are left out. There may be 65,536 terms, and 255 words of a level.
func Encode(rows map[string][]Word) []byte {
	terms := slices.Sorted(maps.Keys(rows))
	places := make(map[string]int, len(terms))
	for i, t := range terms {
		places[t] = i
	}
	pieces := make([][]byte, 0, 2*len(terms))
	for _, t := range terms {
		pieces = append(pieces, []byte(t))
	}
	for _, t := range terms {
		pieces = append(pieces, encodeRow(rows[t], places))
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(terms))) //nolint:gosec // few
	end := 0
	for _, p := range pieces {
		end += len(p)
		out = binary.LittleEndian.AppendUint32(out, uint32(end)) //nolint:gosec // megabytes
	}
	return append(out, slices.Concat(pieces...)...)
}

func encodeRow(list []Word, places map[string]int) []byte {
	list = slices.DeleteFunc(slices.Clone(list), func(w Word) bool { _, known := places[w.Term]; return !known })
	if len(list) == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Word) int { return cmp.Compare(b.Nearness, a.Nearness) })
	row := make([]byte, levels, levels+2*len(list))
	for _, w := range list {
		row[levelOf(w.Nearness)]++
		row = binary.LittleEndian.AppendUint16(row, uint16(places[w.Term])) //nolint:gosec // see Encode
	}
	return row
}
