// Command year lives a year with a workspace, on a clock of its own: about
// twenty entries a day in two languages, recalls, and all jobs of a profile,
// through the real store, files and use cases. It prints what became of the
// entries and draws the curves.
//
//	go run ./bench/year                         # the default profile
//	go run ./bench/year -profile all -svg docs/year.svg
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"time"

	"agentmemory/lifecycle"
)

func main() {
	var w wanted
	flag.StringVar(&w.profile, "profile", lifecycle.DefaultProfile, "profile to live with, or all")
	flag.IntVar(&w.days, "days", 365, "days to live")
	flag.Uint64Var(&w.seed, "seed", 7, "seed of what happens")
	flag.StringVar(&w.svg, "svg", "", "`FILE` to draw the curves of the first profile into")
	flag.StringVar(&w.keep, "keep", "", "`DIR` to leave the workspaces in; without it they are made in memory where the system has a folder there")
	cpu := flag.String("cpu", "", "`FILE` to write a profile of the processor time into")
	flag.Parse()
	if err := profiled(*cpu, func() error { return w.run(context.Background()) }); err != nil {
		fmt.Fprintln(os.Stderr, "year:", err)
		os.Exit(1)
	}
}

// profiled runs do and notes where its processor time went, if a file is given for that.
func profiled(file string, do func() error) error {
	if file == "" {
		return do()
	}
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("making the profile: %w", err)
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return fmt.Errorf("starting the profile: %w", err)
	}
	defer pprof.StopCPUProfile()
	return do()
}

// wanted is what the flags ask for.
type wanted struct {
	profile   string
	days      int
	seed      uint64
	svg, keep string
}

func (w wanted) run(ctx context.Context) error {
	names := []string{w.profile}
	if w.profile == "all" {
		names = lifecycle.ProfileNames()
	}
	for i, name := range names {
		begun := time.Now()
		life, err := livedIn(ctx, name, w.days, w.seed, w.keep)
		if err != nil {
			return fmt.Errorf("profile %s: %w", name, err)
		}
		fmt.Printf("%s, %d days, %.1f s\n%s\n", name, w.days, time.Since(begun).Seconds(), indented(life.report()))
		if i == 0 && w.svg != "" {
			if err := os.WriteFile(w.svg, life.plot(), 0o644); err != nil {
				return fmt.Errorf("writing the curves: %w", err)
			}
		}
	}
	return nil
}

func indented(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ") + "\n"
}

// livedIn lives a number of days in a new workspace, below keep if that is given.
func livedIn(ctx context.Context, profile string, days int, seed uint64, keep string) (*life, error) {
	if keep != "" {
		dir := filepath.Join(keep, profile)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("making a folder: %w", err)
		}
		return live(ctx, dir, profile, days, seed)
	}
	dir, err := os.MkdirTemp(fastest(), "agent-memory-year-")
	if err != nil {
		return nil, fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	return live(ctx, dir, profile, days, seed)
}

// fastest is a folder in memory where the system has one, so that the bench
// waits for no disk; "" is the usual place of temporary files.
func fastest() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}
