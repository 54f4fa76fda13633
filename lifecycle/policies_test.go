package lifecycle

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
)

func TestGovernRepairsCircles(t *testing.T) {
	circle := []memory.Memory{
		knows("a", "first version of it", 9, in(memory.Superseded)), knows("b", "second version of it", 6, in(memory.Superseded)), knows("c", "third version of it", 3, in(memory.Superseded)),
	}
	for i := range circle {
		circle[i].SupersededBy = circle[(i+1)%3].ID
		circle[i].UpdatedAt = circle[i].CreatedAt
	}
	plan, counts := Govern(circle, today(), Profile{})
	after := After(circle, plan.Changes)
	if counts.BrokenChains != 1 || after[2].Status != memory.Active || after[0].Status != memory.Superseded || after[1].Status != memory.Superseded {
		t.Errorf("%d chains repaired: %s", counts.BrokenChains, writePlan(plan))
	}
}

// Memories of one moment that all name another as their successor do not all go.
func TestGovernClosesNoCircle(t *testing.T) {
	circle := []memory.Memory{knows("a", "one wording", 3), knows("b", "another wording", 3), knows("c", "a third wording", 3)}
	for i := range circle {
		circle[i].SupersededBy = circle[(i+1)%3].ID
		circle[i].UpdatedAt = circle[i].CreatedAt
	}
	plan, _ := Govern(circle, today(), Profile{})
	after := After(circle, plan.Changes)
	if after[0].Status != memory.Superseded || after[1].Status != memory.Superseded || after[2].Status != memory.Active {
		t.Errorf("planned %s", writePlan(plan))
	}
	if again, _ := Govern(after, today(), Profile{}); len(again.Changes) > 0 {
		t.Errorf("the second run plans %s", writePlan(again))
	}
}

func TestGovernFinishesHalfWrittenSupersession(t *testing.T) {
	old, next := knows("old", "The port is 8080", 9), knows("next", "The port is 9090", 1)
	old.UpdatedAt, next.Supersedes = old.CreatedAt, "old"
	plan, _ := Govern([]memory.Memory{old, next}, today(), Profile{})
	if len(plan.Changes) != 1 || plan.Changes[0].Memory.SupersededBy != "next" {
		t.Errorf("planned %s", writePlan(plan))
	}
	old.UpdatedAt = today() // said again since: a person wants it
	if plan, _ := Govern([]memory.Memory{old, next}, today(), Profile{}); len(plan.Changes) > 0 {
		t.Errorf("what was rewritten later was superseded: %s", writePlan(plan))
	}
}

func TestGovernKeepsTheBestUnderACap(t *testing.T) {
	store := []memory.Memory{event("old", "x one", 40), event("mid", "x two", 20), event("new", "x three", 1), knows("pref", "x four", 1, at("knowledge://preferences/x"))}
	plan, counts := Govern(store, today(), Profile{Measure: ByVitality, Govern: GovernPolicy{MaxActive: 2}})
	if counts.OverCap != 2 || plan.Changes[0].Memory.ID != "old" || plan.Changes[1].Memory.ID != "mid" {
		t.Errorf("planned %s", writePlan(plan))
	}
}

func TestTidyLeavesWhatOnlyLooksAlike(t *testing.T) {
	store := []memory.Memory{
		knows("a", "Invoice 4711 of the office chairs was paid by Ann in Zürich last year", 3), knows("b", "Invoice 4712 of the office chairs was paid by Ann in Zürich last year", 2),
		knows("c", "用户在周一上午十点参加团队会议并且汇报账本项目的最新进展情况", 3), knows("d", "用户在周二上午十点参加团队会议并且汇报账本项目的最新进展情况", 2),
		event("e", "Had lunch with the whole team in the park", 5), event("f", "Had lunch with the whole team in the park", 4),
		knows("g", "The deploy script does not need sudo on the staging hosts anymore today", 3), knows("h", "The deploy script does need sudo on the staging hosts anymore today", 2),
	}
	if plan, _ := Tidy(store, today(), profileNamed(t, "openclaw")); len(plan.Changes) > 0 {
		t.Errorf("planned %s", writePlan(plan))
	}
}

func TestDivideMovesTheOldestDecisions(t *testing.T) {
	var journal []memory.Memory
	for i := range 303 {
		journal = append(journal, decided(fmt.Sprintf("d%03d", i), fmt.Sprintf("20260221-%d", i), fmt.Sprintf("Gateway rule %d", i), "so be it", float64(303-i)/1000, .9))
	}
	plan := Divide(journal, profileNamed(t, "four-layer"))
	if len(plan.Changes) != 3 || plan.Changes[0].Memory.ID != "d000" || plan.Changes[0].Memory.Home.File != "memory/recent/gateway.md" {
		t.Errorf("planned %s", writePlan(plan))
	}
	if again := Divide(journal[3:], profileNamed(t, "four-layer")); len(again.Changes) > 0 {
		t.Errorf("planned again %s", writePlan(again))
	}
}

func TestWeeks(t *testing.T) {
	sunday := time.Date(2026, 2, 22, 22, 0, 0, 0, today().Location())
	w := WeekOf(sunday)
	if w.Key() != "2026-02-16" {
		t.Errorf("%s", w.Key())
	}
	newYear := WeekOf(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	if newYear.Key() != "2026-12-28" {
		t.Errorf("%s", newYear.Key())
	}
	dates := []string{"2026-02-22", "2026-02-14", "2026-02-13", "2026-02-01", "not a date"}
	due := JournalsToArchive(dates, []string{"2026-02-09", "2026-02-16"}, sunday, profileNamed(t, "watchtower"))
	if d := cmp.Diff([]string{"2026-02-13", "2026-02-14"}, due); d != "" {
		t.Errorf("journals to archive (-want +got):\n%s", d)
	}
}

func TestConsistencyReport(t *testing.T) {
	outline := memory.Outline{Lines: []memory.OutlineLine{{Number: 3, Text: "- 用户喜欢香菜"}, {Number: 4, Text: "- Ann lives in Berlin <!-- importance: 8 -->"}}}
	p := profileNamed(t, "fusion")
	fine := []memory.Memory{knows("a", "用户喜欢喝茶", 1), knows("b", "Ann lives in Berlin", 1)}
	if d := cmp.Diff([]string{ConsistencyOK}, Consistency(outline, fine, today(), p)); d != "" {
		t.Error(d)
	}
	lines := Consistency(outline, append(fine, knows("c", "用戶不喜歡香菜", 0)), today(), p)
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "⚠️ CONFLICT") || !strings.Contains(lines[0], "line 3") {
		t.Errorf("got %q", lines)
	}
}

func TestParaphrasesReinforceUnderYue(t *testing.T) {
	yue := profileNamed(t, "yue")
	have := stored("a", "The user prefers dark mode in every editor")
	tests := []struct {
		in     string
		cosine float64
		action Action
	}{
		{"User prefers editors with dark mode themes", .8, Reinforced}, {"User prefers editors with dark mode themes", .7, Added},
		{"The user prefers dark mode in every editor", 1, Reinforced}, {"User prefers editors in dark mode since 2024", .9, Added},
	}
	for _, tt := range tests {
		v := Guard(Arrival{Memory: incoming(tt.in), Now: today()}, []Similar{{Memory: have, Cosine: tt.cosine}}, yue.Guard)
		if v.Action != tt.action {
			t.Errorf("%q at %.2f is %s (%s), want %s", tt.in, tt.cosine, v.Action, v.Reason, tt.action)
		}
	}
}

func TestBeingShownIsAUseUnderYueOnly(t *testing.T) {
	m := event("a", "x", 20)
	if got := Accessed(m, today(), false, profileNamed(t, "yue")); got.RetrievalCount != 1 || got.AccessCount != 0 || !got.LastAccess.Equal(today()) {
		t.Errorf("yue: %+v", got)
	}
	if got := Accessed(m, today(), false, profileNamed(t, "openclaw")); got.RetrievalCount != 1 || !got.LastAccess.IsZero() {
		t.Errorf("openclaw: %+v", got)
	}
}
