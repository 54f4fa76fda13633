package rank

import (
	"slices"
	"time"
	"unicode/utf8"

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

	position map[string]int    // of a term in Terms
	sieve    sieve             // lets every term and related word through, and few others
	pairs    map[[2]int]bool   // terms that follow each other
	links    map[string][]link // from related words to terms
	parts    [][]int           // the terms of each sentence
	people   map[string]bool   // terms of the names of those who talk with an assistant in it
}

// Parse analyses a question. Relative dates in it are resolved against now.
func Parse(question string, now time.Time) Query {
	q := Query{Text: question, position: map[string]int{}, pairs: map[[2]int]bool{}}
	lines, converses := utterances(withoutInterrogatives(question))
	for _, line := range lines {
		for _, sentence := range sentences(line.text) {
			q.add(text.Index(sentence), line.weight)
		}
	}
	if converses {
		q.people = people(lines)
	}
	q.When = len(q.parts) < dialogue && asksWhen(question)
	q.Period = FindPeriod(question, now)
	return q
}

// add takes over the terms of one sentence.
func (q *Query) add(terms []string, weight float64) {
	last := -1
	var part []int
	for _, t := range terms {
		i, known := q.position[t]
		if known {
			q.Terms[i].Weight += repeated * weight
		} else {
			i = len(q.Terms)
			q.position[t] = i
			q.sieve.let(t)
			q.Terms = append(q.Terms, Term{Text: t, Weight: weight})
			if framing(t) {
				q.Terms[i].Weight *= framed
			}
		}
		if last >= 0 {
			q.pairs[[2]int{last, i}] = true
		}
		if !slices.Contains(part, i) {
			part = append(part, i)
		}
		last = i
	}
	if len(part) > 0 {
		q.parts = append(q.parts, part)
	}
}

// sieve is a set of marks of words. Candidates hold thousands of words, nearly
// all of which it keeps from being looked up.
type sieve [32]uint64

// mark tells words apart by their length and four of their bytes.
func mark(word string) uint {
	n := len(word)
	if n == 0 {
		return 0
	}
	return (uint(word[0])*31 + uint(word[n/2])*7 + uint(word[n-1])*13 + uint(word[n/3])*3 + uint(n)) % (64 * uint(len(sieve{})))
}

func (s *sieve) let(word string) { m := mark(word); s[m/64] |= 1 << (m % 64) }

func (s *sieve) lets(word string) bool { m := mark(word); return s[m/64]&(1<<(m%64)) != 0 }

// sentences cuts a question where one sentence ends and another begins.
func sentences(question string) []string {
	var parts []string
	start := 0
	for i, r := range question {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？', '；':
		case '.', '!', '?', ';':
			if end < len(question) && question[end] != ' ' && question[end] != '"' {
				continue
			}
		default:
			continue
		}
		parts = append(parts, question[start:end])
		start = end
	}
	return append(parts, question[start:])
}

// What a term weighs that does not stand for itself once.
const (
	repeated = 0.5 // for each repetition
	framed   = 0.6 // if it only frames the question
)

// Words returns the terms to search for.
func (q Query) Words() []string {
	words := make([]string, len(q.Terms))
	for i, t := range q.Terms {
		words[i] = t.Text
	}
	return words
}
