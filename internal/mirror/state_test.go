package mirror_test

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func TestCurrentStateIsOneFile(t *testing.T) {
	const file = "memory/CURRENT_STATE.md"
	b := newBench(t)
	m := b.remember("goals: ship", func(m *memory.Memory) {
		m.Form, m.URI = memory.State, "state://current"
		m.Fields = []memory.Field{{Name: "goals", Value: "ship it"}, {Name: "next", Value: "write the notes"}}
	})
	b.drain()
	b.stands(file, "- ship it\n", 1)
	b.edit(file, "- ship it\n", "- ship it\n- tell Ann\n")
	if r := b.sync(); r.Updated != 1 {
		t.Fatalf("report %+v", r)
	}
	got := b.get(m.ID)
	if got.Field("goals") != "ship it\ntell Ann" || got.Field("next") != "write the notes" {
		t.Fatalf("fields %+v", got.Fields)
	}
	b.clock.pass(time.Hour)
	got.Fields = []memory.Field{{Name: "goals", Value: "rest"}}
	b.apply(memory.Change{Op: memory.OpUpdate, Memory: got})
	b.drain()
	b.stands(file, "- rest\n", 1)
	b.stands(file, "- tell Ann\n", 1) // a person's line outlives what an agent overwrites
	b.edit(file, "- tell Ann\n", "")
	b.sync()
	b.clock.pass(time.Hour)
	got = b.get(m.ID)
	got.Fields = []memory.Field{{Name: "goals", Value: "rest"}, {Name: "blockers", Value: "noise"}}
	b.apply(memory.Change{Op: memory.OpUpdate, Memory: got})
	b.drain()
	b.stands(file, "tell Ann", 0)
	b.lose()
	b.sync()
	if got := b.get(m.ID); got.Field("goals") != "rest" || got.Form != memory.State || got.URI != "state://current" {
		t.Errorf("after the rebuild: %+v", got)
	}
	if r := b.sync(); r.FilesChanged+r.Updated+r.Missing != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
}
