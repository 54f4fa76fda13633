package main

import (
	"context"
	"encoding/json"
	"errors"

	"agentmemory/internal/memory"
	"agentmemory/tools"

	"github.com/spf13/cobra"
)

func (a *app) approveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "approve [ID…]",
		Short: "Vouch for quarantined or untrusted memories; without ids, list what waits",
		RunE: func(cmd *cobra.Command, ids []string) error {
			return a.runApprove(cmd.Context(), tools.ApproveArgs{IDs: ids})
		},
	}
}

func (a *app) runApprove(ctx context.Context, args tools.ApproveArgs) (err error) {
	e, err := a.openEngine(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	result, err := e.approve().Run(ctx, args)
	if err != nil {
		return err
	}
	e.settle(ctx)
	if a.json {
		return writeJSON(a.Out, result)
	}
	p := a.printer(a.Out)
	for _, r := range result.Results {
		p.line("%s %s  %s", p.text(r.Action), r.ID, r.Path)
	}
	if len(args.IDs) == 0 && len(result.Waiting) == 0 {
		p.line("Nothing waits for approval.")
	}
	raw, err := json.Marshal(result.Waiting)
	if err != nil {
		return err
	}
	if err := show(raw, p.memories); err != nil {
		return err
	}
	if len(result.Waiting) > 0 {
		p.line("to vouch for one: agent-memory approve ID")
	}
	return nil
}

func (e *engine) approve() *tools.Approve {
	return &tools.Approve{
		Store: e.store, Mirror: e.mirror, Home: e.freshHome, Suspicious: e.redactor.Suspicious, Profile: e.profile, Now: e.now,
		Namespace: e.ns(),
	}
}

// freshHome is where a memory belongs whatever file it is in now.
func (e *engine) freshHome(m memory.Memory) string {
	m.Home = memory.Place{}
	return e.home(m)
}
