package mirror_test

import (
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// Who saves a copy of the state that is older than ours keeps what they added,
// and takes nothing back; the second time it is meant.
func TestAStaleSaveOfTheStateTakesNothingBack(t *testing.T) {
	const file = "memory/CURRENT_STATE.md"
	b := newBench(t)
	m := b.remember("goals: one", func(m *memory.Memory) {
		m.Form, m.URI = memory.State, "state://current"
		m.Fields = []memory.Field{{Name: "goals", Value: "ship one\nwrite it down"}}
	})
	b.drain()
	loaded := b.read(file)
	b.clock.pass(time.Minute)
	m.Fields = []memory.Field{{Name: "goals", Value: "ship two\nwrite it down"}, {Name: "next", Value: "rest"}}
	b.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
	b.drain()
	b.clock.pass(time.Minute)
	stale := strings.Replace(strings.Replace(loaded, "- ship one\n", "- ship one\n- call the host\n", 1), "- write it down\n", "", 1)
	b.save(file, stale)
	b.sync()
	for line, n := range map[string]int{"ship one": 0, "write it down": 0, "ship two": 1, "call the host": 1, "rest": 1} {
		b.stands(file, "- "+line+"\n", n)
	}
	if got := b.get(m.ID); got.Field("goals") != "ship two\ncall the host" || got.Field("next") != "rest" {
		t.Errorf("fields %+v", got.Fields)
	}
	if r := b.sync(); r.FilesChanged+r.Updated != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
	b.save(file, loaded)
	b.sync()
	if got := b.get(m.ID); got.Field("goals") != "ship two\ncall the host" {
		t.Errorf("the state with what the host added is put back once: %+v", got.Fields)
	}
	b.save(file, loaded)
	b.sync()
	b.stands(file, "- ship one\n", 1)
	if got := b.get(m.ID); got.Field("goals") != "ship one\nwrite it down" {
		t.Errorf("a state that is taken back twice: %+v", got.Fields)
	}
}

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
