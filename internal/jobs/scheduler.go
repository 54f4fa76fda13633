package jobs

import (
	"context"
	"errors"
	"slices"
	"time"
)

// pause is the longest sleep of a scheduler: clocks are set, machines sleep, and
// other processes run jobs that ours have to follow.
const pause = 5 * time.Minute

// Scheduler runs the jobs of a timetable when they are due. Any number of
// processes may schedule one workspace: each period is dealt with once.
type Scheduler struct {
	Timetable Timetable
	Runner    *Runner
	Work      Work
	Now       func() time.Time
	Log       func(message string, err error)
}

// headStart is what the other jobs have of the watchdog when a scheduler starts,
// so that what was missed while nothing ran is caught up before it is judged.
const headStart = time.Minute

// Loop runs what is due until ctx ends. The watchdog has a lane of its own, so
// that a job that is stuck does not keep it from saying so.
func (s *Scheduler) Loop(ctx context.Context) {
	watchdog := make(chan struct{})
	go func() {
		defer close(watchdog)
		select {
		case <-ctx.Done():
		case <-time.After(headStart):
		}
		s.lane(ctx, func(name string) bool { return name == WatchdogJob })
	}()
	s.lane(ctx, func(name string) bool { return name != WatchdogJob })
	<-watchdog
}

func (s *Scheduler) lane(ctx context.Context, mine func(string) bool) {
	for ctx.Err() == nil {
		if _, err := s.tick(ctx, mine); err != nil && ctx.Err() == nil {
			s.Log("scheduling", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(s.untilNext(mine)):
		}
	}
}

func (s *Scheduler) untilNext(mine func(string) bool) time.Duration {
	now, wait := s.Now(), pause
	for _, job := range s.Timetable.Jobs {
		if next := job.Next(now, s.Timetable.Zone); mine(job.Name) && !next.IsZero() {
			wait = min(wait, next.Sub(now))
		}
	}
	return max(wait, time.Second)
}

// RunDue runs everything that is due now, and what follows it.
func (s *Scheduler) RunDue(ctx context.Context) ([]Ended, error) {
	return s.tick(ctx, func(string) bool { return true })
}

// Ended is a run that an order led to.
type Ended struct {
	Job string `json:"job"`
	Run
	// Skipped says why the job did not run, for example because it runs elsewhere.
	Skipped string `json:"skipped,omitempty"`
	Err     error  `json:"-"`
}

// tick runs what is due until nothing is: what runs makes other jobs due.
func (s *Scheduler) tick(ctx context.Context, mine func(string) bool) ([]Ended, error) {
	var ended []Ended
	tried := map[string]bool{} // one that is busy is left to the next tick
	for ctx.Err() == nil {
		histories, err := s.Runner.Book.Histories(s.Timetable)
		if err != nil {
			return ended, err
		}
		due := slices.DeleteFunc(s.Timetable.Due(histories, s.Now()), func(o Order) bool {
			return !mine(o.Job.Name) || tried[o.Job.Name]
		})
		if len(due) == 0 {
			return ended, nil
		}
		tried[due[0].Job.Name] = true
		ended = append(ended, s.run(ctx, due[0]))
	}
	return ended, nil
}

// RunNow runs a job whether or not it is due, and then those that follow it.
// The name of an event runs only those.
func (s *Scheduler) RunNow(ctx context.Context, name, why string) []Ended {
	var ended []Ended
	if name != Conversation {
		job, _ := s.Timetable.Job(name)
		order := Order{Job: job, Why: why}
		if h, err := s.Runner.Book.Read(name); err == nil {
			if due, ok := s.Timetable.byClock(job, h, s.Now()); ok {
				order.Slot = due.Slot
			} else if h.Since.IsZero() { // nothing is known of the job: it has now run for the period that has come
				order.Slot = job.Latest(s.Now(), s.Timetable.Zone)
			}
		}
		first := s.run(ctx, order)
		ended = append(ended, first)
		if first.Outcome != Done {
			return ended
		}
	}
	for _, job := range s.Timetable.Following(name) {
		if h, err := s.Runner.Book.Read(job.Name); err != nil || !h.Disabled {
			ended = append(ended, s.RunNow(ctx, job.Name, "after "+name)...)
		}
	}
	return ended
}

func (s *Scheduler) run(ctx context.Context, o Order) Ended {
	run, err := s.Runner.Run(ctx, o, s.Work)
	e := Ended{Job: o.Job.Name, Run: run, Err: err}
	if _, busy := errors.AsType[*BusyError](err); busy || errors.Is(err, errHandled) {
		e.Skipped, e.Err = err.Error(), nil
		return e
	}
	if err != nil && ctx.Err() == nil {
		s.Log(o.String(), err)
	}
	return e
}

// IsDue reports whether a job is due now. One that nobody has looked at yet is:
// whoever asks was started for it.
func (s *Scheduler) IsDue(name string) (bool, error) {
	h, err := s.Runner.Book.Read(name)
	if err != nil {
		return false, err
	}
	job, _ := s.Timetable.Job(name)
	_, due := s.Timetable.byClock(job, h, s.Now())
	return !h.Disabled && (due || h.Since.IsZero()), nil
}
