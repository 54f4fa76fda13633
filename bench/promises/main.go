//go:build linux

// Command promises shows, on the real binary, what docs/promises.md says. After
// each rig it runs the same rig on a mutant, a build with one deliberate
// fault, and fails if the fault goes unnoticed. It prints one line for each check and
// ends with a non-zero status when one failed.
//
//	go run ./bench/promises          # the long form, at most 15 minutes
//	go run ./bench/promises -short   # what CI runs
//	go run ./bench/promises -only processes
//
// It needs Linux; what needs root, loop devices or strace is skipped without
// them, with the reason.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"agentmemory/bench/subject"
)

func main() {
	short := flag.Bool("short", false, "fewer rounds")
	only := flag.String("only", "", "run one rig")
	bare := flag.Bool("no-mutants", false, "leave the mutants out")
	keep := flag.Bool("keep", false, "keep the folder of the trials")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "what chance begins with") //nolint:gosec // any bits will do
	flag.Parse()
	t := trials{short: *short, only: *only, bare: *bare, keep: *keep, seed: *seed}
	if err := t.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "promises:", err)
		os.Exit(1)
	}
}

// rig tries one promise on one build of the program.
type rig struct {
	name    string
	promise int
	// try returns what was done. The error is a *brokenError if the promise does not
	// hold, a skippedError if it cannot be tried here, and any other if the rig itself failed.
	try    func(context.Context, *trial) (string, error)
	mutant string // build tag of a fault that try has to notice
	tries  int    // how often the mutant is tried: chance decides whether its fault shows
	slow   bool   // the short form leaves the mutant out
}

func rigs() []rig {
	return append([]rig{
		{"power", 1, powerCut, "mutant_normal_sync", 2, false},
		{"power-alone", 1, powerCutAlone, "mutant_no_file_sync,mutant_no_folder_sync", 2, true},
		{"folders", 1, foldersSynced, "mutant_no_folder_sync", 1, false},
		{"kills", 2, killedJobs, "mutant_wrong_order", 2, true},
		{"undone", 2, undoneAfterKills, "", 0, false},
		{"processes", 3, linearizable, "mutant_stale_cache", 3, false},
		{"editor", 4, savedByPeople, "mutant_check_then_write", 4, true},
		{"host", 4, staleHost, "mutant_newest_base", 2, true},
		{"flips", 7, flippedBits, "mutant_no_checksum", 2, false},
		{"faults", 8, failingCalls, "mutant_false_commit", 3, false},
		{"full-disk", 8, fullDisk, "mutant_false_commit", 3, true},
		{"full-file-system", 8, fullFileSystem, "mutant_false_commit", 3, true},
		{"frozen", 17, frozenOwner, "mutant_endless_wait", 4, true},
		{"overtaken", 17, overtakenJobs, "mutant_unfenced", 2, true},
		{"upgrades", 18, upgraded, "mutant_half_migration", 2, true},
	}, serviceRigs()...)
}

// trial is one run of a rig.
type trial struct {
	*subject.Subject

	short  bool
	random *rand.Rand
}

// count is how many rounds to run.
func (t *trial) count(short, long int) int {
	if t.short {
		return short
	}
	return long
}

// brokenError says that a promise does not hold.
type brokenError struct{ what error }

func (e *brokenError) Error() string { return e.what.Error() }
func (e *brokenError) Unwrap() error { return e.what }

// broken turns a finding, or nil, into the error of a rig.
func broken(finding error) error {
	if finding == nil {
		return nil
	}
	return &brokenError{finding}
}

// skippedError says why a rig cannot be tried here.
type skippedError string

func (e skippedError) Error() string { return string(e) }

// trials runs the rigs and counts.
type trials struct {
	short, bare    bool
	keep           bool
	only           string
	seed           uint64
	dir            string
	mu             sync.Mutex // guards what follows, and seed
	passed, failed int
}

func (t *trials) run(ctx context.Context) error {
	var err error
	if t.dir, err = os.MkdirTemp("", "agent-memory-promises-"); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	if t.keep {
		fmt.Println("kept", t.dir)
	} else {
		defer os.RemoveAll(t.dir)
	}
	real, err := subject.Build(ctx, t.dir, "agent-memory")
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for _, lane := range t.lanes() {
		wg.Go(func() {
			for _, r := range lane {
				t.one(ctx, real, r)
			}
		})
	}
	wg.Wait()
	fmt.Printf("%d passed, %d failed, seed %d\n", t.passed, t.failed, t.seed)
	if t.failed > 0 {
		return fmt.Errorf("%d checks failed", t.failed)
	}
	return nil
}

// lanes are the rigs that run one after the other. The soak, most of which is
// waiting, runs beside all others in the long form.
func (t *trials) lanes() [][]rig {
	var soak, rest []rig
	for _, r := range rigs() {
		switch {
		case t.only != "" && t.only != r.name:
		case r.name == "overtaken" && t.only == "" && t.short: // minutes of waiting for locks of stopped processes
		case r.name == "soak" && !t.short:
			soak = append(soak, r)
		default:
			rest = append(rest, r)
		}
	}
	return [][]rig{soak, rest}
}

// one tries a rig on the program, then on its mutant.
func (t *trials) one(ctx context.Context, real *subject.Subject, r rig) {
	begun := time.Now()
	done, err := r.try(ctx, t.trial(real))
	t.verdict(r, begun, done, err)
	if skipped := skippedError(""); errors.As(err, &skipped) || t.bare || t.short && r.slow || r.mutant == "" {
		return
	}
	t.mutant(ctx, r)
}

func (t *trials) trial(s *subject.Subject) *trial {
	t.mu.Lock()
	defer t.mu.Unlock()
	return &trial{Subject: s, short: t.short, random: rand.New(rand.NewPCG(t.seed, 1))} //nolint:gosec // not for secrets
}

// verdict counts one run of a rig and prints it.
func (t *trials) verdict(r rig, begun time.Time, done string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var skipped skippedError
	switch {
	case errors.As(err, &skipped):
		fmt.Printf("skip %2d %s: %s\n", r.promise, r.name, skipped)
	case err != nil:
		t.failed++
		fmt.Printf("FAIL %2d %s: %v\n", r.promise, r.name, err)
	default:
		t.passed++
		fmt.Printf("ok   %2d %s: %s (%.0f s)\n", r.promise, r.name, done, time.Since(begun).Seconds())
	}
}

// mutant runs a rig on a build with a fault until the rig notices it.
func (t *trials) mutant(ctx context.Context, r rig) {
	begun := time.Now()
	by, err := t.noticed(ctx, r)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.failed++
		fmt.Printf("FAIL %2d %s: %v\n", r.promise, r.name, err)
		return
	}
	t.passed++
	fmt.Printf("ok   %2d %s: %s is noticed (%.0f s): %s\n", r.promise, r.name, r.mutant, time.Since(begun).Seconds(), by)
}

// noticed returns by which finding.
func (t *trials) noticed(ctx context.Context, r rig) (by string, err error) {
	dir := filepath.Join(t.dir, r.mutant)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	s, err := subject.Build(ctx, dir, "agent-memory", r.mutant)
	if err != nil {
		return "", err
	}
	for range r.tries {
		faulty := t.trial(s)
		faulty.short = true // few rounds show a fault
		_, err := r.try(ctx, faulty)
		var found *brokenError
		if errors.As(err, &found) {
			return beginning(found), nil
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", r.mutant, err)
		}
		t.mu.Lock()
		t.seed++
		t.mu.Unlock()
	}
	return "", fmt.Errorf("the fault of %s went unnoticed in %d runs", r.mutant, r.tries)
}

// beginning is a finding in one line, or most of it.
func beginning(found error) string {
	line := []rune(strings.Join(strings.Fields(found.Error()), " "))
	if len(line) > 240 {
		return string(line[:240]) + "…"
	}
	return string(line)
}
