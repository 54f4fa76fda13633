package jobs

import (
	"context"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"agentmemory/internal/lease"
)

const watchFile = stateDir + "/memory-watchdog-state.json"

// Watchdog looks after the other jobs.
type Watchdog struct {
	Scheduler *Scheduler
	Root      *os.Root
	Now       func() time.Time
	Words     Words
}

// Words are the parts of a failure report, in the language of the workspace.
type Words struct {
	Title, Since, Snapshots, Runs, WhatToDo, Advice, Recovered string
	// Say puts a state, an outcome or a detail into that language; nil leaves it.
	Say func(english string) string
}

func (w Words) say(english string) string {
	if w.Say == nil || english == "" {
		return english
	}
	return w.Say(english)
}

// Verdict is what one look of the watchdog found.
type Verdict struct {
	Checked  time.Time `json:"checked"`
	Findings []Finding `json:"jobs"`
	Alerts   []string  `json:"alerts"`    // jobs whose alert stands
	New      []string  `json:"new"`       // raised by this look
	Recover  []string  `json:"recovered"` // well again since the last look
	Reruns   []Ended   `json:"reruns"`
}

// Remembered returns what the last look found, without looking again.
func (w *Watchdog) Remembered() (Memory, error) {
	m := Memory{}
	err := readJSON(w.Root, watchFile, &m)
	return m.sane(), err
}

// sane leaves out what no look has left: people may edit the file.
func (m Memory) sane() Memory {
	for job, watched := range m.Jobs {
		if path.Dir(watched.Reported) != reportsDir {
			watched.Reported = ""
		}
		if len(watched.Last3) == 0 {
			watched = Watched{}
		}
		m.Jobs[job] = watched
	}
	return m
}

// Look checks all jobs, writes down what it saw, reports an anomaly that was
// there twice in a row, and runs a job that is stale once by itself.
func (w *Watchdog) Look(ctx context.Context) (Verdict, error) {
	if err := lease.Inherit(w.Root, watchFile); err != nil {
		return Verdict{}, err //nolint:wrapcheck // says what it was doing
	}
	before, err := w.Remembered()
	if err != nil {
		return Verdict{}, err
	}
	t := w.Scheduler.Timetable
	histories, err := w.Scheduler.Runner.Book.Histories(t)
	if err != nil {
		return Verdict{}, err
	}
	findings, after := Watch(t, histories, before, w.Now())
	v := Verdict{Checked: after.Checked, Findings: findings, Alerts: []string{}, New: []string{}, Recover: []string{}, Reruns: []Ended{}}
	for i := range findings {
		if err := w.conclude(ctx, &findings[i], histories[findings[i].Job], &after); err != nil {
			return v, err
		}
		v.count(findings[i])
	}
	// Remembered before the reruns: they may take long, or be our end.
	if err := writeJSON(ctx, w.Root, watchFile, after); err != nil {
		return v, err
	}
	for _, f := range findings {
		if f.Rerun {
			v.Reruns = append(v.Reruns, w.Scheduler.RunNow(ctx, f.Job, "rerun by the watchdog")...)
		}
	}
	return v, nil
}

func (v *Verdict) count(f Finding) {
	if f.Alerted {
		v.Alerts = append(v.Alerts, f.Job)
	}
	if f.New {
		v.New = append(v.New, f.Job)
	}
	if f.Recovered {
		v.Recover = append(v.Recover, f.Job)
	}
}

// conclude writes the report of a new alert, and the end of one that has gone.
func (w *Watchdog) conclude(ctx context.Context, f *Finding, h History, after *Memory) error {
	switch {
	case f.New:
		f.Report = fmt.Sprintf("%s/%s-%s.md", reportsDir, f.At.In(w.zone()).Format("2006-01-02-1504"), f.Job)
		watched := after.Jobs[f.Job]
		watched.Reported = f.Report
		after.Jobs[f.Job] = watched
		return lease.Replace(ctx, w.Root, f.Report, []byte(w.report(*f, h)))
	case f.Recovered && f.Report != "":
		old, err := w.Root.ReadFile(f.Report)
		if err != nil {
			return nil //nolint:nilerr // a person has put the report away
		}
		return lease.Replace(ctx, w.Root, f.Report, append(old, fmt.Sprintf("\n%s %s\n", w.Words.Recovered, shown(f.At, w.zone()))...))
	}
	return nil
}

func (w *Watchdog) zone() *time.Location { return w.Scheduler.Timetable.Zone }

// report is a failure report as a person reads it.
func (w *Watchdog) report(f Finding, h History) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s: %s (%s)\n", w.Words.Title, f.Job, w.Words.say(string(f.State)))
	line("%s\n", w.Words.say(f.Detail))
	line("%s %s\n", w.Words.Since, shown(f.Last3[max(0, len(f.Last3)-alertAfter)].At, w.zone()))
	line("## %s\n", w.Words.Snapshots)
	for _, s := range f.Last3 {
		line("- %s: %s %s", shown(s.At, w.zone()), w.Words.say(string(s.State)), w.Words.say(s.Detail))
	}
	line("\n## %s\n", w.Words.Runs)
	for _, r := range h.Runs[max(0, len(h.Runs)-keptSnapshots):] {
		line("- %s: %s (%s) %s", shown(r.Started, w.zone()), w.Words.say(string(r.Outcome)), w.Words.say(r.Why), w.Words.say(r.Detail))
	}
	line("\n## %s\n", w.Words.WhatToDo)
	line("%s", strings.ReplaceAll(w.Words.Advice, "JOB", f.Job))
	return b.String()
}

// Reports is the folder of the failure reports, for messages.
func Reports() string { return path.Clean(reportsDir) }
