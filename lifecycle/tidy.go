package lifecycle

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// prizedFrom is the importance given at the start from which a memory is not
// put away for having faded.
const prizedFrom = 0.7

// TidyCounts is what a tidy plan does, by cause.
type TidyCounts struct {
	Archived   int `json:"archived"`   // faded, and what spoke of something that has passed
	Superseded int `json:"superseded"` // repetitions
	Passing    int `json:"passing"`    // of Archived: “in progress”, “just now”, to-dos
}

func (c TidyCounts) plus(d TidyCounts) TidyCounts {
	return TidyCounts{c.Archived + d.Archived, c.Superseded + d.Superseded, c.Passing + d.Passing}
}

// Tidy puts away repetitions, notes of things that have passed, and what has
// faded. Only the status changes: nothing is removed, no line leaves a diary,
// and what is put away is found again by a search of the cold layer. What
// people wrote themselves is left to them, faded notes excepted.
func Tidy(memories []memory.Memory, now time.Time, p Profile) (memory.Plan, TidyCounts) {
	plan := memory.Plan{Phase: "tidy", Changes: []memory.Change{}}
	var counts TidyCounts
	var over []outlived
	var wait sync.WaitGroup
	wait.Go(func() { over = allOutlived(memories, now, p.Tidy) }) // beside the other half of the work
	if p.Tidy.Duplicates {
		plan.Changes = duplicates(memories, now, p.Guard.Same)
		counts.Superseded = len(plan.Changes)
	}
	wait.Wait()
	changed := map[string]bool{}
	for _, c := range plan.Changes {
		changed[c.Memory.ID] = true
	}
	for _, e := range over {
		if m := memories[e.place]; !changed[m.ID] {
			if e.passed {
				counts.Passing++
			}
			plan.Changes = append(plan.Changes, toStatus(m, memory.Archived, e.why))
		}
	}
	counts.Archived = len(plan.Changes) - counts.Superseded
	return plan, counts
}

// outlived is a note that is to be put away unless it repeats another one.
type outlived struct {
	place  int // among the memories
	why    string
	passed bool // it speaks of something that is over; else it has faded
}

// judgedAtOnce is how many memories are judged before others may have the processor.
const judgedAtOnce = 256

// allOutlived returns the notes that speak of what is over, and those that have faded.
func allOutlived(memories []memory.Memory, now time.Time, p TidyPolicy) []outlived {
	var found []outlived
	protected := newestFading(memories, p.Keep)
	for i, m := range memories {
		if i%judgedAtOnce == 0 {
			runtime.Gosched() // whoever remembers meanwhile is not to wait for a turn of 10 ms
		}
		if !mayFade(m) {
			continue
		}
		if why := passed(m, now, p); why != "" {
			found = append(found, outlived{i, why, true})
		} else if v := Vitality(m, now); v < p.Faded && !protected[m.ID] {
			found = append(found, outlived{i, fmt.Sprintf("faded: vitality %.3f is under %.2f after %.0f days unused", v, p.Faded, idleDays(m, now)), false})
		}
	}
	return found
}

// mayFade reports whether a memory may be put away at all: active notes that
// nobody called important and that nobody gave a name.
func mayFade(m memory.Memory) bool {
	return m.Status == memory.Active && (m.Form == memory.Note || m.Form == "") && !NeverDecays(m) &&
		!named(m) && m.InitialImportance < prizedFrom
}

// newestFading returns the ids of the newest memories that fade without a
// floor: however long a store was left alone, these stay.
func newestFading(memories []memory.Memory, keep int) map[string]bool {
	var fading []*memory.Memory
	for i := range memories {
		if m := &memories[i]; m.Status == memory.Active && mayFade(*m) && Floor(m.Priority()) == 0 {
			fading = append(fading, m)
		}
	}
	slices.SortFunc(fading, func(a, b *memory.Memory) int {
		if c := lastUse(*b).Compare(lastUse(*a)); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	ids := map[string]bool{}
	for _, m := range fading[:min(keep, len(fading))] {
		ids[m.ID] = true
	}
	return ids
}

// passed returns why a note speaks of something that is over by now, or "".
// Only events are judged by what they say is going on: a rule may well hold
// words such as "in progress" for good.
func passed(m memory.Memory, now time.Time, p TidyPolicy) string {
	idle := max(0, int(now.Sub(latest(lastUse(m), m.UpdatedAt))/day))
	if m.Trust == memory.TrustUser || idle < min(p.JustNow, p.InProgress, p.ToDo) {
		return ""
	}
	if toDo(m) && p.ToDo > 0 && idle >= p.ToDo {
		return fmt.Sprintf("a to-do untouched for %d days", idle)
	}
	if m.Type != memory.Event {
		return ""
	}
	folded := text.Fold(m.Content)
	if w := mentionsAny(folded, []string{"just now", "right now", "at the moment", "刚刚", "刚才"}); w != "" && p.JustNow > 0 && idle >= p.JustNow {
		return fmt.Sprintf("says %q, %d days ago", w, idle)
	}
	if w := mentionsAny(folded, openWords()); w != "" && p.InProgress > 0 && idle >= p.InProgress {
		return fmt.Sprintf("says %q, untouched for %d days", w, idle)
	}
	return ""
}

// opensAny reports whether a folded text begins with one of the folded words,
// bullets and brackets aside.
func opensAny(folded string, starts ...string) bool {
	s := strings.TrimLeft(folded, " \t[(【-*#")
	for _, start := range starts {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}
