package main

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/store"
)

// fold takes the access log into the counters of the memories: this process's
// own notes first, then whatever any process has written.
func (e *engine) fold(ctx context.Context) (int, error) {
	if err := e.accesses.Flush(ctx); err != nil {
		return 0, fmt.Errorf("noting accesses: %w", err)
	}
	n, err := e.store.FoldAccesses(ctx, strengthened)
	if err != nil {
		return n, fmt.Errorf("folding accesses: %w", err)
	}
	return n, nil
}

// strengthened is a memory after its accesses, oldest first: uses strengthen
// it, being shown only counts.
func strengthened(m memory.Memory, accesses []store.Access) memory.Memory {
	for _, a := range accesses {
		if a.Kind == store.Used {
			m = lifecycle.Strengthen(m, a.At)
			continue
		}
		m = lifecycle.Returned(m, 1)
	}
	return m
}
