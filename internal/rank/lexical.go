package rank

import (
	"math"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// idf is the inverse document frequency of BM25 in the form that never turns
// negative: ln(1 + (N − n + ½) / (n + ½)), with N documents, n of them with the term
// (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
func idf(c memory.Corpus, term string) float64 {
	n := float64(c.DF[term])
	return math.Log(1 + (max(float64(c.Memories), n)-n+0.5)/(n+0.5))
}

// measure counts the question's terms and phrases in a candidate and scores its text.
func (r *Ranking) measure(e *entry) {
	last, phrases, final := -1, 0.0, ""
	for rest := e.Terms; rest != ""; {
		var w string
		if w, rest = cutWord(rest); w == "" {
			continue
		}
		e.length++
		final = w
		if !r.query.sieve.lets(w) {
			last = -1
			continue
		}
		r.meets(e, w)
		i, asked := r.query.position[w]
		if !asked {
			last = -1
			continue
		}
		e.frequencies[i]++
		if last >= 0 && r.query.pairs[[2]int{last, i}] {
			phrases += r.weights[last] + r.weights[i]
		}
		last = i
	}
	e.asking = final == text.Question
	x := &e.explanation
	x.Phrase = r.parameters.Phrase * phrases
	for i := range e.frequencies {
		if e.frequencies[i] > 0 || e.kin != nil {
			x.Lexical += r.worth(e, i)
		}
	}
}

// cutWord takes the word before the next space off a text.
func cutWord(text string) (word, rest string) {
	end := strings.IndexByte(text, ' ')
	if end < 0 {
		return text, ""
	}
	return text[:end], text[end+1:]
}

// saturation is BM25's term factor: it grows with the frequency towards k1 + 1,
// more slowly in long texts.
func (r *Ranking) saturation(frequency float64, length int) float64 {
	average := 1.0
	if r.corpus.Memories > 0 {
		average = max(1, float64(r.corpus.Length)/float64(r.corpus.Memories))
	}
	k1, b := r.parameters.K1, r.parameters.B
	return frequency * (k1 + 1) / (frequency + k1*(1-b+b*float64(length)/average))
}
