package jobs

import "time"

// Outcome is how a run ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Failed  Outcome = "failed"
	TimeOut Outcome = "timeout" // it was given up
	Crashed Outcome = "crashed" // its process ended before it did
)

// Run is one run of a job.
type Run struct {
	Slot    Slot       `json:"slot,omitempty"` // the period that it was for; "" when it ran out of turn
	Started time.Time  `json:"started"`
	Ended   *time.Time `json:"ended,omitempty"` // absent while it runs
	Outcome Outcome    `json:"outcome,omitempty"`
	Detail  string     `json:"detail,omitempty"` // what it did, or why it failed
	Why     string     `json:"why"`              // due, missed, after sync, command, rerun by the watchdog …
	PID     int        `json:"pid,omitempty"`
	// Token grows by one with every run. A run whose token is not the newest was
	// given up meanwhile, and its outcome counts no more.
	Token int64 `json:"token"`
}

// History is what is known of a job: memory/state/job-<name>.json.
type History struct {
	Job string `json:"job"`
	// Since is when the job was first looked at; what was due before is not missed.
	Since    time.Time `json:"since,omitzero"`
	Disabled bool      `json:"disabled,omitempty"`
	Token    int64     `json:"token"`
	Slot     Slot      `json:"slot,omitempty"`     // the last period that was dealt with
	LastDone time.Time `json:"last_done,omitzero"` // when a run last ended well
	Running  *Run      `json:"running,omitempty"`
	Runs     []Run     `json:"runs,omitempty"` // oldest first
}

const crashedDetail = "its process ended, or stood still, before it did"

// keptRuns is how many runs a history remembers.
const keptRuns = 10

// Last returns the newest ended run, nil if there is none.
func (h History) Last() *Run {
	if len(h.Runs) == 0 {
		return nil
	}
	return &h.Runs[len(h.Runs)-1]
}

// begun is when the job last began a run that counts. One that crashed does
// not, so that it is made up for, unless it keeps crashing.
func (h History) begun() time.Time {
	crashes := 0
	for i := len(h.Runs) - 1; i >= 0; i-- {
		if h.Runs[i].Outcome != Crashed {
			return h.Runs[i].Started
		}
		if crashes++; crashes >= crashesAllowed {
			return h.Runs[len(h.Runs)-1].Started
		}
	}
	return time.Time{}
}

// begin notes that a run has started. Whoever calls it holds the job's lock, so
// that a run which is still noted as running belongs to a process that is gone.
func (h *History) begin(r Run) Run {
	if h.Running != nil {
		h.end(*h.Running, Crashed, crashedDetail, r.Started)
	}
	if h.Since.IsZero() {
		h.Since = r.Started
	}
	h.Token++
	r.Token = h.Token
	h.Running = &r
	return r
}

// crashesAllowed is how often a job may crash in one period before the period
// is given up: what kills its process every time must not do so for ever.
const crashesAllowed = 2

// end notes how a run ended. The outcome of a run that is not the newest is
// refused: it was given up, and another may have begun.
func (h *History) end(r Run, outcome Outcome, detail string, at time.Time) bool {
	if r.Token != h.Token {
		return false
	}
	r.Outcome, r.Detail, r.Ended = outcome, detail, &at
	h.Running = nil
	h.Runs = append(h.Runs, r)
	if outcome == Done {
		h.LastDone = at
	}
	if outcome != Crashed || h.crashes(r.Slot) >= crashesAllowed {
		h.Slot = max(h.Slot, r.Slot)
	}
	h.Runs = h.Runs[max(0, len(h.Runs)-keptRuns):]
	return true
}

// Called is why a run began that somebody asked for by name.
const Called = "called"

// withdraw forgets a run that its caller asked for with words that nobody
// understands, or of something that is not there, such as a run to undo: the
// job itself neither ran nor failed.
func (h *History) withdraw(r Run) {
	if r.Token == h.Token {
		h.Running = nil
	}
}

func (h *History) crashes(s Slot) int {
	n := 0
	for _, r := range h.Runs {
		if r.Outcome == Crashed && r.Slot == s {
			n++
		}
	}
	return n
}
