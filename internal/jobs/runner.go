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
	w := &working{ended: make(chan struct{})}
	defer w.release(held)
	return r.locked(held.Guard(ctx), o, work, w)
}

// working is the work of one run. It may go on after the run was given up.
type working struct {
	begun  bool
	late   bool          // its own time was over, not its caller's
	ended  chan struct{} // closed when the work has returned
	detail string        // to be read after that
	err    error
}

// release frees the locks when the work has really ended: nobody else may do
// the same beside it, however long ago it was given up.
func (w *working) release(held *Held) {
	if !w.begun || w.over() {
		held.Release()
		return
	}
	go func() {
		<-w.ended
		held.Release()
	}()
}

func (w *working) over() bool {
	select {
	case <-w.ended:
		return true
	default:
		return false
	}
}

// locked is a run whose locks are held.
func (r *Runner) locked(ctx context.Context, o Order, work Work, w *working) (Run, error) {
	h, err := r.Book.inherit(o.Job.Name)
	if err != nil {
		return Run{}, err
	}
	if o.Slot != "" && o.Slot <= h.Slot {
		return Run{}, errHandled // another process was quicker
	}
	run := h.begin(Run{Slot: o.Slot, Started: r.Now(), Why: o.Why, PID: os.Getpid()})
	if err := r.Book.write(ctx, h); err != nil {
		return run, err
	}
	detail, workErr := w.within(ctx, o.Job, work)
	if ctx.Err() != nil && workErr != nil {
		detail = interrupted
	}
	return r.close(ctx, run, o.Job, w, said{detail, workErr})
}

// errHandled says that a period was dealt with by somebody else.
var errHandled = errors.New("another process has run it")

// within does the work and, when its time is over, tells it to stop and gives it
// up. What it says after that is not heard.
func (w *working) within(ctx context.Context, job Job, work Work) (string, error) {
	limited, cancel := limit(ctx, job)
	defer cancel()
	defer func() { w.late = errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil }()
	w.begun = true
	go func() {
		defer close(w.ended)
		w.detail, w.err = guarded(limited, job, work)
	}()
	select {
	case <-w.ended:
		return w.detail, w.err
	case <-limited.Done():
	}
	select {
	case <-w.ended:
		return w.detail, errors.Join(w.err, limited.Err())
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

// said is what work told of itself, as far as it was heard.
type said struct {
	detail string
	err    error
}

// close notes how the work ended. The history is read again: while the work
// ran, its holder may have lost it.
func (r *Runner) close(ctx context.Context, run Run, job Job, w *working, s said) (Run, error) {
	detail, workErr := s.detail, s.err
	if err := memory.Fenced(ctx); err != nil {
		return run, errors.Join(err, workErr) // the history is another one's to write
	}
	outcome := Done
	switch {
	case w.late && workErr != nil:
		outcome = TimeOut
		workErr = memory.Errorf(memory.DeadlineExceeded, "%s was given up after %s", job.Name, job.Timeout)
		detail = reason(workErr)
		if !w.over() {
			detail += "; it has not stopped yet, and keeps its lock until it has"
		}
	case detail == interrupted:
		outcome = Crashed
	case workErr != nil:
		outcome, detail = Failed, reason(workErr)
	}
	h, err := r.Book.Read(job.Name)
	if err != nil {
		return run, errors.Join(workErr, err)
	}
	if code := memory.CodeOf(workErr); run.Why == Called && (code == memory.InvalidArgument || code == memory.NotFound) {
		h.withdraw(run)
		return run, errors.Join(workErr, r.Book.write(ctx, h))
	}
	if !h.end(run, outcome, detail, r.Now()) {
		return run, errors.Join(memory.Fenced(ctx), workErr, fmt.Errorf("run %d of %s was overtaken by run %d", run.Token, job.Name, h.Token))
	}
	return *h.Last(), errors.Join(workErr, r.Book.write(ctx, h))
}
