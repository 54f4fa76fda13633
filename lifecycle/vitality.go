package lifecycle

import (
	"math"
	"time"

	"agentmemory/internal/memory"
)

// Limits of strengthening and fading.
const (
	// Spacing is the time within which repeated uses of a memory count once.
	Spacing = time.Minute
	// MaxStability caps how long-lived use can make a memory, in days.
	MaxStability = 3650
	// FadedBelow is the vitality under which a memory counts as faded.
	FadedBelow = 0.05

	strengthening = 0.5 // share by which a fully forgotten memory gains stability
	day           = 24 * time.Hour
)

// Stability returns S, the days after which an unused memory has kept 1/e
// (37 %) of its vitality: what use has made of it, else the value of its
// priority. It is infinite for P0. S is not the half-life, which is S·ln 2.
func Stability(m memory.Memory) float64 {
	if m.Priority() == 0 {
		return math.Inf(1)
	}
	if m.Stability > 0 && !math.IsInf(m.Stability, 0) {
		return m.Stability
	}
	return initialStability(m.Priority())
}

func initialStability(p memory.Priority) float64 {
	switch p {
	case 0:
		return math.Inf(1)
	case 1:
		return 365
	case 2:
		return 90
	}
	return 14
}

// Floor returns the vitality below which a memory of this priority never falls.
func Floor(p memory.Priority) float64 {
	switch p {
	case 0:
		return 1
	case 1:
		return 0.3
	case 2:
		return 0.1
	}
	return 0
}

// Retention returns Ebbinghaus' R = e^(−t/S), 0..1, without floor: t is the
// time since the last use, else since the memory was learned. When it was true
// (ObservedAt) plays no part, and a clock that went backwards counts as no time.
func Retention(m memory.Memory, now time.Time) float64 {
	s := Stability(m)
	if math.IsInf(s, 1) {
		return 1
	}
	return math.Exp(-idleDays(m, now) / s)
}

// Vitality returns how alive a memory is at now, 0..1: its retention, not below
// the floor of its priority. What is pinned never decays.
func Vitality(m memory.Memory, now time.Time) float64 {
	if NeverDecays(m) {
		return 1
	}
	return max(Floor(m.Priority()), Retention(m, now))
}

// NeverDecays reports whether a memory is exempt from decay under every
// profile: P0 (identity or pinned) and Golden importance.
func NeverDecays(m memory.Memory) bool {
	return m.Priority() == 0 || baseImportance(m) >= goldenFrom
}

// Strengthen returns the memory after a use at the given time: one more access,
// and a stability that grows by up to a half, in proportion to how much had
// been forgotten (the spacing effect). Uses within Spacing of the one before
// change nothing, so that ten recalls in a minute count once.
func Strengthen(m memory.Memory, at time.Time) memory.Memory {
	if !m.LastAccess.IsZero() && at.Before(m.LastAccess.Add(Spacing)) {
		return m
	}
	if s := Stability(m); !math.IsInf(s, 1) {
		m.Stability = max(s, min(MaxStability, s*(1+strengthening*(1-Retention(m, at)))))
	}
	m.AccessCount++
	m.LastAccess = at
	return m
}

// Returned returns the memory after it was shown in n answers without being
// used: only the count of retrievals grows.
func Returned(m memory.Memory, n int) memory.Memory {
	m.RetrievalCount += n
	return m
}

// Accessed returns the memory after one access: a use strengthens it, being
// shown only counts. Under profiles for which being shown is a use, it moves the
// last access too, and every answer counts as a retrieval. Accesses are given oldest first.
func Accessed(m memory.Memory, at time.Time, used bool, p Profile) memory.Memory {
	if used {
		m = Strengthen(m, at)
		if !p.Recall.ReturnedCounts {
			return m
		}
	}
	if p.Recall.ReturnedCounts && at.After(m.LastAccess) {
		m.LastAccess = at
	}
	return Returned(m, 1)
}

// lastUse returns when a memory was last used, else learned.
func lastUse(m memory.Memory) time.Time {
	if m.LastAccess.IsZero() {
		return m.CreatedAt
	}
	return m.LastAccess
}

// idleDays returns the days since the last use, never below 0. A memory that
// knows of no time at all counts as just learned.
func idleDays(m memory.Memory, now time.Time) float64 {
	since := lastUse(m)
	if since.IsZero() {
		return 0
	}
	return max(0, now.Sub(since).Hours()/24)
}
