package tools

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
)

// Renew makes MEMORY.md or RECENT.md again, and touches nothing else: for one
// that somebody deleted.
func (r *Reflect) Renew(ctx context.Context, file string) error {
	run := &reflection{Reflect: r}
	switch file {
	case recentFile:
		return run.surface(ctx)
	case indexFile:
		memories, err := run.everything(ctx)
		if err != nil {
			return err
		}
		_, err = run.outline(ctx, memories)
		return err
	}
	return fmt.Errorf("renewing %s: %w", file, memory.Errorf(memory.InvalidArgument, "only %s and %s are renewed", recentFile, indexFile))
}
