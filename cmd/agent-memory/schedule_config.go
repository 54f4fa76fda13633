package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// scheduleOff is the times of a job that is not to run by itself.
const scheduleOff = "off"

// scheduleSettings are those of [schedule]: one for each job, and the zone.
func scheduleSettings() []setting {
	list := []setting{{Name: setScheduleZone, Kind: kindZone, Meaning: "the zone in which the times of [schedule] and of the profile are meant; empty: the workspace's"}}
	for _, job := range jobs.Names() {
		list = append(list, setting{
			Name: schedulePrefix + job, Kind: kindTimes,
			Meaning: "when " + job + ` runs instead of the profile's times: cron expressions such as "30 4 * * *" separated by ";", "after JOB", or "off"; empty: as the profile says`,
		})
	}
	return list
}

// checkTimes reads the times of one job.
func checkTimes(text string) error {
	_, err := timesOf("", text)
	if e, ok := errors.AsType[*memory.Error](err); ok {
		return errors.New(e.Message) // the setting's own words are the hint
	}
	return err
}

// timesOf reads what a setting says of a job: nothing at all for "off".
func timesOf(job, text string) ([]lifecycle.Job, error) {
	if text == scheduleOff {
		return nil, nil
	}
	var list []lifecycle.Job
	for _, part := range strings.Split(text, ";") {
		entry := lifecycle.Job{Name: job, DryRun: job == "gc"} // no profile lets it delete by itself
		part = strings.TrimSpace(part)
		if after, follows := strings.CutPrefix(part, "after "); follows {
			if entry.After = strings.TrimSpace(after); entry.After != jobs.Conversation {
				if err := jobs.CheckName(entry.After); err != nil {
					return nil, err //nolint:wrapcheck // says which name and which there are
				}
			}
		} else if x, err := jobs.ParseExpression(part); err != nil {
			return nil, err //nolint:wrapcheck // says what is wrong with it
		} else {
			entry.Cron = x.String()
		}
		list = append(list, entry)
	}
	return list, nil
}

// jobs are the jobs of a profile at the times that the settings give them. What
// a job follows stays, unless its setting names something to follow, too.
func (c *config) jobs(profile []lifecycle.Job) []lifecycle.Job {
	list := slices.Clone(profile)
	for _, name := range jobs.Names() {
		text := c.text(schedulePrefix + name)
		if text == "" {
			continue
		}
		times, err := timesOf(name, text)
		if err != nil {
			continue // refused when it was read
		}
		follows := slices.ContainsFunc(times, func(j lifecycle.Job) bool { return j.After != "" })
		at, dry := slices.IndexFunc(list, func(j lifecycle.Job) bool { return j.Name == name }), false
		list = slices.DeleteFunc(list, func(j lifecycle.Job) bool {
			dry = dry || j.Name == name && j.DryRun
			return j.Name == name && (j.Cron != "" || follows || text == scheduleOff)
		})
		for i := range times {
			times[i].DryRun = times[i].DryRun || dry
		}
		if at < 0 || at > len(list) {
			at = len(list)
		}
		list = slices.Insert(list, at, times...)
	}
	return list
}

// timetable is the schedule of a profile with the workspace's settings.
func (c *config) timetable(profile []lifecycle.Job) (jobs.Timetable, error) {
	list := c.jobs(profile)
	entries := make([]jobs.Entry, 0, len(list))
	for _, j := range list {
		entries = append(entries, jobs.Entry{Name: j.Name, Cron: j.Cron, After: j.After, DryRun: j.DryRun})
	}
	t, err := jobs.NewTimetable(entries, c.scheduleZone())
	if err != nil {
		return t, fmt.Errorf("reading the schedule: %w", err)
	}
	return t, nil
}

// scheduleZone is the zone in which the times of jobs are meant.
func (c *config) scheduleZone() *time.Location {
	if name := c.text(setScheduleZone); name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return c.zone()
}

// checkSchedule refuses a schedule in which jobs would follow each other for ever.
func (c *config) checkSchedule() error {
	if !slices.ContainsFunc(jobs.Names(), func(name string) bool { return c.text(schedulePrefix+name) != "" }) {
		return nil
	}
	profile, err := lifecycle.ProfileByName(c.text(setProfile))
	if err != nil {
		return err //nolint:wrapcheck // says which profiles there are
	}
	if _, err := c.timetable(profile.Jobs); err != nil {
		return memory.Errorf(memory.InvalidArgument, "%w", err).WithHint("look at [schedule] in %s, and at `agent-memory schedule list` without it", configPath(c))
	}
	return nil
}
