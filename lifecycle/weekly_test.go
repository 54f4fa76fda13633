package lifecycle

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func TestAWeekSaysNothingTwice(t *testing.T) {
	monday := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC)
	at := func(id string, day int, form memory.Form, from ...string) memory.Memory {
		when := monday.AddDate(0, 0, day)
		m := memory.Memory{ID: id, Type: memory.Knowledge, Form: form, Status: memory.Active, Trust: memory.TrustAgent, Content: "账本使用 SQLite " + id, CreatedAt: when, ObservedAt: when}
		for _, f := range from {
			m.Links = append(m.Links, memory.Link{Target: f, Relation: DerivedFrom})
		}
		return m
	}
	p := Weekly([]memory.Memory{
		at("note", 1, memory.Note),
		at("its fact", 2, memory.Fact, "note"),
		at("a fact of an older note", 3, memory.Fact, "gone"),
	}, Week{Monday: monday}, monday.AddDate(0, 0, 6), para())
	shown := map[string]bool{}
	for _, s := range p.Sections {
		for _, e := range s.Entries {
			shown[e.MemoryID] = true
		}
	}
	if len(shown) != 2 || shown["its fact"] {
		t.Errorf("shown: %v", shown)
	}
}

// Where clocks are set forward at midnight, a day has no first minute: it is
// neither the day before nor of the week before.
func TestDaysWithoutAMidnightAreOfTheirOwnWeek(t *testing.T) {
	for _, c := range []struct{ zone, date, monday string }{
		{"Asia/Tehran", "2021-03-22", "2021-03-22"},
		{"America/Sao_Paulo", "2018-11-04", "2018-10-29"},
		{"Asia/Beirut", "2024-03-31", "2024-03-25"},
		{"Africa/Cairo", "2024-04-26", "2024-04-22"},
		{"America/Santiago", "2024-09-08", "2024-09-02"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		day, _ := time.Parse(time.DateOnly, c.date)
		weeks := WeeksDue([]string{c.date}, nil, time.Date(day.Year(), day.Month(), day.Day()+40, 12, 0, 0, 0, zone))
		if len(weeks) != 3 || weeks[0].Key() != c.monday {
			t.Errorf("%s in %s: weeks %v, want %s first", c.date, c.zone, weeks, c.monday)
		}
		for days, want := range map[int]int{7: 0, 8: 1} {
			now := time.Date(day.Year(), day.Month(), day.Day()+days, 22, 0, 0, 0, zone)
			due := JournalsToArchive([]string{c.date}, []string{c.monday}, now, Profile{ArchiveJournalsAfter: 7})
			if len(due) != want {
				t.Errorf("%s in %s, %d days later: %v to archive, want %d", c.date, c.zone, days, due, want)
			}
		}
	}
}

func TestATopicIsAWordAsItIsWritten(t *testing.T) {
	for title, want := range map[string]string{
		"Release windows": "release", "the deployments of Friday": "deployments", "账本 第 3 项": "账本", "Ledger: SQLite": "ledger", "": "general",
	} {
		if got := Topic(memory.Memory{Title: title}); got != want {
			t.Errorf("%q: %s, want %s", title, got, want)
		}
	}
}
