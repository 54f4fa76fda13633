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
