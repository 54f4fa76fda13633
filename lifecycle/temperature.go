package lifecycle

import (
	"math"
	"time"

	"agentmemory/internal/memory"
)

// Temperature says how current a memory is.
type Temperature string

// The temperatures, by effective days of disuse.
const (
	Hot  Temperature = "hot"  // under 7
	Warm Temperature = "warm" // 7 to 30
	Cold Temperature = "cold" // over 30
)

const (
	hotUntil  = 7
	warmUntil = 30
	// frequencyBonus is the days by which each doubling of the uses makes a
	// memory younger.
	frequencyBonus = 3
)

// EffectiveDays returns max(0, days since the last use − 3·log2(uses + 1)).
func EffectiveDays(m memory.Memory, now time.Time) float64 {
	uses := float64(max(0, m.AccessCount))
	return max(0, idleDays(m, now)-frequencyBonus*math.Log2(uses+1))
}

// TemperatureOf returns the temperature of a memory at now. What never decays
// is hot.
func TemperatureOf(m memory.Memory, now time.Time) Temperature {
	if NeverDecays(m) {
		return Hot
	}
	switch d := EffectiveDays(m, now); {
	case d < hotUntil:
		return Hot
	case d <= warmUntil:
		return Warm
	}
	return Cold
}
