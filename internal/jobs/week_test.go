package jobs_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/lifecycle"

	"github.com/google/go-cmp/cmp"
)

// entries are the jobs of a profile, as the program hands them over.
func entries(t *testing.T, profile string) []jobs.Entry {
	t.Helper()
	p, err := lifecycle.ProfileByName(profile)
	if err != nil {
		t.Fatal(err)
	}
	var list []jobs.Entry
	for _, j := range p.Jobs {
		list = append(list, jobs.Entry{Name: j.Name, Cron: j.Cron, After: j.After, DryRun: j.DryRun})
	}
	return list
}

// week is a machine on which the jobs of a profile run for a week: real timers
// and time-outs on the clock of the test's bubble, real files and locks.
type week struct {
	t         *testing.T
	root      *os.Root
	zone      *time.Location
	shift     time.Duration
	timetable jobs.Timetable

	mu       sync.Mutex
	done     map[string][]string // job → local times at which its work was done
	said     []string            // what the watchdog said
	crashAt  string              // the machine dies while this work runs
	stuckAt  string              // this work takes no notice of its context for hours
	power    context.CancelFunc
	image    []byte // of the history when the machine died
	watchdog *jobs.Watchdog
}

func (w *week) now() time.Time { return time.Now().Add(w.shift).In(w.zone) }

func (w *week) work(ctx context.Context, job jobs.Job) (string, error) {
	at := job.Name + " " + w.now().Format("02T15:04")
	switch at {
	case w.crash(at):
		w.image, _ = w.root.ReadFile("memory/state/job-" + job.Name + ".json")
		w.power()
		return "", ctx.Err()
	case w.stuckAt:
		time.Sleep(3 * time.Hour) // whatever the context says: its lock is held as long
		return "", nil
	}
	if job.Name == jobs.WatchdogJob {
		return w.look(ctx)
	}
	time.Sleep(30 * time.Second)
	if ctx.Err() == nil {
		w.note(job.Name)
	}
	return "", ctx.Err()
}

// crash returns at, once, if the machine dies then.
func (w *week) crash(at string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at != w.crashAt {
		return ""
	}
	w.crashAt = ""
	return at
}

func (w *week) note(job string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done[job] = append(w.done[job], w.now().Format("02T15:04"))
}

func (w *week) look(ctx context.Context) (string, error) {
	v, err := w.watchdog.Look(ctx)
	at := w.now().Format("02T15:04")
	for _, job := range v.New {
		w.said = append(w.said, at+" alert "+job)
	}
	for _, job := range v.Recover {
		w.said = append(w.said, at+" recovered "+job)
	}
	for _, r := range v.Reruns {
		w.said = append(w.said, at+" rerun "+r.Job)
	}
	w.note(jobs.WatchdogJob)
	return "", err
}

// machine runs the scheduler of a process until the machine dies or the time is over.
func (w *week) machine(until time.Time) {
	ctx, off := context.WithDeadline(context.Background(), until.Add(-w.shift))
	defer off()
	w.power = off
	book := &jobs.Book{Root: w.root, Locks: &jobs.Locks{Root: w.root}, Now: w.now}
	s := &jobs.Scheduler{
		Timetable: w.timetable, Runner: &jobs.Runner{Book: book, Now: w.now}, Work: w.work, Now: w.now,
		Log: func(message string, err error) { w.t.Logf("%s: %s: %v", w.now().Format("02T15:04"), message, err) },
	}
	w.watchdog = &jobs.Watchdog{Scheduler: s, Root: w.root, Now: w.now}
	s.Loop(ctx)
	if w.image != nil { // nothing was written after the machine had died
		writeText(w.t, w.root, "memory/state/job-sync.json", string(w.image))
		w.image = nil
	}
}

// TestAWeek: seven days in Berlin around the night in which an hour is missing.
// The machine dies during a sync and is off for an hour; a reflection hangs.
func TestAWeek(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	start := time.Date(2026, 3, 26, 0, 0, 30, 0, berlin)
	end := time.Date(2026, 4, 2, 0, 0, 0, 0, berlin)
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	timetable := table(t, berlin, entries(t, "openclaw")...)
	w := &week{
		t: t, root: root, zone: berlin, timetable: timetable, done: map[string][]string{},
		crashAt: "sync 28T14:00", stuckAt: "reflect 30T04:30",
	}
	synctest.Test(t, func(*testing.T) {
		w.shift = time.Until(start)
		w.machine(end)
		if died := w.now().Format("02T15:04"); died != "28T14:00" {
			t.Errorf("the machine died at %s", died)
		}
		time.Sleep(time.Hour)
		w.machine(end)
	})
	w.checkPeriods(start, end)
	wantSaid := []string{"30T08:15 alert reflect", "31T06:15 recovered reflect"}
	if diff := cmp.Diff(wantSaid, slices.DeleteFunc(w.said, func(s string) bool { return strings.HasSuffix(s, "recovered sync") })); diff != "" {
		t.Errorf("the watchdog said (-want +got):\n%s", diff)
	}
	w.checkReport()
}

// checkPeriods compares the times at which work was done with the slots of the
// timetable, worked out here hour by hour.
func (w *week) checkPeriods(start, end time.Time) {
	hours := map[string][]string{
		"sync": {"14:00", "22:00"}, "surface": {"14:00", "22:00"}, "wrapup": {"00:30"}, "reflect": {"04:30"},
		jobs.WatchdogJob: {"00:15", "02:15", "04:15", "06:15", "08:15", "10:15", "12:15", "14:15", "16:15", "18:15", "20:15", "22:15"},
	}
	want := map[string]int{"compound": 1, "gc": 1}
	for day := start; day.Before(end); day = day.AddDate(0, 0, 1) {
		for job, at := range hours {
			want[job] += len(at)
		}
	}
	want["reflect"]-- // the one that hung
	got := map[string]int{}
	for job, at := range w.done {
		got[job] = len(at)
		if slices.Sort(at); len(slices.Compact(at)) != got[job] {
			w.t.Errorf("%s ran twice at one time: %v", job, at)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("runs in the week (-want +got):\n%s\n%v", diff, w.done)
	}
	for job, at := range map[string]string{
		"sync":           "28T15:01", // made up for when the machine was on again
		"surface":        "28T15:01",
		"compound":       "29T22:01",
		jobs.WatchdogJob: "29T03:00", // 02:15 never came
	} {
		if !slices.ContainsFunc(w.done[job], func(s string) bool { return s[:5] == at[:5] && s <= at }) {
			w.t.Errorf("%s did not run by %s: %v", job, at, w.done[job])
		}
	}
}

func (w *week) checkReport() {
	report, err := w.root.ReadFile("memory/failure-reports/2026-03-30-0815-reflect.md")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, want := range []string{"reflect (failing)", "2026-03-30 06:15: failing", "2026-03-30 08:15: failing", "given up after 10m", "2026-03-31 06:15"} {
		if !strings.Contains(string(report), want) {
			w.t.Errorf("%q is missing in the report:\n%s", want, report)
		}
	}
	files, err := os.ReadDir(w.root.Name() + "/memory/failure-reports")
	if err != nil || len(files) != 1 {
		w.t.Errorf("%d reports, %v", len(files), err)
	}
}

// TestWatch is a conversation with the watchdog: what it sees at each look.
func TestWatch(t *testing.T) {
	timetable := table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}, jobs.Entry{Name: "surface", After: "sync"})
	at := func(hour int) time.Time { return noon.Add(time.Duration(hour-12) * time.Hour) }
	ended := func(hour int, outcome jobs.Outcome) jobs.Run {
		end := at(hour).Add(time.Minute)
		return jobs.Run{Started: at(hour), Ended: &end, Outcome: outcome, Detail: "detail"}
	}
	well := jobs.History{Since: at(0), Slot: "2026-03-11T14:00", LastDone: at(14).Add(time.Minute), Runs: []jobs.Run{ended(14, jobs.Done)}}
	failed := jobs.History{Since: at(0), Slot: "2026-03-11T14:00", Runs: []jobs.Run{ended(14, jobs.Failed)}}
	never := jobs.History{Since: at(0)}
	off := jobs.History{Since: at(0), Disabled: true}
	running := jobs.History{Since: at(0), Running: &jobs.Run{Started: at(14)}}
	for _, c := range []struct {
		name  string
		looks []jobs.History // one an hour, from 14:00
		want  string
	}{
		{"well", []jobs.History{well, well, well}, "healthy healthy healthy"},
		{"one anomaly is noise", []jobs.History{failed, well}, "failing healthy+recovered"},
		{"the second look alerts, later ones do not again", []jobs.History{failed, failed, failed, failed}, "failing failing+alert failing failing"},
		{"noise between does not count", []jobs.History{failed, well, failed, well}, "failing healthy+recovered failing healthy+recovered"},
		{"a new streak is a new alert", []jobs.History{failed, failed, well, failed, failed}, "failing failing+alert healthy+recovered failing failing+alert"},
		{"disabled", []jobs.History{off, off, well}, "disabled disabled+alert healthy+recovered"},
		{"stale is run again once", []jobs.History{never, never, never, never}, "healthy stale+rerun stale+alert stale"},
		{"what runs for long is stale", []jobs.History{running, running, running}, "healthy stale+rerun stale+alert"},
		{"other anomalies in a row alert too", []jobs.History{off, failed}, "disabled failing+alert"},
	} {
		var memory jobs.Memory
		var got []string
		for i, h := range c.looks {
			var findings []jobs.Finding
			findings, memory = jobs.Watch(timetable, map[string]jobs.History{"sync": h, "surface": {Since: at(0), Runs: []jobs.Run{ended(15, jobs.Done)}}}, memory, at(14+i).Add(time.Second))
			got = append(got, seen(findings[0]))
			if n := len(findings[0].Last3); n != min(i+1, 3) {
				t.Errorf("%s: %d snapshots at look %d", c.name, n, i+1)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func seen(f jobs.Finding) string {
	s := string(f.State)
	for mark, set := range map[string]bool{"alert": f.New, "recovered": f.Recovered, "rerun": f.Rerun} {
		if set {
			s += "+" + mark
		}
	}
	return s
}

// A job that follows another is stale when the other was done long ago.
func TestWatchFollowers(t *testing.T) {
	timetable := table(t, time.UTC, entries(t, "fusion")...)
	histories := map[string]jobs.History{
		"sync":    {Since: noon, LastDone: noon.Add(2 * time.Hour)},
		"surface": {Since: noon},
	}
	findings, _ := jobs.Watch(timetable, histories, jobs.Memory{}, noon.Add(3*time.Hour))
	for _, f := range findings {
		if want := map[bool]jobs.State{true: jobs.Stale, false: jobs.Healthy}[f.Job == "surface"]; f.State != want && f.Job != "sync" {
			t.Errorf("%s is %s: %s", f.Job, f.State, f.Detail)
		}
	}
}

// The watchdog runs a stale job again, and remembers that it did.
func TestTheWatchdogRunsAStaleJobOnce(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}, jobs.Entry{Name: "surface", After: "sync"}), noon)
	d.work["sync"] = func(context.Context) error { return fmt.Errorf("no network") }
	w := &jobs.Watchdog{Scheduler: d.scheduler, Root: d.root, Now: func() time.Time { return d.now }}
	look := func(after time.Duration) jobs.Verdict {
		d.now = d.now.Add(after)
		v, err := w.Look(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	look(0) // from now on
	if v := look(3 * time.Hour); len(v.Reruns) != 1 || v.Reruns[0].Outcome != jobs.Failed || len(v.Alerts) != 0 {
		t.Errorf("%+v", v)
	}
	if v := look(2 * time.Hour); len(v.Reruns) != 0 || len(v.New) != 1 || len(v.Alerts) != 1 {
		t.Errorf("%+v", v)
	}
	d.work["sync"] = nil
	d.tick(24 * time.Hour)
	if v := look(time.Hour); len(v.Recover) != 1 || len(v.Alerts) != 0 {
		t.Errorf("%+v", v)
	}
}
