package main

import (
	"context"

	"github.com/spf13/cobra"

	"agentmemory/internal/memory"
)

// level says how much a finding matters.
type level string

const (
	levelOK      level = "ok"
	levelNote    level = "note"    // worth knowing, nothing to do
	levelProblem level = "problem" // needs attention; decides the exit status
)

// finding is one thing that doctor looked at.
type finding struct {
	Area    string `json:"area"`
	Level   level  `json:"level"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

type doctorReport struct {
	Version  versionReport `json:"version"`
	Problems int           `json:"problems"`
	Findings []finding     `json:"findings"`
}

func (r *doctorReport) add(area string, l level, hint, format string, args ...any) {
	r.Findings = append(r.Findings, finding{Area: area, Level: l, Message: memory.Sentencef(format, args...), Hint: hint})
	if l == levelProblem {
		r.Problems++
	}
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check workspace, database, embedder, locks, file modes and clients; repairs nothing",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report := a.examine(cmd.Context())
			if err := a.printDoctor(report); err != nil {
				return err
			}
			if report.Problems > 0 {
				return exitStatus(exitProblems)
			}
			return nil
		},
	}
}

// examine runs every check that can run; one that fails is a finding itself.
func (a *app) examine(ctx context.Context) *doctorReport {
	r := &doctorReport{Version: currentVersion(), Findings: []finding{}}
	r.add("program", levelOK, "", "agent-memory %s, %s, %s", r.Version.Version, r.Version.Go, r.Version.Platform)
	c, err := a.loadConfig()
	if err != nil {
		e := publicError(err)
		r.add("settings", levelProblem, e.Hint, "%s", e.Message)
		return r
	}
	r.add("settings", levelOK, "", "profile %s, time zone %s, language %s", c.text(setProfile), c.zone(), c.text(setLanguage))
	for _, w := range c.Warnings {
		r.add("settings", levelNote, "", "%s", w)
	}
	if !a.examineWorkspace(c, r) {
		return r
	}
	stored := a.examineDatabaseFile(c, r)
	a.examineModes(c, r)
	a.examineRecords(c, r)
	if stored {
		a.examineStore(ctx, c, r)
	}
	a.examineLocks(c, r)
	a.examineClients(c, r)
	return r
}

func (a *app) printDoctor(r *doctorReport) error {
	if a.json {
		return writeJSON(a.Out, r)
	}
	p := a.printer(a.Out)
	marks := map[level]string{levelOK: "ok   ", levelNote: "note ", levelProblem: "BAD  "}
	for _, f := range r.Findings {
		p.line("%s%-10s %s", p.text(marks[f.Level]), f.Area, p.sentence(clean(f.Message)))
		if f.Hint != "" {
			p.line("                → %s", p.sentence(clean(f.Hint)))
		}
	}
	p.line("")
	if r.Problems == 0 {
		p.line("Everything that was looked at is well.")
		return nil
	}
	p.line("Problems: %d", r.Problems)
	return nil
}
