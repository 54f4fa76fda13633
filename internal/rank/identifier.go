package rank

import (
	"strings"
	"unicode"

	"agentmemory/internal/memory"
)

// identified is the least confidence, 0..1, of a ranking one of whose best hits
// holds an identifier of the question whole: who names a ticket, a path or an
// address asks about it, in whatever words. An identifier that most memories
// hold says as little as any other word of theirs.
func (r *Ranking) identified(order []*entry) float64 {
	best := 0.0
	for i, t := range r.query.Terms {
		if !identifier(t.Text) || r.unheard(i) {
			continue
		}
		for _, e := range order[:min(coverageHits, len(order))] {
			if e.frequencies[i] > 0 {
				best = max(best, identifierSuffices*r.agreement(e)*r.rarity[i]/r.rarest())
			}
		}
	}
	return best
}

// rarest is the inverse document frequency of a term that one memory holds.
func (r *Ranking) rarest() float64 {
	return idf(memory.Corpus{Memories: max(r.corpus.Memories, acquainted)}, "")
}

// identifier reports whether a term is a name that only one thing bears: AB-77,
// api_key, 10.0.4.7, src/main.go, v2.4.1; not self-care, p.m., 10:30, 1,000 or a date.
func identifier(term string) bool {
	letters := strings.ContainsFunc(term, unicode.IsLetter)
	dots, slashes := strings.Count(term, "."), strings.Count(term, "/")
	switch {
	case strings.ContainsAny(term, "_@"), dots > 0 && slashes > 0:
		return letters
	case letters:
		return strings.ContainsFunc(term, unicode.IsDigit) && strings.ContainsAny(term, "-./:#")
	}
	return slashes == 0 && (dots == 3 || dots == 2 && len(term)-strings.LastIndex(term, ".") < 4) // 10.0.4.7, 2.4.1; not 8.5.2026
}
