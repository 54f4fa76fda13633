package lifecycle

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func TestAFactThatWasForgottenIsNotExtractedAgain(t *testing.T) {
	p := profileNamed(t, "para")
	store := []memory.Memory{knows("n", "The ledger uses SQLite as its store", 2)}
	store = After(store, Extract(store, nil, today(), time.Time{}, p).Changes)
	if len(store) != 2 || store[1].Form != memory.Fact {
		t.Fatalf("extracted %+v", store[1:])
	}
	store[1].Status = memory.Forgotten
	if again := Extract(store, nil, today(), time.Time{}, p); len(again.Changes) > 0 {
		t.Errorf("planned %s", writePlan(again))
	}
}

func TestFactsGoWhereTheyBelong(t *testing.T) {
	ledger, office := Entity{Kind: "projects", Slug: "shadow-ledger", Names: []string{"账本"}}, Entity{Kind: "areas", Slug: "office"}
	tests := []struct {
		note memory.Memory
		want string
	}{
		{knows("a", "Shadow Ledger uses SQLite", 1), "projects/shadow-ledger"}, {knows("b", "賬本每週五備份到外部磁盤", 1), "projects/shadow-ledger"},
		{knows("c", "The office is closed in August", 1), "areas/office"}, {knows("d", "Officers must wear badges", 1), "resources/inbox"},
		{knows("e", "It moves to the basement", 1, func(m *memory.Memory) {
			m.Links = []memory.Link{{Target: "fact://areas/office", Relation: "related"}}
		}), "areas/office"},
	}
	for _, tt := range tests {
		plan := Extract([]memory.Memory{tt.note}, []Entity{ledger, office}, today(), time.Time{}, profileNamed(t, "para"))
		if len(plan.Changes) != 1 {
			t.Fatalf("%q gives %s", tt.note.Content, writePlan(plan))
		}
		if e, _ := EntityOf(plan.Changes[0].Memory); e.Kind+"/"+e.Slug != tt.want {
			t.Errorf("%q belongs to %s/%s, want %s", tt.note.Content, e.Kind, e.Slug, tt.want)
		}
	}
}

func TestMergingNeverLowersTrust(t *testing.T) {
	have := stored("a", "Ann owns the ledger", trusted(memory.TrustUser))
	v := Guard(Arrival{Memory: incoming("Ann owns the ledger and the gateway, since 2024"), Now: today()}, []Similar{{Memory: have}}, openclawGuard(t))
	if v.Action != Added {
		t.Errorf("%s because %s", v.Action, v.Reason)
	}
}

func TestImportsPassTheGuardButRaiseNothing(t *testing.T) {
	gone := stored("a", "Uses vim", at(editorURI), in(memory.Forgotten))
	tests := []struct {
		name   string
		in     memory.Memory
		have   memory.Memory
		action Action
	}{
		{"noise", incoming("ok"), gone, Added}, {"a repetition", incoming("Uses vim daily"), stored("b", "Uses vim daily"), Added},
		{"a forgotten address", incoming("Uses emacs", at(editorURI)), gone, Skipped}, {"a living address", incoming("Uses emacs", at(editorURI)), stored("c", "Uses vim", at(editorURI)), Updated},
	}
	for _, tt := range tests {
		if v := Guard(Arrival{Memory: tt.in, Import: true, Now: today()}, []Similar{{Memory: tt.have}}, openclawGuard(t)); v.Action != tt.action {
			t.Errorf("%s is %s because %s, want %s", tt.name, v.Action, v.Reason, tt.action)
		}
	}
	if v := Guard(Arrival{Memory: incoming("Uses emacs", at(editorURI)), Now: today()}, []Similar{{Memory: gone}}, openclawGuard(t)); v.Action != Updated || v.Changes[0].Memory.Status != memory.Active {
		t.Errorf("said again by name, it is %s because %s", v.Action, v.Reason)
	}
}

func TestAReflectionFinishesWhatItRevived(t *testing.T) {
	store := []memory.Memory{
		knows("a", "The spare key hangs behind the kitchen door", 9), knows("b", "older wording of the same", 6, in(memory.Superseded)),
		knows("c", "The spare key hangs behind the kitchen door", 3, in(memory.Superseded)),
	}
	store[1].SupersededBy, store[2].SupersededBy = "c", "b"
	p := profileNamed(t, "openclaw")
	plan, _ := All(store, today(), time.Time{}, p)
	after := After(store, plan.Changes)
	if after[2].Status != memory.Superseded || after[2].SupersededBy != "a" {
		t.Errorf("the revived repetition is %s: %s", after[2].Status, writePlan(plan))
	}
}

func TestLessCertainDecisionsDoNotOverride(t *testing.T) {
	older := decided("old", "20260101-store", "Store", "The ledger uses SQLite", 40, .9)
	newer := decided("new", "20260201-store", "Store", "The ledger uses Postgres", 9, .5)
	plan := Decisions([]memory.Memory{older, newer}, today(), profileNamed(t, "four-layer"))
	if len(plan.Changes) != 0 || len(plan.Notes) != 1 {
		t.Errorf("planned %s", writePlan(plan))
	}
	newer.Confidence = .9
	plan = Decisions([]memory.Memory{older, newer}, today(), profileNamed(t, "four-layer"))
	if moves := Overrides(plan); len(moves) != 1 || moves[0].MemoryID != "old" || plan.Changes[0].Memory.SupersededBy != "new" {
		t.Errorf("planned %s", writePlan(plan))
	}
}

func TestEventsOfOneLocalDayCanBeOne(t *testing.T) {
	early := func(m *memory.Memory) { m.ObservedAt = time.Date(2026, 2, 20, 17, 0, 0, 0, time.UTC) } // 01:00 of the 21st here
	late := func(m *memory.Memory) { m.ObservedAt = time.Date(2026, 2, 21, 15, 0, 0, 0, time.UTC) }
	have := stored("a", "Had lunch with Ann in the park, it rained", kind(memory.Event), early)
	v := Guard(Arrival{Memory: incoming("Had lunch with Ann in the park; it rained", kind(memory.Event), late), Now: today()}, []Similar{{Memory: have}}, openclawGuard(t))
	if v.Action != Reinforced {
		t.Errorf("%s because %s", v.Action, v.Reason)
	}
}
