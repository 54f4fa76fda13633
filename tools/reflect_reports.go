package tools

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Reports are the files that tell people how the memory is used and what went wrong.
type Reports interface {
	// Failures lists what the reports of failed jobs say, newest first.
	Failures(ctx context.Context) ([]memory.ProjectedLine, error)
	// WriteReports writes the files that say something else now, and names them.
	WriteReports(ctx context.Context, audit any, failures []memory.ProjectedLine, pains memory.Projection) ([]string, error)
}

// report writes the retrieval audit, the index of failures and the pain points
// (seed 002 §1), each agent's below its own tree. The access log has been folded before: recall
// itself writes no file.
func (r *reflection) report(ctx context.Context, memories []memory.Memory) error {
	if r.Reports == nil || r.result.DryRun {
		return nil
	}
	failures, err := r.Reports.Failures(ctx)
	if err != nil {
		return fmt.Errorf("reading the failure reports: %w", err)
	}
	files, err := r.Reports.WriteReports(ctx, lifecycle.Audit(memories), failures, lifecycle.PainPoints(memories, failures, r.Now()))
	if err != nil {
		return fmt.Errorf("writing reports: %w", err)
	}
	r.result.Files = append(r.result.Files, files...)
	return nil
}
