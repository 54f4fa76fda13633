//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// change is a moment at which a zone sets its clocks, or the end of a leap day.
type change struct {
	zone string
	at   time.Time
}

func changes() []change {
	return []change{
		{"America/New_York", time.Date(2026, 3, 8, 7, 0, 0, 0, time.UTC)},
		{"America/New_York", time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)},
		{"Europe/Berlin", time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)},
		{"Australia/Lord_Howe", time.Date(2026, 4, 4, 15, 0, 0, 0, time.UTC)}, // half an hour
		{"America/Santiago", time.Date(2026, 9, 6, 4, 0, 0, 0, time.UTC)},     // there is no midnight
		{"Asia/Kathmandu", time.Date(2028, 2, 28, 18, 15, 0, 0, time.UTC)},    // the leap day begins
		{"Asia/Shanghai", time.Date(2028, 2, 29, 16, 0, 0, 0, time.UTC)},      // and ends
	}
}

// zonesAndJumps moves the clock of the real program through changes of clocks in
// several zones and the leap day: each memory stands in the file of its local day, in
// no other, and the job of each night runs once. Then the clock jumps ten years.
func zonesAndJumps(ctx context.Context, t *trial) (string, error) {
	remembered, nights := 0, 0
	list := changes()
	for i, c := range list {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			return "", skippedError("the time zones are not installed")
		}
		w, err := t.watch(c.zone, i)
		if err != nil {
			return "", err
		}
		for _, before := range []time.Duration{-26 * time.Hour, -time.Hour, -time.Second, 0, time.Minute, 30 * time.Minute, 61 * time.Minute, 25 * time.Hour} {
			if err := w.tell(ctx, c.at.Add(before), zone); err != nil {
				return "", fmt.Errorf("%s at %s: %w", c.zone, c.at.Add(before).In(zone), err)
			}
			remembered++
		}
		if t.short && i != 0 {
			continue
		}
		n, err := w.night(ctx, c.at, zone)
		if err != nil {
			return "", fmt.Errorf("%s about %s: %w", c.zone, c.at, err)
		}
		nights += n
	}
	jumps, err := t.jump(ctx)
	return fmt.Sprintf("%d changes of clocks in six zones and a leap day: %d memories in the file of their local day, %d nights with one run each; %s", len(list), remembered, nights, jumps), err
}

// watch is a workspace whose clock we move.
type watch struct {
	*trial
	ws, zone string
	said     int
}

func (t *trial) watch(zone string, n int) (*watch, error) {
	ws, err := t.Fresh(fmt.Sprint("zone", n))
	return &watch{trial: t, ws: ws, zone: zone}, err
}

// run runs a command at a time.
func (w *watch) run(ctx context.Context, at time.Time, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, w.Binary, append(args, "--workspace", w.ws, "--set", "time_zone="+w.zone)...)
	cmd.Env = append(w.Env(), "AGENT_MEMORY_CLOCK="+at.Format(time.RFC3339))
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != watchdogAlert {
		return "", broken(fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, failure.Bytes()))
	}
	return out.String(), nil
}

// tell remembers an event and looks for it in the journals.
func (w *watch) tell(ctx context.Context, at time.Time, zone *time.Location) error {
	w.said++
	text := fmt.Sprintf("zone%s happened, 第%d件事", word(w.said), w.said)
	if _, err := w.run(ctx, at, "remember", text, "--type", "event"); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(w.ws, "memory", "*.md"))
	if err != nil {
		return fmt.Errorf("listing journals: %w", err)
	}
	var found []string
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("reading a journal: %w", err)
		}
		if strings.Contains(string(raw), text) {
			found = append(found, filepath.Base(file))
		}
	}
	if want := at.In(zone).Format(time.DateOnly) + ".md"; len(found) != 1 || found[0] != want {
		return broken(fmt.Errorf("%q stands in %v instead of %s", text, found, want))
	}
	return nil
}

// night lets the schedule run every two hours for three days about a change,
// and counts the runs of the job of each night.
func (w *watch) night(ctx context.Context, at time.Time, zone *time.Location) (int, error) {
	begin := at.Add(-36 * time.Hour)
	want := 0
	for hours := 0; hours <= 72; hours += 2 {
		if _, err := w.run(ctx, begin.Add(time.Duration(hours)*time.Hour), "schedule", "run"); err != nil {
			return 0, err
		}
	}
	end := begin.Add(72 * time.Hour)
	for day := begin.In(zone); ; day = day.AddDate(0, 0, 1) {
		slot := time.Date(day.Year(), day.Month(), day.Day(), 0, 30, 0, 0, zone) // "30 0 * * *"
		if slot.After(end) {
			break
		}
		if slot.After(begin) {
			want++
		}
	}
	raw, err := os.ReadFile(filepath.Join(w.ws, "memory", "state", "job-wrapup.json"))
	if err != nil {
		return 0, fmt.Errorf("reading the history of the job: %w", err)
	}
	var history struct {
		Runs []struct{ Outcome, Why string }
	}
	if err := json.Unmarshal(raw, &history); err != nil {
		return 0, fmt.Errorf("reading the history of the job: %w", err)
	}
	if len(history.Runs) != want {
		return 0, broken(fmt.Errorf("the job of the night ran %d times in %d nights: %s", len(history.Runs), want, raw))
	}
	return want, nil
}

// jump moves the clock ten years ahead, back, and twenty years back, with decay at
// each place. Everything stays in the store, and vitality in its bounds.
func (t *trial) jump(ctx context.Context) (string, error) {
	w, err := t.watch("Europe/Berlin", 99)
	if err != nil {
		return "", err
	}
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	before := map[string]float64{}
	years := []int{0, 10, 0, -10, 0, 10}
	for _, jump := range years {
		at := now.AddDate(jump, 0, 0)
		w.said++
		text := fmt.Sprintf("zone%s was learnt, number %d", word(w.said), w.said)
		if _, err := w.run(ctx, at, "remember", text, "--type", "event"); err != nil {
			return "", err
		}
		if _, err := w.run(ctx, at, "reflect", "--phase", "decay"); err != nil {
			return "", err
		}
		out, err := w.run(ctx, at, "export", "--format", "jsonl", "--all")
		if err != nil {
			return "", err
		}
		if n := strings.Count(out, "was learnt"); n != w.said {
			return "", broken(fmt.Errorf("after a jump by %d years %d of %d memories are there", jump, n, w.said))
		}
		listed, err := w.run(ctx, at, "recall", "was learnt", "--json", "--limit", "50")
		if err != nil {
			return "", err
		}
		if err := boundedVitality(listed, before); err != nil {
			return "", broken(fmt.Errorf("after a jump by %d years: %w", jump, err))
		}
	}
	return fmt.Sprintf("%d jumps of ten years: nothing lost, vitality in its bounds", len(years)-1), nil
}

func boundedVitality(listed string, before map[string]float64) error {
	var r struct {
		Memories []struct {
			ID       string  `json:"id"`
			Vitality float64 `json:"vitality"`
		} `json:"memories"`
	}
	if err := json.Unmarshal([]byte(listed), &r); err != nil {
		return fmt.Errorf("reading an answer: %w", err)
	}
	if len(r.Memories) == 0 {
		return errors.New("nothing is recalled")
	}
	var problems []error
	for _, m := range r.Memories {
		if m.Vitality < 0 || m.Vitality > 1 {
			problems = append(problems, fmt.Errorf("the vitality of %s went from %g to %g", m.ID, before[m.ID], m.Vitality))
		}
		before[m.ID] = m.Vitality
	}
	return errors.Join(problems...)
}
