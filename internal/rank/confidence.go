package rank

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// Constants of the confidence, fitted on development data by leaving one store
// out (docs/retrieval.md).
const (
	informationPower = 0.7  // dampens the rarest terms, which are often slips of the pen
	unknownPenalty   = 0.3  // of the share that no memory holds
	unheardPair      = 0.25 // of a pair of characters, or a word with a hyphen, that no memory holds
	nearCounts       = 0.3  // what an entry up to two places away covers
	elseMentioned    = 0.9  // what somebody else covers who mentions whom the question names
	elseSilent       = 0.5  // the same, without mentioning them
	elsewhere        = 0.2  // the same, in a session in which they do not speak
	// identifierSuffices is what an identifier of the question that one memory holds makes certain.
	identifierSuffices = 0.5
	coverageHits       = 5   // hits that may show that the answer is there
	dialogue           = 4   // sentences from which a text is a conversation rather than a question
	substantial        = 0.5 // share of the weightiest sentence from which a sentence counts
	acquainted         = 50  // memories from which it means something that none, or how many, hold a word
)

// confidence says how sure a ranking is that the store holds the answer, 0..1:
// the share of the question's information that one of the best hits covers with
// its neighbours, less a part for words that the whole store lacks, and for
// hits that somebody else said than whom the question names. What a
// question is about are its rare terms, so each counts by its inverse document
// frequency. Of a longer text, such as a piece of conversation, it is enough
// that one sentence is covered, and words that the store lacks are chatter.
//
// The hits asked are the best ones if all entries received alike from those beside
// them: what somebody said beside the words of the question must not speak for an
// answer merely because the question names them.
func (r *Ranking) confidence(order []*entry) float64 {
	weightiest := 0.0
	for _, part := range r.query.parts {
		weightiest = max(weightiest, r.information(part))
	}
	order = slices.Clone(order)
	slices.SortStableFunc(order, func(a, b *entry) int { return cmp.Compare(b.even, a.even) })
	best := 0.0
	for _, part := range r.query.parts {
		total := r.information(part)
		if total == 0 || total < substantial*weightiest {
			continue
		}
		covered := -unknownPenalty * r.unknown(part)
		most := 0.0
		for _, e := range order[:min(coverageHits, len(order))] {
			most = max(most, r.agreement(e)*r.coverage(e, part))
		}
		best = max(best, (covered+most)/total)
	}
	return min(1, max(best, r.identified(order)))
}

// weigh is the information of one term.
func (r *Ranking) weigh(term int) float64 {
	if len(r.query.parts) >= dialogue && r.unheard(term) {
		return 0
	}
	t := r.query.Terms[term]
	if !r.query.Period.Zero() && calendar(t.Text) {
		return 0 // the date of a memory answers for the time that is named
	}
	weight := t.Weight * math.Pow(r.rarity[term], informationPower)
	if r.unheard(term) {
		weight *= r.acquaintance()
		if pair(t.Text) || compound(t.Text) {
			weight *= unheardPair
		}
	}
	return weight
}

// acquaintance is how much it says that no memory holds a word, 0..1: a store
// of a handful of memories lacks most words of any question that it answers.
func (r *Ranking) acquaintance() float64 {
	n := float64(r.corpus.Memories)
	return 0.7 + 0.3*n*n/(n*n+acquainted*acquainted)
}

func (r *Ranking) information(part []int) float64 {
	sum := 0.0
	for _, i := range part {
		sum += r.weigh(i)
	}
	return sum
}

// unknown is the information of the terms that no memory holds.
func (r *Ranking) unknown(part []int) float64 {
	sum := 0.0
	for _, i := range part {
		if r.unheard(i) {
			sum += r.weigh(i)
		}
	}
	return sum
}

// pair reports whether a term is a pair of characters: most of those that a
// question holds and no memory does stand across the border of two words.
func pair(term string) bool {
	first, size := utf8.DecodeRuneInString(term)
	second, rest := utf8.DecodeRuneInString(term[size:])
	return text.IsCJK(first) && text.IsCJK(second) && size+rest == len(term)
}

// compound reports whether a term is a word with a hyphen, whose parts are terms as well.
func compound(term string) bool {
	return strings.Contains(term, "-") && !identifier(term)
}

// unheard reports whether no memory holds a term.
func (r *Ranking) unheard(term int) bool { return r.corpus.DF[r.query.Terms[term].Text] == 0 }

// coverage sums the information of the terms that a hit or its neighbours hold.
func (r *Ranking) coverage(e *entry, part []int) float64 {
	sum := 0.0
	for _, i := range part {
		switch {
		case e.frequencies[i] > 0:
			sum += r.weigh(i)
		case r.besides(e, i):
			sum += max(nearCounts, relatedCounts*e.akin(i)) * r.weigh(i)
		default:
			sum += relatedCounts * e.akin(i) * r.weigh(i)
		}
	}
	return sum
}

// agreement is how far a hit counts by who said it: a question that names a
// speaker is seldom about what another one said. 1: nothing speaks against it.
func (r *Ranking) agreement(e *entry) float64 {
	if e.Actor == "" || r.named(e.Actor) {
		return 1
	}
	factor := 0.0
	for actor, asked := range r.names {
		if asked {
			factor = max(factor, r.bearing(e, actor))
		}
	}
	if factor == 0 {
		return 1 // nobody is named
	}
	return factor
}

// bearing is how much what somebody else said says about a person.
func (r *Ranking) bearing(e *entry, person string) float64 {
	switch {
	case r.mentions(e, person):
		return elseMentioned
	case !strings.HasPrefix(e.Group, conversation) || r.takesPart(e, person):
		return elseSilent
	}
	return elsewhere
}

// takesPart reports whether somebody speaks in the session of an entry, as far as it was read.
func (r *Ranking) takesPart(e *entry, actor string) bool {
	for _, other := range r.groups[e.Group] {
		if other.Actor == actor {
			return true
		}
	}
	return false
}

// mentions reports whether an entry holds a word of a name that the question holds.
func (r *Ranking) mentions(e *entry, name string) bool {
	for _, t := range nameTerms(name) {
		if i, asked := r.query.position[t]; asked && e.frequencies[i] > 0 {
			return true
		}
	}
	return false
}

func (r *Ranking) besides(e *entry, term int) bool {
	if e.Group == "" {
		return false
	}
	for _, distance := range []int{-2, -1, 1, 2} {
		if n := r.beside(e, distance); n != nil && n.frequencies[term] > 0 {
			return true
		}
	}
	return false
}
