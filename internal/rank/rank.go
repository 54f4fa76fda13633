// Package rank decides which memories answer a question, in which order, and
// whether any does. It scores the candidates that the search arms propose; it
// does no I/O and reads no clock, so that every decision can be repeated and
// explained.
//
// A ranking goes through these steps, each of which Explanation reports:
// BM25 over the candidates, boosts for the speaker and the time that the
// question names, fusion with vectors, evidence from neighbours and from the
// whole session, the lifecycle of the memory, removal of near-duplicates, and the
// decision to abstain.
package rank

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Parameters are the constants of the ranking. Defaults were chosen by leaving
// one store out (docs/retrieval.md); zero values switch a step off.
type Parameters struct {
	Words   float64 // weight of the text's own BM25 score
	K1, B   float64 // BM25: saturation of repeated terms, normalisation by length
	Related float64 // what a word counts that is as near as any to a word of the question, against that word; 0: nothing
	Phrase  float64 // weight of two terms that stand together as in the question
	Window  float64 // weight of BM25 over the entry and those beside it as one text

	Speaker  float64 // factor for memories of a speaker whom the question names
	Person   float64 // factor for memories that name the person who talks with an assistant in the question
	TimeWord float64 // factor for texts with time words when the question asks when
	Date     float64 // factor for memories of the period that the question names
	Asking   float64 // factor for texts that end in a question themselves

	Semantic float64 // weight of the nearest vector against the best lexical score
	Each     float64 // weight of each term by itself over the entries of a session, when sessions are ranked
	Spoken   int     // nearest vectors that take part when sessions are ranked; 0: as many as for memories

	Previous float64 // share of the score of the entry before
	Answered float64 // the same, when the entry before ends in a question
	Next     float64 // share of the score of the entry after
	Distant  float64 // share of the scores of the entries two away
	Session  float64 // share of the session's score
	Brevity  float64 // how much less of the five above goes to texts that are short for their conversation; 0: nothing
	Told     float64 // factor of the five above for memories of a speaker whom the question names
	Loose    float64 // what these shares and Window count between lines of a file rather than turns of a conversation

	First     float64 // factor for task cards and summaries
	Cold      float64 // factor for the cold layer
	Lifecycle float64 // how far vitality, confidence, status and trust may lower a score, 0..1
	Duplicate float64 // overlap from which two hits count as the same, 0..1

	Threshold float64 // confidence below which nothing is answered, 0..1
}

// Defaults returns the parameters in use with the built-in embedder.
func Defaults() Parameters {
	return Parameters{
		Words: 1, K1: 0.9, B: 0.4, Related: 0.5, Phrase: 0.4, Window: 0.9,
		Speaker: 1.4, Person: 2, TimeWord: 1.2, Date: 1.3, Asking: 0.9,
		Semantic: 0.1, Each: 0.5,
		Previous: 0.1, Answered: 0.5, Next: 0.15, Distant: 0.15, Session: 0.6, Brevity: 0.5, Told: 1.15, Loose: 0.1,
		First: 1.1, Cold: 0.9, Lifecycle: 0.3, Duplicate: 0.9,
		Threshold: 0.262,
	}
}

// ForService returns the parameters for vectors of an embedding service, whose
// models were trained on far more text than one store holds. Measured with the
// Universal Sentence Encoder, the smallest of them (docs/retrieval.md).
func ForService() Parameters {
	p := Defaults()
	p.Semantic, p.Spoken = 0.3, 300
	return p
}

// Ranking collects candidates for one question and orders them. Its methods
// are called in the order Statistics, Relate, Found, Best, Context (their neighbours),
// Vectors, Finish; it is not safe for concurrent use.
type Ranking struct {
	parameters Parameters
	query      Query
	corpus     memory.Corpus
	rarity     []float64 // per term of the query: inverse document frequency in a store that is not tiny
	weights    []float64 // inverse document frequency in this store times the term's weight
	now        time.Time
	vitality   func(memory.Candidate) float64
	first      func(memory.Candidate) bool
	bySession  bool

	pool    []*entry
	byKey   map[int64]*entry
	groups  map[string]map[int]*entry // by their place in it
	names   map[string]bool           // actors: does the question name them
	nearest bool                      // the vector arm has answered
}

// entry is a candidate with what ranking found out about it.
type entry struct {
	*memory.Candidate
	split       []string  // see words
	length      int       // of the text, in terms
	frequencies []int     // per term of the query
	kin         []float64 // per term of the query: share of its weight by related words; nil: none
	asking      bool      // ends in a question
	bond        float64   // how far those beside it count, 0..1
	receives    float64   // see the method of that name
	group       map[int]*entry
	eligible    bool // may be a hit
	explanation Explanation
	nearness    float64 // of its vector, 1 for the nearest and 0 for the farthest one found
	worded      float64 // score by words, speaker and time alone
	score       float64
	even        float64 // the score if all received alike
}

// words are the terms of the text. Most candidates are never asked for them as a list.
func (e *entry) words() []string {
	if e.split == nil {
		e.split = strings.Fields(e.Terms)
	}
	return e.split
}

// conversation begins the name of a group whose entries answer each other;
// other groups are files, whose lines merely stand together.
const conversation = "session:"

// Options are what a ranking depends on besides the question.
type Options struct {
	Parameters Parameters
	Now        time.Time
	// Vitality returns how alive a memory is, 0..1; nil means fully.
	Vitality func(memory.Candidate) float64
	// First reports whether a memory is to be read before the details that it
	// sums up; nil means none is.
	First func(memory.Candidate) bool
	// BySession ranks sessions, each represented by its best entry, instead of memories.
	BySession bool
}

// New starts a ranking for a question.
func New(q Query, o Options) *Ranking {
	if o.Vitality == nil {
		o.Vitality = func(memory.Candidate) float64 { return 1 }
	}
	if o.First == nil {
		o.First = func(memory.Candidate) bool { return false }
	}
	return &Ranking{parameters: o.Parameters, query: q, now: o.Now, vitality: o.Vitality, first: o.First, bySession: o.BySession,
		byKey: map[int64]*entry{}, groups: map[string]map[int]*entry{}, names: map[string]bool{}}
}

// Statistics sets the frequencies by which terms are weighed; it precedes Add.
func (r *Ranking) Statistics(c memory.Corpus) {
	r.corpus = c
	r.weights = make([]float64, len(r.query.Terms))
	r.rarity = make([]float64, len(r.query.Terms))
	grown := memory.Corpus{Memories: max(c.Memories, acquainted), DF: c.DF}
	for i, t := range r.query.Terms {
		r.rarity[i] = idf(grown, t.Text)
		r.weights[i] = t.Weight * idf(c, t.Text)
	}
}

// Relate lets related words count beside the question's own, as far as memories
// hold them; it follows Statistics and precedes Found.
func (r *Ranking) Relate(words []memory.Related) { r.query.relate(words, r.corpus) }

// Found adds what the lexical arm found.
func (r *Ranking) Found(candidates []memory.Candidate) { r.add(candidates, true) }

// Context adds candidates that stand beside those found, or that only vectors know.
func (r *Ranking) Context(candidates []memory.Candidate) { r.add(candidates, true) }

// Evidence adds candidates that speak for their neighbours but may not be hits.
func (r *Ranking) Evidence(candidates []memory.Candidate) { r.add(candidates, false) }

func (r *Ranking) add(candidates []memory.Candidate, eligible bool) {
	entries := make([]entry, 0, len(candidates))
	frequencies := make([]int, len(candidates)*len(r.query.Terms))
	for i := range candidates {
		c := &candidates[i]
		if e, known := r.byKey[c.Key]; known {
			e.eligible = e.eligible || eligible
			continue
		}
		entries = append(entries, entry{Candidate: c, eligible: eligible, bond: 1})
		e := &entries[len(entries)-1]
		e.frequencies, frequencies = frequencies[:len(r.query.Terms):len(r.query.Terms)], frequencies[len(r.query.Terms):]
		if !strings.HasPrefix(c.Group, conversation) {
			e.bond = r.parameters.Loose
		}
		r.measure(e)
		r.pool = append(r.pool, e)
		r.byKey[c.Key] = e
		if c.Group == "" {
			continue
		}
		if e.group = r.groups[c.Group]; e.group == nil {
			e.group = map[int]*entry{}
			r.groups[c.Group] = e.group
		}
		e.group[c.Seq] = e
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
	type valued struct {
		*entry
		value float64
	}
	list := make([]valued, len(r.pool))
	for i, e := range r.pool {
		list[i] = valued{e, value(e)}
	}
	slices.SortFunc(list, func(a, b valued) int {
		if c := cmp.Compare(b.value, a.value); c != 0 {
			return c
		}
		return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.ID, b.ID))
	})
	order := make([]*entry, len(list))
	for i, v := range list {
		order[i] = v.entry
	}
	return order
}
