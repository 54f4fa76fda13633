package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"agentmemory/bench/stdio"
)

// compare asks this program and another build of it the same questions in turn,
// on the same store, and tells how many answers differ and what each costs. Load
// from other work then falls on both alike.
func compare(ctx context.Context, o options, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program: %w", err)
	}
	names := [2]string{"this", "other"}
	var servers [2]*stdio.Server
	for i, program := range []string{self, o.against} {
		if servers[i], err = stdio.Start(ctx, []string{
			program, "-serve", "-size", strconv.Itoa(o.size), "-dimension", strconv.Itoa(o.dimension), "-dir", o.dir,
		}, os.Environ()); err != nil {
			return fmt.Errorf("starting %s: %w", program, err)
		}
		defer servers[i].Kill() //nolint:errcheck // an error path only: Stop has ended it before
		m := meter{ctx: ctx, server: servers[i], options: o}
		if err := m.warm(time.Now(), &Report{}); err != nil {
			return fmt.Errorf("warming %s up: %w", program, err)
		}
	}
	before := [2]time.Duration{processor(servers[0].PID()), processor(servers[1].PID())}
	different := 0
	for n := range o.calls {
		var answers [2]json.RawMessage
		for _, i := range [2]int{n % 2, 1 - n%2} {
			if err := servers[i].Call(ctx, "recall", map[string]any{"query": question(1_000+n, o.size)}, &answers[i]); err != nil {
				return fmt.Errorf("asking %s: %w", names[i], err)
			}
		}
		if !bytes.Equal(answers[0], answers[1]) {
			different++
		}
	}
	for i, s := range servers {
		fmt.Fprintf(out, "%s: %.2f ms of CPU a recall, %.1f MB\n", names[i],
			milliseconds(processor(s.PID())-before[i])/float64(o.calls), float64(status(s.PID(), "VmRSS:"))/1024)
		if err := s.Stop(time.Minute); err != nil {
			return fmt.Errorf("stopping %s: %w", names[i], err)
		}
	}
	fmt.Fprintf(out, "%d of %d answers differ\n", different, o.calls)
	return nil
}
