package main

import (
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/lifecycle"
)

// firing is a job at a time.
type firing struct {
	at  time.Time
	job jobs.Job
}

// pause is how long after a job those run that follow it.
const pause = 5 * time.Minute

func timetable(p lifecycle.Profile) (jobs.Timetable, error) {
	entries := make([]jobs.Entry, len(p.Jobs))
	for i, j := range p.Jobs {
		entries[i] = jobs.Entry{Name: j.Name, Cron: j.Cron, After: j.After, DryRun: j.DryRun}
	}
	table, err := jobs.NewTimetable(entries, time.UTC)
	if err != nil {
		return table, fmt.Errorf("reading the schedule of profile %s: %w", p.Name, err)
	}
	return table, nil
}

// firings lists the jobs that run on a day, in order.
func firings(t jobs.Timetable, day time.Time) []firing {
	var list []firing
	for _, j := range t.Jobs {
		if len(j.Times) == 0 {
			continue
		}
		for at := j.Next(day.Add(-time.Second), t.Zone); at.Before(day.AddDate(0, 0, 1)); at = j.Next(at, t.Zone) {
			list = append(list, firing{at, j})
		}
	}
	for i := 0; i < len(list); i++ {
		for _, j := range t.Following(list[i].job.Name) {
			list = append(list, firing{list[i].at.Add(pause), j})
		}
	}
	slices.SortStableFunc(list, func(a, b firing) int { return a.at.Compare(b.at) })
	return list
}
