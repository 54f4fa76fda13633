// Command agent-memory is a long-term memory for agents that people can read:
// an MCP server, the same tools on the command line, and the jobs around them.
//
// This package alone reads flags, the environment and the wall clock; what it
// finds there it hands on to the packages that do the work.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args, streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, surroundings{
		Variables: os.Environ(),
		Now:       time.Now,
	})
	stop()
	os.Exit(code)
}
