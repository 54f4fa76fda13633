package jobs

import (
	"fmt"
	"time"
)

// State is how a job is.
type State string

// The states. All but Healthy are anomalies.
const (
	Healthy  State = "healthy"
	Disabled State = "disabled" // switched off
	Stale    State = "stale"    // it did not run when it should have, or does not end
	Failing  State = "failing"  // its last run did not end well
)

// Snapshot is what one look at a job saw.
type Snapshot struct {
	At     time.Time `json:"at"`
	State  State     `json:"state"`
	Detail string    `json:"detail,omitempty"`
}

// Watched is what the watchdog remembers of a job.
type Watched struct {
	Anomalies int        `json:"anomalies"`          // looks in a row that found one
	Alerted   time.Time  `json:"alerted,omitzero"`   // since when an alert stands
	Rerun     bool       `json:"rerun,omitempty"`    // it was run again since it became stale
	Last3     []Snapshot `json:"last3"`              // oldest first
	Reported  string     `json:"report,omitempty"`   // file of the alert that stands
	Recovered time.Time  `json:"recovered,omitzero"` // when an anomaly last went away
}

// Memory is what the watchdog remembers: memory/state/memory-watchdog-state.json.
type Memory struct {
	Checked time.Time          `json:"checked,omitzero"`
	Jobs    map[string]Watched `json:"jobs"`
}

// Finding is one job as a look of the watchdog saw it.
type Finding struct {
	Job string `json:"job"`
	Snapshot
	Anomalies int        `json:"anomalies"`
	Alerted   bool       `json:"alerted"`             // an alert stands
	New       bool       `json:"new_alert,omitempty"` // it was raised by this look
	Recovered bool       `json:"recovered,omitempty"`
	Rerun     bool       `json:"rerun,omitempty"` // the watchdog runs it again
	Last3     []Snapshot `json:"last3"`
	Report    string     `json:"report,omitempty"`
}

// alertAfter is how many looks in a row must find an anomaly before it is worth
// a person's attention: most go away by themselves.
const alertAfter = 2

// keptSnapshots is how many looks are shown with an alert.
const keptSnapshots = 3

// Watch looks at every job once. It changes nothing: it returns what it found
// and what to remember of it.
func Watch(t Timetable, histories map[string]History, before Memory, now time.Time) ([]Finding, Memory) {
	after := Memory{Checked: now, Jobs: make(map[string]Watched, len(t.Jobs))}
	findings := []Finding{}
	apart := t.apart(now)
	for _, job := range t.Jobs {
		if job.Name == WatchdogJob {
			continue // whoever reads this sees that it runs
		}
		f, w := before.Jobs[job.Name].look(t.state(job, histories, now), apart)
		f.Job = job.Name
		findings = append(findings, f)
		after.Jobs[job.Name] = w
	}
	return findings, after
}

// Looks are as far apart as the watchdog's own times, less what a look may be
// late; without such times, by lookApart.
const (
	lookApart = 10 * time.Minute
	lateShare = 10 // of the interval
)

// apart is how long after a hit the next look can be another one: what somebody
// sees who looks twice in a minute is one anomaly, not two.
func (t Timetable) apart(now time.Time) time.Duration {
	watchdog, _ := t.Job(WatchdogJob)
	next := watchdog.Next(now, t.Zone)
	if next.IsZero() {
		return lookApart
	}
	interval := watchdog.Next(next, t.Zone).Sub(next)
	return max(time.Second, interval-interval/lateShare)
}

// look adds a snapshot to what is remembered of a job and draws the conclusions.
func (w Watched) look(s Snapshot, apart time.Duration) (Finding, Watched) {
	if s.State != Healthy && w.Anomalies > 0 && len(w.Last3) > 0 && s.At.Sub(w.Last3[len(w.Last3)-1].At) < apart {
		return Finding{Snapshot: s, Last3: w.Last3, Anomalies: w.Anomalies, Alerted: !w.Alerted.IsZero(), Report: w.Reported}, w
	}
	last := append(append([]Snapshot{}, w.Last3...), s)
	w.Last3 = last[max(0, len(last)-keptSnapshots):]
	f := Finding{Snapshot: s, Last3: w.Last3}
	if s.State == Healthy {
		f.Recovered, f.Report = w.Anomalies > 0, w.Reported
		if f.Recovered {
			w.Recovered = s.At
		}
		return f, Watched{Last3: w.Last3, Recovered: w.Recovered}
	}
	w.Anomalies++
	if w.Anomalies >= alertAfter && w.Alerted.IsZero() {
		w.Alerted, f.New = s.At, true
	}
	if s.State == Stale && !w.Rerun {
		w.Rerun, f.Rerun = true, true
	}
	f.Anomalies, f.Alerted, f.Report = w.Anomalies, !w.Alerted.IsZero(), w.Reported
	return f, w
}

// slack is how late a job may be, beyond its own time-out, before it is stale:
// others may run before it.
const slack = 10 * time.Minute

func (t Timetable) state(job Job, histories map[string]History, now time.Time) Snapshot {
	h := histories[job.Name]
	s := Snapshot{At: now, State: Healthy}
	last := h.Last()
	switch {
	case h.Disabled:
		s.State, s.Detail = Disabled, "switched off"
	case h.Running != nil && now.Sub(h.Running.Started) > job.Timeout+slack:
		s.State, s.Detail = Stale, "running since "+shown(h.Running.Started, t.Zone)
	case h.Running != nil:
		s.Detail = "running since " + shown(h.Running.Started, t.Zone)
	case last != nil && last.Outcome != Done:
		s.State, s.Detail = Failing, fmt.Sprintf("%s at %s: %s", last.Outcome, shown(last.Started, t.Zone), last.Detail)
	default:
		s.State, s.Detail = t.lateness(job, h, histories, now)
	}
	return s
}

// lateness tells whether a job that is not running should have run.
func (t Timetable) lateness(job Job, h History, histories map[string]History, now time.Time) (State, string) {
	allowed := job.Timeout + slack
	if o, due := t.byClock(job, h, now); due && now.Sub(o.Slot.Time(t.Zone)) > allowed {
		return Stale, fmt.Sprintf("due since %s, last done %s", shown(o.Slot.Time(t.Zone), t.Zone), shown(h.LastDone, t.Zone))
	}
	for _, name := range job.After {
		if other := histories[name]; t.owes(h, other) && now.Sub(other.LastDone) > allowed {
			return Stale, fmt.Sprintf("due after %s of %s, last done %s", name, shown(other.LastDone, t.Zone), shown(h.LastDone, t.Zone))
		}
	}
	return Healthy, ""
}

func shown(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return "never"
	}
	return t.In(zone).Format("2006-01-02 15:04")
}
