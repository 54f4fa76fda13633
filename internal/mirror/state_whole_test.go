package mirror_test

import (
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

const stateFile = "memory/CURRENT_STATE.md"

// Every step that an agent names stands in the file, in the list of what is next
// or behind it, so that neither an edit nor a rebuild loses one.
func TestEveryNextStepStandsInTheFile(t *testing.T) {
	b := newBench(t)
	m := b.remember("", func(m *memory.Memory) {
		m.Form, m.URI = memory.State, "state://current"
		m.Content, m.Fields = memory.TellState("", []memory.Field{{Name: "goals", Value: "ship"}, {Name: "next", Value: "one\ntwo\nthree\n第四步\nfive"}})
	})
	b.drain()
	b.stands(stateFile, "## Next\n- one\n- two\n- three\n\n## Later\n- 第四步\n- five\n", 1)
	b.edit(stateFile, "- ship\n", "- ship\n- tell Ann\n")
	b.sync()
	b.lose()
	b.sync()
	if got := b.get(m.ID); got.Field("next") != "one\ntwo\nthree" || got.Field("later") != "第四步\nfive" || got.Field("goals") != "ship\ntell Ann" {
		t.Errorf("after an edit and a rebuild: %+v", got.Fields)
	}
	b.stands(stateFile, "- five\n", 1)
}

// A state that an earlier version kept with a sentence that its file does not
// show, and with more steps, is told in full at the next sync.
func TestAnOldStateIsToldInFull(t *testing.T) {
	b := newBench(t)
	m := b.remember("we are waiting for the bank", func(m *memory.Memory) {
		m.Form, m.URI = memory.State, "state://current"
		m.Fields = []memory.Field{{Name: "goals", Value: "ship"}, {Name: "next", Value: "one\ntwo\nthree\nfour"}}
	})
	b.drain()
	b.clock.pass(time.Hour)
	b.sync()
	b.stands(stateFile, "- we are waiting for the bank\n", 1)
	b.stands(stateFile, "- four\n", 1)
	b.lose()
	b.sync()
	if got := b.get(m.ID); got.Field("notes") != "we are waiting for the bank" || got.Field("next") != "one\ntwo\nthree" || got.Field("later") != "four" || got.Field("goals") != "ship" {
		t.Errorf("after a rebuild: %+v", got.Fields)
	}
	if r := b.sync(); r.FilesChanged+r.Updated+r.Missing != 0 {
		t.Errorf("a second sync found changes: %+v", r)
	}
}

// A person's line that outlives what an agent overwrites is recalled, too.
func TestAPersonsLineOfTheStateIsKnownAfterAnAgentOverwritesIt(t *testing.T) {
	b := newBench(t)
	m := b.remember("goals: ship it", func(m *memory.Memory) {
		m.Form, m.URI = memory.State, "state://current"
		m.Fields = []memory.Field{{Name: "goals", Value: "ship it"}}
	})
	b.drain()
	b.edit(stateFile, "- ship it\n", "- ship it\n- water the ficus\n")
	b.sync()
	for _, goal := range []string{"rest", "sleep"} {
		b.clock.pass(time.Hour)
		got := b.get(m.ID)
		got.Fields, got.Content = []memory.Field{{Name: "goals", Value: goal}}, "goals: "+goal
		b.apply(memory.Change{Op: memory.OpUpdate, Memory: got})
		b.drain()
		b.stands(stateFile, "- water the ficus\n", 1)
		if got := b.get(m.ID); got.Field("goals") != goal+"\nwater the ficus" || got.Content != "goals: "+goal+"; water the ficus" {
			t.Errorf("the store knows %q, %+v", got.Content, got.Fields)
		}
	}
	b.edit(stateFile, "- water the ficus\n", "")
	b.sync()
	b.clock.pass(time.Hour)
	got := b.get(m.ID)
	if got.Field("goals") != "sleep" {
		t.Errorf("a person took the line out: %+v", got.Fields)
	}
	got.Fields, got.Content = []memory.Field{{Name: "goals", Value: "wake"}}, "goals: wake"
	b.apply(memory.Change{Op: memory.OpUpdate, Memory: got})
	b.drain()
	b.stands(stateFile, "ficus", 0)
}

// A secret in a person's line stays in their file: what the store learns of the
// line when an agent overwrites the state is cleaned, as when the line was read.
func TestASecretInAPersonsLineOfTheStateIsNotLearned(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	b := newBench(t)
	m := b.remember("goals: ship it", func(m *memory.Memory) {
		m.Form, m.URI = memory.State, "state://current"
		m.Fields = []memory.Field{{Name: "goals", Value: "ship it"}}
	})
	b.drain()
	b.edit(stateFile, "- ship it\n", "- ship it\n- the token is "+secret+"\n")
	b.sync()
	for _, goal := range []string{"rest", "sleep"} {
		b.clock.pass(time.Hour)
		got := b.get(m.ID)
		got.Fields, got.Content = []memory.Field{{Name: "goals", Value: goal}}, "goals: "+goal
		b.apply(memory.Change{Op: memory.OpUpdate, Memory: got})
		b.drain()
		b.stands(stateFile, "- the token is "+secret+"\n", 1)
		if got := b.get(m.ID); strings.Contains(got.Content+got.Field("goals"), secret) || !strings.Contains(got.Content, "the token is") {
			t.Errorf("the store knows %q, %+v", got.Content, got.Fields)
		}
	}
	b.clock.pass(time.Hour)
	got := b.get(m.ID)
	got.Fields, got.Content = append(got.Fields, memory.Field{Name: "next", Value: "rest"}), "as it was, and rest"
	b.apply(memory.Change{Op: memory.OpUpdate, Memory: got})
	b.drain()
	b.stands(stateFile, "the token is", 1)
	b.stands(stateFile, "- the token is "+secret+"\n", 1)
	if r := b.sync(); r.Updated != 0 {
		t.Errorf("redaction looks like an edit: %+v", r)
	}
}
