package mirror_test

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// Where clocks are set at midnight, a day begins at one o'clock: its memories
// stand in its own file all the same.
func TestADayWithoutMidnightHasItsOwnFile(t *testing.T) {
	for zoneName, day := range map[string]string{"America/Santiago": "2026-09-06", "Africa/Cairo": "2026-04-24", "America/Havana": "2026-03-08", "Europe/Berlin": "2026-03-29"} {
		zone, err := time.LoadLocation(zoneName)
		if err != nil {
			t.Skip(err)
		}
		noon, err := time.ParseInLocation("2006-01-02 15:04", day+" 12:00", zone)
		if err != nil {
			t.Fatal(err)
		}
		for form, want := range map[memory.Form]string{memory.Note: "memory/" + day + ".md", memory.Task: "memory/tasks/" + day + ".md"} {
			m := memory.Memory{URI: "event://journal/" + day + "/1200#x", Form: form, CreatedAt: noon, Namespace: memory.DefaultNamespace, Trust: memory.TrustAgent, Status: memory.Active}
			if form == memory.Task {
				m.URI = "task://" + day + "/x"
			}
			if got := mirror.Home(m, zone); got != want {
				t.Errorf("%s: a memory of %s has its home in %s", zoneName, day, got)
			}
		}
	}
}
