package jobs

import (
	"fmt"
	"time"
)

// Order is a job that is to run, for which period, and why.
type Order struct {
	Job  Job
	Slot Slot
	Why  string
}

// lateBy is the delay from which a run is called a missed one that is caught up.
const lateBy = 2 * time.Minute

// Due returns what is to run now. A job is due when its last period has not
// been dealt with, however many were missed before; and a job that follows
// another, when the other has been done since it last began.
func (t Timetable) Due(histories map[string]History, now time.Time) []Order {
	var due []Order
	for _, job := range t.Jobs {
		h := histories[job.Name]
		if h.Disabled {
			continue
		}
		if o, ok := t.byClock(job, h, now); ok {
			due = append(due, o)
		} else if o, ok := t.byFollowing(job, h, histories); ok {
			due = append(due, o)
		}
	}
	return due
}

// byClock: a job that nobody has looked at yet owes nothing.
func (t Timetable) byClock(job Job, h History, now time.Time) (Order, bool) {
	slot := job.Latest(now, t.Zone)
	if slot == "" || slot <= h.Slot || h.Since.IsZero() || slot < SlotAt(h.Since, t.Zone) {
		return Order{}, false
	}
	why := "due"
	if now.Sub(slot.Time(t.Zone)) >= lateBy {
		why = "missed"
	}
	return Order{Job: job, Slot: slot, Why: why}, true
}

func (t Timetable) byFollowing(job Job, h History, histories map[string]History) (Order, bool) {
	for _, name := range job.After {
		if t.owes(h, histories[name]) {
			return Order{Job: job, Why: "after " + name}, true
		}
	}
	return Order{}, false
}

// owes reports whether a job must still follow what another one did.
func (t Timetable) owes(h, other History) bool {
	return !h.Since.IsZero() && other.LastDone.After(h.Since) && other.LastDone.After(h.begun())
}

// String describes an order for a log.
func (o Order) String() string {
	if o.Slot == "" {
		return fmt.Sprintf("%s (%s)", o.Job.Name, o.Why)
	}
	return fmt.Sprintf("%s (%s, %s)", o.Job.Name, o.Why, o.Slot)
}
