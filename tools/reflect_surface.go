package tools

import (
	"context"
	"fmt"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// surface renews RECENT.md. What people wrote there is collected first, so that
// the page shows it at once and the next run has nothing to write.
func (r *reflection) surface(ctx context.Context) error {
	if !r.result.DryRun {
		if err := r.Files.Collect(ctx); err != nil {
			return fmt.Errorf("collecting people's lines of RECENT.md: %w", err)
		}
	}
	memories, err := r.latest(ctx)
	if err != nil {
		return err
	}
	hidden, err := r.Files.Hidden(ctx, recentFile)
	if err != nil {
		return fmt.Errorf("reading what is hidden: %w", err)
	}
	shown := lifecycle.Surface(memories, r.Now(), r.Profile, hidden)
	r.result.Surface = &ProjectedReport{File: recentFile, Lines: linesIn(shown)}
	if r.result.DryRun {
		r.preview(shown)
		return nil
	}
	r.result.Surface.Written, err = r.Files.WriteRecent(ctx, shown)
	if err != nil {
		return fmt.Errorf("writing RECENT.md: %w", err)
	}
	return nil
}

// latest lists the active memories that RECENT.md may show.
func (r *reflection) latest(ctx context.Context) ([]memory.Memory, error) {
	memories, err := r.Store.List(ctx, memory.Filter{
		Namespace: r.Namespace, Statuses: []memory.Status{memory.Active}, Layer: memory.LayerAll,
		Since: r.Now().AddDate(0, 0, -r.Profile.Surface.Days-1),
	})
	if err != nil {
		return nil, fmt.Errorf("listing the latest memories: %w", err)
	}
	return memories, nil
}

func linesIn(p memory.Projection) int {
	n := 0
	for _, s := range p.Sections {
		n += len(s.Entries)
	}
	return n
}

func (r *reflection) preview(p memory.Projection) {
	for _, s := range p.Sections {
		for _, e := range s.Entries {
			r.result.Plan = append(r.result.Plan, PlanStep{Op: "show", ID: e.MemoryID, Reason: strings.TrimSpace(s.Name + ": " + e.Text)})
		}
	}
}
