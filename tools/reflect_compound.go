package tools

import (
	"context"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// compound settles decisions that exclude each other, divides crowded journals,
// sums up the weeks, puts the journals away that these cover, and renews
// MEMORY.md, which links to where everything now is. It alone promotes and
// demotes, and logs why.
func (r *reflection) compound(ctx context.Context) error {
	memories, err := r.everything(ctx)
	if err != nil {
		return err
	}
	memories, moves, err := r.settle(ctx, memories)
	if err != nil {
		return err
	}
	if memories, err = r.divide(ctx, memories); err != nil {
		return err
	}
	if memories, err = r.putAway(ctx, memories); err != nil {
		return err
	}
	outlined, err := r.outline(ctx, memories)
	if err != nil {
		return err
	}
	conflicts := lifecycle.Conflicts(memories)
	for _, c := range conflicts {
		r.result.Notes = append(r.result.Notes, fmt.Sprintf("both stay until a decision or a person settles it: %s; %s", c.Text, c.Reason))
	}
	if err := r.logMoves(ctx, memories, slices.Concat(moves, outlined, conflicts)); err != nil || r.result.DryRun {
		return err
	}
	return r.navigation(ctx)
}

// settle decides between decisions that exclude each other.
func (r *reflection) settle(ctx context.Context, memories []memory.Memory) ([]memory.Memory, []lifecycle.Move, error) {
	plan := lifecycle.Decisions(memories, r.Now(), r.Profile)
	if err := r.carryOut(ctx, plan); err != nil {
		return nil, nil, err
	}
	return lifecycle.After(memories, plan.Changes), lifecycle.Overrides(plan), nil
}

// divide moves decisions out of journals that hold too many of them.
func (r *reflection) divide(ctx context.Context, memories []memory.Memory) ([]memory.Memory, error) {
	plan := lifecycle.DivideAll(memories, r.Profile)
	if err := r.carryOut(ctx, plan); err != nil {
		return nil, err
	}
	return lifecycle.After(memories, plan.Changes), nil
}

// outline renews MEMORY.md: promotes what is worth reading every time, demotes
// what is not, keeps people's lines.
func (r *reflection) outline(ctx context.Context, memories []memory.Memory) ([]lifecycle.Move, error) {
	if !r.Profile.Outline.Write {
		r.result.Notes = append(r.result.Notes, fmt.Sprintf("profile %s keeps summaries instead of %s", r.Profile.Name, indexFile))
		return nil, nil
	}
	hidden, err := r.Files.Hidden(ctx, indexFile)
	if err != nil {
		return nil, fmt.Errorf("reading what is hidden: %w", err)
	}
	outline, err := r.Files.ReadOutline(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", indexFile, err)
	}
	compounded := lifecycle.Compound(outline, memories, r.Now(), r.Profile, hidden)
	r.log(compounded)
	r.result.Index = &ProjectedReport{File: indexFile, Lines: linesIn(compounded.Projection), Demoted: len(compounded.Demotions)}
	if r.result.DryRun {
		return compounded.Log, nil
	}
	r.result.Index.Written, err = r.Files.WriteIndex(ctx, compounded.Projection, compounded.Demotions)
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", indexFile, err)
	}
	return compounded.Log, nil
}

func (r *reflection) log(c lifecycle.Compounded) {
	r.result.Notes = append(r.result.Notes, c.Notes...)
	for _, move := range c.Log {
		r.result.Plan = append(r.result.Plan, PlanStep{Op: move.Kind, ID: move.MemoryID, Reason: fmt.Sprintf("%s: %s", move.Reason, move.Text)})
	}
	r.result.Changed += len(c.Log)
}
