package tools

import (
	"testing"

	"agentmemory/internal/memory"
)

// What is said beside the fields of the state stands among its notes, and the
// content of a state is what its fields say, as its file shows them.
func TestTheContentOfTheStateIsWhatItsFieldsSay(t *testing.T) {
	for _, c := range []struct {
		name, content string
		fields        []memory.Field
		want          string
	}{
		{"a sentence alone", "Nearly done", nil, "Nearly done"},
		{"fields alone", "", []memory.Field{{Name: "blockers"}, {Name: "goals", Value: "ship\n\n rest "}, {Name: "in_progress", Value: "tests"}}, "goals: ship; rest\nin progress: tests"},
		{"both", "快结束了", []memory.Field{{Name: "next", Value: "rest"}}, "快结束了\nnext: rest"},
		{"both, with notes", "Nearly done", []memory.Field{{Name: "next", Value: "rest"}, {Name: "notes", Value: "Ann helps"}}, "Nearly done\nAnn helps\nnext: rest"},
		{"given back as it was shown", "Nearly done\nnext: rest", []memory.Field{{Name: "next", Value: "rest"}, {Name: "notes", Value: "Nearly done"}}, "Nearly done\nnext: rest"},
	} {
		m := memory.Memory{Form: memory.State, Content: c.content, Fields: c.fields}
		tellState(&m)
		if m.Content != c.want {
			t.Errorf("%s: %q, not %q", c.name, m.Content, c.want)
		}
		for _, f := range m.Fields {
			if f.Value == "" {
				t.Errorf("%s: the empty field %s", c.name, f.Name)
			}
		}
		again := m
		if tellState(&again); again.Content != m.Content || len(again.Fields) != len(m.Fields) {
			t.Errorf("%s: said again it is %+v", c.name, again)
		}
	}
	other := memory.Memory{Form: memory.State, URI: "state://other", Content: "x", Fields: []memory.Field{{Name: "goals", Value: "y"}}}
	if tellState(&other); other.Content != "x" || len(other.Fields) != 1 {
		t.Errorf("a state that is not the current one: %+v", other)
	}
}
