package jobs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/internal/memory"
)

// A run stands still at any moment of its bookkeeping, another one does the
// same from its beginning to its end, and the first goes on: the history is as
// the other one left it, and the first run is told.
func TestAnOvertakenRunNotesNothing(t *testing.T) {
	table := table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"})
	for _, at := range []struct {
		name  string
		look  int // the clock is read twice: for the beginning of the run, and for its end
		fails error
	}{
		{"before it notes that it begins", 1, nil},
		{"before it notes that it was done", 2, nil},
		{"before it notes that it failed", 2, errors.New("disk full")},
	} {
		t.Run(at.name, func(t *testing.T) {
			d := newDesk(t, table, noon)
			job, _ := table.Job("sync")
			order := jobs.Order{Job: job, Why: jobs.Called}
			looks, next := 0, *d.scheduler.Runner
			runner := jobs.Runner{Book: next.Book, Now: func() time.Time {
				if looks++; looks == at.look {
					takeOver(t, d, &next, order)
				}
				return d.now
			}}
			_, err := runner.Run(t.Context(), order, func(context.Context, jobs.Job) (string, error) { return "the first", at.fails })
			if memory.CodeOf(err) != memory.Conflicting {
				t.Errorf("the overtaken run ended with %v", err)
			}
			h, err := next.Book.Read("sync")
			if err != nil || h.Running != nil || h.Last() == nil || h.Last().Outcome != jobs.Done || h.Last().Detail != "the next" {
				t.Errorf("the history of the next run is %+v, %v", h, err)
			}
		})
	}
}

// takeOver does what happens while a run stands still: its lock is taken away
// and the job runs once.
func takeOver(t *testing.T, d *desk, next *jobs.Runner, order jobs.Order) {
	t.Helper()
	if err := os.Remove(filepath.Join(d.root.Name(), "memory", ".locks", "sync.lock")); err != nil {
		t.Fatal(err)
	}
	if _, err := next.Run(t.Context(), order, func(context.Context, jobs.Job) (string, error) { return "the next", nil }); err != nil {
		t.Fatal(err)
	}
}
