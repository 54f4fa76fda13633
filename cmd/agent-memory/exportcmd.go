package main

import (
	"context"
	"errors"
	"fmt"

	"agentmemory/internal/memory"
	"agentmemory/tools"

	"github.com/spf13/cobra"
)

func (a *app) exportCommand() *cobra.Command {
	var args tools.ExportArgs
	var format string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write every memory to standard output, as Markdown or JSON lines",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runExport(cmd.Context(), format, args)
		},
	}
	cmd.Flags().StringVar(&format, "format", "markdown", "`FORMAT` markdown or jsonl (one memory a line)")
	cmd.Flags().BoolVar(&args.All, "all", false, "also what was forgotten, archived, superseded or quarantined")
	cmd.Flags().BoolVar(&args.Passages, "passages", false, "also the prose of people's files")
	return cmd
}

func (a *app) runExport(ctx context.Context, format string, args tools.ExportArgs) (err error) {
	if a.json {
		format = "jsonl"
	}
	if format != "markdown" && format != "jsonl" {
		return memory.Errorf(memory.InvalidArgument, "format cannot be %q", format).WithHint("one of markdown, jsonl")
	}
	a.onlyAsks = true
	e, err := a.openIndexed(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	var n int
	if format == "jsonl" {
		n, err = e.exporter().Lines(ctx, args, a.Out)
	} else {
		n, err = e.exporter().Markdown(ctx, args, a.Out)
	}
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(a.Err, "%d memories exported\n", n)
	return nil
}
