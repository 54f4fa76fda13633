package main

import (
	"context"
	"fmt"
	"strings"

	"agentmemory/internal/mirror"
	"agentmemory/tools"
)

// checkFunc is a part of the program that can tell how it is.
type checkFunc func(ctx context.Context) (map[string]any, []string, error)

// Health implements tools.Check.
func (f checkFunc) Health(ctx context.Context) (map[string]any, []string, error) { return f(ctx) }

// checks are the parts that status and doctor ask.
func (e *engine) checks() map[string]tools.Check {
	checks := map[string]tools.Check{
		"files":    checkFunc(e.filesHealth),
		"database": checkFunc(e.databaseHealth),
		"jobs":     checkFunc(e.jobsHealth),
	}
	if e.vectors != nil {
		checks["vectors"] = e.vectors
	}
	if e.transcripts != nil {
		checks["capture"] = e.transcripts
	}
	if e.model != nil {
		checks["llm"] = e.model
	}
	return checks
}

func (e *engine) filesHealth(ctx context.Context) (map[string]any, []string, error) {
	facts := map[string]any{"workspace": e.config.Workspace}
	var warnings []string
	if lacking := e.mirror.Degraded(); len(lacking) > 0 {
		warnings = append(warnings, "this file system lacks "+strings.Join(lacking, ", "))
	}
	for _, why := range e.noExtra {
		warnings = append(warnings, extraMissing+why)
	}
	obstacles, err := e.mirror.Obstacles(ctx)
	if err != nil {
		return facts, warnings, fmt.Errorf("looking for what is in the way of files: %w", err)
	}
	for _, o := range obstacles {
		warnings = append(warnings, obstacleText(o))
	}
	broken, err := e.mirror.BrokenFacts(ctx)
	if err != nil {
		return facts, warnings, fmt.Errorf("looking for facts that cannot be read: %w", err)
	}
	for _, b := range broken {
		warnings = append(warnings, b+": the file is left as it is until its JSON is mended")
	}
	return facts, warnings, nil
}

// obstacleText says which file is left alone, and what waits for it.
func obstacleText(o mirror.Obstacle) string {
	text := o.File + " is neither read nor written: " + o.Why
	if o.Changes > 0 {
		text += fmt.Sprintf("; %d changes wait for it", o.Changes)
	}
	return text
}

func (e *engine) databaseHealth(context.Context) (map[string]any, []string, error) {
	facts := map[string]any{"path": e.store.Path()}
	if e.readOnly {
		return facts, []string{"it is opened for reading only: nothing can be remembered until " + e.store.Path() + " and its folder can be written"}, nil
	}
	return facts, e.damageWarnings(), nil
}
