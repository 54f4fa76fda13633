package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"agentmemory/internal/lease"
)

// The folders of the jobs in a workspace, as people find them.
const (
	stateDir   = "memory/state"
	locksDir   = "memory/.locks"
	reportsDir = "memory/failure-reports"
)

const dirMode = 0o700

// Book keeps the histories of the jobs in files. Only the holder of a job's
// lock writes its history.
type Book struct {
	Root  *os.Root
	Locks *Locks
	Now   func() time.Time
}

func historyFile(job string) string { return stateDir + "/job-" + job + ".json" }

// Read returns the history of a job; a job that has never been looked at has an
// empty one. A file that cannot be understood counts as missing: what it said
// was only when things ran.
func (b *Book) Read(job string) (History, error) {
	h := History{}
	err := readJSON(b.Root, historyFile(job), &h)
	h.Job = job
	return h, err
}

// Histories reads the histories of all jobs of a timetable. It writes down since
// when those that are new are looked at, and which runs did not end because
// their process is gone.
func (b *Book) Histories(t Timetable) (map[string]History, error) {
	all := make(map[string]History, len(t.Jobs))
	for _, job := range t.Jobs {
		h, err := b.Read(job.Name)
		if err == nil && (h.Since.IsZero() || h.Running != nil) {
			h, err = b.change(job.Name, b.settle)
		}
		if err != nil {
			return nil, err
		}
		all[job.Name] = h
	}
	return all, nil
}

// settle is done under the lock of the job: nobody runs it.
func (b *Book) settle(h *History) {
	if h.Since.IsZero() {
		h.Since = b.Now()
	}
	if h.Running != nil {
		h.end(*h.Running, Crashed, crashedDetail, b.Now())
	}
}

// Disable switches a job off or on again. A job that is switched on owes nothing
// of the time when it was off.
func (b *Book) Disable(job string, off bool) error {
	_, err := b.change(job, func(h *History) {
		if h.Disabled && !off {
			h.Since = b.Now()
		}
		h.Disabled = off
	})
	return err
}

// change rewrites a history under the job's lock. While the job runs, its
// holder will write the history: then nothing can be changed now.
func (b *Book) change(job string, f func(*History)) (History, error) {
	held, err := b.Locks.Take(Job{Name: job})
	if _, busy := errors.AsType[*BusyError](err); busy {
		return b.Read(job)
	}
	if err != nil {
		return History{Job: job}, err
	}
	defer held.Release()
	h, err := b.inherit(job)
	if err != nil {
		return h, err
	}
	f(&h)
	return h, b.write(held.Guard(context.Background()), h)
}

// inherit reads a history as the new holder of the job's lock.
func (b *Book) inherit(job string) (History, error) {
	if err := lease.Inherit(b.Root, historyFile(job)); err != nil {
		return History{Job: job}, err //nolint:wrapcheck // says what it was doing
	}
	return b.Read(job)
}

func (b *Book) write(ctx context.Context, h History) error {
	return writeJSON(ctx, b.Root, historyFile(h.Job), h)
}

func readJSON(root *os.Root, name string, v any) error {
	text, err := root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	_ = json.Unmarshal(text, v) // a damaged file is written anew
	return nil
}

func writeJSON(ctx context.Context, root *os.Root, name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", name, err)
	}
	return lease.Replace(ctx, root, name, append(text, '\n')) //nolint:wrapcheck // says what it was doing
}
