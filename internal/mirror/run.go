package mirror

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A drain waits until commits pause: it does not slow down the answers that
// follow, and a burst of commits shares one rewriting of its file. Commits that
// never pause wait no longer than the latest.
const (
	pauseOfCommits = 50 * time.Millisecond
	latest         = time.Second
)

// Run keeps files and store in step until ctx ends: it drains after every
// Notify, and reads what people changed when it has settled. Changes are
// announced by the system where it can; looking at all files every Poll is what
// finds them for certain.
func (m *Mirror) Run(ctx context.Context) error {
	r := runner{Mirror: m, drain: time.NewTimer(0), late: time.NewTimer(latest), look: time.NewTimer(0), watched: map[string]bool{}}
	defer r.drain.Stop()
	defer r.late.Stop()
	defer r.look.Stop()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		m.Log("files are polled only", err)
		return r.loop(ctx, nil, nil)
	}
	defer watcher.Close()
	r.watcher = watcher
	r.watch(ctx)
	return r.loop(ctx, watcher.Events, watcher.Errors)
}

func (r *runner) loop(ctx context.Context, events <-chan fsnotify.Event, errs <-chan error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-r.wake:
			r.soon()
		case <-r.drain.C:
			r.drainNow(ctx)
		case <-r.late.C:
			r.drainNow(ctx)
		case <-r.look.C:
			r.lookNow(ctx)
		case event := <-events:
			r.changed(event)
		case err := <-errs:
			r.Log("watching files", err)
		}
	}
}

// runner is the state of one Run.
type runner struct {
	*Mirror
	watcher *fsnotify.Watcher
	drain   *time.Timer
	late    *time.Timer // for commits that do not pause
	look    *time.Timer
	waiting bool // commits wait for a drain
	failed  bool // the last drain left something, and is tried again at its own pace
	watched map[string]bool
}

// soon plans a drain for when commits pause.
func (r *runner) soon() {
	if r.failed {
		return
	}
	if !r.waiting {
		r.waiting = true
		r.late.Reset(latest)
	}
	r.drain.Reset(pauseOfCommits)
}

func (r *runner) drainNow(ctx context.Context) {
	r.waiting = false
	r.drain.Stop()
	r.late.Stop()
	left, err := r.tryDrain(ctx)
	if err != nil && ctx.Err() == nil {
		r.Log("writing files", err)
	}
	if r.failed = left || err != nil; r.failed {
		r.drain.Reset(r.Settle / 4)
	}
}

// lookNow compares all files with what is known of them.
func (r *runner) lookNow(ctx context.Context) {
	r.look.Reset(r.Poll)
	ok, err := r.lock.try()
	if err == nil && ok {
		err = r.holding(ctx, func() error {
			if _, err := r.pass(ctx, passOptions{}); err != nil {
				return err
			}
			left, err := r.Mirror.drain(ctx)
			if left || r.unsettled() {
				r.look.Reset(r.Settle / 2)
			}
			return err
		})
	}
	if err == nil && ok {
		_, err = r.regenerate(ctx)
	}
	if err != nil && ctx.Err() == nil {
		r.Log("reading files", err)
	}
	r.watch(ctx)
}

// changed plans a look after a file has settled.
func (r *runner) changed(event fsnotify.Event) {
	if ours(filepath.ToSlash(event.Name)) || event.Has(fsnotify.Create) {
		r.look.Reset(r.Settle)
	}
}

// unsettled reports whether a foreign save, or a file that was swapped out,
// has to be looked at again soon.
func (m *Mirror) unsettled() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.seen)+len(m.lingering) > 0
}

// watch asks the system to announce changes in the folders that concern us.
func (r *runner) watch(ctx context.Context) {
	if r.watcher == nil {
		return
	}
	files, err := r.walk(ctx)
	if err != nil {
		return // polling will say so
	}
	folders := map[string]bool{r.Root.Name(): true, filepath.Join(r.Root.Name(), "memory"): true}
	for _, f := range files {
		folders[filepath.Dir(filepath.Join(f.root.Name(), filepath.FromSlash(f.name)))] = true
	}
	for folder := range folders {
		if r.watched[folder] {
			continue
		}
		// A folder that does not exist yet is tried again after the next look.
		r.watched[folder] = r.watcher.Add(folder) == nil
	}
}
