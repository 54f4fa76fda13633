package memory_test

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func TestADayBeginsOnItsOwnDate(t *testing.T) {
	for _, r := range []struct{ zone, day, want string }{
		{"America/Santiago", "2026-09-06", "2026-09-06T01:00:00-03:00"}, // no midnight
		{"America/Santiago", "2026-04-05", "2026-04-05T00:00:00-04:00"}, // 23:00 of the day before came twice
		{"Africa/Cairo", "2026-04-24", "2026-04-24T01:00:00+03:00"},
		{"America/Havana", "2026-03-08", "2026-03-08T01:00:00-04:00"},
		{"America/Havana", "2026-11-01", "2026-11-01T00:00:00-04:00"}, // midnight comes twice
		{"Europe/Berlin", "2026-03-29", "2026-03-29T00:00:00+01:00"},
		{"Asia/Shanghai", "2026-02-21", "2026-02-21T00:00:00+08:00"},
	} {
		zone, err := time.LoadLocation(r.zone)
		if err != nil {
			t.Skip(err)
		}
		day, err := time.Parse(time.DateOnly, r.day)
		if err != nil {
			t.Fatal(err)
		}
		got := memory.StartOfDay(day.Year(), day.Month(), day.Day(), zone)
		if got.Format(time.RFC3339) != r.want {
			t.Errorf("%s in %s begins at %s, want %s", r.day, r.zone, got.Format(time.RFC3339), r.want)
		}
		if before := got.Add(-time.Second); before.Day() == got.Day() {
			t.Errorf("%s in %s had begun at %s already", r.day, r.zone, before.Format(time.RFC3339))
		}
	}
}
