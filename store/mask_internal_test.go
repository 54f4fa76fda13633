package store

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// What a filter selects is kept under its name: two filters with one name would
// answer each other's questions.
func TestFiltersThatDifferHaveDifferentNames(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 1, d, 0, 0, 0, 0, time.UTC) }
	seen := map[string]int{}
	for i, f := range []memory.Filter{
		{}, {After: day(1)}, {After: day(2)}, {Before: day(1)}, {Before: day(2)}, {After: day(1), Before: day(2)}, {Since: day(1)}, {Since: day(2)},
		{Actor: "a"}, {Actor: "b"}, {Target: "a"}, {Actor: `a" "b`}, {Actor: "a", Target: "b"}, {SessionID: "1"}, {SessionID: "2"},
		{URIPrefix: "knowledge://a"}, {URIPrefix: "knowledge://b"}, {Types: []memory.Type{memory.Event}}, {Types: []memory.Type{memory.Knowledge}},
	} {
		name := maskName(conditionOf(f))
		if other, taken := seen[name]; taken {
			t.Errorf("filters %d and %d are both called %s", other, i, name)
		}
		seen[name] = i
	}
}
