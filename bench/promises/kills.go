//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// killedJobs kills each job of the program at system calls that change files,
// then its recovery too, and lets both be done again: it must then be as if
// nobody had been killed.
func killedJobs(ctx context.Context, t *trial) (string, error) {
	tale, err := t.tellTraced(ctx)
	if err != nil {
		return "", err
	}
	all := errands()
	kills, err := sweepAll(ctx, tale, all, t.sweep)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d kinds of work were killed %d times: done or not begun, the same in the end, nothing left behind", len(all), kills), nil
}

// sweep kills one errand at some of its calls.
func (t *trial) sweep(ctx context.Context, tale string, e errand) (kills int, err error) {
	base, err := t.prepared(ctx, tale, e)
	if err != nil {
		return 0, err
	}
	known, err := t.undisturbed(ctx, base, e)
	if err != nil {
		return 0, fmt.Errorf("undisturbed: %w", err)
	}
	order := t.random.Perm(len(known.calls))
	if e.database {
		known.calls = slices.DeleteFunc(known.calls, func(m moment) bool { return m.call != "pwrite64" && m.call != "fsync" })
		order = order[:0]
		for i := range known.calls {
			order = append(order, i)
		}
	}
	points := known.points(order, t.count(e.short, e.long))
	for _, p := range points {
		killed, err := t.killOnce(ctx, base, e, known, p)
		if err != nil {
			return kills, fmt.Errorf("killed at call %d of %s: %w", p.n, p.call, err)
		}
		if killed {
			kills++
		}
	}
	return kills, nil
}

// outcome is what an errand comes to when nobody kills it, and the calls that it makes.
type outcome struct {
	calls []moment
	shows []string // lines of all files and memories
}

// moment is the n-th call of a kind in a thread.
type moment struct {
	call string
	n    int
}

// points chooses moments in the given order, those of rare calls first: the
// k-th write of a database says less than the only rename.
func (o *outcome) points(order []int, limit int) []moment {
	taken := map[string]int{}
	var chosen []moment
	for round := 0; len(chosen) < limit && round < limit; round++ {
		for _, i := range order {
			m := o.calls[i]
			if taken[m.call] == round && !slices.Contains(chosen, m) && len(chosen) < limit {
				taken[m.call]++
				chosen = append(chosen, m)
			}
		}
	}
	return chosen
}

// changing are the calls between which the state of the disk differs.
const changing = "openat,write,pwrite64,fsync,fdatasync,renameat,renameat2,unlinkat,mkdirat,ftruncate"

func (t *trial) undisturbed(ctx context.Context, base string, e errand) (*outcome, error) {
	ws := filepath.Join(t.Dir, "kills")
	if err := t.copied(base, ws); err != nil {
		return nil, err
	}
	log := filepath.Join(t.Dir, "calls.log")
	command := []string{"strace", "-f", "--seccomp-bpf", "-qqq", "-o", log, "-e", "trace=" + changing, t.Binary}
	if out, err := t.command(ctx, append(command, e.arguments(ws)...)).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	o := &outcome{}
	var err error
	if o.calls, err = momentsIn(log); err != nil {
		return nil, err
	}
	if len(o.calls) == 0 {
		return nil, errors.New("it made no system call")
	}
	if o.shows, err = t.settled(ctx, ws, true); err != nil {
		return nil, err
	}
	return o, e.judge(ctx, t, ws, true)
}

// momentsIn reads a log of strace, in which each line begins with the thread.
func momentsIn(log string) ([]moment, error) {
	raw, err := os.ReadFile(log)
	if err != nil {
		return nil, fmt.Errorf("reading the system calls: %w", err)
	}
	made := map[string]int{}
	var moments []moment
	for line := range strings.Lines(string(raw)) {
		thread, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		call, _, found := strings.Cut(strings.TrimSpace(rest), "(")
		if !found || strings.Contains(call, " ") {
			continue // the end of a call, or of a thread
		}
		made[thread+call]++
		if m := (moment{call, made[thread+call]}); !slices.Contains(moments, m) {
			moments = append(moments, m)
		}
	}
	return moments, nil
}

func (t *trial) killOnce(ctx context.Context, base string, e errand, known *outcome, at moment) (killed bool, err error) {
	ws := filepath.Join(t.Dir, "kills")
	if err := t.copied(base, ws); err != nil {
		return false, err
	}
	if killed, err = t.runKilled(ctx, at, e.arguments(ws)); err != nil {
		return killed, err
	}
	if killed { // its recovery is killed as well
		if _, err := t.runKilled(ctx, moment{at.call, 1 + at.n%7}, []string{"sync", "files", "--workspace", ws}); err != nil {
			return killed, err
		}
	}
	shows, err := t.settled(ctx, ws, false)
	if err != nil {
		return killed, broken(fmt.Errorf("after the next start: %w", err))
	}
	if e.once && compared(known.shows, shows) == nil {
		return killed, nil // it was done, and a second time would do something else
	}
	if err := e.judge(ctx, t, ws, false); err != nil {
		return killed, broken(fmt.Errorf("after the next start: %w", err))
	}
	if _, err := t.CLI(ctx, e.arguments(ws)...); err != nil && !e.mayBeDone {
		return killed, broken(fmt.Errorf("done again: %w", err))
	}
	if shows, err = t.settled(ctx, ws, true); err != nil {
		return killed, broken(fmt.Errorf("done again: %w", err))
	}
	return killed, broken(errors.Join(e.judge(ctx, t, ws, true), compared(known.shows, shows)))
}

// runKilled runs the program until it is killed, or to its end.
func (t *trial) runKilled(ctx context.Context, at moment, args []string) (killed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	inject := "inject=" + at.call + ":signal=SIGKILL:when=" + strconv.Itoa(at.n)
	command := []string{"strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=" + at.call, "-e", inject, t.Binary}
	out, err := t.command(ctx, append(command, args...)).CombinedOutput()
	if ctx.Err() != nil {
		return false, fmt.Errorf("it stood still\n%s", out)
	}
	var ended *exec.ExitError
	if err == nil || errors.As(err, &ended) && ended.Exited() {
		return false, nil
	}
	return true, nil
}

func (t *trial) command(ctx context.Context, command []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = t.Env()
	return cmd
}

// copied makes a folder the copy of another, times included.
func (t *trial) copied(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("clearing %s: %w", to, err)
	}
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("copying %s: %w\n%s", from, err, out)
	}
	return nil
}
