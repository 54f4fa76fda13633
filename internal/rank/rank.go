// Package rank decides which memories answer a question, in which order, and
// whether any does. It scores the candidates that the search arms propose; it
// does no I/O and reads no clock, so that every decision can be repeated and
// explained.
//
// A ranking goes through these steps, each of which Explanation reports:
// BM25 over the candidates, boosts for the speaker and the time that the
// question names, evidence from neighbours and from the whole session, terms
// of the best hits fed back, fusion with vectors, the lifecycle of the memory,
// removal of near-duplicates, and the decision to abstain.
package rank

import (
	"sort"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Parameters are the constants of the ranking. Defaults were chosen by leaving
// one store out (docs/benchmarks.md); zero values switch a step off.
type Parameters struct {
	K1, B float64 // BM25: saturation of repeated terms, normalisation by length

	Speaker  float64 // factor for memories of a speaker whom the question names
	TimeWord float64 // factor for texts with time words when the question asks when
	Date     float64 // factor for memories of the period that the question names

	Previous, Next, Distant float64 // share of the score of the entries before, after, and two away
	Session                 float64 // share of the session's score

	FeedbackDocuments int     // best hits whose terms are fed back
	FeedbackTerms     int     // how many of them
	FeedbackWeight    float64 // weight of such a term against one of the question

	Semantic   float64 // weight of the vector arm against the lexical arm
	RankOffset float64 // the constant of reciprocal rank fusion

	First     float64 // factor for task cards and summaries
	Cold      float64 // factor for the cold layer
	Lifecycle float64 // how far vitality, confidence, status and trust may lower a score, 0..1
	Duplicate float64 // overlap from which two hits count as the same, 0..1

	Threshold float64 // confidence below which nothing is answered, 0..1
}

// Defaults returns the parameters in use.
func Defaults() Parameters {
	return Parameters{
		K1: 0.9, B: 0.4,
		Speaker: 1.4, TimeWord: 1.3, Date: 1.3,
		Previous: 0.4, Next: 0.2, Distant: 0.05, Session: 0.4,
		FeedbackDocuments: 8, FeedbackTerms: 8, FeedbackWeight: 0.2,
		Semantic: 0.6, RankOffset: 30,
		First: 1.1, Cold: 0.9, Lifecycle: 0.3, Duplicate: 0.9,
		Threshold: 0.35,
	}
}

// Ranking collects candidates for one question and orders them. Its methods
// are called in the order Add (lexical), Best, Add (their neighbours), Vectors,
// Finish; it is not safe for concurrent use.
type Ranking struct {
	parameters Parameters
	query      Query
	corpus     memory.Corpus
	weights    []float64 // per term of the query: weight times inverse document frequency
	now        time.Time
	vitality   func(memory.Candidate) float64
	first      func(memory.Candidate) bool

	pool    []*entry
	byKey   map[int64]*entry
	groups  map[string][]*entry
	names   map[string]bool // actors: does the question name them
	vectors bool
}

// entry is a candidate with what ranking found out about it.
type entry struct {
	memory.Candidate
	words       []string
	frequencies []int // per term of the query
	eligible    bool  // may be a hit
	explanation Explanation
	score       float64
	fused       float64
}

// Options are what a ranking depends on besides the question.
type Options struct {
	Parameters Parameters
	Now        time.Time
	// Vitality returns how alive a memory is, 0..1; nil means fully.
	Vitality func(memory.Candidate) float64
	// First reports whether a memory is to be read before the details that it
	// sums up; nil means none is.
	First func(memory.Candidate) bool
}

// New starts a ranking for a question.
func New(q Query, o Options) *Ranking {
	if o.Vitality == nil {
		o.Vitality = func(memory.Candidate) float64 { return 1 }
	}
	if o.First == nil {
		o.First = func(memory.Candidate) bool { return false }
	}
	return &Ranking{parameters: o.Parameters, query: q, now: o.Now, vitality: o.Vitality, first: o.First,
		byKey: map[int64]*entry{}, groups: map[string][]*entry{}, names: map[string]bool{}}
}

// Statistics sets the frequencies by which terms are weighed; it precedes Add.
func (r *Ranking) Statistics(c memory.Corpus) {
	r.corpus = c
	r.weights = make([]float64, len(r.query.Terms))
	for i, t := range r.query.Terms {
		r.weights[i] = t.Weight * idf(c, t.Text)
	}
}

// Found adds what the lexical arm found.
func (r *Ranking) Found(candidates []memory.Candidate) { r.add(candidates, true) }

// Context adds candidates that stand beside those found, or that only vectors know.
func (r *Ranking) Context(candidates []memory.Candidate) { r.add(candidates, true) }

// Evidence adds candidates that speak for their neighbours but may not be hits.
func (r *Ranking) Evidence(candidates []memory.Candidate) { r.add(candidates, false) }

func (r *Ranking) add(candidates []memory.Candidate, eligible bool) {
	for _, c := range candidates {
		if e, known := r.byKey[c.Key]; known {
			e.eligible = e.eligible || eligible
			continue
		}
		e := &entry{Candidate: c, eligible: eligible, words: strings.Fields(c.Terms)}
		r.measure(e)
		r.pool = append(r.pool, e)
		r.byKey[c.Key] = e
		if c.Group != "" {
			r.groups[c.Group] = append(r.groups[c.Group], e)
		}
	}
}

// Best returns the keys of the n best candidates so far, by their own text.
func (r *Ranking) Best(n int) []int64 {
	order := r.ordered(func(e *entry) float64 { return e.explanation.Lexical })
	keys := make([]int64, 0, min(n, len(order)))
	for _, e := range order[:min(n, len(order))] {
		keys = append(keys, e.Key)
	}
	return keys
}

// Missing returns those of the keys that are not in the pool yet.
func (r *Ranking) Missing(neighbours []memory.Neighbour) []int64 {
	var keys []int64
	for _, n := range neighbours {
		if r.byKey[n.Key] == nil {
			keys = append(keys, n.Key)
		}
	}
	return keys
}

// ordered returns the pool by descending value; ties by age and id, so that
// the same store always answers in the same order.
func (r *Ranking) ordered(value func(*entry) float64) []*entry {
	order := append([]*entry(nil), r.pool...)
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if va, vb := value(a), value(b); va != vb {
			return va > vb
		}
		if !a.Created.Equal(b.Created) {
			return a.Created.After(b.Created)
		}
		return a.ID < b.ID
	})
	return order
}
