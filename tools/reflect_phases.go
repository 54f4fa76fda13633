package tools

import (
	"context"
	"slices"

	"agentmemory/internal/memory"
)

// phase is one job that reflect can be asked for by its name.
type phase struct {
	name string
	run  func(*reflection, context.Context) error
}

// phases is the table of all phases, in the order in which they are announced.
// A new phase is a method of reflection in a file of its own and a row here.
func phases() []phase {
	return []phase{
		{"decay", (*reflection).decay},
		{"tidy", (*reflection).tidy},
		{"govern", (*reflection).govern},
		{"surface", (*reflection).surface},
		{"wrapup", (*reflection).wrapup},
		{"compound", (*reflection).compound},
		{"extract", (*reflection).extract},
		{"gc", (*reflection).gc},
		{"all", (*reflection).all},
	}
}

// phase runs the phase of that name.
func (r *reflection) phase(ctx context.Context, name string) error {
	table := phases()
	i := slices.IndexFunc(table, func(p phase) bool { return p.name == name })
	if i < 0 {
		return memory.Errorf(memory.InvalidArgument, "no phase is named %q", name)
	}
	return table[i].run(r, ctx)
}
