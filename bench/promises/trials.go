//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"agentmemory/bench/subject"
)

// trials runs the rigs and counts.
type trials struct {
	short, bare bool
	keep        bool
	only        string
	seed        uint64
	width       int // of the pool
	dir         string

	mu              sync.Mutex // guards what follows, and standard output
	builds          map[string]func() (*subject.Subject, error)
	passed, skipped int
	failed          []string
}

func (t *trials) run(ctx context.Context) error {
	begun := time.Now()
	var err error
	if t.dir, err = os.MkdirTemp("", "agent-memory-promises-"); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	if t.keep {
		fmt.Println("kept", t.dir)
	} else {
		defer os.RemoveAll(t.dir)
	}
	plan, err := t.plan()
	if err != nil {
		return err
	}
	if _, err := t.built(ctx, ""); err != nil {
		return err
	}
	t.all(ctx, plan)
	fmt.Printf("%d passed, %d failed, %d skipped in %.0f s, seed %d\n", t.passed, len(t.failed), t.skipped, time.Since(begun).Seconds(), t.seed)
	if len(t.failed) > 0 {
		slices.Sort(t.failed)
		return fmt.Errorf("%d checks failed; again: go run ./bench/promises -seed %d -only %s", len(t.failed), t.seed, strings.Join(slices.Compact(t.failed), ","))
	}
	if ctx.Err() != nil {
		return errors.New("interrupted: not all was tried")
	}
	return nil
}

// check is a rig on the program, or on its mutant.
type check struct {
	rig
	faulty bool
}

// plan says what runs where.
type plan struct {
	beside []check // beside everything else, from the beginning: it waits nearly always
	calm   []check // then, one after the other: they judge by the clock, and nothing else may load the machine
	pool   []check // then, several at a time
}

func (t *trials) plan() (p plan, err error) {
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(t.only, ",") {
		wanted[name] = name != ""
	}
	for _, r := range rigs() {
		asked := wanted[r.name]
		delete(wanted, r.name)
		if t.only != "" && !asked || t.only == "" && t.short && r.name == "overtaken" { // minutes of waiting for locks of stopped processes
			continue
		}
		lane := &p.pool
		switch {
		case r.lane == beside && !t.short:
			lane = &p.beside
		case r.lane == calm:
			lane = &p.calm
		}
		*lane = append(*lane, check{r, false})
		if r.mutant != "" && !t.bare && !(t.short && r.slow) {
			if lane == &p.beside {
				lane = &p.pool
			}
			*lane = append(*lane, check{r, true})
		}
	}
	delete(wanted, "")
	for name := range wanted {
		err = errors.Join(err, fmt.Errorf("there is no rig %q", name))
	}
	slices.SortStableFunc(p.pool, func(a, b check) int { return b.lasts() - a.lasts() })
	return p, err
}

// lasts is about how many seconds a check of the long form takes: the longest
// begin first, so that none of them is left over at the end.
func (c check) lasts() int {
	if c.faulty {
		return 20
	}
	return c.seconds
}

// all runs a plan to its end.
func (t *trials) all(ctx context.Context, p plan) {
	var wg sync.WaitGroup
	for _, c := range p.beside {
		wg.Go(func() { t.one(ctx, c) })
	}
	for _, c := range p.calm {
		t.one(ctx, c)
	}
	queue := make(chan check)
	for range t.width {
		wg.Go(func() {
			for c := range queue {
				t.one(ctx, c)
			}
		})
	}
	for _, c := range p.pool {
		queue <- c
	}
	close(queue)
	wg.Wait()
}

// one makes a check and prints what came of it.
func (t *trials) one(ctx context.Context, c check) {
	begun := time.Now()
	check := func() (string, error) { return t.try(ctx, c.rig, "", 0) }
	if c.faulty {
		check = func() (string, error) { return t.noticed(ctx, c.rig) }
	}
	if ctx.Err() != nil {
		return
	}
	if done, err := check(); ctx.Err() == nil {
		t.verdict(c, time.Since(begun), done, err)
	}
}

// try runs a rig once, in a folder of its own and with its own chance, which
// depends on no other rig.
func (t *trials) try(ctx context.Context, r rig, mutant string, n int) (string, error) {
	s, err := t.built(ctx, mutant)
	if err != nil {
		return "", err
	}
	name := r.name
	if mutant != "" {
		name = fmt.Sprintf("%s.%s.%d", r.name, mutant, n)
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	dir := filepath.Join(t.dir, name)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	if !t.keep {
		defer os.RemoveAll(dir)
	}
	return r.try(ctx, &trial{
		Subject: &subject.Subject{Binary: s.Binary, Dir: dir}, random: rand.New(rand.NewPCG(t.seed, h.Sum64())), //nolint:gosec // not for secrets
		short: t.short || mutant != "", // few rounds show a fault
	})
}

// built is the program, or a mutant of it, built once.
func (t *trials) built(ctx context.Context, mutant string) (*subject.Subject, error) {
	t.mu.Lock()
	build := t.builds[mutant]
	if build == nil {
		name, tags := "agent-memory", []string(nil)
		if mutant != "" {
			name, tags = mutant, []string{mutant}
		}
		build = sync.OnceValues(func() (*subject.Subject, error) { return subject.Build(ctx, t.dir, name+".bin", tags...) })
		if t.builds == nil {
			t.builds = map[string]func() (*subject.Subject, error){}
		}
		t.builds[mutant] = build
	}
	t.mu.Unlock()
	return build()
}

// verdict counts one check and prints it.
func (t *trials) verdict(c check, took time.Duration, done string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var skipped skippedError
	switch {
	case errors.As(err, &skipped):
		t.skipped++
		fmt.Printf("skip %2d %s: %s\n", c.promise, c.name, skipped)
	case err != nil:
		t.failed = append(t.failed, c.name)
		fmt.Printf("FAIL %2d %s (%.0f s): %v\n", c.promise, c.name, took.Seconds(), err)
	default:
		t.passed++
		fmt.Printf("ok   %2d %s (%.0f s): %s\n", c.promise, c.name, took.Seconds(), done)
	}
}

// noticed runs a rig on a build with a fault until the rig notices it, and says
// by which finding.
func (t *trials) noticed(ctx context.Context, r rig) (by string, err error) {
	for n := range r.tries {
		_, err := t.try(ctx, r, r.mutant, n)
		var found *brokenError
		if errors.As(err, &found) {
			return r.mutant + " is noticed: " + beginning(found), nil
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", r.mutant, err)
		}
	}
	return "", fmt.Errorf("the fault of %s went unnoticed in %d runs", r.mutant, r.tries)
}

// beginning is a finding in one line, or most of it.
func beginning(found error) string {
	line := []rune(strings.Join(strings.Fields(found.Error()), " "))
	if len(line) > 160 {
		return string(line[:160]) + "…"
	}
	return string(line)
}
