package tools

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
)

// undo takes back the last run that changed something.
func (r *Reflect) undo(ctx context.Context, a ReflectArgs) (ReflectResult, error) {
	if a.DryRun != nil && *a.DryRun {
		return ReflectResult{}, memory.Errorf(memory.InvalidArgument, "undo has no dry run").WithHint("an undone phase can be run again")
	}
	if r.Undoing == nil {
		return ReflectResult{}, memory.Errorf(memory.Unavailable, "nothing was written down that could be undone")
	}
	undone, err := r.Undoing.Undo(ctx, a.Phase)
	if err != nil {
		return ReflectResult{}, fmt.Errorf("undoing reflect: %w", err)
	}
	if undone.Phase == "extract" { // the notes are to be read again
		if err := r.Store.SetMeta(ctx, lastExtractKey+r.Namespace, nil); err != nil {
			return ReflectResult{}, fmt.Errorf("noting that facts were taken back: %w", err)
		}
	}
	r.Mirror.Notify()
	return ReflectResult{Phase: undone.Phase, Undone: &undone, Changed: undone.Memories, Plan: []PlanStep{}}, nil
}

// expect writes down what a plan changes before it is applied. A memory that
// the plan changes twice is, the second time, what the first made of it.
func (r *reflection) expect(ctx context.Context, changes []memory.Change) error {
	if r.Undoing == nil || len(changes) == 0 {
		return nil
	}
	as := make(map[string]*memory.Memory, len(changes))
	for i := range changes {
		as[changes[i].Memory.ID] = nil
	}
	for i := range r.memories {
		if _, concerned := as[r.memories[i].ID]; concerned {
			as[r.memories[i].ID] = &r.memories[i]
		}
	}
	before := make([]*memory.Memory, len(changes))
	for i := range changes {
		c := &changes[i].Memory
		if before[i] = as[c.ID]; before[i] == nil {
			before[i] = &memory.Memory{ID: c.ID}
		}
		as[c.ID] = c
	}
	if err := r.Undoing.Expect(ctx, before, changes); err != nil {
		return fmt.Errorf("noting what could be undone: %w", err)
	}
	return nil
}
