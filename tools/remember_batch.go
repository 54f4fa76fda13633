package tools

import (
	"cmp"
	"context"
	"slices"

	"agentmemory/internal/memory"
)

// each returns the items with the labels that stand beside them, as far as they
// have none of their own.
func (a RememberArgs) each() ([]RememberItem, error) {
	if a.URI != "" || a.Title != "" || a.Supersedes != "" || len(a.Links) > 0 || len(a.Fields) > 0 {
		return nil, memory.Errorf(memory.InvalidArgument, "uri, title, supersedes, links or fields were given beside items").WithHint("put them into the item that they belong to")
	}
	items := slices.Clone(a.Items)
	for i := range items {
		it := &items[i]
		for own, beside := range map[*string]string{
			&it.Type: a.Type, &it.Form: a.Form, &it.Domain: a.Domain, &it.Source: a.Source, &it.Context: a.Context, &it.SessionID: a.SessionID,
			&it.SessionPath: a.SessionPath, &it.MessageRange: a.MessageRange, &it.ObservedAt: a.ObservedAt, &it.Actor: a.Actor, &it.Target: a.Target, &it.AgentID: a.AgentID,
		} {
			*own = cmp.Or(*own, beside)
		}
		it.Importance, it.Confidence, it.EmotionVal = cmp.Or(it.Importance, a.Importance), cmp.Or(it.Confidence, a.Confidence), cmp.Or(it.EmotionVal, a.EmotionVal)
	}
	return items, nil
}

// write brings prepared memories into the store, and writes down what became of
// each. The guard compares with what is stored: what may repeat, correct or
// replace an earlier item of the batch is judged when that one is stored.
func (r *Remember) write(ctx context.Context, open []*pending) error {
	defer r.Mirror.Notify()
	groups := inTurn(open)
	for i, group := range groups {
		if left, err := r.writeTogether(ctx, group); err != nil {
			return r.withoutStore(ctx, slices.Concat(left, slices.Concat(groups[i+1:]...)), err)
		}
	}
	return nil
}

// writeTogether writes memories that have nothing to do with each other. On an
// error it returns those that are not in the store.
func (r *Remember) writeTogether(ctx context.Context, open []*pending) ([]*pending, error) {
	for try := 0; len(open) > 0 && try < guardTries; try++ {
		again, err := r.attempt(ctx, open)
		if err != nil {
			return open, err
		}
		open = again
	}
	for _, p := range open {
		p.fail(memory.Errorf(memory.Conflicting, "other writers kept changing the same memory").WithHint("repeat the call"))
	}
	return nil, nil
}

// inTurn divides a batch into groups to be written one after the other: an item
// comes after those before it that share terms with it. A correction may mean any
// of them, in other words, and one that supersedes may name any.
func inTurn(open []*pending) (groups [][]*pending) {
	if len(open) == 1 { // nearly always
		return [][]*pending{open}
	}
	turns := make([]int, len(open))
	holders := map[string][]int{} // places of items, by their terms
	sizes := make([]int, len(open))
	for i, p := range open {
		terms := unique(p.said.Terms)
		sizes[i] = len(terms)
		if p.said.Corrects || p.memory.Supersedes != "" {
			turns[i] = len(groups)
		}
		common := make(map[int]int)
		for _, t := range terms {
			for _, other := range holders[t] {
				common[other]++
			}
			holders[t] = append(holders[t], i)
		}
		for other, n := range common {
			if float64(n) >= alikeFrom*float64(min(sizes[i], sizes[other])) {
				turns[i] = max(turns[i], turns[other]+1)
			}
		}
		if turns[i] == len(groups) {
			groups = append(groups, nil)
		}
		groups[turns[i]] = append(groups[turns[i]], p)
	}
	return groups
}

func unique(terms []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(terms)))
}
