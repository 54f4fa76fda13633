package lifecycle

import (
	"cmp"
	"math"
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// Measure names the one value by which a profile ranks, shows, demotes and
// collects memories. The other measures are only displayed.
type Measure string

// The measures.
const (
	ByVitality    Measure = "vitality"
	ByImportance  Measure = "importance"
	ByTemperature Measure = "temperature"
	ByConfidence  Measure = "confidence" // then recency
	ByRecency     Measure = "recency"    // task cards first
)

// recencyScale is the days after which ByRecency has halved.
const recencyScale = 30

// Score returns the measure of a memory at now, 0..1, larger is better. What
// never decays scores 1 under every measure.
func (k Measure) Score(m memory.Memory, now time.Time) float64 {
	if NeverDecays(m) {
		return 1
	}
	switch k {
	case ByImportance:
		return min(1, Importance(m, now))
	case ByTemperature:
		return 1 / (1 + EffectiveDays(m, now)/hotUntil)
	case ByConfidence:
		return min(1, max(0, m.Confidence))
	case ByRecency:
		return math.Exp2(-max(0, now.Sub(m.Observed()).Hours()/24) / recencyScale)
	}
	return Vitality(m, now)
}

// Sort orders memories by the measure, best first. Ties go to the one learned
// later, then to the id, so that the order is the same in every run.
func (k Measure) Sort(memories []memory.Memory, now time.Time) {
	keys := make([]rankKey, len(memories))
	for i := range memories {
		keys[i] = k.key(&memories[i], now)
	}
	slices.SortFunc(keys, rankKey.compare)
	sorted := make([]memory.Memory, len(memories))
	for i, key := range keys {
		sorted[i] = *key.memory
	}
	copy(memories, sorted)
}

// best returns the first n, as Sort orders them, of the memories that fit.
func (k Measure) best(memories []memory.Memory, now time.Time, n int, fits func(*memory.Memory) bool) []memory.Memory {
	var keys []rankKey
	for i := range memories {
		if m := &memories[i]; fits(m) {
			keys = append(keys, k.key(m, now))
		}
	}
	slices.SortFunc(keys, rankKey.compare)
	list := make([]memory.Memory, min(n, len(keys)))
	for i := range list {
		list[i] = *keys[i].memory
	}
	return list
}

type rankKey struct {
	first  bool // stands before all that are not
	score  float64
	memory *memory.Memory
}

func (k Measure) key(m *memory.Memory, now time.Time) rankKey {
	return rankKey{first: k == ByRecency && m.Form == memory.Task, score: k.Score(*m, now), memory: m}
}

func (a rankKey) compare(b rankKey) int {
	if a.first != b.first {
		if a.first {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(b.score, a.score); c != 0 { // most are decided here
		return c
	}
	return cmp.Or(b.memory.CreatedAt.Compare(a.memory.CreatedAt), cmp.Compare(a.memory.ID, b.memory.ID))
}
