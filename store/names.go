package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// selection is conditionOf, but for names that few memories hold it leads to
// those: names are indexed with the texts, so that whoever has a name holds its terms.
func (s *Store) selection(ctx context.Context, f memory.Filter) (*condition, error) {
	c := conditionOf(f)
	if c.narrow || f.Actor == "" && f.Target == "" {
		return c, nil
	}
	g, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	held := slices.Concat(longest(text.Held(f.Actor)), longest(text.Held(f.Target)))
	df, err := s.frequencies(s.asking(ctx), held)
	if err != nil {
		return nil, fmt.Errorf("looking for names: %w", err)
	}
	few := g.whole.memories / patience
	for _, term := range held {
		if df[term] <= few {
			c.holding, few = term, df[term]
		}
	}
	return c, nil
}

// longest returns the longest terms of a name, which as a rule are the rarest:
// each of them is one more question to the full-text index.
func longest(terms []string) []string {
	const enough = 2
	slices.SortStableFunc(terms, func(a, b string) int { return len(b) - len(a) })
	return terms[:min(enough, len(terms))]
}

// through makes the full-text index lead to the rows that can fit, and nothing else.
func (c *condition) through() {
	for i, part := range c.parts {
		if strings.HasPrefix(part, "m.namespace") {
			c.parts[i] = "+" + part // the unary plus keeps its indexes out
		}
	}
	c.add("m.key IN (SELECT rowid FROM search WHERE search MATCH ?)", match(c.holding))
}

// match asks the full-text index for one term.
func match(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }
