package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/tools"
)

const (
	auditBuffer = 1024 // entries that wait; a call waits for no one, so more are dropped
	auditPause  = time.Second
)

// auditLog keeps which tool changed which memory when, and nothing of what was
// said. Entries reach the database in batches, off the path of the answers.
type auditLog struct {
	store   *store.Store
	waiting chan store.AuditEntry
}

func newAuditLog(s *store.Store) *auditLog {
	return &auditLog{store: s, waiting: make(chan store.AuditEntry, auditBuffer)}
}

// watch returns the tool with its successful changes noted.
func (l *auditLog) watch(tool tools.Tool, now func() time.Time) tools.Tool {
	if tool.Hints.ReadOnly {
		return tool
	}
	call := tool.Call
	tool.Call = func(ctx context.Context, args json.RawMessage) (any, error) {
		result, err := call(ctx, args)
		if err == nil {
			l.note(tool.Name, changedIDs(result), now())
		}
		return result, err
	}
	return tool
}

// changedIDs names the memories that a tool changed; a tool that works on the
// whole store is noted without.
func changedIDs(result any) []string {
	switch r := result.(type) {
	case tools.RememberResult:
		ids := []string{r.MemoryID}
		for _, one := range r.Results {
			ids = append(ids, one.MemoryID)
		}
		return ids
	case tools.ForgetResult:
		return r.IDs
	}
	return []string{""}
}

func (l *auditLog) note(tool string, ids []string, at time.Time) {
	for i, id := range ids {
		if id == "" && len(ids) > 1 && i == 0 {
			continue // the summary of a batch
		}
		select {
		case l.waiting <- store.AuditEntry{At: at, Tool: tool, ID: id}:
		default:
			return
		}
	}
}

// run writes what was noted until ctx ends.
func (l *auditLog) run(ctx context.Context) error {
	tick := time.NewTicker(auditPause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := l.flush(ctx); err != nil && !lasting(err) {
			return err
		}
	}
}

// lasting reports whether a database cannot be written for now: it is tried again.
func lasting(err error) bool {
	code := memory.CodeOf(err)
	return code == memory.ReadOnly || code == memory.Unavailable
}

// again keeps entries for a later try, as far as there is room.
func (l *auditLog) again(entries []store.AuditEntry) {
	for _, entry := range entries {
		select {
		case l.waiting <- entry:
		default:
			return
		}
	}
}

func (l *auditLog) flush(ctx context.Context) error {
	entries := memory.Waiting(l.waiting)
	if len(entries) == 0 {
		return nil
	}
	if err := l.store.Audit(ctx, entries); err != nil {
		l.again(entries)
		return fmt.Errorf("writing the audit log: %w", err)
	}
	return nil
}
