package main

import (
	"context"
	"fmt"
	"strings"

	"agentmemory/internal/jobs"

	"github.com/spf13/cobra"
)

func (a *app) watchdogCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "watchdog",
		Short: "Look after the other jobs: which are switched off, stale or failing",
		Long: `Watchdog looks at every job of the profile. An anomaly that it sees twice in a row is an alert: it is written to
` + jobs.Reports() + `/ and stands until the job is well again. A stale job is run again once by itself.

Exit status: 0 no alert stands, 12 one does.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runWatchdog(cmd.Context()) },
	}
}

func (a *app) runWatchdog(ctx context.Context) error {
	return a.withEngine(ctx, func(e *engine) error {
		s, err := e.scheduler()
		if err != nil {
			return err
		}
		var verdict jobs.Verdict
		job, _ := s.Timetable.Job(jobs.WatchdogJob)
		runner := *s.Runner
		runner.Patience = callPatience
		_, err = runner.Run(ctx, jobs.Order{Job: job, Why: jobs.Called}, func(ctx context.Context, _ jobs.Job) (string, error) {
			v, err := e.watchdog(s).Look(ctx)
			verdict = v
			return fmt.Sprintf("%d jobs looked at, %d alerts stand", len(v.Findings), len(v.Alerts)), err
		})
		if err != nil {
			return err
		}
		e.finish(ctx)
		return a.reportVerdict(verdict)
	})
}

func (a *app) reportVerdict(v jobs.Verdict) error {
	if a.json {
		if err := writeJSON(a.Out, v); err != nil {
			return err
		}
	} else {
		a.printVerdict(v)
	}
	if len(v.Alerts) > 0 {
		return exitStatus(exitProblems)
	}
	return nil
}

func (a *app) printVerdict(v jobs.Verdict) {
	p := a.printer(a.Out)
	for _, f := range v.Findings {
		p.line("%-9s %s", f.Job, strings.Join(p.findingParts(f), p.text(", ")))
		if f.Alerted {
			for _, s := range f.Last3 {
				p.line("          %s %s %s", s.At.Format("2006-01-02 15:04"), p.text(string(s.State)), p.sentence(clean(s.Detail)))
			}
			p.line("          report: %s", f.Report)
		}
	}
	for _, r := range v.Reruns {
		p.line("run again: %s", p.run(r))
	}
	if len(v.Alerts) == 0 {
		p.line("no alert stands")
	}
}

func (p *printer) findingParts(f jobs.Finding) []string {
	parts := []string{p.text(string(f.State))}
	switch {
	case f.New:
		parts[0] += p.text(" — ALERT")
	case f.Alerted:
		parts[0] += p.text(" — alert stands")
	case f.Recovered:
		parts = append(parts, p.text("well again"))
	case f.Anomalies > 0:
		parts = append(parts, p.text("an alert if it is so at the next look too"))
	}
	return append(parts, present(p.sentence(clean(f.Detail)))...)
}
