package main

import (
	"context"
	"fmt"
	"slices"
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
	inFiles, unread := p.files.Purge(ctx, shown)
	if unread != nil && !inFiles {
		return false, fmt.Errorf("purging the files: %w", unread)
	}
	if inFiles && unread == nil {
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
	// A damaged database that was put aside may hold it too; only its owner deletes that.
	return inFiles || !done || len(store.Aside(p.store.Path())) > 0, unread //nolint:wrapcheck // it says which file waits, and for what
}

// AnnouncePurge implements tools.Purger.
func (p purger) AnnouncePurge(ctx context.Context, memories []memory.Memory) error {
	shown, err := p.words.show(memories)
	if err != nil {
		return fmt.Errorf("looking how summaries show what is purged: %w", err)
	}
	if err := p.files.AnnouncePurge(ctx, shown); err != nil {
		return fmt.Errorf("announcing the purge: %w", err)
	}
	return nil
}

// Copies implements tools.Purger.
func (p purger) Copies(ctx context.Context, memories []memory.Memory) ([]memory.Memory, error) {
	shown, err := p.words.show(memories)
	if err != nil {
		return nil, fmt.Errorf("looking how summaries show what is purged: %w", err)
	}
	return p.files.Copies(ctx, shown)
}

// retry finishes purges that were pending or cut short, of this process or of
// one before. Their texts are gone from the tables: the note of the purge has
// them until the files are clean, from then on ids are enough.
func (p purger) retry(ctx context.Context) error {
	memories, err := p.unfinished(ctx)
	if err != nil {
		return err
	}
	waiting, err := p.store.PendingPurges(ctx)
	if err != nil {
		return fmt.Errorf("reading the pending purges: %w", err)
	}
	for _, w := range waiting {
		memories = append(memories, memory.Memory{ID: w.MemoryID, Namespace: w.Namespace})
	}
	if len(memories) == 0 {
		return nil
	}
	_, err = p.Purge(ctx, memories)
	return err
}

// announced is how long a purge may take from its note to its commit; the note of
// one whose memory is still there then is of no use.
const announced = time.Hour

// unfinished returns the texts of purges that have left the tables, but perhaps
// not the files.
func (p purger) unfinished(ctx context.Context) ([]memory.Memory, error) {
	purgings, err := p.files.Purgings()
	if err != nil {
		return nil, fmt.Errorf("reading which purges were begun: %w", err)
	}
	var memories []memory.Memory
	for _, begun := range purgings {
		if p.files.StillTooLarge(begun) {
			continue
		}
		ids := make([]string, 0, len(begun.Memories))
		for _, m := range begun.Memories {
			ids = append(ids, m.ID)
		}
		rows, err := p.store.ByIDs(ctx, ids)
		if err != nil {
			return nil, fmt.Errorf("looking which purges were begun: %w", err)
		}
		gone := slices.DeleteFunc(begun.Memories, func(m memory.Memory) bool {
			return slices.ContainsFunc(rows, func(row memory.Memory) bool { return row.ID == m.ID })
		})
		memories = append(memories, gone...)
		if len(rows) == 0 || p.files.Now().Sub(begun.At) <= announced {
			continue
		}
		if err := p.withdraw(ctx, begun, gone); err != nil {
			return nil, fmt.Errorf("withdrawing a purge: %w", err)
		}
	}
	return memories, nil
}

// withdraw takes the note of a purge away, but for the memories that are gone:
// others of it were changed meanwhile, and stayed when the process ended.
func (p purger) withdraw(ctx context.Context, begun mirror.Purging, gone []memory.Memory) error {
	if len(gone) > 0 {
		if err := p.files.AnnouncePurge(ctx, gone); err != nil {
			return fmt.Errorf("announcing what is left of it: %w", err)
		}
	}
	return p.files.Withdraw(begun)
}

// run retries until ctx ends, at once for what a process before this one left.
// What hinders it now may be gone the next time.
func (p purger) run(ctx context.Context, failed func(error)) error {
	for {
		if err := p.retry(ctx); err != nil && ctx.Err() == nil {
			failed(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(purgeRetry):
		}
	}
}
