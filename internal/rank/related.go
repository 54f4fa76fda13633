package rank

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"agentmemory/internal/memory"
	"agentmemory/internal/related"
	"agentmemory/internal/text"
)

// relatedCounts is what an entry covers of a term that holds a related word only.
const relatedCounts = 0.3

// nearestWords is how many words are looked for in place of one, at most.
const nearestWords = 32

// link leads from a related word to a term of the question.
type link struct {
	term  int
	share float64 // of the term's weight
}

// Related returns the words that are related to those of the question, nearest first
// for each of these, with what they count: share for the nearest ones. A piece of
// conversation has enough words of its own. Names, dates and words that merely
// ask stand for themselves: what is near to them is another one.
func (q Query) Related(share float64) []memory.Related {
	if share <= 0 || len(q.parts) >= dialogue {
		return nil
	}
	places := q.ordinary()
	found := make([]memory.Related, 0, len(places)*nearestWords)
	for _, i := range places {
		own := q.Terms[i].Text
		for _, w := range related.Words(own, nearestWords) {
			found = append(found, memory.Related{Term: w.Term, Of: own, Share: share * w.Likeness()})
		}
	}
	return found
}

// ordinary returns the places of the terms that are words for things: they stand in
// lower case somewhere, and neither ask nor name a time.
func (q Query) ordinary() []int {
	var words strings.Builder
	for word := range strings.FieldsSeq(q.Text) {
		word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
		if word != "" && word[0] >= 'a' && word[0] <= 'z' {
			words.WriteString(word)
			words.WriteByte(' ')
		}
	}
	var places []int
	for _, t := range text.Index(words.String()) {
		if i, asked := q.position[t]; asked && !framing(t) && !calendar(t) && !slices.Contains(places, i) {
			places = append(places, i)
		}
	}
	return places
}

// relate lets those of the related words count that memories hold.
func (q *Query) relate(words []memory.Related, c memory.Corpus) {
	for _, w := range words {
		i, asked := q.position[w.Of]
		if !asked || c.DF[w.Term] == 0 {
			continue
		}
		if q.links == nil {
			q.links = map[string][]link{}
		}
		rarer := 1.0 // a common word tells no more than it does itself
		if own := idf(c, w.Of); own > 0 {
			rarer = min(1, idf(c, w.Term)/own)
		}
		q.links[w.Term] = append(q.links[w.Term], link{term: i, share: w.Share * rarer})
		q.sieve.let(w.Term)
	}
}

// meets notes that an entry holds a word that is related to terms of the question.
func (r *Ranking) meets(e *entry, word string) {
	if r.query.links == nil {
		return
	}
	links := r.query.links[word]
	if len(links) > 0 && e.kin == nil {
		e.kin = make([]float64, len(r.query.Terms))
	}
	for _, l := range links {
		e.kin[l.term] = max(e.kin[l.term], l.share)
	}
}

// akin is the share of a term's weight that an entry has by related words.
func (e *entry) akin(term int) float64 {
	if e == nil || e.kin == nil {
		return 0
	}
	return e.kin[term]
}

// worth is the part of an entry's own score that one term makes: the word itself
// or, if that is more, one related to it.
func (r *Ranking) worth(e *entry, term int) float64 {
	worth := 0.0
	if n := e.frequencies[term]; n > 0 {
		worth = r.saturation(float64(n), e.length)
	}
	if share := e.akin(term); share > 0 {
		worth = max(worth, share*r.saturation(1, e.length))
	}
	return r.weights[term] * worth
}

// relatedIn names the related words that an entry holds in place of terms of the question.
func (r *Ranking) relatedIn(e *entry) []string {
	if e.kin == nil {
		return nil
	}
	best := make([]string, len(r.query.Terms))
	shares := make([]float64, len(r.query.Terms))
	for _, w := range e.words() {
		for _, l := range r.query.links[w] {
			if l.share > shares[l.term] && e.frequencies[l.term] == 0 {
				best[l.term], shares[l.term] = w, l.share
			}
		}
	}
	var names []string
	for i, w := range best {
		if w != "" {
			names = append(names, r.query.Terms[i].Text+" ~ "+w)
		}
	}
	return names
}

// eachAlone sums, term by term, what the entries of a session say of it, the n-th
// best with the weight 1/n²: a session that speaks of everything that is asked
// comes before one that says the same thing again.
func (r *Ranking) eachAlone(entries []*entry) float64 {
	sum := 0.0
	worths := make([]float64, 0, len(entries))
	for term := range r.query.Terms {
		worths = worths[:0]
		for _, e := range entries {
			if w := r.worth(e, term); w > 0 {
				worths = append(worths, w*e.explanation.factors())
			}
		}
		slices.Sort(worths)
		for n := 1; n <= len(worths); n++ {
			sum += worths[len(worths)-n] / math.Pow(float64(n), 2)
		}
	}
	return sum
}
