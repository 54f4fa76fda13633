package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"agentmemory/internal/lease"
)

// alonePatience is how long a process that wants to be alone waits for those
// that write files.
const alonePatience = 5 * time.Second

// alone runs f while no other process can commit anything, neither to the files
// nor to the database. It fails if one stands still in the middle of a commit:
// then its locks cannot be taken away.
func (e *engine) alone(ctx context.Context, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, alonePatience)
	defer cancel()
	err := e.mirror.Alone(ctx, func() error { return e.store.Alone(ctx, f) })
	if err != nil {
		return fmt.Errorf("keeping others from committing: %w", err)
	}
	return nil
}

// lease is a lock of this workspace that is taken away from a process which
// stands still.
func (e *engine) lease(path string) lease.Lock {
	return lease.Lock{Path: filepath.Join(e.config.Workspace, filepath.FromSlash(path)), Now: e.now, Alone: e.alone}
}
