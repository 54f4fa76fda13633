package main

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/store"
)

// purgeRetry is how often a server tries again what a reader kept from being
// purged.
const purgeRetry = time.Minute

// purger removes purged memories from the files first, then from what is left
// of them in the database: its log and its index.
type purger struct {
	files *mirror.Mirror
	store *store.Store
	words wordings
}

// Purge implements tools.Purger.
func (p purger) Purge(ctx context.Context, memories []memory.Memory) (pending bool, err error) {
	shown, err := p.words.show(memories)
	if err != nil {
		return true, fmt.Errorf("looking how summaries show what is purged: %w", err)
	}
	inFiles, err := p.files.Purge(ctx, shown)
	if err != nil {
		return true, fmt.Errorf("purging the files: %w", err)
	}
	if inFiles {
		return true, nil
	}
	if err := p.words.forget(memories); err != nil {
		return true, fmt.Errorf("purging other wordings: %w", err)
	}
	ids := make([]string, 0, len(memories))
	for _, m := range memories {
		ids = append(ids, m.ID)
	}
	done, err := p.store.FinishPurge(ctx, ids)
	if err != nil {
		return true, fmt.Errorf("purging the database: %w", err)
	}
	return !done, nil
}

// retry finishes purges that were pending, of this process or of one before.
// Their texts are gone from the tables, so that files are searched by id.
func (p purger) retry(ctx context.Context) error {
	waiting, err := p.store.PendingPurges(ctx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	memories := make([]memory.Memory, 0, len(waiting))
	for _, w := range waiting {
		memories = append(memories, memory.Memory{ID: w.MemoryID, Namespace: w.Namespace})
	}
	_, err = p.Purge(ctx, memories)
	return err
}

// run retries until ctx ends.
func (p purger) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(purgeRetry):
		}
		if err := p.retry(ctx); err != nil {
			return err
		}
	}
}
