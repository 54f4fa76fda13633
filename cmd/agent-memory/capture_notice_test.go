package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/capture"
	"agentmemory/internal/jobs"
)

// A server notices that a conversation has ended: nobody calls anything.
func TestTheServerNoticesConversations(t *testing.T) {
	l := listen(t, aDay()...)
	if code, _, errs := program(t, l.env, "init", "--profile", "openclaw"); code != 0 {
		t.Fatal(errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server := exec.CommandContext(ctx, os.Args[0], "serve", "--set", "capture.quiet=1s")
	server.Env = l.env.Variables
	input, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	var journals []string
	for range 300 {
		if journals, _ = filepath.Glob(filepath.Join(l.workspace, "memory", "2026-03-11.md")); len(journals) > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(journals) == 0 {
		t.Fatal("nothing was captured")
	}
	if diff := cmp.Diff(once(), bullets(l.journal(t))); diff != "" {
		t.Error(diff)
	}
}

// A sync that runs just then may look at files only: what ended meanwhile is
// captured after it.
func TestAConversationThatEndsBesideASyncIsCapturedAfterIt(t *testing.T) {
	t.Parallel()
	l := listen(t, aDay()...)
	if code, _, errs := program(t, l.env, "init", "--profile", "openclaw"); code != 0 {
		t.Fatal(errs)
	}
	l.env.Now = time.Now // when a conversation was last written is a matter of its file
	said := &lockedBuffer{}
	e, err := (&app{streams: streams{Out: said, Err: said}, env: l.env, setFlags: []string{"capture.quiet=1s", "log_level=debug"}}).openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	syncing, err := e.book().Locks.Take(jobs.Job{Name: "sync"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	noticing := make(chan error, 1)
	go func() { noticing <- e.notice(ctx) }()
	until(t, "it finds the sync", func() bool { return strings.Contains(said.String(), "must not run beside sync") })
	syncing.Release()
	until(t, "it captures", func() bool {
		standing, err := capture.StandingOf(e.root)
		return err == nil && standing.Captured > 0
	})
	stop()
	if err := errors.Join(<-noticing, e.close()); err != nil {
		t.Error(err)
	}
}

// until waits for something that happens soon.
func until(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for range 400 {
		if happened() {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("not within ten seconds: %s", what)
}
