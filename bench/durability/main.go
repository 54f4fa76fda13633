// Command durability shows, on the real binary, that what was acknowledged is
// kept: kill -9 at every kind of system call of the write path and of
// recovery, several processes on one store, input closed in mid-flight, and a
// store rebuilt from its files. It prints one line for each check and ends
// with a non-zero status when one failed.
//
//	go run ./bench/durability          # the long form
//	go run ./bench/durability -short   # what CI runs
//
// The sweep needs Linux and strace; without them it fails rather than skips.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"agentmemory/bench/subject"
)

func main() {
	short := flag.Bool("short", false, "fewer kill points")
	only := flag.String("only", "", "run one check: kill, processes, eof, rebuild")
	kind := flag.String("kind", "", "sweep one kind of system call")
	keep := flag.Bool("keep", false, "keep the folder of the last failure")
	flag.Parse()
	if err := run(context.Background(), rig{short: *short, kind: *kind, keep: *keep}, *only); err != nil {
		fmt.Fprintln(os.Stderr, "durability:", err)
		os.Exit(1)
	}
}

type rig struct {
	*subject.Subject

	short, keep bool
	kind        string // the only kind to sweep; "" for all
	passed      int
	failed      int
}

func run(ctx context.Context, r rig, only string) error {
	dir, err := os.MkdirTemp("", "agent-memory-durability-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if r.Subject, err = subject.Build(ctx, dir, "agent-memory"); err != nil {
		return err
	}
	checks := []struct {
		name string
		run  func(context.Context) error
	}{
		{"eof", r.endOfInput}, {"processes", r.processes}, {"rebuild", r.rebuild}, {"kill", r.killSweep},
	}
	for _, c := range checks {
		if only != "" && only != c.name {
			continue
		}
		if err := c.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	fmt.Printf("%d passed, %d failed\n", r.passed, r.failed)
	if r.failed > 0 {
		return fmt.Errorf("%d checks failed", r.failed)
	}
	return nil
}

// verdict counts one check and prints it.
func (r *rig) verdict(err error, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	if err != nil {
		r.failed++
		fmt.Printf("FAIL %s: %v\n", what, err)
		return
	}
	r.passed++
	fmt.Printf("ok   %s\n", what)
}
