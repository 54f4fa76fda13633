package tools

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// wrapup writes the summary of a day: its six sections, from what was learned
// and decided on it.
func (r *reflection) wrapup(ctx context.Context) error {
	day, err := r.coveredDay()
	if err != nil {
		return err
	}
	memories, err := r.ofDay(ctx, day)
	if err != nil {
		return err
	}
	shown := lifecycle.Wrapup(memories, day)
	r.result.Wrapup = &WrapupReport{Day: day.Format(time.DateOnly), Lines: linesIn(shown)}
	if r.result.DryRun {
		r.preview(shown)
		return nil
	}
	if r.result.Wrapup.Lines == 0 {
		r.result.Notes = append(r.result.Notes, "nothing was remembered on "+r.result.Wrapup.Day)
		return nil
	}
	shown = r.reworded(ctx, []memory.Projection{shown}, memories)[0]
	written, err := r.Wrapups.WriteWrapup(ctx, day, shown)
	r.wrote(written...)
	if err != nil {
		return fmt.Errorf("writing the wrap-up of %s: %w", r.result.Wrapup.Day, err)
	}
	return nil
}

// ofDay lists the memories of a local day, whatever their status.
func (r *reflection) ofDay(ctx context.Context, day time.Time) ([]memory.Memory, error) {
	y, m, d := day.Date()
	begin, end := memory.StartOfDay(y, m, d, day.Location()), memory.StartOfDay(y, m, d+1, day.Location())
	memories, err := r.Store.List(ctx, memory.Filter{
		Namespace: r.Namespace, Statuses: memory.Statuses(), Layer: memory.LayerAll, After: begin, Before: end,
	})
	if err != nil {
		return nil, fmt.Errorf("listing the memories of %s: %w", begin.Format(time.DateOnly), err)
	}
	return memories, nil
}

// WrapupReport tells which day a wrap-up covers and how much it says.
type WrapupReport struct {
	Day   string `json:"day"`
	Lines int    `json:"lines"`
}

// noon divides the wrap-ups that are asked for without a date: before it they
// look back at the day that ended, as the job that runs at night does; later at today.
const noon = 12

func (r *reflection) coveredDay() (time.Time, error) {
	now := r.Now()
	if r.args.Date == "" {
		if now.Hour() < noon {
			now = now.AddDate(0, 0, -1)
		}
		return now, nil
	}
	day, err := memory.ParseDay(r.args.Date, now.Location())
	if err != nil {
		return day, memory.Errorf(memory.InvalidArgument, "date cannot be %s", quoteShort(r.args.Date)).WithHint("a day such as 2026-02-21")
	}
	return day.Add(noon * time.Hour), nil
}
