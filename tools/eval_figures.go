package tools

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"
)

// answer is what came back for one question.
type answer struct {
	query     evalQuery
	gold      []string
	found     []string // in order, each unit once
	abstained bool
	took      time.Duration
}

// Figures are the means over questions that the store can answer. Abstentions
// do not count in them but in Answered: any gold in the first ten and not abstained.
type Figures struct {
	Kind     string   `json:"kind"`
	Queries  int      `json:"queries"`
	Recall5  Interval `json:"recall@5"`
	Recall10 Interval `json:"recall@10"`
	Any10    Interval `json:"any@10"`
	Answered Interval `json:"any@10_answered"`
	MRR      Interval `json:"mrr"`
}

// Interval is a mean with its 95 % bootstrap interval; without one Low and High are the mean.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// FalseRecall is the share of questions of a kind that the store cannot answer
// and that were answered nevertheless.
type FalseRecall struct {
	Kind    string   `json:"kind"`
	Queries int      `json:"queries"`
	Rate    Interval `json:"rate"`
}

// curveLength is up to which k the curve of recall@k goes.
const curveLength = 20

func summarise(answers []answer, resamples int) EvalResult {
	kinds := map[string][]answer{}
	unanswerable := map[string][]answer{}
	var all []answer
	took := make([]float64, 0, len(answers))
	for _, a := range answers {
		took = append(took, float64(a.took.Microseconds())/1000)
		if !a.query.answerable() {
			unanswerable[a.query.Kind] = append(unanswerable[a.query.Kind], a)
			continue
		}
		all = append(all, a)
		kinds[a.query.Kind] = append(kinds[a.query.Kind], a)
	}
	result := EvalResult{All: figures("all", all, resamples), Latency: Latency{P50: quantile(took, 0.5), P95: quantile(took, 0.95)}}
	for k := 1; k <= curveLength; k++ {
		result.Curve = append(result.Curve, mean(all, recallAt(k)))
	}
	for _, kind := range sortedKeys(kinds) {
		result.Kinds = append(result.Kinds, figures(kind, kinds[kind], resamples))
	}
	for _, kind := range sortedKeys(unanswerable) {
		list := unanswerable[kind]
		rate := interval(list, resamples, func(a answer) float64 { return flagged(!a.abstained) })
		result.False = append(result.False, FalseRecall{Kind: kind, Queries: len(list), Rate: rate})
	}
	return result
}

func figures(kind string, answers []answer, resamples int) Figures {
	return Figures{
		Kind: kind, Queries: len(answers),
		Recall5: interval(answers, resamples, recallAt(5)), Recall10: interval(answers, resamples, recallAt(10)),
		Any10: interval(answers, resamples, anyAt10), MRR: interval(answers, resamples, reciprocal),
		Answered: interval(answers, resamples, func(a answer) float64 { return anyAt10(a) * flagged(!a.abstained) }),
	}
}

// recallAt returns the measure: share of the gold in the first k.
func recallAt(k int) func(answer) float64 {
	return func(a answer) float64 {
		gold := ordered(a.gold)
		if len(gold) == 0 {
			return 0
		}
		n := 0
		for _, u := range a.found[:min(k, len(a.found))] {
			n += int(flagged(slices.Contains(gold, u)))
		}
		return float64(n) / float64(len(gold))
	}
}

func anyAt10(a answer) float64 { return flagged(recallAt(10)(a) > 0) }

// reciprocal is one over the rank of the first gold, 0 if it was not found.
func reciprocal(a answer) float64 {
	for i, u := range a.found {
		if slices.Contains(a.gold, u) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

func flagged(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func mean(answers []answer, measure func(answer) float64) float64 {
	if len(answers) == 0 {
		return 0
	}
	sum := 0.0
	for _, a := range answers {
		sum += measure(a)
	}
	return sum / float64(len(answers))
}

// interval is the mean and its percentile bootstrap interval (Efron 1979), with
// a fixed seed so that a run can be repeated.
func interval(answers []answer, resamples int, measure func(answer) float64) Interval {
	m := mean(answers, measure)
	if resamples <= 0 || len(answers) == 0 {
		return Interval{m, m, m}
	}
	values := make([]float64, len(answers))
	for i, a := range answers {
		values[i] = measure(a)
	}
	random := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, resamples)
	for i := range means {
		for range values {
			means[i] += values[random.IntN(len(values))]
		}
		means[i] /= float64(len(values))
	}
	return Interval{m, quantile(means, 0.025), quantile(means, 0.975)}
}

// quantile returns the value below which the share q of the values lies.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
