package mirror_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

// santiago is a workspace in a zone that has no midnight on this day.
func santiago(t *testing.T) (b *bench, day string) {
	t.Helper()
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Skip(err)
	}
	b = newBench(t, func(o *mirror.Options) { o.Zone = zone })
	b.clock.pass(230 * 24 * time.Hour)
	return b, "2026-09-06"
}

func TestALineOfADayWithoutMidnightIsOfThatDay(t *testing.T) {
	b, day := santiago(t)
	b.save("memory/"+day+".md", "# "+day+"\n\n- typed without a time\n")
	b.sync()
	m := b.byContent("typed without a time")
	if !strings.HasPrefix(m.URI, "event://journal/"+day+"#") {
		t.Errorf("a line of %s has the address %s", day, m.URI)
	}
}

func TestTheJournalOfADayWithoutMidnightIsPutAway(t *testing.T) {
	b, day := santiago(t)
	b.save("memory/2026-09-05.md", "- the day before\n")
	b.save("memory/"+day+".md", "- the day without midnight\n")
	b.sync()
	b.clock.pass(time.Hour)
	archived, err := b.Compounds().PutAway(context.Background(), []string{day})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"memory/archive/2026/" + day + ".md"}, archived); diff != "" {
		t.Errorf("what was put away (-want +got):\n%s", diff)
	}
	b.stands("memory/archive/2026/"+day+".md", "the day without midnight", 1)
	b.stands("memory/2026-09-05.md", "the day before", 1)
}
