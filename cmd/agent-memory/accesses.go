package main

import (
	"context"
	"fmt"
	"time"

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
	n, err := e.store.FoldAccesses(ctx, e.accessed)
	if err != nil {
		return n, fmt.Errorf("folding accesses: %w", err)
	}
	return n, nil
}

// accessed is a memory after its accesses, oldest first, by the profile's rule.
func (e *engine) accessed(m memory.Memory, accesses []store.Access) memory.Memory {
	for _, a := range accesses {
		m = lifecycle.Accessed(m, a.At, a.Kind == store.Used, e.profile)
	}
	return m
}

// foldPause is how often a server folds; reflect does so at once.
const foldPause = 10 * time.Minute

// keepFolding folds now and then until ctx ends, so that ranking knows of recent
// use even where nothing reflects.
func (e *engine) keepFolding(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(foldPause):
		}
		if _, err := e.fold(ctx); err != nil {
			e.log.Warn().Err(err).Msg("folding accesses; tried again later")
			continue
		}
		e.mirror.Notify() // the records of the counters
	}
}
