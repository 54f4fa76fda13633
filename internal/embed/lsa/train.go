package lsa

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"agentmemory/internal/text"
)

// Bounds of a training run.
const (
	// SmallStore is the number of memories below which vectors are hashed.
	SmallStore = 50
	maxTerms   = 40_000 // most frequent ones that are learned
	reach      = 1      // entries before and after that make up a window
)

// Entry is one memory as training sees it.
type Entry struct {
	Group string // its conversation or file; "" for none
	Seq   int    // its place in Group
	Text  string
}

// Train learns a space from a store. The same entries give the same space. It
// takes about the time of five passes over the text (docs/benchmarks.md).
func Train(ctx context.Context, entries []Entry) (*Space, error) {
	entries = slices.Clone(entries)
	documents := analysed(entries)
	space := vocabulary(documents)
	if len(entries) < SmallStore {
		return space, nil
	}
	windows := windowsOf(entries, documents, space)
	basis, err := decompose(ctx, windows, len(space.weight))
	if err != nil {
		return nil, fmt.Errorf("learning from %d entries: %w", len(entries), err)
	}
	space.quantise(basis)
	return space, nil
}

// quantise keeps eight bits of each value, which is more than the order of
// hits depends on, at a quarter of the size.
func (s *Space) quantise(basis []float32) {
	if len(basis) == 0 {
		return
	}
	s.basis = make([]int8, len(basis))
	s.scale = make([]float32, len(s.weight))
	for i := range s.scale {
		term := basis[i*Dimension : (i+1)*Dimension]
		largest := float32(0)
		for _, v := range term {
			largest = max(largest, v, -v)
		}
		if largest == 0 {
			continue
		}
		s.scale[i] = largest / math.MaxInt8
		for d, v := range term {
			s.basis[i*Dimension+d] = int8(math.Round(float64(v / s.scale[i])))
		}
	}
}

// analysed orders the entries by group and place and returns their terms.
func analysed(entries []Entry) [][]string {
	sort.SliceStable(entries, func(i, j int) bool {
		if entries[i].Group != entries[j].Group {
			return entries[i].Group < entries[j].Group
		}
		return entries[i].Seq < entries[j].Seq
	})
	documents := make([][]string, len(entries))
	for i, e := range entries {
		documents[i] = text.Index(e.Text)
	}
	return documents
}

// vocabulary collects the terms that at least two entries share, the most
// frequent ones if there are too many, with their weights.
func vocabulary(documents [][]string) *Space {
	df := map[string]int{}
	for _, d := range documents {
		for _, c := range counted(d) {
			df[c.term]++
		}
	}
	terms := make([]string, 0, len(df))
	for t, n := range df {
		if n > 1 || len(documents) < SmallStore {
			terms = append(terms, t)
		}
	}
	sort.Slice(terms, func(i, j int) bool {
		if df[terms[i]] != df[terms[j]] {
			return df[terms[i]] > df[terms[j]]
		}
		return terms[i] < terms[j]
	})
	terms = terms[:min(len(terms), maxTerms)]
	space := &Space{index: make(map[string]int32, len(terms)), terms: terms, weight: make([]float32, len(terms)),
		rare: inverse(len(documents), 1), entries: len(documents)}
	for i, t := range terms {
		space.index[t] = int32(i)
		space.weight[i] = inverse(len(documents), df[t])
	}
	return space
}

// inverse is the inverse document frequency ln((N + 1) / n).
func inverse(documents, n int) float32 { return float32(math.Log(float64(documents+1) / float64(n))) }

// row is a sparse vector over the terms.
type row struct {
	terms  []int32
	values []float32
}

// windowsOf returns one row for each entry and its neighbours in the group.
func windowsOf(entries []Entry, documents [][]string, space *Space) []row {
	rows := make([]row, 0, len(entries))
	var joined []string
	for i := range entries {
		joined = append(joined[:0], documents[i]...)
		for j := max(0, i-reach); j <= min(len(entries)-1, i+reach); j++ {
			if j != i && entries[i].Group != "" && entries[j].Group == entries[i].Group {
				joined = append(joined, documents[j]...)
			}
		}
		if r := space.row(joined); len(r.terms) > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// row weighs the terms of a window and scales it to length 1.
func (s *Space) row(terms []string) row {
	var r row
	norm := 0.0
	for _, c := range counted(terms) {
		i, known := s.index[c.term]
		if !known {
			continue
		}
		v := damped(c.n) * float64(s.weight[i])
		r.terms = append(r.terms, i)
		r.values = append(r.values, float32(v))
		norm += v * v
	}
	norm = math.Sqrt(norm)
	for i := range r.values {
		r.values[i] /= float32(norm)
	}
	return r
}
