package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/internal/locale"
	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// callPatience is how long a call waits for a job that runs elsewhere; the
// schedule does not wait, it comes again.
const callPatience = 10 * time.Second

// timetable is the schedule of the profile and of the workspace's settings.
func (e *engine) timetable() (jobs.Timetable, error) { return e.config.timetable(e.profile.Jobs) }

func (e *engine) book() *jobs.Book {
	return &jobs.Book{Root: e.root, Locks: &jobs.Locks{Root: e.root, Now: e.now, Alone: e.alone}, Now: e.now}
}

// scheduler runs the jobs of this workspace.
func (e *engine) scheduler() (*jobs.Scheduler, error) {
	t, err := e.timetable()
	if err != nil {
		return nil, err
	}
	s := &jobs.Scheduler{
		Timetable: t, Runner: &jobs.Runner{Book: e.book(), Now: e.now}, Now: e.now,
		Log: func(what string, err error) { e.log.Warn().Err(err).Msg(what) },
	}
	s.Work = func(ctx context.Context, job jobs.Job) (string, error) {
		if job.Name == jobs.WatchdogJob {
			return e.watch(ctx, s)
		}
		return e.doJob(ctx, job)
	}
	return s, nil
}

// schedule runs what is due until ctx ends.
func (e *engine) schedule(ctx context.Context) error {
	s, err := e.scheduler()
	if err != nil {
		return err
	}
	s.Loop(ctx)
	return nil
}

// doJob does the work of a job through the tool that does it for everybody.
func (e *engine) doJob(ctx context.Context, job jobs.Job) (string, error) {
	name, args := "sync", map[string]any{"what": "all"}
	if job.Name != "sync" {
		name, args = "reflect", map[string]any{"phase": phaseOf(job.Name)}
		if job.DryRun {
			args["dry_run"] = true
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		return "", fmt.Errorf("encoding the arguments: %w", err)
	}
	for _, tool := range e.common() {
		if tool.Name != name {
			continue
		}
		result, err := e.beside(ctx, job.Name, func() (any, error) { return e.audit.watch(tool, e.now).Call(ctx, raw) })
		if err == nil && name == "reflect" {
			err = e.reflectOthers(ctx, job)
		}
		if err != nil {
			return "", err
		}
		e.Notify()
		return told(result), nil
	}
	return "", memory.Errorf(memory.Internal, "no tool %s is wired", name)
}

// reflectOthers does the same for the memory and the tree of each private agent.
func (e *engine) reflectOthers(ctx context.Context, job jobs.Job) error {
	args := tools.ReflectArgs{Phase: phaseOf(job.Name)}
	if job.DryRun {
		args.DryRun = &job.DryRun
	}
	for _, n := range e.config.namespaces() {
		if _, err := e.in(n).reflect().Run(ctx, args); err != nil {
			return fmt.Errorf("for the memory of agent %s: %w", n, err)
		}
	}
	return nil
}

// phaseOf is the phase of reflect that a job is.
func phaseOf(job string) string {
	if job == "reflect" {
		return "all"
	}
	return job
}

// beside does the work of a job; while it is compound's, no process makes
// vectors, so that the two do not compete for the disk.
func (e *engine) beside(ctx context.Context, job string, work func() (any, error)) (any, error) {
	if job != "compound" || e.vectors == nil {
		return work()
	}
	defer e.pauser().hold(ctx)()
	return work()
}

// exclusive runs the calls that are jobs as jobs: under their locks, noted in
// their history. What only looks needs neither.
func (e *engine) exclusive(tool tools.Tool) tools.Tool {
	if tool.Name != "reflect" && tool.Name != "sync" {
		return tool
	}
	call := tool.Call
	tool.Call = func(ctx context.Context, args json.RawMessage) (any, error) {
		name := jobOf(tool, args)
		if name == "" {
			return call(ctx, args)
		}
		return e.asJob(ctx, name, func(ctx context.Context) (any, error) { return call(ctx, args) })
	}
	return tool
}

// jobOf names the job that a call is, "" if it is none.
func jobOf(tool tools.Tool, raw json.RawMessage) string {
	var args struct {
		Phase  string `json:"phase"`
		DryRun *bool  `json:"dry_run"`
		What   string `json:"what"`
	}
	if tool.Input.Decode(raw, &args) != nil || args.DryRun != nil && *args.DryRun {
		return "" // the tool itself says what is wrong
	}
	switch {
	case tool.Name == "sync" && args.What == "files":
		return ""
	case tool.Name == "sync":
		return "sync"
	case slices.Contains(jobs.Names(), args.Phase):
		return args.Phase
	}
	return "reflect"
}

func (e *engine) asJob(ctx context.Context, name string, call func(context.Context) (any, error)) (any, error) {
	t, err := e.timetable()
	if err != nil {
		return nil, err
	}
	job, _ := t.Job(name)
	job.Timeout = 0 // whoever called decides how long to wait
	runner := &jobs.Runner{Book: e.book(), Now: e.now, Patience: callPatience}
	answer := make(chan any, 1)
	_, err = runner.Run(ctx, jobs.Order{Job: job, Why: jobs.Called}, func(ctx context.Context, _ jobs.Job) (string, error) {
		result, err := e.beside(ctx, name, func() (any, error) { return call(ctx) })
		answer <- result
		return told(result), err
	})
	if err != nil {
		return nil, err
	}
	return <-answer, nil
}

// watch is the work of the watchdog.
func (e *engine) watch(ctx context.Context, s *jobs.Scheduler) (string, error) {
	v, err := e.watchdog(s).Look(ctx)
	if err != nil {
		return "", err
	}
	for _, f := range v.Findings {
		if f.New {
			e.log.Error().Str("job", f.Job).Str("state", string(f.State)).Str("report", f.Report).Msg(f.Detail)
		}
	}
	return fmt.Sprintf("%d jobs looked at, %d alerts stand", len(v.Findings), len(v.Alerts)), nil
}

func (e *engine) watchdog(s *jobs.Scheduler) *jobs.Watchdog {
	return &jobs.Watchdog{Scheduler: s, Root: e.root, Now: e.now, Words: reportWords(e.config.text(setLanguage))}
}

// reportWords are the headings of a failure report.
func reportWords(language string) jobs.Words {
	if language == "zh" {
		return jobs.Words{
			Title: "任务异常", Since: "连续异常，自", Snapshots: "最近三次检查", Runs: "最近的运行", WhatToDo: "怎么办",
			Advice:    "先看上面的原因；`agent-memory schedule run JOB` 立即重跑，`agent-memory schedule list` 查看全部任务。若是有意停用，`agent-memory schedule enable JOB` 可恢复。",
			Recovered: "已恢复正常：",
			Say:       func(english string) string { return (&printer{language: locale.Chinese}).said(english) },
		}
	}
	return jobs.Words{
		Title: "A job needs attention", Since: "Looked wrong in a row since", Snapshots: "The last three looks", Runs: "The last runs", WhatToDo: "What to do",
		Advice:    "See the reason above. `agent-memory schedule run JOB` runs it now, `agent-memory schedule list` shows all jobs; one that was switched off comes back with `agent-memory schedule enable JOB`.",
		Recovered: "Well again since",
	}
}

// jobsHealth tells status of the last runs and of the watchdog. It only reads.
func (e *engine) jobsHealth(context.Context) (map[string]any, []string, error) {
	s, err := e.scheduler()
	if err != nil {
		return nil, nil, err
	}
	facts := map[string]any{}
	for _, job := range s.Timetable.Jobs {
		h, err := s.Runner.Book.Read(job.Name)
		if err != nil {
			return facts, nil, err
		}
		facts[job.Name] = e.lastRun(h)
	}
	remembered, err := e.watchdog(s).Remembered()
	if err != nil {
		return facts, nil, err
	}
	var warnings []string
	for _, job := range s.Timetable.Jobs {
		if w := remembered.Jobs[job.Name]; !w.Alerted.IsZero() {
			last := w.Last3[len(w.Last3)-1]
			warnings = append(warnings, fmt.Sprintf("%s is %s: %s (%s)", job.Name, last.State, last.Detail, w.Reported))
		}
	}
	return facts, warnings, nil
}

// lastRun is the newest run of a job in one line.
func (e *engine) lastRun(h jobs.History) string {
	at := func(t time.Time) string { return t.In(e.config.zone()).Format("2006-01-02 15:04") }
	text := "never run"
	if last := h.Last(); last != nil {
		text = fmt.Sprintf("%s %s (%s)", last.Outcome, at(last.Started), last.Why)
		if last.Detail != "" {
			text += ": " + last.Detail
		}
	}
	if h.Running != nil {
		text = "running since " + at(h.Running.Started) + "; before: " + text
	}
	if h.Disabled {
		text = "switched off; " + text
	}
	return text
}
