//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentmemory/bench/stdio"
)

// frozenPatience is how long a call may take while the owner of a lock stands still:
// it waits its turn (10 s), for the database (5 s) and for the files (2 s).
const frozenPatience = 25 * time.Second

// frozenOwner stops a server in the middle of its writing, whatever lock it then
// holds. Another one has to answer; then the first is killed, or goes on.
func frozenOwner(ctx context.Context, t *trial) (string, error) {
	rounds, killed := t.count(2, 4), 0
	var slowest time.Duration
	for i := range rounds {
		took, err := t.freezeOnce(ctx, i%2 == 0)
		if err != nil {
			return "", err
		}
		slowest = max(slowest, took)
		if i%2 == 0 {
			killed++
		}
	}
	return fmt.Sprintf("%d servers were stopped while they wrote: another one answered within %.1f s; %d were killed and %d went on, nothing lost, nothing twice", rounds, slowest.Seconds(), killed, rounds-killed), nil
}

func (t *trial) freezeOnce(ctx context.Context, kill bool) (slowest time.Duration, err error) {
	ws, err := t.Fresh("frozen")
	if err != nil {
		return 0, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return 0, err
	}
	owner, err := t.Serve(ctx, ws)
	if err != nil {
		return 0, err
	}
	other, err := t.Serve(ctx, ws)
	if err != nil {
		return 0, errors.Join(err, owner.Kill())
	}
	var l ledger
	writing := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(writing)
		l.keepWriting(ctx, owner, stop)
	}()
	time.Sleep(time.Duration(100+t.random.IntN(900)) * time.Millisecond)
	if err := unix.Kill(owner.PID(), unix.SIGSTOP); err != nil {
		return 0, errors.Join(err, owner.Kill(), other.Kill())
	}
	slowest, finding := l.answered(ctx, other)
	close(stop)
	if kill {
		err = owner.Kill()
	} else {
		err = unix.Kill(owner.PID(), unix.SIGCONT)
	}
	<-writing
	if !kill {
		err = errors.Join(err, owner.Stop(30*time.Second))
	} else {
		err = nil // it was killed: so it says
	}
	if err = errors.Join(err, other.Stop(30*time.Second)); err != nil || finding != nil {
		return slowest, errors.Join(broken(finding), err)
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return slowest, broken(err)
	}
	sent, kept := l.state()
	return slowest, broken(t.Kept(ctx, ws, sent, kept))
}

// keepWriting remembers until told to stop, or the server is gone.
func (l *ledger) keepWriting(ctx context.Context, s *stdio.Server, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		text := fmt.Sprintf("the owner counted crate %d in hall %d: 第%d箱", i, i*7919, i)
		l.send(text)
		if s.Call(ctx, "remember", map[string]any{"content": text}, nil) != nil {
			return
		}
		l.acknowledge(text)
	}
}

// answered asks another server to remember and recall beside the frozen one.
func (l *ledger) answered(ctx context.Context, s *stdio.Server) (slowest time.Duration, err error) {
	for i := range 2 {
		text := fmt.Sprintf("meanwhile ship %d came into harbour %d: 第%d艘船", i, i*104729, i)
		l.send(text)
		limited, cancel := context.WithTimeout(ctx, frozenPatience)
		begun := time.Now()
		err := s.Call(limited, "remember", map[string]any{"content": text}, nil)
		if err == nil {
			l.acknowledge(text)
			err = s.Call(limited, "recall", map[string]any{"query": "ship harbour"}, nil)
		}
		cancel()
		slowest = max(slowest, time.Since(begun))
		if err != nil && (!clear(err) || strings.Contains(err.Error(), "deadline")) {
			return slowest, fmt.Errorf("beside a frozen server call %d was not answered in %s: %w", i, frozenPatience, err)
		}
	}
	return slowest, nil
}
