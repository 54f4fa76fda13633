//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentmemory/bench/stdio"
)

// fault is a system call that fails.
type fault struct{ call, code string }

// forEver is until the fault is lifted.
const forEver = 0

// when says, in the words of strace, which calls fail.
func when(first, times int) string {
	if times == forEver {
		return fmt.Sprintf("%d+", first)
	}
	return fmt.Sprintf("%d..%d", first, first+times-1)
}

// failingCalls makes the k-th write, sync or open of a server fail, once, a few
// times or for ever. What is answered must be kept, what failed must say so,
// and the same server must go on when the disk does.
func failingCalls(ctx context.Context, t *trial) (string, error) {
	if _, err := exec.LookPath("strace"); err != nil {
		return "", skippedError("strace is not installed")
	}
	faults := []fault{{"pwrite64", "ENOSPC"}, {"fdatasync", "EIO"}, {"fsync", "EIO"}, {"pwrite64", "EIO"}, {"fsync", "ENOSPC"}, {"openat", "EDQUOT"}}
	servers, unstarted, failed, acknowledged := 0, 0, 0, 0
	for i, first := range t.firstOfThem() {
		for j, f := range faults {
			times := []int{1, forEver, 4}[(i+j)%3]
			if !t.short && first <= 6 {
				times = []int{1, forEver}[i%2]
			}
			yes, no, err := t.failAt(ctx, f, when(first, times))
			if err != nil {
				return "", fmt.Errorf("%s of %s when=%s: %w", f.code, f.call, when(first, times), err)
			}
			if servers++; yes == 0 {
				unstarted++
			}
			acknowledged, failed = acknowledged+yes, failed+no
		}
	}
	if failed == 0 || acknowledged == 0 {
		return "", fmt.Errorf("%d system calls failed, %d memories were acknowledged", failed, acknowledged)
	}
	return fmt.Sprintf("%d servers with %d failing system calls: each of %d acknowledged memories is kept, each refusal has its reason, and each server went on when they failed no more (%d did not start with them)", servers, failed, acknowledged, unstarted), nil
}

// firstOfThem are the calls from which on they fail: each of the first six twice, once
// and for ever, and some by chance among those of the next memories.
func (t *trial) firstOfThem() (calls []int) {
	if t.short {
		return []int{1 + t.random.IntN(12), 1 + t.random.IntN(40)}
	}
	for k := 1; k <= 6; k++ {
		calls = append(calls, k, k)
	}
	for range 8 {
		calls = append(calls, 7+t.random.IntN(34))
	}
	return calls
}

// failAt runs a server in which some calls of a kind fail, in each of its threads,
// until that is lifted.
func (t *trial) failAt(ctx context.Context, f fault, when string) (acknowledged, failed int, err error) {
	ws, err := t.Fresh("faults")
	if err != nil {
		return 0, 0, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return 0, 0, err
	}
	log := filepath.Join(t.Dir, "faults.log")
	inject := fmt.Sprintf("inject=%s:error=%s:when=%s", f.call, f.code, when)
	s, err := t.Serve(ctx, ws, "strace", "-D", "-I2", "-f", "-qqq", "-o", log, "-e", "trace="+f.call, "-e", inject)
	if err != nil { // it could not even start: nothing was acknowledged
		return 0, 0, t.startsNow(ctx, ws)
	}
	var l ledger
	_, finding := l.tried(ctx, s, fmt.Sprintf("under %s of %s", f.code, f.call), 12)
	if err := lift(s.PID()); err != nil {
		return 0, 0, errors.Join(err, s.Kill())
	}
	if finding == nil {
		if finding = l.remember(ctx, s, "the disk is well again, crane %d turns, says 第%d个人", 3); finding != nil {
			finding = fmt.Errorf("it does not go on: %w", finding)
		}
	}
	if err := errors.Join(broken(finding), s.Stop(20*time.Second)); err != nil {
		return 0, 0, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return 0, 0, broken(fmt.Errorf("after the disk was well again: %w", err))
	}
	sent, kept := l.state()
	calls, err := os.ReadFile(log)
	if err != nil {
		return 0, 0, fmt.Errorf("reading the system calls: %w", err)
	}
	return len(kept), strings.Count(string(calls), "(INJECTED)"), broken(t.Kept(ctx, ws, sent, kept))
}

// startsNow starts a server where one could not, because its calls failed.
func (t *trial) startsNow(ctx context.Context, ws string) error {
	s, err := t.Serve(ctx, ws)
	if err != nil {
		return broken(fmt.Errorf("after the disk was well again: %w", err))
	}
	return s.Stop(20 * time.Second)
}

// lift ends the strace of a process, which goes on.
func lift(pid int) error {
	for range 250 {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			return fmt.Errorf("looking for the tracer: %w", err)
		}
		_, rest, _ := strings.Cut(string(raw), "TracerPid:")
		tracer, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil || tracer == 0 {
			return err
		}
		_ = unix.Kill(tracer, unix.SIGTERM) // it may just have ended
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("strace does not let go")
}

// clear reports whether a refusal has a code and a message.
func clear(err error) bool {
	text := err.Error()
	return strings.Contains(text, `"code":`) && strings.Contains(text, `"message":`) && !strings.Contains(text, "panic")
}

// fullDisk lets no file grow any more (RLIMIT_FSIZE), then lets them again:
// the same server has to go on, without a restart.
func fullDisk(ctx context.Context, t *trial) (string, error) {
	rounds, refused := t.count(2, 12), 0
	for range rounds {
		n, err := t.fillOnce(ctx)
		if err != nil {
			return "", err
		}
		refused += n
	}
	if refused == 0 {
		return "", errors.New("nothing was refused: no disk was full")
	}
	return fmt.Sprintf("%d full disks: %d calls refused, old files unchanged, and the same server went on", rounds, refused), nil
}

func (t *trial) fillOnce(ctx context.Context) (refused int, err error) {
	ws, err := t.Fresh("full")
	if err != nil {
		return 0, err
	}
	s, err := t.Serve(ctx, ws)
	if err != nil {
		return 0, err
	}
	var l ledger
	if err := l.remember(ctx, s, "while there was room, shelf %d was counted: 第%d个架子", 5); err != nil {
		return 0, errors.Join(err, s.Kill())
	}
	time.Sleep(time.Second)                                                               // the files show it
	limit := unix.Rlimit{Cur: uint64(200 + t.random.IntN(4000)), Max: unix.RLIM_INFINITY} //nolint:gosec // small
	if err := unix.Prlimit(s.PID(), unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		return 0, errors.Join(skippedError(fmt.Sprintf("limits may not be set: %v", err)), s.Kill())
	}
	journals, _, err := t.Markdown(ws)
	for i := range 5 {
		text := fmt.Sprintf("full disk, fact %d", i)
		l.send(text)
		switch err := s.Call(ctx, "remember", map[string]any{"content": text}, nil); {
		case err == nil:
			l.acknowledge(text)
		case !clear(err):
			return 0, errors.Join(broken(fmt.Errorf("an unclear refusal: %w", err)), s.Kill())
		default:
			refused++
		}
	}
	after, _, readErr := t.Markdown(ws)
	if err = errors.Join(err, readErr); err == nil && !linesIn(journals, after) {
		return 0, errors.Join(broken(errors.New("a full disk changed what files held")), s.Kill())
	}
	unlimited := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
	err = errors.Join(err, unix.Prlimit(s.PID(), unix.RLIMIT_FSIZE, &unlimited, nil))
	if err == nil {
		err = broken(l.remember(ctx, s, "machine %d runs again since noon, says 第%d个人", 5))
	}
	if err = errors.Join(err, s.Stop(30*time.Second)); err != nil {
		return refused, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return refused, broken(err)
	}
	sent, kept := l.state()
	return refused, broken(t.Kept(ctx, ws, sent, kept))
}

// remember remembers n facts, each of which must be acknowledged.
func (l *ledger) remember(ctx context.Context, s *stdio.Server, sentence string, n int) error {
	for i := range n {
		text := fmt.Sprintf(sentence, i, i)
		l.send(text)
		if err := s.Call(ctx, "remember", map[string]any{"content": text}, nil); err != nil {
			return err
		}
		l.acknowledge(text)
	}
	return nil
}

// linesIn reports whether every line of one text stands in another.
func linesIn(text, other string) bool {
	for line := range strings.Lines(text) {
		if !strings.Contains(other, strings.TrimSpace(line)) {
			return false
		}
	}
	return true
}
