package store_test

import (
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/store/storetest"
)

// Of what is put away a survey tells what leads elsewhere, and that to which
// something in use, or this, leads: chains and links are judged by it.
func TestASurveyLeavesOutWhatIsPutAwayAndLeadsNowhere(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	put := func(content string, status memory.Status, change func(*memory.Memory)) memory.Memory {
		m := note(content)
		m.Status = status
		if change != nil {
			change(&m)
		}
		return apply(t, s, add(m))[0]
	}
	linking := func(target memory.Memory) func(*memory.Memory) {
		return func(m *memory.Memory) { m.Links = []memory.Link{{Target: target.ID, Relation: "related"}} }
	}
	put("archived, alone", memory.Archived, nil)
	put("forgotten, alone", memory.Forgotten, nil)
	inUse := put("in use", memory.Active, nil)
	successor := put("archived, has replaced", memory.Archived, nil)
	old := put("replaced", memory.Superseded, func(m *memory.Memory) { m.SupersededBy = successor.ID })
	named := put("archived, linked to by what is archived", memory.Archived, nil)
	linked := put("archived, links", memory.Archived, linking(named))
	aim := put("archived, linked to", memory.Archived, nil)
	links := put("in use, links", memory.Active, linking(aim))
	elsewhere := note("archived, of another agent")
	elsewhere.Namespace, elsewhere.Status = "other", memory.Archived
	foreign := apply(t, s, add(elsewhere))[0]
	abroad := put("in use, links to another's", memory.Active, linking(foreign))

	surveyed, err := s.Survey(t.Context(), memory.DefaultNamespace)
	if err != nil {
		t.Fatal(err)
	}
	want := []memory.Memory{inUse, old, linked, links, abroad, successor, named, aim}
	if len(surveyed) != len(want) {
		t.Fatalf("surveyed %d, wanted %d: %+v", len(surveyed), len(want), surveyed)
	}
	for i, m := range surveyed {
		if m.ID != want[i].ID || m.PutAway() == (m.Content != "") {
			t.Errorf("%d: surveyed %+v, wanted %+v", i, m, want[i])
		}
	}
}
