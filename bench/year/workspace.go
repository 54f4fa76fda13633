package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/internal/rank"
	"agentmemory/internal/redact"
	"agentmemory/lifecycle"
	"agentmemory/store"
	"agentmemory/tools"
)

// clock jumps from one happening to the next, and runs on in between: what waits
// for a file to rest must see time pass.
type clock struct {
	mu    sync.Mutex
	at    time.Time
	since time.Time // when at was set
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at.Add(time.Since(c.since))
}

// set moves the clock forward, never back.
func (c *clock) set(at time.Time) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.since = at, time.Now()
	if now.After(at) {
		c.at = now
	}
}

// settle is how long a foreign save must rest in a life without people.
const settle = time.Millisecond

// workspace is a real one, with the use cases that agents and jobs call.
type workspace struct {
	dir      string
	profile  lifecycle.Profile
	clock    *clock
	root     *os.Root
	store    *store.Store
	mirror   *mirror.Mirror
	accesses *store.Recorder
	remember *tools.Remember
	recall   *tools.Recall
	reflect  *tools.Reflect
	sync     *tools.Sync
	table    jobs.Timetable
}

func openWorkspace(ctx context.Context, dir string, p lifecycle.Profile, c *clock, seed uint64) (*workspace, error) {
	w := &workspace{dir: dir, profile: p, clock: c}
	var err error
	if w.table, err = timetable(p); err != nil {
		return nil, err
	}
	if w.root, err = os.OpenRoot(dir); err != nil {
		return nil, fmt.Errorf("opening the workspace: %w", err)
	}
	if err := w.root.MkdirAll(".agent-memory", 0o700); err != nil {
		return nil, fmt.Errorf("making the workspace: %w", err)
	}
	var key [32]byte
	key[0] = byte(seed)
	ids := memory.NewIDSource(c.now, rand.NewChaCha8(key))
	w.store, err = store.Open(ctx, store.Options{Path: filepath.Join(dir, ".agent-memory", "memory.db"), Now: c.now, IDs: ids, Zone: time.UTC})
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	redactor := redact.New()
	w.mirror, err = mirror.New(mirror.Options{Root: w.root, Store: w.store, Now: c.now, Redactor: redactor, Classify: lifecycle.Classify, Settle: settle})
	if err != nil {
		return nil, fmt.Errorf("opening the files: %w", err)
	}
	w.accesses = w.store.NewRecorder(memory.DefaultNamespace)
	w.bind(ids, redactor)
	return w, nil
}

func (w *workspace) bind(ids *memory.IDSource, redactor *redact.Redactor) {
	now, name := w.clock.now, memory.DefaultNamespace
	w.remember = &tools.Remember{
		Store: w.store, Alike: &tools.LookAlikes{Store: w.store, ByID: w.store.ByID}, Journal: w.mirror, Mirror: w.mirror,
		Cleaner: redactor, IDs: ids, Home: func(m memory.Memory) string { return mirror.Home(m, time.UTC) },
		Profile: w.profile, Now: now, Namespace: name,
	}
	w.recall = &tools.Recall{Store: w.store, Accesses: w.accesses, Profile: w.profile, Parameters: rank.Defaults(), Now: now, Namespace: name}
	w.reflect = &tools.Reflect{
		Store: w.store, Files: w.mirror, Wrapups: w.mirror.Wrapups(), Weekly: w.mirror.Compounds(), Undoing: w.mirror,
		Archive: w.mirror.Archive(), Mirror: w.mirror, Fold: w.fold,
		Profile: w.profile, Now: now, Namespace: name,
	}
	w.sync = &tools.Sync{Files: w.mirror}
}

func (w *workspace) close() error { return errors.Join(w.store.Close(), w.root.Close()) }

func (w *workspace) fold(ctx context.Context) (int, error) {
	if err := w.accesses.Flush(ctx); err != nil {
		return 0, fmt.Errorf("noting accesses: %w", err)
	}
	return w.store.FoldAccesses(ctx, func(m memory.Memory, accesses []store.Access) memory.Memory {
		for _, a := range accesses {
			m = lifecycle.Accessed(m, a.At, a.Kind == store.Used, w.profile)
		}
		return m
	})
}

// job runs what a scheduled job runs; jobs that decide nothing about memories
// are left out.
func (w *workspace) job(ctx context.Context, j jobs.Job) error {
	switch j.Name {
	case "sync":
		if _, err := w.sync.Run(ctx, tools.SyncArgs{What: "files"}); err != nil {
			return fmt.Errorf("sync: %w", err)
		}
	case "reflect":
		return w.phase(ctx, "all", false)
	case "surface", "wrapup", "compound", "gc":
		return w.phase(ctx, j.Name, j.DryRun)
	}
	return nil
}

func (w *workspace) phase(ctx context.Context, name string, dry bool) error {
	if _, err := w.reflect.Run(ctx, tools.ReflectArgs{Phase: name, DryRun: &dry}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := w.mirror.Flush(ctx, time.Minute); err != nil {
		return fmt.Errorf("writing the files after %s: %w", name, err)
	}
	return nil
}
