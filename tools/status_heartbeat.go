package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Heartbeat is what an agent looks at again and again (seed 002 §5). Light and
// standard tell what was being worked on, the open tasks and what is wrong; full
// adds what decay and collection are about to do.
type Heartbeat struct {
	Handoff     []memory.Field `json:"handoff,omitempty"` // goals, in_progress, blockers, next of CURRENT_STATE.md
	ActiveTasks []OpenTask     `json:"active_tasks"`
	Alerts      []string       `json:"critical_alerts"`
	Fading      int            `json:"fading,omitempty"`      // would be archived by tidy
	Collectable int            `json:"collectable,omitempty"` // would be removed by gc
}

// OpenTask is a task card whose final status is not an end.
type OpenTask struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Actor  string `json:"actor,omitempty"`
	Status string `json:"final_status,omitempty"`
	Next   string `json:"next_step,omitempty"`
}

// Bounds of a heartbeat.
const (
	openTaskDays = 14
	openTasks    = 20
)

func (s *Status) heartbeat(ctx context.Context, stats memory.Stats) (*Heartbeat, error) {
	since := s.Now().AddDate(0, 0, -openTaskDays)
	found, err := s.Store.List(ctx, memory.Filter{Namespace: s.Namespace, Forms: []memory.Form{memory.Task, memory.State}, Since: since, Order: memory.Newest, Limit: 200})
	if err != nil {
		return nil, fmt.Errorf("listing tasks: %w", err)
	}
	h := &Heartbeat{ActiveTasks: []OpenTask{}, Alerts: s.alerts(stats)}
	for _, m := range found {
		switch {
		case m.Form == memory.State && m.URI == currentState:
			h.Handoff = m.Fields
		case m.Form == memory.Task && len(h.ActiveTasks) < openTasks && !lifecycle.Finished(m):
			h.ActiveTasks = append(h.ActiveTasks, OpenTask{ID: m.ID, Title: titleOf(m), Actor: m.Actor, Status: m.Field("final_status"), Next: m.Field("next_step")})
		}
	}
	slices.SortStableFunc(h.ActiveTasks, func(a, b OpenTask) int { return strings.Compare(a.Actor, b.Actor) })
	return h, nil
}

// alerts are the things that a person should look at soon.
func (s *Status) alerts(stats memory.Stats) []string {
	alerts := []string{}
	if stats.Outbox > 0 && s.Now().Sub(stats.OldestOut) > patience {
		alerts = append(alerts, fmt.Sprintf("%d changes wait for their files since %s", stats.Outbox, stats.OldestOut.Format(time.RFC3339)))
	}
	if n := stats.ByStatus[memory.Missing]; n > 0 {
		alerts = append(alerts, fmt.Sprintf("memories missing from their files: %d; sync --accept-deletions forgets them", n))
	}
	if n := stats.ByStatus[memory.Quarantined]; n > 0 {
		alerts = append(alerts, fmt.Sprintf("quarantined memories: %d; approve lists them", n))
	}
	return alerts
}

// ahead adds what the next runs of tidy and gc would do; both read every memory.
func (s *Status) ahead(ctx context.Context, h *Heartbeat) error {
	memories, err := s.Store.List(ctx, memory.Filter{Namespace: s.Namespace})
	if err != nil {
		return fmt.Errorf("listing memories: %w", err)
	}
	plan, _ := lifecycle.Tidy(memories, s.Now(), s.Profile)
	for _, c := range plan.Changes {
		if c.Memory.Status == memory.Archived {
			h.Fading++
		}
	}
	h.Collectable = len(lifecycle.GC(memories, s.Now(), s.Profile).Changes)
	return nil
}
