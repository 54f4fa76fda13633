package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"agentmemory/bench/stdio"
)

// pause between two memories; longer than the mirror waits for a batch.
const pause = 60 * time.Millisecond

// callKinds are the kinds of system calls of the write path, of the drain and
// of recovery.
func callKinds() []string {
	return []string{
		"openat", "write", "pwrite64", "fsync", "fdatasync", "renameat2", "renameat", "unlinkat",
		"ftruncate", "fcntl", "flock", "mkdirat", "close", "read", "pread64", "fstat", "newfstatat",
	}
}

// killSweep kills the server at the n-th call of each kind, for every n that
// its work reaches, then kills its recovery the same way, then lets it recover.
func (r *rig) killSweep(ctx context.Context) error {
	if _, err := exec.LookPath("strace"); err != nil {
		return fmt.Errorf("the sweep needs strace: %w", err)
	}
	for _, kind := range callKinds() {
		if r.kind != "" && r.kind != kind {
			continue
		}
		points, survived := 0, 0
		var problem error
		for _, n := range r.points() {
			killed, err := r.killAt(ctx, kind, n)
			if err != nil {
				problem = errors.Join(problem, fmt.Errorf("at call %d: %w", n, err))
				r.keepFailure(kind, n)
			}
			if !killed {
				if survived++; survived == 2 {
					break
				}
				continue
			}
			points++
		}
		r.verdict(problem, "killed at %d calls of %s: nothing acknowledged is lost, nothing stands twice", points, kind)
	}
	return nil
}

// points are the calls at which the server is killed: densely at first, then
// ever more widely spaced.
func (r *rig) points() []int {
	var points []int
	step, limit := 1.1, 4000
	if r.short {
		step, limit = 1.7, 2000
	}
	for n := 1.0; int(n) < limit; n = max(n+1, n*step) {
		points = append(points, int(n))
	}
	return points
}

// keepFailure sets the workspace of a failure aside to be looked at.
func (r *rig) keepFailure(kind string, n int) {
	if r.keep {
		aside := filepath.Join(os.TempDir(), fmt.Sprintf("agent-memory-failure-%s-%d", kind, n))
		if os.Rename(filepath.Join(r.Dir, "kill"), aside) == nil {
			fmt.Println("kept", aside)
		}
	}
}

func (r *rig) killAt(ctx context.Context, kind string, n int) (killed bool, err error) {
	ws, err := r.Fresh("kill")
	if err != nil {
		return false, err
	}
	if _, err := r.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return false, err
	}
	sent, acknowledged, killed := r.writeUnder(ctx, ws, kind, n)
	if !killed {
		return false, r.recovered(ctx, ws, sent, acknowledged)
	}
	// Recovery is killed as well, at the same kind of call, then allowed.
	r.recoverUnder(ctx, ws, kind, 1+n%7)
	return true, r.recovered(ctx, ws, sent, acknowledged)
}

func (r *rig) recovered(ctx context.Context, ws string, sent, acknowledged []string) error {
	if _, err := r.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return fmt.Errorf("recovery: %w", err)
	}
	return r.Kept(ctx, ws, sent, acknowledged)
}

func (r *rig) strace(kind string, n int, command ...string) []string {
	inject := fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", kind, n)
	return append([]string{"strace", "-f", "-qqq", "-o", "/dev/null", "-e", "trace=" + kind, "-e", inject}, command...)
}

// writeUnder sends memories one by one until the server is killed or all are
// answered and its input is closed.
func (r *rig) writeUnder(ctx context.Context, ws, kind string, n int) (sent, acknowledged []string, killed bool) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	s, err := stdio.Start(ctx, r.strace(kind, n, r.Binary, "serve", "--workspace", ws), r.Env())
	if err != nil {
		return nil, nil, true
	}
	for i := range 8 {
		time.Sleep(pause) // lets the mirror write each one by itself
		text := fmt.Sprintf("acknowledged fact %d of %s %d: 部署在第%d号机器", i, kind, n, i)
		sent = append(sent, text)
		if err := s.Call(ctx, "remember", map[string]any{"content": text}, nil); err != nil {
			_ = s.Kill() // it is being killed anyway
			return sent, acknowledged, true
		}
		acknowledged = append(acknowledged, text)
	}
	err = s.Stop(20 * time.Second)
	return sent, acknowledged, err != nil
}

func (r *rig) recoverUnder(ctx context.Context, ws, kind string, n int) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	command := r.strace(kind, n, r.Binary, "sync", "--workspace", ws)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = r.Env()
	_ = cmd.Run() // it is meant to be killed
}
