package tools

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// gc archives first, then removes.
func (r *reflection) gc(ctx context.Context) error {
	memories, err := r.everything(ctx)
	if err != nil {
		return err
	}
	plan := lifecycle.GC(memories, r.Now(), r.Profile)
	if !r.result.DryRun && len(plan.Changes) > 0 {
		if err := r.Archive.Append(ctx, "gc", memoriesOf(plan.Changes)); err != nil {
			return fmt.Errorf("archiving before removal: %w", err)
		}
	}
	err = r.carryOut(ctx, plan)
	r.result.GC = &GCReport{Removed: r.result.Changed}
	return err
}

func memoriesOf(changes []memory.Change) []memory.Memory {
	memories := make([]memory.Memory, 0, len(changes))
	for _, c := range changes {
		memories = append(memories, c.Memory)
	}
	return memories
}
