package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"time"

	"agentmemory/internal/capture"

	"github.com/spf13/cobra"
)

// hookInput is what we read of what Claude Code and Codex tell a hook.
type hookInput struct {
	SessionID      string  `json:"session_id"`
	TranscriptPath *string `json:"transcript_path"`
	Event          string  `json:"hook_event_name"`
	Source         string  `json:"source"` // of a session's start: startup, resume, clear, compact, fork
	Prompt         string  `json:"prompt"`
}

// hookEvents are the events that are answered, by the name of the subcommand.
func hookEvents() map[string]string {
	return map[string]string{
		"session-start": "SessionStart",
		"user-prompt":   "UserPromptSubmit",
		"pre-compact":   "PreCompact",
		"stop":          "Stop",
		"session-end":   "SessionEnd",
	}
}

const (
	maxHookInput = 16 << 20
	// hookDeadline is when a hook gives up: no conversation waits for its memory.
	hookDeadline = 800 * time.Millisecond
	hookGrowth   = 800 // percent of the heap, which is about 2 MB, before it is collected
)

func (a *app) hookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hook EVENT",
		Short: "Answer a hook of Claude Code or Codex; `agent-memory install` sets them up",
		Long: `Hook reads the host's JSON from standard input and prints what the conversation should know, or nothing:

  session-start  the files of the profile's boot order, within hook.start_tokens
  user-prompt    the memories that bear on the message, within hook.prompt_tokens; mostly none
  pre-compact    nothing; the conversation so far is captured
  stop           nothing; the conversation so far is captured
  session-end    nothing; the conversation is captured, and RECENT.md renewed

It never fails: the exit status is 0 whatever happens, and problems go to standard error.`,
		Args:               cobra.ArbitraryArgs,
		ValidArgs:          []string{"session-start", "user-prompt", "pre-compact", "stop", "session-end"},
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			a.answerHook(cmd.Context(), strings.Join(args, " "))
			return nil
		},
	}
	cmd.AddCommand(a.hookCaptureCommand())
	return cmd
}

// answerHook never fails and never takes long, whatever the state of the store.
func (a *app) answerHook(ctx context.Context, name string) {
	event, known := hookEvents()[name]
	if !known {
		a.hookProblem(fmt.Errorf("no event is named %q", name))
		return
	}
	// A process of some 30 ms ends before its garbage matters.
	defer debug.SetGCPercent(debug.SetGCPercent(hookGrowth))
	ctx, cancel := context.WithTimeout(ctx, hookDeadline)
	defer cancel()
	answer := make(chan string, 1)
	go func() {
		text, err := a.guardedHook(ctx, event)
		if err != nil {
			a.hookProblem(err)
		}
		answer <- text
	}()
	select {
	case text := <-answer:
		a.printContext(event, text)
	case <-ctx.Done():
		a.hookProblem(fmt.Errorf("%s took longer than %s", event, hookDeadline))
	}
}

func (a *app) hookProblem(err error) {
	_, _ = fmt.Fprintf(a.Err, "agent-memory: hook: %s\n", publicError(err).Message)
}

func (a *app) guardedHook(ctx context.Context, event string) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("panicked: %v", p)
		}
	}()
	var in hookInput
	raw, err := io.ReadAll(io.LimitReader(a.In, maxHookInput))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return "", fmt.Errorf("standard input is not a hook's JSON: %w", err)
	}
	c, err := a.loadConfig()
	if err != nil {
		return "", err
	}
	if !isDir(c.Workspace) {
		return "", errors.New("there is no workspace yet; agent-memory init makes one")
	}
	switch event {
	case "SessionStart":
		return a.startContext(ctx, c, in)
	case "UserPromptSubmit":
		return a.promptContext(ctx, c, in)
	}
	return "", a.startCapture(c, event, in)
}

// printContext prints the answer in the shape that both hosts take; they refuse
// any other key, and nothing is the answer of an event without context.
func (a *app) printContext(event, text string) {
	if text == "" {
		return
	}
	e := json.NewEncoder(a.Out)
	e.SetEscapeHTML(false)
	err := e.Encode(map[string]any{"hookSpecificOutput": map[string]string{
		"hookEventName": event, "additionalContext": inContext(text),
	}})
	if err != nil {
		a.hookProblem(err)
	}
}

// inContext puts text between the marks by which capture knows our own words
// again. What is remembered cannot close them.
func inContext(text string) string {
	for _, mark := range []string{capture.ContextOpen, capture.ContextClose} {
		text = strings.ReplaceAll(text, mark, "‹"+strings.Trim(mark, "<>")+"›")
	}
	return capture.ContextOpen + "\n" + text + "\n" + capture.ContextClose
}
