package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/internal/memory"
)

// Work that does not stop when its time is over is given up, but nobody else
// does the same beside it; what it says in the end is not heard.
func TestWorkThatDoesNotStopKeepsItsLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "compound", Cron: "0 14 * * *"}, jobs.Entry{Name: "wrapup", Cron: "30 14 * * *"}), noon)
		stop, told := make(chan struct{}), make(chan struct{})
		d.work["compound"] = func(ctx context.Context) error {
			<-ctx.Done() // it is told, and takes no notice
			close(told)
			<-stop
			return nil
		}
		job, _ := d.scheduler.Timetable.Job("compound")
		order := jobs.Order{Job: job, Slot: "2026-03-11T14:00", Why: "due"}
		if _, err := d.scheduler.Runner.Run(context.Background(), order, d.scheduler.Work); memory.CodeOf(err) != memory.DeadlineExceeded {
			t.Errorf("given up: %v", err)
		}
		<-told
		state := func() string {
			h, err := d.scheduler.Runner.Book.Read("compound")
			if err != nil || h.Last() == nil || h.Running != nil {
				t.Fatalf("%+v, %v", h, err)
			}
			return string(h.Last().Outcome) + " " + h.Last().Detail
		}
		if got := state(); !strings.HasPrefix(got, "timeout ") || !strings.Contains(got, "keeps its lock") {
			t.Errorf("noted: %s", got)
		}
		for _, name := range []string{"compound", "wrapup"} {
			if busy, ok := errors.AsType[*jobs.BusyError](d.scheduler.RunNow(context.Background(), name, "asked for")[0].Err); ok {
				t.Errorf("%s: an error instead of a skip: %v", name, busy)
			}
		}
		if len(d.ran) != 1 {
			t.Errorf("ran beside it: %v", d.ran)
		}
		close(stop)
		synctest.Wait()
		if got := state(); !strings.HasPrefix(got, "timeout ") {
			t.Errorf("its late outcome counted: %s", got)
		}
		d.work["compound"] = nil
		if ended := d.scheduler.RunNow(context.Background(), "compound", "asked for"); ended[0].Outcome != jobs.Done {
			t.Errorf("after it had ended: %+v", ended)
		}
	})
}

// Looking twice in a minute is one hit, however often somebody looks.
func TestTwoLooksAtOnceAreOneHit(t *testing.T) {
	timetable := table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}, jobs.Entry{Name: jobs.WatchdogJob, Cron: "15 */2 * * *"})
	failed := map[string]jobs.History{"sync": {Since: noon, Slot: "2026-03-11T14:00", Runs: []jobs.Run{{Started: noon, Outcome: jobs.Failed}}}}
	var remembered jobs.Memory
	for _, look := range []struct {
		after time.Duration
		hits  int
		alert bool
	}{{0, 1, false}, {time.Second, 1, false}, {time.Hour, 1, false}, {2*time.Hour - time.Minute, 2, true}, {2 * time.Hour, 2, false}, {4 * time.Hour, 3, false}} {
		var findings []jobs.Finding
		findings, remembered = jobs.Watch(timetable, failed, remembered, noon.Add(15*time.Minute).Add(look.after))
		if f := findings[0]; f.Anomalies != look.hits || f.New != look.alert || f.State != jobs.Failing {
			t.Errorf("after %s: %+v", look.after, f)
		}
	}
	well := map[string]jobs.History{"sync": {Since: noon, Slot: "2026-03-11T14:00", Runs: []jobs.Run{{Started: noon, Outcome: jobs.Done}}}}
	if findings, _ := jobs.Watch(timetable, well, remembered, noon.Add(4*time.Hour+16*time.Minute)); !findings[0].Recovered {
		t.Errorf("a recovery waits for nothing: %+v", findings[0])
	}
}

// A service that the work waits for may have been too slow: that is a failure of
// the work, whose own time is not over.
func TestADeadlineWithinTheWorkIsNotItsOwn(t *testing.T) {
	d := newDesk(t, table(t, time.UTC, jobs.Entry{Name: "sync", Cron: "0 14 * * *"}), noon)
	d.work["sync"] = func(context.Context) error { return fmt.Errorf("asking the model: %w", context.DeadlineExceeded) }
	ended := d.scheduler.RunNow(t.Context(), "sync", "asked for")
	if len(ended) != 1 || ended[0].Outcome != jobs.Failed || !strings.Contains(ended[0].Detail, "asking the model") {
		t.Errorf("%+v", ended)
	}
}
