package store

import (
	"math"
	"slices"
	"sync"

	"agentmemory/internal/memory"
)

// Parameters of BM25 as used to choose candidates: how fast a term saturates,
// and how much length counts. Ranking computes the exact scores from the terms.
const (
	saturation   = .9
	lengthWeight = .4
)

// query is what scoring needs to know.
type query struct {
	terms     []string
	lists     map[string][]uint32 // of those terms that the index does not keep
	namespace string
	corpus    memory.Corpus
	hints     []hint // related words that find memories by themselves
	anyLength bool   // length does not count
}

type scored struct {
	key   uint32
	score float32
}

// better orders by score, ties newest first.
func better(a, b scored) int {
	switch {
	case a.score != b.score:
		if a.score > b.score {
			return -1
		}
		return 1
	case a.key > b.key:
		return -1
	case a.key < b.key:
		return 1
	}
	return 0
}

// scoring is the memory that one scoring takes; a later one uses it again.
type scoring struct {
	sums  []float32 // by key; all zero between two scorings
	found []scored
}

// score adds up, for every memory that holds a term, the weights of its terms.
// In a large store the frequent terms only tell those apart that hold a rarer
// one. What it returns is to be released.
func (x *termIndex) score(q query) *scoring {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.spare.take(int(x.highest) + 1)
	driving, frequent := q.terms, []string(nil)
	if x.highest > x.prunes() {
		driving, frequent = q.byFrequency()
	}
	sums, found := s.sums, s.found[:0]
	for _, t := range driving {
		weight := q.weight(t)
		for _, key := range x.keys(q, t, len(sums)) {
			if sums[key] == 0 {
				found = append(found, scored{key: key})
			}
			sums[key] += weight
		}
	}
	for _, h := range q.hints {
		for _, key := range x.keys(q, h.term, len(sums)) {
			if sums[key] == 0 {
				found = append(found, scored{key: key})
			}
			sums[key] += h.weight
		}
	}
	for _, t := range frequent {
		weight := q.weight(t)
		for _, key := range x.keys(q, t, len(sums)) {
			if sums[key] != 0 {
				sums[key] += weight
			}
		}
	}
	s.found = x.weigh(q, sums, found)
	return s
}

// keys returns the memories that hold a term, but none from bound on: those were
// committed after the statistics were taken.
func (x *termIndex) keys(q query, term string, bound int) []uint32 {
	keys := q.lists[term]
	if l, ok := x.lists[term]; ok && l.keys != nil {
		keys = l.keys
	}
	if n := len(keys); n > 0 && int(keys[n-1]) >= bound {
		end, _ := slices.BinarySearch(keys, uint32(bound)) //nolint:gosec // keys have 32 bits
		keys = keys[:end]
	}
	return keys
}

func (q query) weight(term string) float32 { return idf(q.corpus.Memories, q.corpus.DF[term]) }

// Above prunedAbove memories, terms that more than one in frequentShare of them
// holds find no candidates by themselves: reading all that hold them would take
// most of the time, and the rarer terms find nearly all of those that matter.
const (
	prunedAbove   = 50_000
	frequentShare = 20
)

// prunes returns from how many memories frequent terms are pruned.
func (x *termIndex) prunes() uint32 {
	if x.prunedAbove > 0 {
		return x.prunedAbove
	}
	return prunedAbove
}

// byFrequency parts the terms; if all are frequent, the rarest one counts as rare.
func (q query) byFrequency() (rare, frequent []string) {
	rarest := ""
	for _, t := range q.terms {
		if rarest == "" || q.corpus.DF[t] < q.corpus.DF[rarest] {
			rarest = t
		}
	}
	for _, t := range q.terms {
		if t == rarest || q.corpus.DF[t]*frequentShare <= q.corpus.Memories {
			rare = append(rare, t)
		} else {
			frequent = append(frequent, t)
		}
	}
	return rare, frequent
}

// spareScorings keeps a few for the next questions: for rare terms making the
// zeros would take most of the time. Where many ask at once, the others make theirs.
type spareScorings struct {
	mu   sync.Mutex
	kept []*scoring
}

const keptScorings = 2

// take returns a scoring with n zeros at least.
func (p *spareScorings) take(n int) *scoring {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &scoring{}
	if last := len(p.kept) - 1; last >= 0 {
		s, p.kept = p.kept[last], p.kept[:last]
	}
	if len(s.sums) < n {
		s.sums = make([]float32, n+n/8)
	}
	return s
}

// release gives a scoring back.
func (p *spareScorings) release(s *scoring) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) < keptScorings {
		p.kept = append(p.kept, s)
	}
}

// idf is the inverse document frequency of BM25 in its never negative form.
func idf(memories, df int) float32 {
	n := float64(max(memories, df))
	return float32(math.Log1p((n - float64(df) + .5) / (float64(df) + .5)))
}

// weigh leaves other namespaces out, lets length count and clears the sums.
func (x *termIndex) weigh(q query, sums []float32, found []scored) []scored {
	average := float32(1)
	if q.corpus.Memories > 0 {
		average = max(1, float32(q.corpus.Length)/float32(q.corpus.Memories))
	}
	e := &x.extents
	wanted := e.numbers[q.namespace]
	kept := found[:0]
	for _, c := range found {
		sum := sums[c.key]
		sums[c.key] = 0
		length := average
		if int(c.key) < len(e.spaces) {
			if wanted != 0 && e.spaces[c.key] != wanted {
				continue
			}
			length = float32(e.lengths[c.key])
		}
		if q.anyLength {
			length = average
		}
		kept = append(kept, scored{c.key, sum / (1 + saturation*(1-lengthWeight+lengthWeight*length/average))})
	}
	return kept
}
