//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// laterClock makes the next process believe that the frozen one has been silent for two
// minutes; that it watches the lock for some seconds is real.
const laterClock = "AGENT_MEMORY_CLOCK=+2m"

// jobPatience is how long a job may take beside one that stands still with the
// files or the database: it watches up to two locks (5 s each), waits to be alone (10 s), and for the files
// at its end (10 s).
const jobPatience = 60 * time.Second

// overtakenJobs freezes a job at a system call that changes something, has
// another process do the same, and lets the first go on: it must find that it was overtaken,
// and all must be as if it had never been.
func overtakenJobs(ctx context.Context, t *trial) (string, error) {
	tale, err := t.tellTraced(ctx)
	if err != nil {
		return "", err
	}
	var sum freezes
	for _, e := range errands() {
		if !slices.Contains([]string{"compound", "surface", "capture"}, e.name) || t.short && e.name == "surface" {
			continue
		}
		one, err := t.freezes(ctx, tale, e)
		if err != nil {
			return "", fmt.Errorf("%s: %w", e.name, err)
		}
		sum = sum.plus(one)
	}
	if sum.overtaken == 0 {
		return "", errors.New("nobody was overtaken")
	}
	return fmt.Sprintf("%d jobs stood still: %d were overtaken within %.0f s and committed nothing when they went on, %d held the database or the files and were waited for with a reason, %d had let go",
		sum.all, sum.overtaken, sum.slowest.Seconds(), sum.refused, sum.all-sum.overtaken-sum.refused), nil
}

type freezes struct {
	all, overtaken, refused int
	slowest                 time.Duration
}

func (f freezes) plus(o freezes) freezes {
	return freezes{f.all + o.all, f.overtaken + o.overtaken, f.refused + o.refused, max(f.slowest, o.slowest)}
}

func (t *trial) freezes(ctx context.Context, tale string, e errand) (sum freezes, err error) {
	known, err := t.undisturbed(ctx, tale, e)
	if err != nil {
		return sum, fmt.Errorf("undisturbed: %w", err)
	}
	wanted := t.count(1, 4) // most calls are made with the files or the database locked
	for points := range slices.Chunk(known.points(t.random.Perm(len(known.calls)), 8*wanted), t.count(4, 8)) {
		some, err := t.freezeAll(ctx, tale, e, known, points)
		if err != nil {
			return sum, err
		}
		if sum = sum.plus(some); sum.overtaken >= wanted && sum.all > wanted {
			break
		}
	}
	return sum, nil
}

// freezeAll stops a job at several calls, each time in a workspace of its own: all
// of them mostly wait.
func (t *trial) freezeAll(ctx context.Context, tale string, e errand, known *outcome, points []moment) (sum freezes, err error) {
	each, problems := make([]freezes, len(points)), make([]error, len(points))
	var wg sync.WaitGroup
	for i, at := range points {
		wg.Go(func() {
			ws := filepath.Join(t.Dir, fmt.Sprint("frozen-job", i))
			if each[i], problems[i] = t.freezeAt(ctx, tale, ws, e, known, at); problems[i] != nil {
				problems[i] = fmt.Errorf("stopped at call %d of %s: %w", at.n, at.call, problems[i])
			}
		})
	}
	wg.Wait()
	for _, one := range each {
		sum = sum.plus(one)
	}
	return sum, errors.Join(problems...)
}

// freezeAt is one job that is stopped, and what comes after.
func (t *trial) freezeAt(ctx context.Context, tale, ws string, e errand, known *outcome, at moment) (freezes, error) {
	if err := t.copied(tale, ws); err != nil {
		return freezes{}, err
	}
	frozen, err := t.stopAt(ctx, at, e.arguments(ws))
	if err != nil || frozen == nil {
		return freezes{}, err // it came to its end before
	}
	defer frozen.kill()
	begun := time.Now()
	waiting, cancel := context.WithTimeout(ctx, jobPatience)
	defer cancel()
	next := t.command(waiting, append([]string{t.Binary}, e.arguments(ws)...))
	next.Env, next.WaitDelay = append(next.Env, laterClock), 5*time.Second
	next.Cancel = func() error { return next.Process.Signal(unix.SIGQUIT) } // it shows where it waits
	out, refusal := next.CombinedOutput()
	if waiting.Err() != nil {
		return freezes{}, broken(fmt.Errorf("beside a frozen one it does not end within %s\n%s", jobPatience, out))
	}
	one := freezes{all: 1, slowest: time.Since(begun)}
	if refusal != nil {
		one.refused, one.slowest = 1, 0
		if !strings.Contains(string(out), "hint") && !strings.Contains(string(out), "try again") && !strings.Contains(string(out), "run it again") {
			return one, broken(fmt.Errorf("refused without a hint: %w\n%s", refusal, out))
		}
		if err := t.goesOnAlone(ctx, frozen, e, ws); err != nil {
			return one, broken(fmt.Errorf("it did not go on: %w\nbeside it: %s", err, out))
		}
	} else if one.overtaken, err = t.goesOnInVain(ctx, frozen, ws); err != nil {
		return one, err
	}
	shows, err := t.settled(ctx, ws, true)
	if err != nil {
		return one, broken(err)
	}
	return one, broken(compared(known.shows, shows))
}

// goesOnAlone lets a process go on beside which another one did nothing. It does
// its work. If it had just taken one of its locks and had not yet given a sign
// there, the other one may have taken away the lock before that: then both did
// nothing, said so, and the work is done by whoever comes next.
func (t *trial) goesOnAlone(ctx context.Context, frozen *stopped, e errand, ws string) error {
	failure := frozen.end()
	if failure == nil {
		return nil
	}
	if !strings.Contains(frozen.said.String(), "taken over") {
		return fmt.Errorf("%w\n%s", failure, frozen.said.String())
	}
	_, err := t.CLI(ctx, e.arguments(ws)...)
	return err
}

// goesOnInVain lets a process go on after another one has done its work. If it
// was overtaken it must say so and change nothing.
func (t *trial) goesOnInVain(ctx context.Context, frozen *stopped, ws string) (overtaken int, err error) {
	taken := t.wasTakenAway(ws)
	var before []string
	if taken {
		if before, err = t.settled(ctx, ws, true); err != nil {
			return 0, broken(err)
		}
	}
	switch failure := frozen.end(); {
	case failure == nil && taken:
		return 0, broken(fmt.Errorf("it was overtaken, and ended as if nothing had happened:\n%s", frozen.said.String()))
	case failure == nil:
		return 0, nil // it had done its work, and let go
	case !strings.Contains(frozen.said.String(), "taken over"):
		return 0, broken(fmt.Errorf("it failed without saying why: %w\n%s", failure, frozen.said.String()))
	case !taken:
		return 1, nil // before it had begun
	}
	after, err := t.settled(ctx, ws, true)
	if err != nil {
		return 1, broken(err)
	}
	return 1, broken(compared(before, after))
}

// wasTakenAway reports whether a run is noted as one that did not come to its end.
func (t *trial) wasTakenAway(ws string) bool {
	notes, _ := filepath.Glob(filepath.Join(ws, "memory", "state", "job-*.json"))
	for _, name := range notes {
		if raw, err := os.ReadFile(name); err == nil && bytes.Contains(raw, []byte("stood still")) {
			return true
		}
	}
	return false
}

// stopped is a process that stands still under strace.
type stopped struct {
	cmd  *exec.Cmd
	pid  int // of the program itself
	said bytes.Buffer
	over chan struct{} // closed at its end
	err  error         // to be read after that
}

// stopAt runs the program until it stops at a call; nil if it ended before.
func (t *trial) stopAt(ctx context.Context, at moment, args []string) (*stopped, error) {
	waiting, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	inject := "inject=" + at.call + ":signal=SIGSTOP:when=" + strconv.Itoa(at.n)
	command := []string{"strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=" + at.call, "-e", inject, t.Binary}
	s := &stopped{cmd: t.command(ctx, append(command, args...)), over: make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr, s.cmd.WaitDelay = &s.said, &s.said, 5*time.Second
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting strace: %w", err)
	}
	go func() {
		defer close(s.over)
		s.err = s.cmd.Wait()
	}()
	for still := 0; still < 10; { // each traced call is a short stop
		select {
		case <-s.over:
			return nil, nil //nolint:nilnil // it never came there
		case <-waiting.Done():
			s.kill()
			return nil, fmt.Errorf("waiting until it stops: %w", waiting.Err())
		case <-time.After(20 * time.Millisecond):
		}
		still++
		if s.pid = childOf(s.cmd.Process.Pid); s.pid == 0 || !standsStill(s.pid) {
			still = 0
		}
	}
	return s, nil
}

func childOf(parent int) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
	if err != nil {
		return 0
	}
	child, _ := strconv.Atoi(strings.TrimSpace(string(raw)))
	return child
}

// standsStill reports whether each thread of a process is stopped.
func standsStill(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, name := range threads {
		raw, err := os.ReadFile(name)
		_, rest, found := strings.Cut(string(raw), ") ")
		if err != nil || !found || rest[0] != 't' && rest[0] != 'T' {
			return false
		}
	}
	return len(threads) > 0
}

// end lets the process go on, as often as it stops, and waits for its end.
func (s *stopped) end() error {
	for range 600 {
		_ = unix.Kill(s.pid, unix.SIGCONT) // it may have ended
		select {
		case <-s.over:
			return s.err
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("it stands still")
}

func (s *stopped) kill() {
	if s.pid != 0 {
		_ = unix.Kill(s.pid, unix.SIGKILL) // it may have ended
	}
	_ = s.cmd.Process.Kill()
	<-s.over
}
