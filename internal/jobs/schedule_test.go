package jobs_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // zones, also where the system has none

	"agentmemory/internal/jobs"
	"agentmemory/internal/memory"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func table(t *testing.T, z *time.Location, entries ...jobs.Entry) jobs.Timetable {
	t.Helper()
	timetable, err := jobs.NewTimetable(entries, z)
	if err != nil {
		t.Fatal(err)
	}
	return timetable
}

// In the spring of 2026 Berlin has no 02:00–02:59 on March 29th; in the autumn
// it has two of them on October 25th. Lord Howe moves by half an hour.
func TestLatestSlotWhereClocksChange(t *testing.T) {
	for _, c := range []struct{ zone, cron, now, want string }{
		{"Europe/Berlin", "30 2 * * *", "2026-03-29T00:59:00Z", "2026-03-28T02:30"}, // 01:59, the old day's
		{"Europe/Berlin", "30 2 * * *", "2026-03-29T01:00:00Z", "2026-03-29T02:30"}, // 03:00: at once, though 02:30 never was
		{"Europe/Berlin", "30 2 * * *", "2026-10-25T00:30:00Z", "2026-10-25T02:30"}, // the first 02:30
		{"Europe/Berlin", "30 2 * * *", "2026-10-25T01:30:00Z", "2026-10-25T02:30"}, // the second: the same slot
		{"Europe/Berlin", "15 */2 * * *", "2026-10-25T01:20:00Z", "2026-10-25T02:15"},
		{"Europe/Berlin", "45 2 * * *", "2026-10-25T01:20:00Z", "2026-10-24T02:45"},       // the second 02:20: next is tomorrow's, today's has been
		{"Australia/Lord_Howe", "15 2 * * *", "2026-10-03T15:30:00Z", "2026-10-04T02:15"}, // 02:00 became 02:30
		{"Asia/Shanghai", "0 14,22 * * *", "2026-03-29T06:00:00Z", "2026-03-29T14:00"},
		{"Asia/Shanghai", "0 22 * * 0", "2026-03-29T13:59:59Z", "2026-03-22T22:00"},
		{"Asia/Kolkata", "0 5 1,15 * *", "2026-03-14T23:30:00Z", "2026-03-15T05:00"},
		{"UTC", "0 0 13 * 5", "2026-03-16T00:00:00Z", "2026-03-13T00:00"}, // the 13th, or a Friday
		{"UTC", "0 0 1 * 5", "2026-03-08T00:00:00Z", "2026-03-06T00:00"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		z := zone(t, c.zone)
		job, _ := table(t, z, jobs.Entry{Name: "sync", Cron: c.cron}).Job("sync")
		if got := job.Latest(now, z); string(got) != c.want {
			t.Errorf("%s in %s at %s: %s, want %s", c.cron, c.zone, c.now, got, c.want)
		}
		if next := job.Next(now, z); !next.After(now) {
			t.Errorf("%s in %s at %s: next is %s", c.cron, c.zone, c.now, next)
		}
	}
}

func TestExpressionsThatAreNone(t *testing.T) {
	for _, text := range []string{"", "* * * *", "60 * * * *", "* * * * * *", "@every 1h", "TZ=UTC 0 0 * * *", "a b c d e", "*/0 * * * *", "0 0 31 2"} {
		if x, err := jobs.ParseExpression(text); err == nil {
			t.Errorf("%q was read as %v", text, x)
		}
	}
}

func FuzzParseExpression(f *testing.F) {
	for _, text := range []string{"0 14,22 * * *", "15 */2 * * *", "0 22 * * 0", "0 5 1,15 * *", "TZ=", "1-5/2 * * jan-mar sun"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, err := jobs.ParseExpression(text)
		if err != nil {
			return
		}
		timetable, err := jobs.NewTimetable([]jobs.Entry{{Name: "sync", Cron: x.String()}}, time.UTC)
		if err != nil {
			t.Fatalf("%q was read once only: %v", text, err)
		}
		job, _ := timetable.Job("sync")
		now := time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)
		if next := job.Next(now, time.UTC); !next.IsZero() && !next.After(now) {
			t.Fatalf("%q: next is %s", text, next)
		}
	})
}

// desk is a workspace with a scheduler whose clock the test moves.
type desk struct {
	t         *testing.T
	root      *os.Root
	now       time.Time
	scheduler *jobs.Scheduler
	ran       []string
	work      map[string]func(ctx context.Context) error
}

func newDesk(t *testing.T, timetable jobs.Timetable, now time.Time) *desk {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	d := &desk{t: t, root: root, now: now, work: map[string]func(context.Context) error{}}
	clock := func() time.Time { return d.now }
	book := &jobs.Book{Root: root, Locks: &jobs.Locks{Root: root}, Now: clock}
	d.scheduler = &jobs.Scheduler{
		Timetable: timetable, Runner: &jobs.Runner{Book: book, Now: clock}, Now: clock,
		Log: func(string, error) {},
		Work: func(ctx context.Context, job jobs.Job) (string, error) {
			d.ran = append(d.ran, job.Name)
			if work := d.work[job.Name]; work != nil {
				return "", work(ctx)
			}
			return "did it", nil
		},
	}
	return d
}

func (d *desk) tick(after time.Duration) string {
	d.t.Helper()
	d.now = d.now.Add(after)
	d.ran = nil
	if _, err := d.scheduler.RunDue(context.Background()); err != nil {
		d.t.Fatal(err)
	}
	return strings.Join(d.ran, " ")
}

var noon = time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)

func TestWhatIsDue(t *testing.T) {
	d := newDesk(t, table(t, time.UTC,
		jobs.Entry{Name: "sync", Cron: "0 14,22 * * *"}, jobs.Entry{Name: "surface", After: "sync"},
		jobs.Entry{Name: "wrapup", Cron: "30 0 * * *"}), noon)
	for _, step := range []struct {
		after time.Duration
		want  string
		why   string
	}{
		{0, "", "nothing of the time before the first look is owed"},
		{119 * time.Minute, "", "13:59"},
		{time.Minute, "sync surface", "14:00, and what follows"},
		{time.Minute, "", "once a period"},
		{8 * time.Hour, "sync surface", "22:01"},
		{4 * 24 * time.Hour, "sync surface wrapup", "four days away: each is caught up once"},
		{time.Minute, "", "and only once"},
	} {
		if got := d.tick(step.after); got != step.want {
			t.Errorf("%s: ran %q, want %q", step.why, got, step.want)
		}
	}
}

func TestWhatFollowsAFailureDoesNotRun(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}, jobs.Entry{Name: "surface", After: "sync"}), noon)
	d.tick(0)
	d.work["sync"] = func(context.Context) error { return errors.New("disk full") }
	if got := d.tick(2 * time.Hour); got != "sync" {
		t.Fatalf("ran %q", got)
	}
	if got := d.tick(time.Hour); got != "" {
		t.Errorf("a failed period is not tried again by the clock, but %q ran", got)
	}
	h, err := d.scheduler.Runner.Book.Read("sync")
	if err != nil || h.Last() == nil || h.Last().Outcome != jobs.Failed || h.Last().Detail != "disk full" {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestTheFirstRunCountsForThePeriodThatHasCome(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 12 * * *"}), noon)
	if ended := d.scheduler.RunNow(t.Context(), "sync", "command"); len(ended) != 1 || ended[0].Outcome != jobs.Done {
		t.Fatalf("ended %+v", ended)
	}
	if got := d.tick(time.Minute); got != "" {
		t.Errorf("ran %q again a minute later", got)
	}
	if got := d.tick(24 * time.Hour); got != "sync" {
		t.Errorf("ran %q a day later", got)
	}
}

func TestDisabledJobsWaitAndOweNothingAfterwards(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	d.tick(0)
	for _, off := range []bool{true, false} {
		if err := d.scheduler.Runner.Book.Disable("sync", off); err != nil {
			t.Fatal(err)
		}
		if got := d.tick(3 * time.Hour); got != "" && off {
			t.Errorf("ran %q while switched off", got)
		}
	}
	if got := d.tick(24 * time.Hour); got != "sync" {
		t.Errorf("ran %q after it was switched on", got)
	}
}

func TestACrashedRunIsMadeUpFor(t *testing.T) {
	timetable := table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}, jobs.Entry{Name: "surface", After: "sync"})
	d := newDesk(t, timetable, noon)
	d.tick(0)
	// What a process leaves behind that was killed while it ran the job.
	writeText(t, d.root, "memory/state/job-sync.json", `{"job":"sync","since":"2026-03-11T12:00:00Z","token":7,
		"running":{"slot":"2026-03-11T14:00","started":"2026-03-11T14:00:00Z","why":"due","pid":1,"token":7}}`)
	if got := d.tick(2*time.Hour + 5*time.Minute); got != "sync surface" {
		t.Fatalf("ran %q", got)
	}
	h, err := d.scheduler.Runner.Book.Read("sync")
	if err != nil || len(h.Runs) != 2 || h.Runs[0].Outcome != jobs.Crashed || h.Runs[1].Outcome != jobs.Done || h.Runs[1].Token != 8 {
		t.Errorf("%+v, %v", h, err)
	}
	if got := d.tick(time.Hour); got != "" {
		t.Errorf("ran %q again", got)
	}
}

func writeText(t *testing.T, root *os.Root, name, text string) {
	t.Helper()
	if err := root.MkdirAll(filepath.ToSlash(filepath.Dir(name)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := root.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAJobThatAlwaysCrashesIsGivenUp(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	d.tick(0)
	d.now = noon.Add(2 * time.Hour)
	total := 0
	for range 6 {
		ctx, kill := context.WithCancel(context.Background())
		d.work["sync"] = func(context.Context) error { kill(); return ctx.Err() } // the process is told to end
		d.ran = nil
		if _, err := d.scheduler.RunDue(ctx); err != nil {
			t.Fatal(err)
		}
		kill()
		total += len(d.ran)
	}
	if total != 2 {
		t.Errorf("a job that kills its process ran %d times in one period", total)
	}
}

func TestWrapupAndCompoundExcludeEachOther(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "wrapup", Cron: "30 0 * * *"}, jobs.Entry{Name: "compound", Cron: "0 22 * * 0"}, jobs.Entry{Name: "surface", Cron: "0 0 * * *"}), noon)
	locks := &jobs.Locks{Root: d.root}
	job := func(name string) jobs.Job { j, _ := d.scheduler.Timetable.Job(name); return j }
	held, err := locks.Take(job("compound"))
	if err != nil {
		t.Fatal(err)
	}
	for name, free := range map[string]bool{"wrapup": false, "compound": false, "surface": true} {
		other, err := locks.Take(job(name))
		if free != (err == nil) {
			t.Errorf("%s beside compound: %v", name, err)
		}
		if err == nil {
			other.Release()
		}
	}
	held.Release()
	other, err := locks.Take(job("wrapup"))
	if err != nil {
		t.Fatalf("after compound has ended: %v", err)
	}
	other.Release()
}

func TestABusyJobStaysDue(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	d.tick(0)
	job, _ := d.scheduler.Timetable.Job("sync")
	held, err := (&jobs.Locks{Root: d.root}).Take(job)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.tick(2 * time.Hour); got != "" {
		t.Errorf("ran %q beside another process", got)
	}
	held.Release()
	if got := d.tick(time.Minute); got != "sync" {
		t.Errorf("ran %q when it was free", got)
	}
}

// Two processes that schedule one workspace run each period once.
func TestTwoSchedulers(t *testing.T) {
	one := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "*/10 * * * *"}), noon)
	two := *one
	two.scheduler = new(*one.scheduler)
	ran := 0
	count := func(context.Context, jobs.Job) (string, error) { ran++; return "", nil }
	one.scheduler.Work, two.scheduler.Work = count, count
	for range 60 {
		one.tick(time.Minute)
		two.now = one.now
		two.tick(0)
	}
	if ran != 6 {
		t.Errorf("ran %d times in an hour", ran)
	}
}

// A run that was given up, and overtaken by another, cannot claim its period.
// Who asks for what is not there, such as the undo of a run that never was, has
// run nothing: the job did not fail, and nobody is to be alarmed.
func TestACallOfWhatIsNotThereIsNoFailureOfTheJob(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "reflect", Cron: "0 4 * * *"}), noon)
	job, _ := d.scheduler.Timetable.Job("reflect")
	for why, noted := range map[string]int{jobs.Called: 0, "due": 1} {
		_, err := d.scheduler.Runner.Run(t.Context(), jobs.Order{Job: job, Why: why}, func(context.Context, jobs.Job) (string, error) {
			return "", memory.Errorf(memory.NotFound, "there is no run to undo")
		})
		h, readErr := d.scheduler.Runner.Book.Read("reflect")
		if memory.CodeOf(err) != memory.NotFound || readErr != nil || len(h.Runs) != noted || h.Running != nil {
			t.Errorf("%s: %v, %v; the history is %+v", why, err, readErr, h)
		}
		if err := d.root.RemoveAll("memory"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheOutcomeOfAnOvertakenRunIsRefused(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	d.tick(0)
	d.work["sync"] = func(context.Context) error {
		writeText(t, d.root, "memory/state/job-sync.json", `{"job":"sync","since":"2026-03-11T12:00:00Z","token":99}`)
		return nil
	}
	d.tick(2 * time.Hour)
	if h, err := d.scheduler.Runner.Book.Read("sync"); err != nil || h.Token != 99 || len(h.Runs) != 0 {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestADamagedHistoryIsWrittenAnew(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	writeText(t, d.root, "memory/state/job-sync.json", `{"job":`)
	d.tick(0)
	if got := d.tick(2 * time.Hour); got != "sync" {
		t.Errorf("ran %q", got)
	}
}

// A process that is killed while it writes leaves its half behind; the next
// writer of the file takes it away.
func TestAKilledWriterLeavesNothingForGood(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	writeText(t, d.root, "memory/state/job-sync.json.tmp", `{"job":`)
	writeText(t, d.root, "memory/state/job-other.json.tmp", `{}`)
	d.tick(0)
	d.tick(2 * time.Hour)
	left, err := fs.Glob(d.root.FS(), "memory/state/*.tmp")
	if err != nil || !slices.Equal(left, []string{"memory/state/job-other.json.tmp"}) {
		t.Errorf("left: %q, %v", left, err)
	}
}

func TestAPanicIsAFailure(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	d.tick(0)
	d.work["sync"] = func(context.Context) error { panic("nil map") }
	d.tick(2 * time.Hour)
	h, err := d.scheduler.Runner.Book.Read("sync")
	if err != nil || h.Last() == nil || h.Last().Outcome != jobs.Failed || !strings.Contains(h.Last().Detail, "nil map") {
		t.Errorf("%+v, %v", h, err)
	}
}
