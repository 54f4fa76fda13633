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

// FadesBelow is the value of the measure below which a memory has faded: Dust where
// importance governs, else hardly any vitality.
func (k Measure) FadesBelow() float64 {
	if k == ByImportance {
		return bronzeFrom
	}
	return FadedBelow
}

// faded reports whether a memory has faded at a time, by the governing measure.
func (k Measure) faded(m memory.Memory, at time.Time) bool { return isDust(m, at, k) }

// Forecast tells for each memory that is recalled when it fades by the governing
// measure, the soonest first; those that never do come last.
func Forecast(memories []memory.Memory, now time.Time, k Measure) []Fading {
	list := []Fading{}
	for _, m := range memories {
		if m.Status.Recallable() && m.Form != memory.Passage {
			list = append(list, Fading{MemoryID: m.ID, URI: m.URI, Vitality: Vitality(m, now), At: k.fallsBelow(m, now)})
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

func (k Measure) fallsBelow(m memory.Memory, now time.Time) time.Time {
	if k == ByImportance {
		return turnsToDust(m, now)
	}
	return fallsBelow(m, now, FadedBelow)
}

// turnsToDust returns the midnight after which importance lies below Bronze: a
// fifth of it goes with every local day.
func turnsToDust(m memory.Memory, now time.Time) time.Time {
	if NeverDecays(m) {
		return time.Time{}
	}
	since := importanceSince(m).In(now.Location())
	days, left := 0, baseImportance(m)
	for ; left >= bronzeFrom; days++ {
		left *= dailyStep
	}
	y, month, d := since.Date()
	return memory.StartOfDay(y, month, d+days, now.Location())
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
	Alive  int     // memories that have not faded
	Mean   float64 // of all, 0..1: vitality, or importance where it governs; 0 for an empty store
	ByType map[memory.Type]float64
}

// Curve returns how the store develops over the coming days if nothing is used:
// one point a step, from now on to the last day, both included.
func Curve(memories []memory.Memory, now time.Time, days, step int, k Measure) []Point {
	points := []Point{}
	for d := 0; d <= days; d += max(1, step) {
		points = append(points, pointAt(memories, now.Add(time.Duration(d)*day), d, k))
	}
	return points
}

func pointAt(memories []memory.Memory, at time.Time, d int, k Measure) Point {
	p := Point{Day: d, ByType: map[memory.Type]float64{}}
	count, sum := map[memory.Type]int{}, 0.0
	total := 0
	for _, m := range memories {
		if !m.Status.Recallable() || m.Form == memory.Passage {
			continue
		}
		v := Vitality(m, at)
		if k == ByImportance {
			v = k.Score(m, at)
		}
		if !k.faded(m, at) {
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
