package tools

import (
	"context"
	"fmt"

	"agentmemory/lifecycle"
)

// compound renews MEMORY.md: promotes what is worth reading every time, demotes
// what is not, keeps people's lines.
func (r *reflection) compound(ctx context.Context) error {
	if !r.Profile.Outline.Write {
		r.result.Notes = append(r.result.Notes, fmt.Sprintf("profile %s keeps summaries instead of %s", r.Profile.Name, indexFile))
		return nil
	}
	memories, err := r.everything(ctx)
	if err != nil {
		return err
	}
	hidden, err := r.Files.Hidden(ctx, indexFile)
	if err != nil {
		return fmt.Errorf("reading what is hidden: %w", err)
	}
	outline, err := r.Files.ReadOutline(ctx)
	if err != nil {
		return fmt.Errorf("reading %s: %w", indexFile, err)
	}
	compounded := lifecycle.Compound(outline, memories, r.Now(), r.Profile, hidden)
	r.log(compounded)
	r.result.Index = &ProjectedReport{File: indexFile, Lines: linesIn(compounded.Projection), Demoted: len(compounded.Demotions)}
	if r.result.DryRun {
		return nil
	}
	r.result.Index.Written, err = r.Files.WriteIndex(ctx, compounded.Projection, compounded.Demotions)
	if err != nil {
		return fmt.Errorf("writing %s: %w", indexFile, err)
	}
	return nil
}

func (r *reflection) log(c lifecycle.Compounded) {
	r.result.Notes = append(r.result.Notes, c.Notes...)
	for _, move := range c.Log {
		r.result.Plan = append(r.result.Plan, PlanStep{Op: move.Kind, ID: move.MemoryID, Reason: fmt.Sprintf("%s: %s", move.Reason, move.Text)})
	}
	r.result.Changed = len(c.Log)
}
