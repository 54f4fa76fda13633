package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// withCopies adds what holds the words of memories under other ids: copies of
// them, such as a line that a person wrote as well, and facts that were made of them.
// What says more than is to be purged goes only with whoever has confirmed it.
func (f *Forget) withCopies(ctx context.Context, targets []memory.Memory, confirmed bool) ([]memory.Memory, error) {
	texts, err := f.wordings(ctx, targets)
	if err != nil {
		return nil, err
	}
	copies, err := f.Purger.Copies(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("looking for copies of what is purged: %w", err)
	}
	if more := sayingMore(copies, texts); len(more) > 0 && !confirmed {
		return nil, memory.Errorf(memory.NeedsConfirmation, "memories that hold these words and say more: %d", len(more)).
			WithHint("read %s first; repeat the call with confirm: true to purge them, too", strings.Join(idsOf(more[:min(len(more), namedCopies)]), ", "))
	}
	targets = append(targets, copies...)
	derived, err := f.derived(ctx, targets)
	if err != nil {
		return nil, err
	}
	return append(targets, derived...), nil
}

// namedCopies is how many of the memories that say more are named.
const namedCopies = 5

// sayingMore are those copies that are no equals of what is purged: they have a
// line that is longer than the words in it.
func sayingMore(copies, purged []memory.Memory) (more []memory.Memory) {
	said := map[string]bool{}
	for _, m := range purged {
		for _, line := range m.Sought() {
			said[line] = true
		}
	}
	for _, c := range copies {
		if slices.ContainsFunc(c.Sought(), func(line string) bool { return !said[line] }) {
			more = append(more, c)
		}
	}
	return more
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

// derived are the facts, of any namespace, that extract made of memories: they hold their words.
func (f *Forget) derived(ctx context.Context, targets []memory.Memory) ([]memory.Memory, error) {
	facts, err := f.Store.List(ctx, memory.Filter{SourceGlob: lifecycle.ExtractSource, Statuses: memory.Statuses()})
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
