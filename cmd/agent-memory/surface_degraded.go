package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// journalDays are the days whose journals stand in for a database that cannot
// be read (seed 001 §4.3.3).
const journalDays = 3

// surfaceOnly renews RECENT.md of the agent that asks from the journals when the
// database does not open. The other phases need it.
func (a *app) surfaceOnly(ctx context.Context, reason error, args json.RawMessage) (_ any, err error) {
	var given tools.ReflectArgs
	if json.Unmarshal(args, &given) != nil || given.Phase != "surface" || given.DryRun != nil && *given.DryRun {
		return nil, reason
	}
	e, err := a.journalEngine(reason)
	if err != nil {
		return nil, errors.Join(reason, err)
	}
	defer func() { err = errors.Join(err, e.close()) }()
	reflect := e.byAgent(func(e *engine) []tools.Tool {
		return []tools.Tool{tools.Bind(tools.ReflectSpec(), e.recentOnly(reason))}
	})
	return reflect[0].Call(ctx, args)
}

// recentOnly is the phase surface from the journals alone.
func (e *engine) recentOnly(reason error) func(context.Context, tools.ReflectArgs) (tools.ReflectResult, error) {
	return func(ctx context.Context, given tools.ReflectArgs) (tools.ReflectResult, error) {
		shown, written, err := e.mirror.Of(e.ns()).WriteRecentDirect(ctx, journalDays, func(memories []memory.Memory) memory.Projection {
			return lifecycle.Surface(memories, e.now(), e.profile, nil)
		})
		if err != nil {
			return tools.ReflectResult{}, fmt.Errorf("writing RECENT.md from the journals: %w", err)
		}
		lines := 0
		for _, s := range shown.Sections {
			lines += len(s.Entries)
		}
		return tools.ReflectResult{
			Phase: given.Phase, Plan: []tools.PlanStep{}, Surface: &tools.ProjectedReport{File: "RECENT.md", Lines: lines, Written: written},
			Notes: []string{fmt.Sprintf("from the journals of the last %d days, without the database: %s", journalDays, shortReason(reason))},
		}, nil
	}
}
