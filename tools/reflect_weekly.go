package tools

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// week writes what a compound leaves behind: the summaries of the weeks that
// are due, the log of its moves, the archive of journals, and the navigation.
func (r *reflection) week(ctx context.Context, memories []memory.Memory, moves []lifecycle.Move) error {
	dates, summaries, err := r.Weekly.Journals(ctx)
	if err != nil {
		return fmt.Errorf("listing journals: %w", err)
	}
	if r.result.DryRun {
		for _, date := range lifecycle.JournalsToArchive(dates, summaries, r.Now(), r.Profile) {
			r.result.Plan = append(r.result.Plan, PlanStep{Op: "archive", URI: date, Reason: "its week has a summary"})
		}
		return nil
	}
	for _, w := range lifecycle.WeeksDue(dates, summaries, r.Now()) {
		covered, err := r.sumUp(ctx, memories, w)
		if err != nil {
			return err
		}
		if covered {
			summaries = append(summaries, w.Key())
		}
	}
	if err := r.logMoves(ctx, memories, moves); err != nil {
		return err
	}
	due := lifecycle.JournalsToArchive(dates, summaries, r.Now(), r.Profile)
	archived, err := r.Weekly.PutAway(ctx, due)
	r.result.Files = append(r.result.Files, archived...)
	if err != nil {
		return fmt.Errorf("archiving journals: %w", err)
	}
	return r.navigation(ctx)
}

// sumUp writes the summary of one week; a week about which nothing is known gets none.
func (r *reflection) sumUp(ctx context.Context, memories []memory.Memory, w lifecycle.Week) (covered bool, err error) {
	shown := lifecycle.Weekly(memories, w, r.Now(), r.Profile)
	if linesIn(shown) == 0 {
		return false, nil
	}
	file, changed, err := r.Weekly.WriteWeekly(ctx, w.Monday, shown)
	if err != nil {
		return false, fmt.Errorf("summing up the week of %s: %w", w.Key(), err)
	}
	if changed {
		r.result.Files = append(r.result.Files, file)
	}
	return true, nil
}

// logMoves keeps promotions, demotions and overrides with their reasons.
func (r *reflection) logMoves(ctx context.Context, memories []memory.Memory, moves []lifecycle.Move) error {
	if len(moves) == 0 {
		return nil
	}
	file, err := r.Weekly.AppendLog(ctx, r.Now(), lifecycle.MoveLog(moves, memories))
	if err != nil {
		return fmt.Errorf("logging what moved: %w", err)
	}
	r.result.Files = append(r.result.Files, file)
	return nil
}

func (r *reflection) navigation(ctx context.Context) error {
	file, changed, err := r.Weekly.WriteNavigation(ctx)
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	if changed {
		r.result.Files = append(r.result.Files, file)
	}
	return nil
}
