package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/internal/text"
	"agentmemory/lifecycle"
)

// periodPool is how many memories of a time are ordered for one answer.
const periodPool = 500

// found answers a question.
func (r *Recall) found(ctx context.Context, a RecallArgs, f memory.Filter) (RecallResult, error) {
	result, known, err := r.ofPeriod(ctx, a, f)
	if known || err != nil {
		return result, err
	}
	return r.answer(ctx, a, f)
}

// ofPeriod answers a question for all of a time, such as "what did we decide
// last week": no word of it stands in the memories that it asks for. Decisions
// come first when it asks for them; then the profile's measure rules. found is
// false when the question asks for something in particular, or nothing is
// remembered of that time.
func (r *Recall) ofPeriod(ctx context.Context, a RecallArgs, f memory.Filter) (result RecallResult, found bool, err error) {
	now := r.Now()
	period, only := rank.OnlyPeriod(a.Query, now)
	if !only || !f.After.IsZero() || !f.Before.IsZero() {
		return result, false, nil
	}
	f.After, f.Before, f.Order, f.Limit = period.From, period.To, memory.Newest, periodPool
	if f.Layer == memory.LayerAuto && period.Past(now, farBack) {
		f.Layer = memory.LayerAll
	} else if f.Layer == memory.LayerAuto {
		f.Layer = memory.LayerWarm
	}
	list, err := r.Store.List(ctx, f)
	if err != nil {
		return result, false, fmt.Errorf("listing the memories of a time: %w", err)
	}
	r.Profile.Measure.Sort(list, now)
	slices.SortStableFunc(list, func(x, y memory.Memory) int { return cmp.Compare(periodRank(a.Query, x), periodRank(a.Query, y)) })
	result = RecallResult{Confidence: 1, Memories: []RecallHit{}}
	for _, m := range list[:min(a.Limit, len(list))] {
		result.Memories = append(result.Memories, RecallHit{MemoryView: viewOf(m, r.Profile, now), Score: round3(r.Profile.Measure.Score(m, now))})
	}
	if len(list) == 0 {
		return result, false, nil
	}
	result = r.completed(result) // a listing: shown, not used
	result.Query = a.Query
	return result, true, nil
}

// periodRank puts decisions first when a question asks for them, their cards
// before notes that tell of one, and prose last.
func periodRank(question string, m memory.Memory) int {
	asked := text.Fold(question)
	decisions := strings.Contains(asked, "decid") || strings.Contains(asked, "decision") || strings.Contains(asked, "决")
	switch {
	case m.Form == memory.Passage:
		return 3
	case decisions && m.Form == memory.Decision:
		return 0
	case decisions && lifecycle.TellsDecision(m):
		return 1
	}
	return 2
}
