package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/internal/memory"

	"github.com/spf13/cobra"
)

func (a *app) scheduleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schedule",
		Short: "Show, run and print the jobs of the profile",
		Long: `The profile says which jobs run when, and [schedule] in the settings may say otherwise, for example
reflect = "30 5 * * *" or compound = "off". ` + "`agent-memory serve --schedule`" + ` runs them by itself;
"schedule print" writes the entries for a scheduler of the system instead.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runScheduleList(cmd.Context()) },
	}
	cmd.AddCommand(a.scheduleListCommand(), a.scheduleRunCommand(), a.schedulePrintCommand(),
		a.scheduleSwitchCommand("enable", "Switch a job on again; it owes nothing of the time when it was off", false),
		a.scheduleSwitchCommand("disable", "Switch a job off; the watchdog says so", true))
	return cmd
}

func (a *app) scheduleListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the jobs: when they are due, how they went last", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runScheduleList(cmd.Context()) },
	}
}

func (a *app) scheduleRunCommand() *cobra.Command {
	var onlyDue bool
	cmd := &cobra.Command{
		Use:   "run [JOB...]",
		Short: "Run what is due; with names, run these now; then what follows them",
		Long: `Without names everything that is due runs, each job once, however many of its times were missed.
With names these jobs run now, and those that follow them; "conversation" runs what follows the end of one.
--due runs a named job only if nobody else has run it for its period: for crontab and timers.

Exit status: 0 all went well or there was nothing to do, 12 the watchdog's alert stands, else the status of the first failure.`,
		ValidArgs: append(jobs.Names(), jobs.Conversation),
		RunE:      func(cmd *cobra.Command, names []string) error { return a.runScheduleRun(cmd.Context(), names, onlyDue) },
	}
	cmd.Flags().BoolVar(&onlyDue, "due", false, "only what is due")
	return cmd
}

func (a *app) scheduleSwitchCommand(use, short string, off bool) *cobra.Command {
	return &cobra.Command{
		Use: use + " JOB", Short: short, Args: cobra.ExactArgs(1), ValidArgs: jobs.Names(),
		RunE: func(cmd *cobra.Command, args []string) error { return a.switchJob(cmd.Context(), args[0], off) },
	}
}

// jobView is a job as people and programs see it.
type jobView struct {
	Job      string     `json:"job"`
	Cron     []string   `json:"cron,omitempty"`
	After    []string   `json:"after,omitempty"`
	DryRun   bool       `json:"dry_run,omitempty"`
	Next     *time.Time `json:"next,omitempty"`
	Disabled bool       `json:"disabled,omitempty"`
	Last     *jobs.Run  `json:"last,omitempty"`
	Running  *jobs.Run  `json:"running,omitempty"`
	text     string
}

type scheduleView struct {
	Profile  string    `json:"profile"`
	TimeZone string    `json:"time_zone"`
	Jobs     []jobView `json:"jobs"`
}

// withEngine opens the workspace for one piece of work and closes it.
func (a *app) withEngine(ctx context.Context, work func(*engine) error) (err error) {
	e, err := a.openIndexed(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	return work(e)
}

func (a *app) runScheduleList(ctx context.Context) error {
	return a.withEngine(ctx, func(e *engine) error {
		s, err := e.scheduler()
		if err != nil {
			return err
		}
		view := scheduleView{Profile: e.profile.Name, TimeZone: s.Timetable.Zone.String(), Jobs: []jobView{}}
		for _, job := range s.Timetable.Jobs {
			h, err := s.Runner.Book.Read(job.Name)
			if err != nil {
				return fmt.Errorf("reading the history of %s: %w", job.Name, err)
			}
			view.Jobs = append(view.Jobs, e.viewJob(job, h))
		}
		if a.json {
			return writeJSON(a.Out, view)
		}
		a.printSchedule(view)
		return nil
	})
}

func (e *engine) viewJob(job jobs.Job, h jobs.History) jobView {
	v := jobView{Job: job.Name, After: job.After, DryRun: job.DryRun, Disabled: h.Disabled, Last: h.Last(), Running: h.Running, text: e.lastRun(h)}
	for _, x := range job.Times {
		v.Cron = append(v.Cron, x.String())
	}
	if next := job.Next(e.now(), e.config.scheduleZone()); !next.IsZero() {
		v.Next = &next
	}
	return v
}

func (a *app) printSchedule(v scheduleView) {
	p := a.printer(a.Out)
	p.line("Profile %s, times in %s", v.Profile, v.TimeZone)
	for _, j := range v.Jobs {
		when := strings.Join(j.Cron, ", ")
		for _, after := range j.After {
			if when != "" {
				when += ", "
			}
			when += p.about("after %s", after)
		}
		if j.DryRun {
			when += p.text(", dry run")
		}
		if j.Next != nil {
			when += p.say(", next %s", j.Next.Format("2006-01-02 15:04"))
		}
		p.line("%-9s %s", j.Job, when)
		p.line("          %s", p.sentence(clean(j.text)))
	}
	if len(v.Jobs) == 0 {
		p.line("This profile runs nothing by itself.")
	}
}

func (a *app) runScheduleRun(ctx context.Context, names []string, onlyDue bool) error {
	for _, name := range names {
		if err := jobs.CheckName(name); err != nil && name != jobs.Conversation {
			return err
		}
	}
	return a.withEngine(a.withProgress(ctx), func(e *engine) error {
		s, err := e.scheduler()
		if err != nil {
			return err
		}
		ended, err := runJobs(ctx, s, names, onlyDue)
		if err != nil {
			return err
		}
		e.finish(ctx)
		return a.reportRuns(e, s, ended)
	})
}

func runJobs(ctx context.Context, s *jobs.Scheduler, names []string, onlyDue bool) ([]jobs.Ended, error) {
	if len(names) == 0 {
		return s.RunDue(ctx)
	}
	var ended []jobs.Ended
	for _, name := range names {
		if onlyDue {
			due, err := s.IsDue(name)
			if err != nil {
				return ended, err
			}
			if !due {
				ended = append(ended, jobs.Ended{Job: name, Skipped: "not due"})
				continue
			}
		}
		ended = append(ended, s.RunNow(ctx, name, "asked for")...)
	}
	return ended, nil
}

// reportRuns prints how runs went; the first failure decides the exit status.
func (a *app) reportRuns(e *engine, s *jobs.Scheduler, ended []jobs.Ended) error {
	if ended == nil {
		ended = []jobs.Ended{}
	}
	if err := a.printRuns(ended); err != nil {
		return err
	}
	watched := false
	for _, r := range ended {
		if r.Err != nil {
			return exitStatus(exitCode(r.Err))
		}
		watched = watched || r.Job == jobs.WatchdogJob
	}
	if !watched {
		return nil
	}
	m, err := e.watchdog(s).Remembered()
	if err != nil {
		return err
	}
	for _, w := range m.Jobs {
		if !w.Alerted.IsZero() {
			return exitStatus(exitProblems)
		}
	}
	return nil
}

func (a *app) printRuns(ended []jobs.Ended) error {
	if a.json {
		return writeJSON(a.Out, map[string]any{"runs": ended})
	}
	p := a.printer(a.Out)
	for _, r := range ended {
		p.line("%s", p.run(r))
	}
	if len(ended) == 0 {
		p.line("nothing is due")
	}
	return nil
}

// run is how a run of a job went, in one line.
func (p *printer) run(r jobs.Ended) string {
	switch {
	case r.Skipped != "":
		return p.say("%s: skipped, %s", r.Job, p.sentence(clean(r.Skipped)))
	case r.Outcome == "":
		return p.say("%s: failed: %s", r.Job, p.sentence(clean(publicError(r.Err).Message)))
	case r.Detail == "":
		return p.say("%s: %s", r.Job, p.text(string(r.Outcome)))
	}
	return p.say("%s: %s: %s", r.Job, p.text(string(r.Outcome)), p.sentence(clean(r.Detail)))
}

func (a *app) switchJob(ctx context.Context, name string, off bool) error {
	if err := jobs.CheckName(name); err != nil {
		return err
	}
	return a.withEngine(ctx, func(e *engine) error {
		if err := e.book().Disable(name, off); err != nil {
			return err
		}
		h, err := e.book().Read(name)
		if err != nil {
			return err
		}
		if h.Disabled != off {
			return memory.Errorf(memory.Conflicting, "%s is running", name).WithHint("try again when it has ended")
		}
		if a.json {
			return writeJSON(a.Out, map[string]any{"job": name, "disabled": off})
		}
		if off {
			a.printer(a.Out).line("%s is switched off", name)
		} else {
			a.printer(a.Out).line("%s is switched on", name)
		}
		return nil
	})
}
