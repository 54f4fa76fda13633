package jobs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"agentmemory/internal/memory"
)

// Work does what a job is for and says in a few words what it did. It must end
// when ctx does.
type Work func(ctx context.Context, job Job) (detail string, err error)

// interrupted is the detail of a run that was told to stop because its process
// ends: as with a crash, its period is made up for.
const interrupted = "interrupted"

// grace is how long work that was told to stop may take to do so.
const grace = 5 * time.Second

// Runner runs jobs one way, whoever asks: under their locks, within their time,
// and noted in their history.
type Runner struct {
	Book *Book
	Now  func() time.Time
	// Patience is how long a busy lock is waited for; 0 fails at once.
	Patience time.Duration
}

// Run runs one job. The failure of the work is noted, and returned; a busy lock
// is a *BusyError, and nothing is noted then.
func (r *Runner) Run(ctx context.Context, o Order, work Work) (Run, error) {
	held, err := r.Book.Locks.Await(ctx, o.Job, r.Patience)
	if err != nil {
		return Run{}, err
	}
	defer held.Release()
	h, err := r.Book.Read(o.Job.Name)
	if err != nil {
		return Run{}, err
	}
	if o.Slot != "" && o.Slot <= h.Slot {
		return Run{}, errHandled // another process was quicker
	}
	run := h.begin(Run{Slot: o.Slot, Started: r.Now(), Why: o.Why, PID: os.Getpid()})
	if err := r.Book.write(h); err != nil {
		return run, err
	}
	detail, workErr := r.within(ctx, o.Job, work)
	if ctx.Err() != nil && workErr != nil {
		detail = interrupted
	}
	return r.close(run, o.Job, detail, workErr)
}

// errHandled says that a period was dealt with by somebody else.
var errHandled = errors.New("another process has run it")

// within runs the work and gives it up when its time is over.
func (r *Runner) within(ctx context.Context, job Job, work Work) (string, error) {
	limited, cancel := limit(ctx, job)
	defer cancel()
	type answer struct {
		detail string
		err    error
	}
	ended := make(chan answer, 1)
	go func() {
		detail, err := guarded(limited, job, work)
		ended <- answer{detail, err}
	}()
	select {
	case a := <-ended:
		return a.detail, a.err
	case <-limited.Done():
	}
	select {
	case a := <-ended:
		return a.detail, errors.Join(a.err, limited.Err())
	case <-time.After(grace):
		return "", limited.Err()
	}
}

func limit(ctx context.Context, job Job) (context.Context, context.CancelFunc) {
	if job.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, job.Timeout)
}

// guarded keeps a job that panics from taking the server with it.
func guarded(ctx context.Context, job Job, work Work) (detail string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = memory.Errorf(memory.Internal, "%s panicked: %v", job.Name, p)
		}
	}()
	return work(ctx, job)
}

// reason is a failure in the words that callers see.
func reason(err error) string {
	if e, ok := errors.AsType[*memory.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// close notes how the work ended. The history is read again: while the work
// ran, its holder may have lost it.
func (r *Runner) close(run Run, job Job, detail string, workErr error) (Run, error) {
	outcome := Done
	switch {
	case errors.Is(workErr, context.DeadlineExceeded):
		outcome = TimeOut
		workErr = memory.Errorf(memory.DeadlineExceeded, "%s was given up after %s", job.Name, job.Timeout)
		detail = reason(workErr)
	case detail == interrupted:
		outcome = Crashed
	case workErr != nil:
		outcome, detail = Failed, reason(workErr)
	}
	h, err := r.Book.Read(job.Name)
	if err != nil {
		return run, errors.Join(workErr, err)
	}
	if run.Why == Called && memory.CodeOf(workErr) == memory.InvalidArgument {
		h.withdraw(run)
		return run, errors.Join(workErr, r.Book.write(h))
	}
	if !h.end(run, outcome, detail, r.Now()) {
		return run, errors.Join(workErr, fmt.Errorf("run %d of %s was overtaken by run %d", run.Token, job.Name, h.Token))
	}
	return *h.Last(), errors.Join(workErr, r.Book.write(h))
}
