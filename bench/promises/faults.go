//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentmemory/bench/stdio"
)

// fault is a system call that fails.
type fault struct{ call, code string }

// failingCalls makes the k-th write and sync of a server fail, and some after
// it. What is answered must be kept, what failed must say so, and the
// same server must go on when the disk does.
func failingCalls(ctx context.Context, t *trial) (string, error) {
	if _, err := exec.LookPath("strace"); err != nil {
		return "", skippedError("strace is not installed")
	}
	faults := []fault{{"pwrite64", "ENOSPC"}, {"fdatasync", "EIO"}, {"fsync", "EIO"}, {"pwrite64", "EIO"}, {"fsync", "ENOSPC"}, {"openat", "EDQUOT"}}
	rounds, failed, acknowledged := t.count(8, 120), 0, 0
	for i := range rounds {
		f := faults[i%len(faults)]
		first := 1 + t.random.IntN(40)
		times := []int{1, 4, 1000}[t.random.IntN(3)]
		yes, no, err := t.failAt(ctx, f, first, first+times-1)
		if err != nil {
			return "", fmt.Errorf("%s of %s from call %d, %d times: %w", f.code, f.call, first, times, err)
		}
		acknowledged, failed = acknowledged+yes, failed+no
	}
	if failed == 0 || acknowledged == 0 {
		return "", fmt.Errorf("%d system calls failed, %d memories were acknowledged", failed, acknowledged)
	}
	return fmt.Sprintf("%d servers with %d failing system calls: each of %d acknowledged memories is kept, each refusal has its reason", rounds, failed, acknowledged), nil
}

// failAt runs a server in which calls from..to of a kind fail, in each of its threads.
func (t *trial) failAt(ctx context.Context, f fault, from, to int) (acknowledged, failed int, err error) {
	ws, err := t.Fresh("faults")
	if err != nil {
		return 0, 0, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return 0, 0, err
	}
	log := filepath.Join(t.Dir, "faults.log")
	inject := fmt.Sprintf("inject=%s:error=%s:when=%d..%d", f.call, f.code, from, to)
	s, err := t.Serve(ctx, ws, "strace", "-f", "-qqq", "-o", log, "-e", "trace="+f.call, "-e", inject)
	if err != nil {
		return 0, 0, nil //nolint:nilerr // it could not even start: nothing was acknowledged
	}
	var l ledger
	for i := range 12 {
		text := fmt.Sprintf("fact %d under %s of %s: 第%d条", i, f.code, f.call, i)
		l.send(text)
		err := s.Call(ctx, "remember", map[string]any{"content": text}, nil)
		if err == nil {
			l.acknowledge(text)
		} else if !clear(err) {
			return 0, 0, errors.Join(broken(fmt.Errorf("an unclear refusal: %w", err)), s.Kill())
		}
		time.Sleep(20 * time.Millisecond)
	}
	_ = s.Stop(20 * time.Second) // it may say that it could not write at its end
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
