package main

import (
	"context"
	"strings"

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
	}
	if e.vectors != nil {
		checks["vectors"] = e.vectors
	}
	return checks
}

func (e *engine) filesHealth(context.Context) (map[string]any, []string, error) {
	facts := map[string]any{"workspace": e.config.Workspace}
	lacking := e.mirror.Degraded()
	if len(lacking) > 0 {
		return facts, []string{"this file system lacks " + strings.Join(lacking, ", ")}, nil
	}
	return facts, nil, nil
}

func (e *engine) databaseHealth(context.Context) (map[string]any, []string, error) {
	return map[string]any{"path": e.store.Path()}, nil, nil
}
