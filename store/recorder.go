package store

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
)

// Bounds of a Recorder.
const (
	recorderBuffer = 4096 // accesses that wait; more are dropped rather than block an answer
	recorderPause  = 250 * time.Millisecond
)

// Recorder takes note of accesses without delaying the answers that cause
// them: they wait in memory and reach the access log in batches.
type Recorder struct {
	store     *Store
	namespace string
	waiting   chan Access
}

// NewRecorder returns a Recorder; Run must be running for anything to be kept.
func (s *Store) NewRecorder(namespace string) *Recorder {
	return &Recorder{store: s, namespace: namespace, waiting: make(chan Access, recorderBuffer)}
}

// Used notes that memories were used: they gain stability when folded.
func (r *Recorder) Used(ids ...string) { r.note(Used, ids) }

// Returned notes that memories were shown without being used.
func (r *Recorder) Returned(ids ...string) { r.note(Returned, ids) }

func (r *Recorder) note(kind string, ids []string) {
	for _, id := range ids {
		select {
		case r.waiting <- Access{Namespace: r.namespace, MemoryID: id, Kind: kind, At: r.store.now()}:
		default:
			return
		}
	}
}

// Run appends what was noted to the access log until ctx ends.
func (r *Recorder) Run(ctx context.Context) error {
	tick := time.NewTicker(recorderPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := r.Flush(ctx); err != nil && memory.CodeOf(err) != memory.Unavailable && memory.CodeOf(err) != memory.ReadOnly {
				return err
			}
		}
	}
}

// Flush appends everything that waits. Others may do so at the same time.
func (r *Recorder) Flush(ctx context.Context) error {
	batch := memory.Waiting(r.waiting)
	if len(batch) == 0 {
		return nil
	}
	if err := r.store.RecordAccess(ctx, batch); err != nil {
		return fmt.Errorf("recording %d accesses: %w", len(batch), err)
	}
	return nil
}
