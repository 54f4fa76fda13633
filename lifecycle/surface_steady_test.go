package lifecycle_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// RECENT.md is written again only when there is something to say: on one day,
// the same memories give the same page at any two moments, although each of
// them fades at its own pace.
func TestSurfaceSaysTheSameAllDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := time.FixedZone("", rapid.IntRange(-11, 12).Draw(t, "zone")*3600)
		midnight := time.Date(2026, 2, 21, 0, 0, 0, 0, zone)
		seconds := rapid.IntRange(0, 86_398)
		first := seconds.Draw(t, "first run")
		now := midnight.Add(time.Duration(first) * time.Second)
		again := midnight.Add(time.Duration(rapid.IntRange(first, 86_399).Draw(t, "second run")) * time.Second)
		var memories []memory.Memory
		for i := range rapid.IntRange(2, 40).Draw(t, "memories") {
			memories = append(memories, recentMemory(t, i, now))
		}
		for _, p := range lifecycle.Profiles() {
			a, b := lifecycle.Surface(memories, now, p, nil), lifecycle.Surface(memories, again, p, nil)
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("profile %s at %s:\n%+v\nat %s:\n%+v", p.Name, now, a, again, b)
			}
		}
	})
}

func recentMemory(t *rapid.T, i int, now time.Time) memory.Memory {
	at := now.Add(-time.Duration(rapid.OneOf(rapid.IntRange(0, 120), rapid.IntRange(0, 9*86_400)).Draw(t, "age in seconds")) * time.Second)
	m := memory.Memory{
		ID: fmt.Sprintf("id-%02d", i), Content: fmt.Sprintf("the service number%d listens on port%d", i, 7*i), Status: memory.Active,
		Trust: memory.TrustAgent, Form: memory.Note, CreatedAt: at, ImportanceSet: at, Confidence: .8, InitialImportance: .5, Importance: .5, Density: .5,
		Type: rapid.SampledFrom(memory.Types()).Draw(t, "type"),
	}
	if rapid.Bool().Draw(t, "used") {
		m.AccessCount, m.LastAccess = 1, at.Add(now.Sub(at)/2)
	}
	return m
}
