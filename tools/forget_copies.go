package tools

import (
	"context"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// withCopies adds what holds the words of memories under other ids: copies of
// them, such as a line that a person wrote as well, and facts that were made of them.
func (f *Forget) withCopies(ctx context.Context, targets []memory.Memory) ([]memory.Memory, error) {
	texts, err := f.wordings(ctx, targets)
	if err != nil {
		return nil, err
	}
	copies, err := f.Purger.Copies(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("looking for copies of what is purged: %w", err)
	}
	targets = append(targets, copies...)
	derived, err := f.derived(ctx, targets)
	if err != nil {
		return nil, err
	}
	return append(targets, derived...), nil
}

// wordings are the memories with every text that they ever had.
func (f *Forget) wordings(ctx context.Context, memories []memory.Memory) ([]memory.Memory, error) {
	texts := slices.Clone(memories)
	for _, m := range memories {
		history, err := f.Store.History(ctx, m.ID)
		if err != nil {
			return nil, fmt.Errorf("reading the history of %s: %w", m.ID, err)
		}
		for _, h := range history {
			m.Content = h.Content
			texts = append(texts, m)
		}
	}
	return texts, nil
}

// derived are the facts that extract made of memories: they hold their words.
func (f *Forget) derived(ctx context.Context, targets []memory.Memory) ([]memory.Memory, error) {
	facts, err := f.Store.List(ctx, memory.Filter{Namespace: f.Namespace, SourceGlob: lifecycle.ExtractSource, Statuses: memory.Statuses()})
	if err != nil {
		return nil, fmt.Errorf("listing what was made of memories: %w", err)
	}
	gone := map[string]bool{}
	for _, m := range targets {
		gone[m.ID] = true
	}
	return slices.DeleteFunc(facts, func(m memory.Memory) bool {
		return gone[m.ID] || !slices.ContainsFunc(m.Links, func(l memory.Link) bool {
			return l.Relation == lifecycle.DerivedFrom && gone[l.Target]
		})
	}), nil
}
