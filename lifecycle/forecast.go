package lifecycle

import (
	"math"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Fading tells when a memory will fall below a vitality if it is not used.
type Fading struct {
	MemoryID string
	URI      string
	Vitality float64   // at now
	At       time.Time // zero when it never does
}

// Forecast tells for each memory that is recalled when its vitality falls below
// the threshold (0..1), the soonest first; those that never do come last.
func Forecast(memories []memory.Memory, now time.Time, threshold float64) []Fading {
	list := []Fading{}
	for _, m := range memories {
		if m.Status.Recallable() && m.Form != memory.Passage {
			list = append(list, Fading{MemoryID: m.ID, URI: m.URI, Vitality: Vitality(m, now), At: fallsBelow(m, now, threshold)})
		}
	}
	slices.SortFunc(list, func(a, b Fading) int {
		if a.At.IsZero() != b.At.IsZero() {
			return compareBool(a.At.IsZero(), b.At.IsZero())
		}
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.MemoryID, b.MemoryID)
	})
	return list
}

// fallsBelow solves e^(−t/S) = threshold for the time: t = −S·ln threshold
// after the last use.
func fallsBelow(m memory.Memory, now time.Time, threshold float64) time.Time {
	if NeverDecays(m) || Floor(m.Priority()) >= threshold || threshold <= 0 {
		return time.Time{}
	}
	since := lastUse(m)
	if since.IsZero() {
		since = now
	}
	days := -Stability(m) * math.Log(threshold)
	return since.Add(time.Duration(days * float64(day)))
}

// Point is the state of a store on one day of a forecast.
type Point struct {
	Day    int     // after now
	Alive  int     // memories that have not faded (see FadedBelow)
	Mean   float64 // vitality of all, 0..1; 0 for an empty store
	ByType map[memory.Type]float64
}

// Curve returns how vitality develops over the coming days if nothing is used:
// one point a step, from now on to the last day, both included.
func Curve(memories []memory.Memory, now time.Time, days, step int) []Point {
	points := []Point{}
	for d := 0; d <= days; d += max(1, step) {
		points = append(points, pointAt(memories, now.Add(time.Duration(d)*day), d))
	}
	return points
}

func pointAt(memories []memory.Memory, at time.Time, d int) Point {
	p := Point{Day: d, ByType: map[memory.Type]float64{}}
	count, sum := map[memory.Type]int{}, 0.0
	total := 0
	for _, m := range memories {
		if !m.Status.Recallable() || m.Form == memory.Passage {
			continue
		}
		v := Vitality(m, at)
		if v >= FadedBelow {
			p.Alive++
		}
		total++
		sum += v
		p.ByType[m.Type] += v
		count[m.Type]++
	}
	for t, n := range count {
		p.ByType[t] /= float64(n)
	}
	if total > 0 {
		p.Mean = sum / float64(total)
	}
	return p
}
