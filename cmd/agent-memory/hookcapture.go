package main

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/tools"

	"github.com/spf13/cobra"
)

// startCapture lets another process capture the conversation: the host waits
// for its hook, and a long transcript takes longer than a hook may.
func (a *app) startCapture(c *config, event string, in hookInput) error {
	if in.TranscriptPath == nil || *in.TranscriptPath == "" || len(c.list(setCaptureSources)) == 0 {
		return nil
	}
	if a.env.Start == nil {
		return memory.Errorf(memory.Internal, "no process can be started here")
	}
	args := []string{"--workspace", c.Workspace, "hook", "capture", "--transcript", *in.TranscriptPath}
	if event != "Stop" { // after every answer the rest would be too much
		args = append(args, "--follow")
	}
	if err := a.env.Start(args); err != nil {
		return fmt.Errorf("starting the capture: %w", err)
	}
	return nil
}

func (a *app) hookCaptureCommand() *cobra.Command {
	var transcript string
	var follow bool
	cmd := &cobra.Command{
		Use: "capture", Short: "Capture one conversation", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withEngine(cmd.Context(), func(e *engine) error { return e.captureOne(cmd.Context(), transcript, follow) })
		},
	}
	cmd.Flags().StringVar(&transcript, "transcript", "", "`PATH` of the conversation")
	cmd.Flags().BoolVar(&follow, "follow", false, "run what follows a sync, too")
	return cmd
}

// capturePatience is how long a capture waits for another one.
const capturePatience = time.Minute

// captureOne captures one conversation, as a hook named it.
func (e *engine) captureOne(ctx context.Context, transcript string, follow bool) error {
	if _, err := e.captureAsJob(ctx, "hook", capturePatience, tools.SyncArgs{Transcript: transcript}); err != nil {
		return err
	}
	if follow {
		if err := e.followCapture(ctx); err != nil {
			return err
		}
	}
	e.settle(ctx)
	return nil
}
