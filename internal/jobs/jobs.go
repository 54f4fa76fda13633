// Package jobs decides when the work around a memory runs, sees to it that each
// job runs once a period, and tells when one does not. It knows jobs by their
// names only: what they do is handed in.
package jobs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Conversation is the event that a job may follow: a conversation has ended.
const Conversation = "conversation"

// WatchdogJob is the job that looks after the others.
const WatchdogJob = "watchdog"

// Job is work that runs by the clock, or after other work.
type Job struct {
	Name  string
	Times []Expression // local times at which it is due
	After []string     // jobs, or Conversation, that it follows
	// DryRun says that the job only shows what it would do.
	DryRun bool
	// Timeout is how long a run may take before it is given up; 0 = as long as
	// it takes.
	Timeout time.Duration
	// Excludes are the jobs that must not run at the same time.
	Excludes []string
}

// Entry is one row of a profile's schedule: a job at a time, or after another.
type Entry struct {
	Name   string
	Cron   string // five fields, local time; "" when After is set
	After  string
	DryRun bool
}

// Timetable is every job of a workspace, in the order in which jobs that are
// due together run, and the zone in which their times are meant.
type Timetable struct {
	Jobs []Job
	Zone *time.Location
}

// NewTimetable joins the entries of each job; a job may have several.
func NewTimetable(entries []Entry, zone *time.Location) (Timetable, error) {
	t := Timetable{Zone: zone}
	for _, e := range entries {
		job := t.add(e.Name)
		job.DryRun = job.DryRun || e.DryRun
		if e.After != "" {
			job.After = append(job.After, e.After)
		}
		if e.Cron == "" {
			continue
		}
		x, err := ParseExpression(e.Cron)
		if err != nil {
			return Timetable{}, fmt.Errorf("schedule of %s: %w", e.Name, err)
		}
		job.Times = append(job.Times, x)
	}
	return t, t.checkOrder()
}

// checkOrder refuses jobs that follow each other in a circle: they would never stop.
func (t Timetable) checkOrder() error {
	for _, job := range t.Jobs {
		seen := map[string]bool{}
		queue := t.Following(job.Name)
		for len(queue) > 0 {
			next := queue[0]
			queue = queue[1:]
			if next.Name == job.Name {
				return memory.Errorf(memory.InvalidArgument, "%s would run after itself", job.Name)
			}
			if !seen[next.Name] {
				seen[next.Name] = true
				queue = append(queue, t.Following(next.Name)...)
			}
		}
	}
	return nil
}

func (t *Timetable) add(name string) *Job {
	for i := range t.Jobs {
		if t.Jobs[i].Name == name {
			return &t.Jobs[i]
		}
	}
	t.Jobs = append(t.Jobs, Job{Name: name, Timeout: timeoutOf(name), Excludes: excluded(name)})
	return &t.Jobs[len(t.Jobs)-1]
}

// Job finds a job by its name. A job that the timetable does not hold can still
// be run by hand: known is false then, and the job has the usual bounds.
func (t Timetable) Job(name string) (job Job, known bool) {
	for _, j := range t.Jobs {
		if j.Name == name {
			return j, true
		}
	}
	return Job{Name: name, Timeout: timeoutOf(name), Excludes: excluded(name)}, false
}

// Following returns the jobs that follow a job or an event.
func (t Timetable) Following(name string) []Job {
	var following []Job
	for _, j := range t.Jobs {
		if slices.Contains(j.After, name) {
			following = append(following, j)
		}
	}
	return following
}

// Names lists every job that there is, in the order in which they make sense.
func Names() []string {
	return []string{"sync", "surface", "wrapup", "reflect", "compound", "extract", "gc", WatchdogJob}
}

// CheckName refuses what is not the name of a job.
func CheckName(name string) error {
	if slices.Contains(Names(), name) {
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "no job is named %q", name).WithHint("jobs: %s", strings.Join(Names(), ", "))
}

// timeoutOf is many times what a job takes with a large store, so that only one
// that is stuck reaches it.
func timeoutOf(name string) time.Duration {
	switch name {
	case "surface", WatchdogJob:
		return 2 * time.Minute
	case "compound":
		return 15 * time.Minute
	}
	return 10 * time.Minute
}

// excluded says which jobs a job must not run beside: both summarise the same
// days, and one would read what the other is about to move.
func excluded(name string) []string {
	switch name {
	case "wrapup":
		return []string{"compound"}
	case "compound":
		return []string{"wrapup"}
	}
	return nil
}
