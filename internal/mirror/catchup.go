package mirror

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
)

// CatchUp takes over what was edited while nobody watched the files: for a
// command that asks without a server beside it. Sizes and times tell cheaply
// whether there is anything to read. Somebody who holds the lock is reading
// already, and is not waited for.
func (m *Mirror) CatchUp(ctx context.Context) (memory.SyncReport, error) {
	var report memory.SyncReport
	if edited, err := m.edited(ctx); err != nil || !edited {
		return report, err
	}
	ok, err := m.lock.try()
	if err != nil || !ok {
		return report, err
	}
	err = m.holding(ctx, func() (err error) {
		if report, err = m.pass(ctx, passOptions{all: true}); err != nil {
			return err
		}
		_, err = m.drain(ctx)
		return err
	})
	return report, err
}

// edited reports whether a file is there, gone, or of another size or time than
// when it was last read or written.
func (m *Mirror) edited(ctx context.Context) (bool, error) {
	states, err := m.Store.FileStates(ctx)
	if err != nil {
		return false, fmt.Errorf("reading the states of files: %w", err)
	}
	files, err := m.walk(ctx)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if f.kind == conflicting || f.kind == cloudCopy && classify(originalOf(f.path)) != home {
			continue // nobody reads it
		}
		old, known := states[f.path]
		if now := stateOf(f.path, f.info, ""); !known || old.Size != now.Size || !old.ModTime.Equal(now.ModTime) {
			return true, nil
		}
		delete(states, f.path)
	}
	p := &pass{Mirror: m, states: states}
	for name := range states {
		if p.reachable(name) {
			return true, nil
		}
	}
	return false, nil
}
