package lifecycle

import (
	"math"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Tier classes a memory by its importance of the day.
type Tier string

// The tiers, from what never decays to what may be collected.
const (
	Golden Tier = "Golden" // ≥ .85
	Silver Tier = "Silver" // ≥ .50
	Bronze Tier = "Bronze" // ≥ .20
	Dust   Tier = "Dust"
)

// RememberMark in a text asks that it be kept for good.
const RememberMark = "!REMEMBER"

const (
	goldenFrom = 0.85
	silverFrom = 0.50
	bronzeFrom = 0.20

	defaultImportance = 0.5
	markedImportance  = 0.9
	maxImportance     = 2.0
	maxDensity        = 2.0
	dailyStep         = 0.8  // importance kept per local day
	reinforcementGain = 0.15 // of the initial importance
	densityGain       = 0.2
)

// Importance returns the importance of the day, 0..2: the value that was set
// last × .8 for every whole local day since, in the zone of now. Golden values
// do not decay. Nothing is written down in between, so that how often a job
// runs makes no difference.
func Importance(m memory.Memory, now time.Time) float64 {
	base := baseImportance(m)
	if NeverDecays(m) {
		return base
	}
	return base * math.Pow(dailyStep, float64(localDays(importanceSince(m), now)))
}

// TierOf returns the tier of a memory at now. P0 is always Golden.
func TierOf(m memory.Memory, now time.Time) Tier {
	if m.Priority() == 0 {
		return Golden
	}
	switch i := Importance(m, now); {
	case i >= goldenFrom:
		return Golden
	case i >= silverFrom:
		return Silver
	case i >= bronzeFrom:
		return Bronze
	}
	return Dust
}

// Reinforce returns the memory after the same thing was said again: one more
// access, density + .2 (at most 2), importance + 15 % of the initial one (at
// most 2.0). Content stays.
func Reinforce(m memory.Memory, now time.Time) memory.Memory {
	initial := initialImportance(m)
	m.Importance = min(maxImportance, Importance(m, now)+initial*reinforcementGain)
	m.ImportanceSet = now
	m.InitialImportance = initial
	m.Density = min(maxDensity, densityOf(m)+densityGain)
	m.AccessCount++
	m.LastAccess = now
	return m
}

// Marked applies RememberMark: a text that holds it starts with an importance
// of at least .9 and is pinned. Other memories are returned as they are.
func Marked(m memory.Memory) memory.Memory {
	if !strings.Contains(m.Content, RememberMark) {
		return m
	}
	m.InitialImportance = max(m.InitialImportance, markedImportance)
	m.Importance = max(m.Importance, m.InitialImportance)
	m.Pinned = true
	return m
}

func initialImportance(m memory.Memory) float64 {
	if m.InitialImportance > 0 {
		return m.InitialImportance
	}
	return defaultImportance
}

// baseImportance is the importance as it was set last, made finite and bounded.
func baseImportance(m memory.Memory) float64 {
	i := m.Importance
	if i == 0 && m.ImportanceSet.IsZero() {
		i = initialImportance(m)
	}
	if math.IsNaN(i) {
		return defaultImportance
	}
	return min(maxImportance, max(0, i))
}

func importanceSince(m memory.Memory) time.Time {
	if m.ImportanceSet.IsZero() {
		return m.CreatedAt
	}
	return m.ImportanceSet
}

func densityOf(m memory.Memory) float64 {
	if m.Density == 0 {
		return defaultImportance
	}
	return m.Density
}

// localDays counts the calendar days between two times in the zone of now,
// never below 0; 0 when since is unknown.
func localDays(since, now time.Time) int {
	if since.IsZero() {
		return 0
	}
	return max(0, civilDay(now)-civilDay(since.In(now.Location())))
}

// civilDay numbers the days of the calendar of t's location: two times have the
// same number when a person there would give them the same date.
func civilDay(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / int64(day/time.Second))
}
