package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/store/storetest"
)

// What the days before a moment hold is read once and followed: it has to notice
// what is learned, rewritten, put away and removed meanwhile.
func TestTheLatestFollowWhatIsWritten(t *testing.T) {
	t.Parallel()
	s, clock := storetest.Open(t)
	now := clock.Now()
	ago := func(content string, days int) memory.Memory {
		m := note(content)
		m.CreatedAt = now.AddDate(0, 0, -days)
		return m
	}
	stored := apply(t, s, add(ago("fresh", 1)), add(ago("of the same week, but too old", 8)), add(ago("old", 40)), add(ago("older", 300)))
	fresh, old := stored[0], stored[2]
	since := memory.Filter{Namespace: "main", Statuses: []memory.Status{memory.Active}, Layer: memory.LayerAll, Since: now.AddDate(0, 0, -7)}
	listed := func(want ...string) {
		t.Helper()
		found, err := s.List(t.Context(), since)
		got := make([]string, 0, len(found))
		for _, m := range found {
			got = append(got, m.Content)
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("latest, %v (-want +got):\n%s", err, diff)
		}
	}
	listed("fresh")
	old.Content = "old, rewritten"
	old = apply(t, s, memory.Change{Op: memory.OpUpdate, Memory: old, Revision: old.Revision})[0]
	listed("fresh", "old, rewritten")
	apply(t, s, add(ago("learned later", 2)))
	listed("fresh", "old, rewritten", "learned later")
	old.Status = memory.Archived
	apply(t, s, memory.Change{Op: memory.OpStatus, Memory: old, Revision: old.Revision}, memory.Change{Op: memory.OpRemove, Memory: fresh})
	listed("learned later")
	for _, days := range slices.Backward([]int{3, 9, 60}) {
		since.Since = now.Add(-time.Duration(days) * 24 * time.Hour)
		found, err := s.List(t.Context(), since)
		if want := map[int]int{3: 1, 9: 2, 60: 2}[days]; err != nil || len(found) != want {
			t.Errorf("of %d days: %d, %v; want %d", days, len(found), err, want)
		}
	}
}
