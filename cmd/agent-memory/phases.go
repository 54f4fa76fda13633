package main

import (
	"encoding/json"
	"fmt"

	"agentmemory/tools"

	"github.com/spf13/cobra"
)

// phaseCommand makes a subcommand of one phase of reflect, named as the job is.
func (a *app) phaseCommand(phase, short string, call caller) *cobra.Command {
	cmd := &cobra.Command{
		Use:   phase,
		Short: short + " (reflect --phase " + phase + ")",
		Args:  cobra.NoArgs,
	}
	flags := newToolFlags(cmd.Flags(), withoutPhase(tools.ReflectSpec().Input))
	cmd.Flags().Lookup("date").Hidden = phase != "wrapup"
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		given, err := flags.object()
		if err != nil {
			return err
		}
		given["phase"] = phase
		raw, err := json.Marshal(given)
		if err != nil {
			return fmt.Errorf("encoding the arguments: %w", err)
		}
		answer, err := call(cmd.Context(), "reflect", raw)
		if err != nil {
			return err
		}
		return a.answer("reflect", answer)
	}
	return cmd
}

func withoutPhase(schema tools.Schema) tools.Schema {
	var rest tools.Schema
	for _, arg := range schema {
		if arg.Name != "phase" {
			rest = append(rest, arg)
		}
	}
	return rest
}
