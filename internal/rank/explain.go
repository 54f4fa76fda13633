package rank

import (
	"fmt"
	"math"
	"strings"
)

// Explanation tells how a hit got its place. Ranks count from 1; 0 means that
// the arm did not find it. Factors of 1 changed nothing.
type Explanation struct {
	Lexical     float64  `json:"lexical"`      // BM25 of its own text
	LexicalRank int      `json:"lexical_rank"` // by words, speaker and time
	Phrase      float64  `json:"phrase"`       // terms that stand together as in the question
	Window      float64  `json:"window"`       // BM25 of it and its neighbours as one text
	Speaker     float64  `json:"speaker_factor"`
	TimeWord    float64  `json:"time_word_factor"`
	Date        float64  `json:"date_factor"`
	Asking      float64  `json:"asking_factor"` // it is a question itself
	Cosine      float64  `json:"cosine"`
	VectorRank  int      `json:"vector_rank"`
	Vector      float64  `json:"vector"`                  // added for its vector
	Neighbours  float64  `json:"neighbours"`              // added from the entries beside it
	Session     float64  `json:"session"`                 // added from its session
	Whole       float64  `json:"whole_session,omitempty"` // words of all entries of its session, when sessions are ranked
	Lifecycle   float64  `json:"lifecycle_factor"`
	Layer       float64  `json:"layer_factor"` // task cards and summaries first, cold last
	Covered     float64  `json:"covered"`      // share of the question's information in its text
	Terms       []string `json:"terms"`        // of the question, found in it
	Duplicates  []string `json:"duplicates,omitempty"`
	Over        string   `json:"over,omitempty"` // why it stands before the next hit
}

// String renders the explanation on one line.
func (x Explanation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "words: (own text %.2f + phrases %.2f + with neighbours %.2f) × speaker %.2f × time word %.2f × date %.2f × asking %.2f (rank %s)",
		x.Lexical, x.Phrase, x.Window, x.Speaker, x.TimeWord, x.Date, x.Asking, place(x.LexicalRank))
	fmt.Fprintf(&b, "; vectors: cosine %.2f (rank %s) adds %.2f; neighbours add %.2f, session %.2f; × lifecycle %.2f × layer %.2f; covers %.0f %%: %s",
		x.Cosine, place(x.VectorRank), x.Vector, x.Neighbours, x.Session, x.Lifecycle, x.Layer, 100*x.Covered, strings.Join(x.Terms, " "))
	if x.Whole > 0 {
		fmt.Fprintf(&b, "; all of its session: %.2f", x.Whole)
	}
	if x.Over != "" {
		fmt.Fprintf(&b, "; before the next: %s", x.Over)
	}
	return b.String()
}

func place(rank int) string {
	if rank == 0 {
		return "none"
	}
	return fmt.Sprint(rank)
}

// explain completes the explanations of the hits that are shown.
func (r *Ranking) explain(hits []*entry) {
	total := 0.0
	for _, w := range r.weights {
		total += w
	}
	for i, e := range hits {
		e.explanation.Terms = []string{}
		covered := 0.0
		for t, n := range e.frequencies {
			if n > 0 {
				covered += r.weights[t]
				e.explanation.Terms = append(e.explanation.Terms, r.query.Terms[t].Text)
			}
		}
		if total > 0 {
			e.explanation.Covered = covered / total
		}
		if i+1 < len(hits) {
			e.explanation.Over = advantage(e.explanation, hits[i+1].explanation)
		}
	}
}

// advantage names the steps in which a outdid b, in the order of the pipeline.
func advantage(a, b Explanation) string {
	var reasons []string
	for _, step := range []struct {
		name string
		a, b float64
	}{
		{"whole session", a.Whole, b.Whole}, {"own text", a.Lexical, b.Lexical}, {"phrases", a.Phrase, b.Phrase}, {"with neighbours", a.Window, b.Window},
		{"speaker", a.Speaker, b.Speaker}, {"time word", a.TimeWord, b.TimeWord}, {"date", a.Date, b.Date}, {"asking", a.Asking, b.Asking},
		{"vector", a.Vector, b.Vector}, {"neighbours", a.Neighbours, b.Neighbours}, {"session", a.Session, b.Session},
		{"lifecycle", a.Lifecycle, b.Lifecycle}, {"layer", a.Layer, b.Layer},
	} {
		if step.a > step.b*1.001 {
			reasons = append(reasons, fmt.Sprintf("%s %.2f against %.2f", step.name, step.a, step.b))
		}
	}
	if len(reasons) == 0 {
		return "newer, or first by id"
	}
	return strings.Join(reasons, ", ")
}

// Rounded returns the explanation with three decimals, for readers.
func (x Explanation) Rounded() Explanation {
	for _, v := range []*float64{&x.Lexical, &x.Phrase, &x.Window, &x.Cosine, &x.Vector, &x.Neighbours, &x.Session, &x.Whole, &x.Lifecycle, &x.Layer, &x.Covered} {
		*v = math.Round(*v*1000) / 1000
	}
	return x
}
