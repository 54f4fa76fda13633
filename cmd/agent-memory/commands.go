package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/tools"

	"github.com/spf13/cobra"
)

// commands lists the subcommands, each made in a file of its own.
func (a *app) commands() []*cobra.Command {
	list := []*cobra.Command{
		a.serveCommand(), a.initCommand(), a.demoCommand(), a.doctorCommand(), a.configCommand(),
		a.approveCommand(), a.importCommand(), a.exportCommand(), a.evalCommand(), a.versionCommand(),
		a.scheduleCommand(), a.watchdogCommand(), a.entityCommand(), a.forecastCommand(),
		a.hookCommand(), a.installCommand(),
		a.phaseCommand("surface", "Write RECENT.md", a.callTool),
		a.phaseCommand("wrapup", "Write the summary of a day", a.callTool),
		a.phaseCommand("compound", "Review and rewrite MEMORY.md", a.callTool),
		a.phaseCommand("extract", "Turn what notes say for good into facts of projects and areas, and rewrite their summaries", a.callTool),
		a.phaseCommand("gc", "Collect what has faded for long; only shows the plan unless --dry-run=false", a.callTool),
	}
	for _, spec := range toolSpecs() {
		list = append(list, a.toolCommand(spec, a.callTool))
	}
	return list
}

// commonTools is how many of toolSpecs every client gets.
const commonTools = 7

// toolSpecs lists every tool, those of the original agent-memory last.
func toolSpecs() []tools.Spec {
	return []tools.Spec{
		tools.RememberSpec(), tools.RecallSpec(), tools.RecallPathSpec(), tools.ReflectSpec(), tools.ForgetSpec(),
		tools.StatusSpec(), tools.SyncSpec(), tools.BootSpec(), tools.LinkSpec(), tools.SnapshotSpec(),
	}
}

// callTool opens the workspace, runs one tool and lets the files follow.
func (a *app) callTool(ctx context.Context, name string, args json.RawMessage) (_ any, err error) {
	open := a.openIndexed
	a.onlyAsks = asks(name)
	if name == "sync" {
		open = a.openEngine
	}
	e, err := open(ctx)
	switch {
	case name == "remember" && withoutDatabase(err):
		return a.journalOnly(ctx, err, args)
	case readable(name, err):
		e, err = a.openReadable(ctx, err)
	}
	if name == "sync" && withoutDatabase(err) {
		return a.captureOnly(ctx, err, args)
	}
	if name == "reflect" && withoutDatabase(err) {
		return a.surfaceOnly(ctx, err, args)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	result, err := e.call(a.withProgress(ctx), name, args)
	a.decideLanguage(e.config.Workspace)
	return result, err
}

// asks reports whether a tool has nothing to do where nothing is remembered.
func asks(name string) bool {
	for _, spec := range toolSpecs() {
		if spec.Name == name {
			return spec.Hints.ReadOnly || name == "forget"
		}
	}
	return false
}

func (e *engine) call(ctx context.Context, name string, args json.RawMessage) (any, error) {
	for _, tool := range e.tools(true) {
		if tool.Name == name {
			result, err := tool.Call(ctx, args)
			e.after(ctx, tool)
			return e.settled(result), err
		}
	}
	return nil, memory.Errorf(memory.Internal, "no tool %s is wired", name)
}

// settled adds to an answer what the tool could not know: which files could not
// be written afterwards, and that nothing can be.
func (e *engine) settled(result any) any {
	switch r := result.(type) {
	case tools.RememberResult:
		return r.WaitingFor(e.mirror.Waiting)
	case tools.RecallResult:
		if e.readOnly {
			r.Degraded = append(r.Degraded, "read_only")
		}
		return r
	}
	return result
}

// after finishes a command: reading never writes files, and the tools that work
// on the whole store also bring all files and its vectors up to date.
func (e *engine) after(ctx context.Context, tool tools.Tool) {
	switch {
	case tool.Hints.ReadOnly:
		e.noteAccesses(ctx)
	case tool.Name == "sync" || tool.Name == "reflect":
		e.finish(ctx)
	default:
		e.settle(ctx)
		e.embedBriefly(ctx)
	}
}

// embedTime bounds how long a command that wrote a little waits for a service
// to make vectors of it; whatever is left, a sync or a server makes.
const embedTime = 2 * time.Second

// embedBriefly makes the vectors of what a command wrote where a service makes
// them; the built-in embedder learns from the whole store, which is sync's.
func (e *engine) embedBriefly(ctx context.Context) {
	if e.vectors == nil || e.vectors.workers == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), embedTime)
	defer cancel()
	if err := e.vectors.update(ctx); err != nil {
		e.vectorFailure(err)
	}
}

// finish ends a command that worked on the whole store.
func (e *engine) finish(ctx context.Context) {
	if err := e.purger().retry(ctx); err != nil {
		e.log.Warn().Err(err).Msg("ending a purge")
	}
	e.settleAll(ctx)
	if e.vectors == nil {
		return
	}
	if err := e.vectors.update(ctx); err != nil {
		e.vectorFailure(err)
	}
}
