package main

import (
	"context"
	"errors"

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
	cmd.Flags().BoolVar(&args.All, "all", false, "also what was forgotten, archived, superseded or quarantined, and (jsonl) earlier versions")
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
	export := e.exporter()
	export.Say = a.printer(a.Out).text
	write := export.Markdown
	if format == "jsonl" {
		write = export.Lines
	}
	result, err := write(ctx, args, a.Out)
	if err != nil {
		return err
	}
	a.tellExported(result)
	return nil
}

// tellExported goes to standard error: the export itself may go into a pipe.
func (a *app) tellExported(r tools.ExportResult) {
	p := a.printer(a.Err)
	if r.Memories == 1 {
		p.line("1 memory exported")
	} else {
		p.line("%d memories exported", r.Memories)
	}
	switch r.Versions {
	case 0:
	case 1:
		p.line("1 earlier version with them")
	default:
		p.line("%d earlier versions with them", r.Versions)
	}
	if r.Omitted > 0 {
		p.line("%d of the oldest versions left out: the line of one memory has no room for more", r.Omitted)
	}
}
