package lifecycle

import (
	"cmp"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Contradicts is the relation of a memory to one that says the opposite.
const Contradicts = "contradicts"

const (
	fewTerms      = 3    // below which two texts are too short to be compared
	mergedOverlap = 0.65 // of the terms of two texts that are merged
)

// relation is how a new memory stands to a stored one, the strongest last.
type relation int

const (
	unrelated relation = iota
	shares             // most of the shorter one stands in the other, and one of them holds the evidence of both
	fuller             // says everything that the stored one says, and more
	opposes            // contradicts it
	repeats            // says nothing that the stored one does not
)

// AlikeShare is the least share of the shorter text's terms that a stored
// memory must hold too for the guard to look at it. Two statements that differ
// in one value share little when the value is an identifier or a date, which
// counts with all its parts.
const AlikeShare = 0.3

// A stored memory of which the guard finds anything at all by words holds this
// share of a new text's topic, or of all its terms, if the text is a long one.
// Repeating and completing it takes closeTopic of all terms; reporting another
// status and denying it as much of the topic; and another value leaves the words
// around it, all but a dozen terms. A text that says of itself that something
// changed may deny a far shorter one, so that nothing is known of it.
const (
	AlikeTopic = 0.4
	AlikeTerms = closeTopic
	longTopic  = 24 // terms
)

// Topic returns the terms of a long text that stand for what it is about, each
// once: none if AlikeTopic says nothing about it.
func (a *Analysis) Topic(content string) []string {
	if len(a.Terms) < longTopic || a.Corrects {
		return nil
	}
	topic := slices.DeleteFunc(slices.Clone(a.Terms), func(term string) bool { return negligible(term) || singleCharacter(term) })
	slices.Sort(topic)
	if topic = slices.Compact(topic); len(topic) < longTopic || announcesChange(text.Fold(content)) {
		return nil
	}
	return topic
}

// Comparable reports whether the guard compares a new memory with others by
// what they say: a note or a fact that is not too long.
func Comparable(m memory.Memory) bool {
	return len(m.Content) <= comparedBytes && (m.Form == memory.Note || m.Form == "" || m.Form == memory.Fact)
}

// likeness compares the new memory with the candidates of its type and acts on
// the strongest relation found.
func (g guard) likeness() (Verdict, bool) {
	if g.imported || !Comparable(g.in) {
		return Verdict{}, false
	}
	best := g.closest()
	switch {
	case best.relation == opposes:
		return g.oppose(best.memory, best.why), true
	case named(g.in):
		return g.takeName(best.relation, best.memory)
	case best.relation == repeats:
		return g.reinforce(best.memory, fmt.Sprintf("says the same as %s", best.memory.URI)), true
	case best.relation == fuller || best.relation == shares:
		return g.merge(best.memory)
	}
	return Verdict{}, false
}

// takeName lets a memory with a name of its own take the place of an unnamed
// one that says no more than it does.
func (g guard) takeName(r relation, other memory.Memory) (Verdict, bool) {
	if r != repeats && r != fuller || named(other) || !g.mayReplace(other) || !g.read.statement(g.in.Content).says(g.read.statement(other.Content)) {
		return Verdict{}, false
	}
	return g.supersede(Superseded, g.in, other, fmt.Sprintf("%s now says what %s said", g.in.URI, other.URI)), true
}

// kinship is the strongest relation of the new memory to a stored one.
type kinship struct {
	relation
	memory memory.Memory
	why    string // it contradicts
	known  bool
	doubts []doubt
}

// doubt is a stored memory that the new one may contradict, and why.
type doubt struct {
	memory memory.Memory
	why    string
}

// closest compares with every candidate, once.
func (g guard) closest() kinship {
	if g.found.known || len(g.near) == 0 {
		return *g.found
	}
	in := g.read.statement(g.in.Content)
	best := kinship{known: true}
	g.found.doubts = nil
	for _, s := range g.near {
		if best.relation == repeats || !g.comparable(s.Memory) {
			continue
		}
		if r, why := g.relate(in, s); r > best.relation {
			best.relation, best.memory, best.why = r, s.Memory, why
		}
	}
	best.doubts = g.found.doubts
	*g.found = best
	return best
}

// comparable reports whether two memories can repeat, complete or contradict
// each other at all: of one type and form, recalled by default, and neither
// vouched for by strangers while the other is not.
func (g guard) comparable(m memory.Memory) bool {
	strangers := (m.Trust == memory.TrustExternal) != (g.in.Trust == memory.TrustExternal)
	return m.Status.Recallable() && m.Type == g.in.Type && cmp.Or(m.Form, memory.Note) == cmp.Or(g.in.Form, memory.Note) &&
		(m.Actor == g.in.Actor || m.Actor == "" || g.in.Actor == "") && !strangers && len(m.Content) <= comparedBytes
}

func (g guard) relate(in statement, s Similar) (relation, string) {
	terms := g.read.termsOf(s.Memory.Content)
	both := g.read.shared(in, terms)
	if g.policy.Cosine == 0 && both.ofShorter() < AlikeShare {
		return unrelated, ""
	}
	old := g.read.statement(s.Memory.Content)
	if why := conflict(in, old, g.policy.Topic); why != "" {
		return g.opposition(in, old, why)
	}
	if why := differingValue(in, old); why != "" && g.in.Type != memory.Event {
		g.found.doubts = append(g.found.doubts, doubt{s.Memory, why})
		return unrelated, ""
	}
	if !g.sameMoment(s.Memory) || !old.proves(in) && !in.proves(old) {
		return unrelated, "" // of two that are near each other one holds all evidence of the other
	}
	if in.source != nil || old.source != nil {
		both = sharedTerms(in.terms(), old.terms())
	}
	return g.proximity(in, old, both, s.Cosine), ""
}

// opposition limits contradictions between events to changes of status: what
// happened on one day does not undo what happened on another.
func (g guard) opposition(in, old statement, why string) (relation, string) {
	if g.in.Type == memory.Event && changedStatus(in, old) == "" {
		return unrelated, ""
	}
	return opposes, why
}

// sameMoment reports whether two events can be one: they fall on the same day.
// Other types are not tied to a day.
func (g guard) sameMoment(m memory.Memory) bool {
	if g.in.Type != memory.Event {
		return true
	}
	zone := g.now.Location()
	mine := g.in.Observed()
	if mine.IsZero() {
		mine = g.now
	}
	return civilDay(mine.In(zone)) == civilDay(m.Observed().In(zone))
}

// proximity is the relation of two texts that do not contradict each other. A
// few words of agreement found in a long text prove nothing: the overlap of the
// whole texts counts too.
func (g guard) proximity(in, old statement, terms shared, cosine float64) relation {
	if min(len(in.terms()), len(old.terms())) < fewTerms || in.asks != old.asks {
		return unrelated
	}
	overlap, share := terms.ofBoth(), terms.ofShorter()
	switch {
	case overlap >= closeTopic && old.says(in):
		return repeats
	case g.paraphrases(in, old, cosine):
		return repeats
	case overlap >= closeTopic && in.says(old):
		return fuller
	case share >= g.policy.Contained && overlap >= mergedOverlap && g.in.Type != memory.Event && (old.proves(in) || in.proves(old)):
		return shares
	}
	return unrelated
}

// paraphrases reports whether vectors say that two texts mean the same, and the
// new one brings neither evidence nor mostly new words.
func (g guard) paraphrases(in, old statement, cosine float64) bool {
	return g.policy.Cosine > 0 && cosine >= g.policy.Cosine && old.proves(in) && contained(in.stances().topic, old.stances().topic) >= closeTopic
}

// shared is how many terms two lists have in common, duplicates counted, and
// how long they are.
type shared struct{ common, a, b int }

// shared compares the terms of the new memory with those of another one.
func (r *reading) shared(in statement, terms []string) shared {
	if r.with == nil {
		r.with = text.SharedWith(in.indexed)
	}
	return countShared(r.with, len(in.indexed), terms)
}

// sharedTerms compares two lists of terms.
func sharedTerms(a, b []string) shared { return countShared(text.SharedWith(a), len(a), b) }

func countShared(with *text.Shared, size int, terms []string) shared {
	with.Begin()
	s := shared{a: size, b: len(terms)}
	for _, t := range terms {
		if with.Meets(t) {
			s.common++
		}
	}
	return s
}

// ofShorter is the share of the shorter list's terms that the other holds, 0..1.
func (s shared) ofShorter() float64 {
	if s.a == 0 || s.b == 0 {
		return 0
	}
	return float64(s.common) / float64(min(s.a, s.b))
}

// ofBoth is the Jaccard index of two lists of which one holds something, 0..1.
func (s shared) ofBoth() float64 { return float64(s.common) / float64(s.a+s.b-s.common) }

// oppose supersedes the older statement, unless it is trusted more or kept for
// good: then both stay, linked, and a person or a later compound decides.
func (g guard) oppose(old memory.Memory, why string) Verdict {
	if g.in.Trust.Rank() < old.Trust.Rank() || NeverDecays(old) {
		m := g.in
		m.Links = joinLinks(m.Links, []memory.Link{{Target: old.ID, Relation: Contradicts}})
		return g.add(Added, m, fmt.Sprintf("both stay: it contradicts %s, which only its owner may replace: %s", old.URI, why))
	}
	return g.supersede(Superseded, g.in, old, fmt.Sprintf("contradicts %s: %s", old.URI, why))
}

// merge joins the new memory with the stored one. In a journal, which is only
// appended to, the joined text is a new line that supersedes the old one.
func (g guard) merge(old memory.Memory) (Verdict, bool) {
	if g.in.Trust.Rank() < old.Trust.Rank() || g.in.Form == memory.Fact {
		return Verdict{}, false
	}
	joined := combined(old, g.in)
	if len(joined.Content) > comparedBytes {
		return Verdict{}, false
	}
	reason := fmt.Sprintf("joined with %s, which said part of it", old.URI)
	if journal(old.URI) {
		m := g.in
		m.Content, m.ContentHash, m.Trust = joined.Content, joined.ContentHash, joined.Trust
		m.InitialImportance, m.Pinned = max(m.InitialImportance, old.InitialImportance), m.Pinned || old.Pinned
		m.Links, m.Confidence = joined.Links, joined.Confidence
		return g.supersede(Merged, m, old, reason), true
	}
	return Verdict{
		Action: Merged, MemoryID: old.ID, URI: old.URI, Reason: reason,
		Changes: []memory.Change{{Op: memory.OpUpdate, Memory: joined, Revision: old.Revision, Reason: reason}},
	}, true
}
