package rank

import (
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// boost scores the candidates by their words, and multiplies by what speaker
// and time say.
func (r *Ranking) boost() {
	for _, e := range r.pool {
		x := &e.explanation
		x.Speaker, x.TimeWord, x.Date, x.Asking = 1, 1, 1, 1
		if r.parameters.Speaker > 0 && r.named(e.Actor) {
			x.Speaker = r.parameters.Speaker
		}
		if r.parameters.Person > 0 && r.namesPerson(e) {
			x.Speaker = r.parameters.Person
		}
		if r.parameters.TimeWord > 0 && r.query.When && hasTimeWord(e.words()) {
			x.TimeWord = r.parameters.TimeWord
		}
		if r.parameters.Date > 0 && !r.query.Period.Zero() {
			x.Date = r.dateFactor(e.Candidate)
		}
		if r.parameters.Asking > 0 && e.asking {
			x.Asking = r.parameters.Asking
		}
		x.Window = r.window(e)
		factors := x.factors()
		e.worded = (x.Lexical + x.Phrase) * factors
		e.score = (r.parameters.Words*x.Lexical + x.Phrase + x.Window) * factors
	}
}

// named reports whether the question holds a word of a speaker's name.
func (r *Ranking) named(actor string) bool {
	if actor == "" {
		return false
	}
	names, known := r.names[actor]
	if !known {
		for _, t := range nameTerms(actor) {
			if _, asked := r.query.position[t]; asked {
				names = true
			}
		}
		r.names[actor] = names
	}
	return names
}

// namesPerson reports whether a memory holds the name of somebody who speaks in the question.
func (r *Ranking) namesPerson(e *entry) bool {
	if len(r.query.people) == 0 {
		return false
	}
	return slices.ContainsFunc(e.words(), func(w string) bool { return r.query.people[w] })
}

func hasTimeWord(words []string) bool {
	for _, w := range words {
		if timeWord(w) {
			return true
		}
	}
	return false
}

// near is how long after a period people still speak of it.
const near = 7 * 24 * time.Hour

// dateFactor favours what was observed in the period that the question names,
// and half as much what was observed within days of it.
func (r *Ranking) dateFactor(c *memory.Candidate) float64 {
	at := c.Observed
	if at.IsZero() {
		at = c.Created
	}
	switch d := r.query.Period.Distance(at); {
	case at.IsZero():
		return 1
	case d == 0:
		return r.parameters.Date
	case d <= near:
		return 1 + (r.parameters.Date-1)/2
	}
	return 1
}

// age lowers the score of memories that have faded, are doubtful, or are vouched for by nobody.
func (r *Ranking) age() {
	for _, e := range r.pool {
		x := &e.explanation
		x.Lifecycle, x.Layer = 1-r.parameters.Lifecycle*(1-r.standing(e.Candidate)), 1
		if r.parameters.First > 0 && r.first(*e.Candidate) {
			x.Layer = r.parameters.First
		}
		if r.parameters.Cold > 0 && e.Cold {
			x.Layer *= r.parameters.Cold
		}
		e.score *= x.Lifecycle * x.Layer
		e.even *= x.Lifecycle * x.Layer
	}
}

// standing is how much a memory deserves to be believed and shown, 0..1:
// vitality counts half, confidence, trust and status the other half.
func (r *Ranking) standing(c *memory.Candidate) float64 {
	reliable := min(1, max(0, c.Confidence))
	switch c.Trust {
	case memory.TrustUser, memory.TrustAgent:
	default:
		reliable *= 0.5
	}
	if c.Status != memory.Active {
		reliable *= 0.5
	}
	return (r.vitality(*c) + reliable) / 2
}
