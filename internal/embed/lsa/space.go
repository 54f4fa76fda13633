// Package lsa is the built-in embedder: it learns what words mean from the
// user's own memories, without a download, a key or a service.
//
// Words that occur in the same stretches of conversation get similar vectors
// (latent semantic analysis, Deerwester et al. 1990), so that a question finds
// memories that say the same in other words. A store too small to learn from
// gets hashed vectors instead, which know only the words themselves.
package lsa

import (
	"hash/fnv"
	"math"

	"agentmemory/internal/text"
)

// Dimension is the length of the vectors.
const Dimension = 128

// Space maps terms to vectors. It is immutable and safe for concurrent use.
type Space struct {
	index   map[string]int32
	terms   []string
	weight  []float32 // of a term in a text: its inverse document frequency
	basis   []int8    // Dimension values a term, in units of scale; empty for hashed vectors
	scale   []float32 // of a term
	rare    float32   // weight of terms that were never seen
	entries int       // from which it was learned
}

// Terms returns how many terms the space knows.
func (s *Space) Terms() int { return len(s.weight) }

// Entries returns from how many entries the space was learned.
func (s *Space) Entries() int { return s.entries }

// Learned reports whether the vectors were learned rather than hashed.
func (s *Space) Learned() bool { return len(s.basis) > 0 }

// Document returns the unit vector of a text, all zero if it holds no known term.
func (s *Space) Document(content string) []float32 { return s.vector(text.Index(content), s.Learned()) }

// Query returns the unit vector of a question. Hashed vectors weigh terms on
// this side only, so that the vectors of documents stay true as a store grows.
func (s *Space) Query(question string) []float32 { return s.vector(text.Index(question), true) }

func (s *Space) vector(terms []string, weighted bool) []float32 {
	sum := make([]float64, Dimension)
	for _, c := range counted(terms) {
		t, n := c.term, c.n
		i, known := s.index[t]
		w := float64(s.rare)
		if known {
			w = float64(s.weight[i])
		}
		if !weighted {
			w = 1
		}
		w *= damped(n)
		switch {
		case !s.Learned():
			addHashed(sum, t, w)
		case known:
			w *= float64(s.scale[i])
			for d, b := range s.basis[int(i)*Dimension : (int(i)+1)*Dimension] {
				sum[d] += w * float64(b)
			}
		}
	}
	return unit(sum)
}

type count struct {
	term string
	n    int
}

// counted returns the terms with their frequencies in order of first
// appearance, so that sums come out the same every time.
func counted(terms []string) []count {
	counts := make([]count, 0, len(terms))
	at := make(map[string]int, len(terms))
	for _, t := range terms {
		if i, seen := at[t]; seen {
			counts[i].n++
			continue
		}
		at[t] = len(counts)
		counts = append(counts, count{t, 1})
	}
	return counts
}

// damped is the local weight of a term that occurs n times.
func damped(n int) float64 { return 1 + math.Log(float64(n)) }

func unit(v []float64) []float32 {
	norm := 0.0
	for _, x := range v {
		norm += x * x
	}
	out := make([]float32, len(v))
	if norm == 0 {
		return out
	}
	norm = math.Sqrt(norm)
	for i, x := range v {
		out[i] = float32(x / norm)
	}
	return out
}

// hashes is how many coordinates a hashed term has.
const hashes = 4

// addHashed adds a term's pseudo-random signs at pseudo-random coordinates.
func addHashed(sum []float64, term string, weight float64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(term))
	x := h.Sum64()
	for range hashes {
		x = scramble(x)
		sign := weight
		if x&1 == 1 {
			sign = -weight
		}
		sum[(x>>1)%Dimension] += sign
	}
}

// scramble is one step of SplitMix64 (Steele, Lea and Flood 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
