package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"agentmemory/internal/locale"
	"agentmemory/internal/memory"

	"github.com/spf13/cobra"
)

// streams are the three standard streams of the program.
type streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// app is one run of the program: what surrounds it and what was asked of it.
type app struct {
	streams
	env  surroundings
	args []string

	workspaceFlag string
	setFlags      []string
	json          bool
	onlyLooks     bool   // a damaged database is reported, not mended
	onlyAsks      bool   // a workspace that does not exist is not made
	language      string // of what is said to a person; "" until the settings are read
	undecided     bool   // nothing told the language
}

// run is the program without the process: it returns the exit status.
func run(ctx context.Context, args []string, io streams, env surroundings) int {
	clock, err := env.clock()
	a := &app{streams: io, env: env, args: args, json: wantsJSON(args)}
	if err != nil {
		return a.fail(err)
	}
	a.env.Now = clock
	root := a.rootCommand()
	root.SetArgs(args[1:])
	if err := root.ExecuteContext(ctx); err != nil {
		return a.fail(err)
	}
	return exitOK
}

// wantsJSON tells whether even a failure to read the flags is to be reported as JSON.
func wantsJSON(args []string) bool {
	for _, arg := range args {
		if arg == "--json" || arg == "--json=true" {
			return true
		}
	}
	return false
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "agent-memory",
		Short:         "Long-term memory for agents that people can read, edit and trust",
		Long:          rootHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flagError(cmd, err) })
	flags := root.PersistentFlags()
	flags.StringVar(&a.workspaceFlag, "workspace", "", "workspace `DIR` (default: see `agent-memory config`)")
	flags.StringArrayVar(&a.setFlags, "set", nil, "override a setting, `NAME=VALUE`; may be repeated")
	flags.BoolVar(&a.json, "json", a.json, "print JSON instead of text")
	root.AddCommand(a.commands()...)
	root.CompletionOptions.HiddenDefaultCmd = true
	a.helpInLanguage(root)
	return root
}

const rootHelp = `agent-memory gives agents a long-term memory which a person can read, edit and trust:
Markdown files are the truth, SQLite is an index of them, and an MCP server offers the tools.

Start with "agent-memory demo", then "agent-memory init" and "agent-memory serve".

Exit status: ` + exitHelp

func flagError(cmd *cobra.Command, err error) error {
	return memory.Errorf(memory.InvalidArgument, "%w", err).WithHint("%s --help lists the flags", cmd.CommandPath())
}

// fail reports err to the person or program that asked, and returns its exit status.
func (a *app) fail(err error) int {
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	shown := a.suggested(publicError(err))
	if a.json {
		_ = writeJSON(a.Out, map[string]any{"error": shown})
	} else {
		a.printError(shown, err)
	}
	return exitCode(err)
}

// publicError returns the failure as callers see it.
func publicError(err error) *memory.Error {
	var e *memory.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &memory.Error{Code: memory.Unavailable, Message: "interrupted"}
	case errors.Is(err, context.DeadlineExceeded):
		return &memory.Error{Code: memory.DeadlineExceeded, Message: "took too long"}
	case strings.HasPrefix(err.Error(), "unknown command") && strings.HasSuffix(firstLine(err.Error()), `for "agent-memory"`):
		return &memory.Error{Code: memory.InvalidArgument, Message: firstLine(err.Error()), Hint: listsCommands}
	case isUsage(err):
		return &memory.Error{Code: memory.InvalidArgument, Message: firstLine(err.Error()), Hint: "add --help to see what the command takes"}
	}
	return &memory.Error{Code: memory.Internal, Message: err.Error()}
}

// isUsage recognises the errors that cobra makes of positional arguments; it
// gives them no type.
func isUsage(err error) bool {
	text := err.Error()
	return strings.Contains(text, " arg(s), ") || strings.HasPrefix(text, "unknown command") || strings.HasPrefix(text, "invalid argument") || strings.HasPrefix(text, "required flag")
}

func (a *app) printError(e *memory.Error, cause error) {
	p := a.printer(a.Err)
	p.line("agent-memory: %s", p.sentence(e.Message))
	if e.Err != nil && !strings.Contains(e.Message, memory.Spoken(e.Err)) {
		p.line("  cause: %s", memory.Spoken(e.Err))
	}
	if e.Hint != "" {
		p.line("  hint: %s", p.hint(e.Hint))
	}
	var outer *memory.Error
	if errors.As(cause, &outer) && !errors.Is(outer, cause) && !strings.Contains(cause.Error(), e.Message) {
		p.line("  while: %s", memory.Spoken(cause))
	}
}

// hint is what to do; that of a setting or an argument is what it means.
func (p *printer) hint(english string) string {
	name, meaning, found := strings.Cut(english, ": ")
	if !found || p.language != locale.Chinese {
		return p.sentence(english)
	}
	if said := p.text(meaning); said != meaning {
		return p.say("%s: %s", name, said)
	}
	if said, known := helpTexts()[meaning]; known {
		return p.say("%s: %s", name, said)
	}
	return p.sentence(english)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// writeJSON prints v indented, with characters of every language as they are.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("printing JSON: %w", err)
	}
	return nil
}
