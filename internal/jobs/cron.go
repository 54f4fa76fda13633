package jobs

import (
	"time"

	"agentmemory/internal/memory"

	cron "github.com/netresearch/go-cron"
)

// Expression is a cron expression of five fields: minute, hour, day of the
// month, month, day of the week. A day that either of the two day fields names
// is meant, as cron has it.
type Expression struct {
	text string
	spec *cron.SpecSchedule
}

// ParseExpression reads an expression.
func ParseExpression(text string) (Expression, error) {
	parser, err := cron.TryNewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.DowOrDom)
	if err != nil {
		return Expression{}, memory.Errorf(memory.Internal, "making the cron parser: %w", err)
	}
	schedule, err := parser.Parse(text)
	if err != nil {
		return Expression{}, memory.Errorf(memory.InvalidArgument, "%q is no cron expression: %w", text, err).
			WithHint("five fields: minute hour day month weekday, such as 30 4 * * *")
	}
	spec, ok := schedule.(*cron.SpecSchedule)
	if !ok || spec.Location != nil && spec.Location != time.Local {
		return Expression{}, memory.Errorf(memory.InvalidArgument, "%q names a zone; times are meant in the workspace's", text)
	}
	spec.Location = time.Local // meaning: the zone of the time that it is asked about
	return Expression{text: text, spec: spec}, nil
}

// String returns the expression as it was written.
func (x Expression) String() string { return x.text }

// Slot names one period of a job by the local time at which it was due,
// "2026-03-29T02:15". Local time is what makes a job run once a period where
// clocks change: an hour that comes twice holds its slots once, and those of an
// hour that is left out are due when it would have begun. Slots sort as text.
type Slot string

const slotLayout = "2006-01-02T15:04"

// Time is the moment of a slot; where clocks went forward, one close to it.
func (s Slot) Time(zone *time.Location) time.Time {
	t, err := time.ParseInLocation(slotLayout, string(s), zone)
	if err != nil {
		return time.Time{}
	}
	return t
}

// wall is the local time as if it were UTC, where no hour is missing or doubled.
func wall(t time.Time, zone *time.Location) time.Time {
	t = t.In(zone)
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, time.UTC)
}

// SlotAt is the slot of the minute of t, whether or not something is due then.
func SlotAt(t time.Time, zone *time.Location) Slot { return Slot(wall(t, zone).Format(slotLayout)) }

// Latest returns the last slot that has come at now, "" if there is none.
func (j Job) Latest(now time.Time, zone *time.Location) Slot {
	latest := Slot("")
	for _, x := range j.Times {
		if t := x.spec.Prev(wall(now, zone).Add(time.Minute)); !t.IsZero() {
			latest = max(latest, Slot(t.Format(slotLayout)))
		}
	}
	return latest
}

// Next returns the moment at which the job is due next, zero if it never is.
func (j Job) Next(now time.Time, zone *time.Location) time.Time {
	var next time.Time
	for _, x := range j.Times {
		if t := x.after(now, zone); !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	return next
}

// after is the first moment of the expression after now. Where clocks went back,
// slots of the hour that comes twice were moments of its first time.
func (x Expression) after(now time.Time, zone *time.Location) time.Time {
	for slot := x.spec.Next(wall(now, zone)); !slot.IsZero(); slot = x.spec.Next(slot) {
		if t := Slot(slot.Format(slotLayout)).Time(zone); t.After(now) {
			return t
		}
	}
	return time.Time{}
}
