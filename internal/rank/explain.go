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
	Layer       float64  `json:"layer_factor"`      // task cards and summaries first, cold last
	Covered     float64  `json:"covered"`           // share of the question's information in its text
	Terms       []string `json:"terms"`             // of the question, found in it
	Related     []string `json:"related,omitempty"` // terms that are not, and the word near to each that is: "pet ~ puppi"
	Duplicates  []string `json:"duplicates,omitempty"`
	Over        string   `json:"over,omitempty"` // why it stands before the next hit
}

// String renders the explanation, its steps separated by semicolons. What
// changed nothing is left out.
func (x Explanation) String() string {
	words := sum([]quantity{{"own text", x.Lexical}, {"phrases", x.Phrase}, {"with neighbours", x.Window}}) +
		product([]quantity{{"speaker", x.Speaker}, {"time word", x.TimeWord}, {"date", x.Date}, {"asking", x.Asking}})
	parts := []string{fmt.Sprintf("words: %s (rank %s)", words, place(x.LexicalRank))}
	if x.VectorRank > 0 {
		parts = append(parts, fmt.Sprintf("vectors: cosine %.2f (rank %d) adds %.2f", x.Cosine, x.VectorRank, x.Vector))
	}
	if x.Neighbours+x.Session > 0 {
		parts = append(parts, "added: "+sum([]quantity{{"neighbours", x.Neighbours}, {"session", x.Session}}))
	}
	if standing := product([]quantity{{"lifecycle", x.Lifecycle}, {"layer", x.Layer}}); standing != "" {
		parts = append(parts, "all"+standing)
	}
	if x.Whole > 0 {
		parts = append(parts, fmt.Sprintf("all of its session: %.2f", x.Whole))
	}
	parts = append(parts, fmt.Sprintf("covers %.0f %%: %s", 100*x.Covered, strings.Join(x.Terms, " ")))
	if len(x.Related) > 0 {
		parts = append(parts, "related: "+strings.Join(x.Related, ", "))
	}
	if x.Over != "" {
		parts = append(parts, "before the next: "+x.Over)
	}
	return strings.Join(parts, "; ")
}

// factors is what speaker and time multiply the words by.
func (x *Explanation) factors() float64 { return x.Speaker * x.TimeWord * x.Date * x.Asking }

type quantity struct {
	name  string
	value float64
}

// sum renders the quantities that are not 0, joined by plus signs.
func sum(list []quantity) string {
	var parts []string
	for _, q := range list {
		if q.value >= 0.005 {
			parts = append(parts, fmt.Sprintf("%s %.2f", q.name, q.value))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, " + ")
}

// product renders the factors that are not 1, each after a times sign.
func product(list []quantity) string {
	var b strings.Builder
	for _, q := range list {
		if q.value != 0 && math.Abs(q.value-1) >= 0.005 {
			fmt.Fprintf(&b, " × %s %.2f", q.name, q.value)
		}
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
		e.explanation.Related = r.relatedIn(e)
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
