package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
	"agentmemory/lifecycle"
)

// ApproveStore is what approving needs of the store.
type ApproveStore interface {
	ByID(ctx context.Context, namespace, id string) (memory.Memory, error)
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
	Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error)
	History(ctx context.Context, id string) ([]memory.Revision, error)
}

// ApproveArgs choose what a person vouches for; without ids, what waits is listed.
type ApproveArgs struct {
	IDs    []string `json:"ids"`
	DryRun bool     `json:"dry_run"`
}

// ApproveResult lists what was approved, or what waits for it.
type ApproveResult struct {
	Approved int            `json:"approved"`
	Waiting  []WaitingView  `json:"waiting"`
	Results  []ApprovedView `json:"results"`
}

// WaitingView is a memory that waits, and why it does.
type WaitingView struct {
	MemoryView
	Why string `json:"why"`
}

// ApprovedView tells what became of one memory.
type ApprovedView struct {
	ID     string `json:"id"`
	Action string `json:"action"` // approved, unchanged
	Path   string `json:"path,omitempty"`
}

// Approve gives memories the trust of the user: it is offered on the command
// line only, because no caller over MCP may raise the trust of anything.
type Approve struct {
	Store      ApproveStore
	Mirror     Notifier
	Home       func(memory.Memory) string
	Suspicious func(text string) []redact.Reason // what asks for a person in a text
	Profile    lifecycle.Profile
	Now        func() time.Time
	Namespace  string
}

// Run approves the memories, all in one transaction, or lists what waits.
func (a *Approve) Run(ctx context.Context, args ApproveArgs) (ApproveResult, error) {
	result := ApproveResult{Waiting: []WaitingView{}, Results: []ApprovedView{}}
	if len(args.IDs) == 0 {
		waiting, err := a.waiting(ctx)
		for _, m := range waiting {
			result.Waiting = append(result.Waiting, WaitingView{MemoryView: viewOf(m, a.Profile, a.Now()), Why: a.why(ctx, m)})
		}
		return result, err
	}
	var changes []memory.Change
	for _, id := range args.IDs {
		m, err := a.Store.ByID(ctx, a.Namespace, id)
		if err != nil {
			return result, fmt.Errorf("reading %s: %w", id, err)
		}
		c, needed := a.plan(m)
		view := ApprovedView{ID: id, Action: "unchanged", Path: m.Home.File}
		if needed {
			changes = append(changes, c)
			view = ApprovedView{ID: id, Action: "approved", Path: c.Memory.Home.File}
		}
		result.Results = append(result.Results, view)
	}
	result.Approved = len(changes)
	if args.DryRun || len(changes) == 0 {
		return result, nil
	}
	return result, a.apply(ctx, changes)
}

// why tells a person why a memory waits: what its text holds, else what was noted
// when it was put aside, else where it came from.
func (a *Approve) why(ctx context.Context, m memory.Memory) string {
	if m.Status == memory.Quarantined {
		if found := a.Suspicious(m.Content); len(found) > 0 {
			return suspicion(found[0])
		}
		revisions, err := a.Store.History(ctx, m.ID)
		for _, r := range revisions {
			if err == nil && strings.HasPrefix(r.Reason, string(memory.Quarantined)) {
				return r.Reason
			}
		}
	}
	return "it came from outside, and nobody has vouched for it"
}

// plan leaves the text as it is: a person approves what was read.
func (a *Approve) plan(m memory.Memory) (memory.Change, bool) {
	if len(lifecycle.Opponents(m)) > 0 && m.Status == memory.Active {
		return a.settled(m), true
	}
	if m.Trust == memory.TrustUser && m.Status != memory.Quarantined || m.Form == memory.Passage {
		return memory.Change{}, false
	}
	revision := m.Revision
	m.Trust = memory.TrustUser
	if m.Status == memory.Quarantined {
		m.Status = memory.Active
	}
	m.Home = memory.Place{File: a.Home(m)}
	return memory.Change{Op: memory.OpUpdate, Memory: m, Revision: revision, Reason: "approved by the user"}, true
}

// settled lets a decision stand, whatever notes said against it.
func (a *Approve) settled(m memory.Memory) memory.Change {
	revision := m.Revision
	m.Trust = memory.TrustUser
	m.Links = slices.DeleteFunc(slices.Clone(m.Links), func(l memory.Link) bool { return l.Relation == lifecycle.ContradictedBy })
	m.Home = memory.Place{File: a.Home(m)}
	return memory.Change{Op: memory.OpUpdate, Memory: m, Revision: revision, Reason: "approved by the user"}
}

func (a *Approve) apply(ctx context.Context, changes []memory.Change) error {
	applied, err := a.Store.Apply(ctx, changes)
	if err != nil {
		return fmt.Errorf("approving: %w", err)
	}
	a.Mirror.Notify()
	for i, one := range applied {
		if one.Conflict != memory.NoConflict {
			return memory.Errorf(memory.Conflicting, "%s was changed meanwhile", changes[i].Memory.ID).WithHint("read it again, then approve it")
		}
	}
	return nil
}

// waiting lists what is kept away from the files that hosts load.
func (a *Approve) waiting(ctx context.Context) ([]memory.Memory, error) {
	all := []memory.Status{memory.Quarantined, memory.Active, memory.Proposed}
	listed, err := a.Store.List(ctx, memory.Filter{Namespace: a.Namespace, Statuses: all, Layer: memory.LayerAll})
	if err != nil {
		return nil, fmt.Errorf("listing what waits: %w", err)
	}
	var waiting []memory.Memory
	for _, m := range listed {
		if m.Form != memory.Passage && (m.Status == memory.Quarantined || m.Trust == memory.TrustExternal) {
			waiting = append(waiting, m)
		}
	}
	return waiting, nil
}
