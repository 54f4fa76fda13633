package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/store/storetest"
)

// What is measured is what a listing would give, without the words.
func TestMeasuresAreThoseOfTheListing(t *testing.T) {
	s, clock := storetest.Open(t)
	pinned := note("pinned")
	pinned.Pinned, pinned.Type = true, memory.Identity
	used := note("used")
	used.AccessCount, used.LastAccess = 3, clock.Now().Add(-time.Hour)
	used.Importance, used.InitialImportance, used.ImportanceSet, used.Stability = 1.15, .1, clock.Now().Add(-48*time.Hour), 12.5
	task := note("card")
	task.Form = memory.Task
	forgotten := note("forgotten")
	forgotten.Status = memory.Forgotten
	elsewhere := note("elsewhere")
	elsewhere.Namespace = "other"
	apply(t, s, add(pinned), add(used), add(task), add(forgotten), add(elsewhere))
	for _, namespace := range []string{"main", "other", "nobody"} {
		var want, got []memory.Memory
		listed, err := s.List(t.Context(), memory.Filter{Namespace: namespace})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range listed {
			want = append(want, memory.Memory{
				Namespace: m.Namespace, Type: m.Type, Form: m.Form, Pinned: m.Pinned, AccessCount: m.AccessCount, Importance: m.Importance,
				InitialImportance: m.InitialImportance, ImportanceSet: m.ImportanceSet, Stability: m.Stability, LastAccess: m.LastAccess, CreatedAt: m.CreatedAt,
			})
		}
		if err := s.Measure(t.Context(), namespace, func(m memory.Memory) { got = append(got, m) }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-listed +measured):\n%s", namespace, diff)
		}
	}
}
