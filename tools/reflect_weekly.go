package tools

import (
	"context"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// putAway writes the summaries of the weeks that are due, then moves the
// journals to the archive that are old enough and covered. It returns the
// memories with their homes as they are then.
func (r *reflection) putAway(ctx context.Context, memories []memory.Memory) ([]memory.Memory, error) {
	dates, summaries, err := r.Weekly.Journals(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing journals: %w", err)
	}
	weeks := lifecycle.WeeksDue(dates, summaries, r.Now())
	covered, err := r.sumUp(ctx, memories, weeks)
	if err != nil {
		return nil, err
	}
	due := lifecycle.JournalsToArchive(dates, append(summaries, covered...), r.Now(), r.Profile)
	if r.result.DryRun {
		for _, date := range due {
			r.result.Plan = append(r.result.Plan, PlanStep{Op: "archive", URI: date, Reason: "older than a week, and its week has a summary"})
		}
		return memories, nil
	}
	archived, err := r.Weekly.PutAway(ctx, due)
	r.wrote(archived...)
	if err != nil || len(archived) == 0 {
		return memories, err
	}
	if memories, err = r.rehomed(ctx, memories, archived); err != nil {
		return nil, err
	}
	// The links lead to the archive now, also those of weeks summed up earlier.
	if dates, summaries, err = r.Weekly.Journals(ctx); err != nil {
		return nil, fmt.Errorf("listing journals: %w", err)
	}
	_, err = r.sumUp(ctx, memories, lifecycle.WeeksDue(dates, summaries, r.Now()))
	return memories, err
}

// rehomed returns memories with those as they are now whose home is one of some
// files; no page shows prose, which is known anew there. The given slice is changed.
func (r *reflection) rehomed(ctx context.Context, memories []memory.Memory, files []string) ([]memory.Memory, error) {
	places := make(map[string]int, len(memories))
	for i := range memories {
		places[memories[i].ID] = i
	}
	for _, file := range files {
		moved, err := r.Store.List(ctx, memory.Filter{Namespace: r.Namespace, Statuses: memory.Statuses(), Layer: memory.LayerAll, File: file})
		if err != nil {
			return nil, fmt.Errorf("listing the memories of %s: %w", file, err)
		}
		for _, m := range moved {
			if i, known := places[m.ID]; known {
				memories[i] = m
			}
		}
	}
	return memories, nil
}

// sumUp writes the summaries of weeks and returns the keys of those that have
// one; a week about which nothing is known gets none.
func (r *reflection) sumUp(ctx context.Context, memories []memory.Memory, weeks []lifecycle.Week) (covered []string, err error) {
	var pages []memory.DatedProjection
	var shown []memory.Projection
	for _, w := range weeks {
		p := lifecycle.Weekly(memories, w, r.Now(), r.Profile)
		if linesIn(p) > 0 {
			covered = append(covered, w.Key())
			pages = append(pages, memory.DatedProjection{Day: w.Monday})
			shown = append(shown, p)
		}
	}
	if r.result.DryRun {
		return covered, nil
	}
	for i, p := range r.reworded(ctx, shown, memories) {
		pages[i].Projection = p
	}
	written, err := r.Weekly.WriteWeeklies(ctx, pages)
	r.wrote(written...)
	if err != nil {
		return nil, fmt.Errorf("summing up weeks: %w", err)
	}
	return covered, nil
}

// wrote lists files in the report, each once.
func (r *reflection) wrote(files ...string) {
	for _, file := range files {
		if !slices.Contains(r.result.Files, file) {
			r.result.Files = append(r.result.Files, file)
		}
	}
}

// logMoves keeps promotions, demotions and overrides with their reasons.
func (r *reflection) logMoves(ctx context.Context, memories []memory.Memory, moves []lifecycle.Move) error {
	if len(moves) == 0 || r.result.DryRun {
		return nil
	}
	file, err := r.Weekly.AppendLog(ctx, r.Now(), lifecycle.MoveLog(moves, memories))
	if err != nil {
		return fmt.Errorf("logging what moved: %w", err)
	}
	if file != "" {
		r.wrote(file)
	}
	return nil
}

func (r *reflection) navigation(ctx context.Context) error {
	written, err := r.Weekly.WriteNavigation(ctx)
	r.wrote(written...)
	if err != nil {
		return fmt.Errorf("writing the navigation: %w", err)
	}
	return nil
}
