package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// GC plans the removal of what has become Dust and was not used for the
// policy's days. Whoever carries it out writes each memory to the archive file
// first, so that every removal can be undone. Never removed: what does not
// decay, what a person wrote or vouches for, what has a name or was
// called important (unless importance governs), decisions, tasks, facts, states,
// passages, what was superseded or forgotten; and of every namespace, Keep
// memories stay.
func GC(memories []memory.Memory, now time.Time, p Profile) memory.Plan {
	plan := memory.Plan{Phase: "gc", Changes: []memory.Change{}}
	if p.GC.Never {
		plan.Notes = append(plan.Notes, fmt.Sprintf("profile %s never removes anything", p.Name))
		return plan
	}
	left := map[string]int{}
	var dust []*memory.Memory
	for i := range memories {
		m := &memories[i]
		if m.Form == memory.Passage || m.Status == memory.Forgotten {
			continue
		}
		left[m.Namespace]++
		if collectable(*m, now, p) {
			dust = append(dust, m)
		}
	}
	slices.SortFunc(dust, func(a, b *memory.Memory) int {
		return cmp.Or(lastUse(*a).Compare(lastUse(*b)), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range dust {
		if left[m.Namespace] <= p.GC.Keep {
			continue
		}
		left[m.Namespace]--
		plan.Changes = append(plan.Changes, memory.Change{
			Op: memory.OpRemove, Memory: *m, Revision: m.Revision,
			Reason: fmt.Sprintf("Dust: %s %.3f, not used for %.0f days (limit %d)", p.Measure, p.Measure.Score(*m, now), idleDays(*m, now), p.GC.Days),
		})
	}
	return plan
}

func collectable(m memory.Memory, now time.Time, p Profile) bool {
	prized := p.Measure != ByImportance && (named(m) || m.InitialImportance >= prizedFrom)
	kept := NeverDecays(m) || m.Trust == memory.TrustUser || prized || m.Form != memory.Note && m.Form != ""
	if kept || m.Status != memory.Active && m.Status != memory.Archived {
		return false
	}
	return isDust(m, now, p.Measure) && !lastUse(m).IsZero() && now.Sub(lastUse(m)) > time.Duration(p.GC.Days)*day
}

// isDust judges by the governing measure: the tier under importance, else
// whether vitality is all but gone.
func isDust(m memory.Memory, now time.Time, k Measure) bool {
	if k == ByImportance {
		return TierOf(m, now) == Dust
	}
	return Vitality(m, now) < FadedBelow
}
