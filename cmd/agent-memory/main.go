// Command agent-memory is a long-term memory for agents that people can read:
// an MCP server, the same tools on the command line, and the jobs around them.
//
// This package alone reads flags, the environment and the wall clock; what it
// finds there it hands on to the packages that do the work.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, surroundings{
		Variables: os.Environ(),
		Now:       time.Now,
		Start:     startAgain,
	})
	stop()
	os.Exit(code)
}

// startAgain starts this program apart from its caller, which may end at once.
func startAgain(args []string) error {
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	cmd := exec.CommandContext(context.Background(), path, args...)
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", path, err)
	}
	if err := cmd.Process.Release(); err != nil {
		return fmt.Errorf("letting go of %s: %w", path, err)
	}
	return nil
}
