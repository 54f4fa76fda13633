package lifecycle

import (
	"fmt"
	"time"

	"agentmemory/internal/memory"
)

const (
	noticeable = 0.001 // change of vitality that counts
	maxNotes   = 20    // of one kind in a plan
)

// DecayCounts is what a decay report counts, under the names of the lineage.
type DecayCounts struct {
	Updated        int `json:"updated"`        // vitality differs from that at the last report
	Decayed        int `json:"decayed"`        // … and is lower
	BelowThreshold int `json:"belowThreshold"` // vitality under FadedBelow
}

// Decay reports how vitality moved since the last report (zero: since each
// memory was learned). It plans no change: vitality is never stored, so a run
// more or less makes no difference to it.
func Decay(memories []memory.Memory, now, since time.Time) (memory.Plan, DecayCounts) {
	plan := memory.Plan{Phase: "decay", Changes: []memory.Change{}}
	var counts DecayCounts
	faded := 0
	for _, m := range memories {
		if !m.Status.Recallable() || m.Form == memory.Passage {
			continue
		}
		before, after := Vitality(m, since), Vitality(m, now)
		counts.add(before, after)
		if before >= FadedBelow && after < FadedBelow {
			if faded++; faded <= maxNotes {
				plan.Notes = append(plan.Notes, fmt.Sprintf("%s has faded: vitality %.3f after %.0f days unused", m.URI, after, idleDays(m, now)))
			}
		}
	}
	if faded > maxNotes {
		plan.Notes = append(plan.Notes, fmt.Sprintf("and %d more have faded", faded-maxNotes))
	}
	return plan, counts
}

func (c *DecayCounts) add(before, after float64) {
	if after < FadedBelow {
		c.BelowThreshold++
	}
	switch {
	case after < before-noticeable:
		c.Updated++
		c.Decayed++
	case after > before+noticeable:
		c.Updated++
	}
}
