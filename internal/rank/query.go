package rank

import (
	"time"

	"agentmemory/internal/text"
)

// Term is one analysed term of a question with its weight before term frequencies are known.
type Term struct {
	Text   string
	Weight float64
}

// Query is an analysed question.
type Query struct {
	Text   string
	Terms  []Term // without repetition, in order of first appearance
	When   bool   // it asks for a time
	Period Period // the time that it names, if any

	position map[string]int // of a term in Terms
}

// Parse analyses a question. Relative dates in it are resolved against now.
func Parse(question string, now time.Time) Query {
	q := Query{Text: question, position: map[string]int{}}
	for _, t := range text.Index(question) {
		if i, known := q.position[t]; known {
			q.Terms[i].Weight += repeated
			continue
		}
		q.position[t] = len(q.Terms)
		q.Terms = append(q.Terms, Term{Text: t, Weight: 1})
	}
	q.When = asksWhen(question)
	q.Period = FindPeriod(question, now)
	return q
}

// repeated is what a term gains by each repetition in the question.
const repeated = 0.5

// Words returns the terms to search for.
func (q Query) Words() []string {
	words := make([]string, len(q.Terms))
	for i, t := range q.Terms {
		words[i] = t.Text
	}
	return words
}
