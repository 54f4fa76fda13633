package tools

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/lifecycle"
)

// Transcripts knows the conversations of other programs and how far each was
// captured.
type Transcripts interface {
	// Collect calls take for what is new in each conversation, in pieces. A
	// piece counts as processed once take has returned without an error.
	Collect(ctx context.Context, scope CaptureScope, take func(context.Context, Heard) error) (CaptureSummary, error)
}

// CaptureScope says what to look at.
type CaptureScope struct {
	MinUserMessages int
	LookBack        time.Duration // 0: since each conversation was captured last
	DryRun          bool
	Finished        bool   // only conversations that have ended
	Transcript      string // path of the one conversation to look at; "" for all
}

// CaptureSummary tells what was looked at besides what was handed over.
type CaptureSummary struct {
	Conversations int            // all there are
	Unchanged     int            // since they were captured
	Passed        map[string]int // why others were passed over
	BadLines      int
	Warnings      []string
}

// Heard is what is new in a conversation, or a piece of it.
type Heard struct {
	SessionID   string
	Namespace   string // of the agent whose conversation it is
	Title       string // the beginning of what the user said first
	Fingerprint string // of what the user said last
	Messages    int
	Facts       []Fact
}

// Fact is one thing worth remembering that was said. Its memory has the id that
// it gets each time it is found, and the words, provenance and trust.
type Fact struct {
	Class  lifecycle.Class
	Memory memory.Memory
	Said   []Said // where a language model may refine it: what it was taken from
}

// CaptureOptions are what a caller of Capture can choose.
type CaptureOptions struct {
	DryRun     bool
	Finished   bool
	Transcript string
}

// CaptureReport tells what was captured from conversations.
type CaptureReport struct {
	Conversations int            `json:"conversations"` // all there are
	Sessions      int            `json:"sessions"`      // those with something new
	Messages      int            `json:"messages"`
	Found         int            `json:"found"`
	Added         int            `json:"added"`
	Merged        int            `json:"merged"` // said what a memory says already, or more
	Known         int            `json:"known"`  // captured before
	Skipped       int            `json:"skipped"`
	Quarantined   int            `json:"quarantined"`
	Passed        map[string]int `json:"passed,omitempty"`
	BadLines      int            `json:"bad_lines"`
	Warnings      []string       `json:"warnings"`
	Refined       *RefineReport  `json:"refined,omitempty"` // by a language model, where one is to
}

// CaptureStore is what capturing needs of the store.
type CaptureStore interface {
	ByID(ctx context.Context, namespace, id string) (memory.Memory, error)
}

// Capture turns what was said in conversations into memories: once, with their
// source, by the rules of the profile and through the guard of remember.
type Capture struct {
	Transcripts Transcripts
	Store       CaptureStore
	Remember    *Remember
	Profile     lifecycle.Profile
	Refining    *Refining // nil: no language model is asked
	Now         func() time.Time
}

// Capture implements Capturer.
func (c *Capture) Capture(ctx context.Context, o CaptureOptions) (CaptureReport, error) {
	policy := c.Profile.Capture
	report := CaptureReport{Warnings: []string{}}
	sessions := map[string]bool{}
	scope := CaptureScope{MinUserMessages: policy.MinUserMessages, LookBack: policy.LookBack, DryRun: o.DryRun, Finished: o.Finished, Transcript: o.Transcript}
	refining := c.Refining.begin(ctx, &report)
	summary, err := c.Transcripts.Collect(ctx, scope, func(ctx context.Context, h Heard) error {
		sessions[h.SessionID] = true
		report.Messages += h.Messages
		return c.take(ctx, h, o.DryRun, refining, &report)
	})
	refining.end(context.WithoutCancel(ctx), &report)
	report.Sessions, report.Conversations = len(sessions), summary.Conversations
	report.Passed, report.BadLines = summary.Passed, summary.BadLines
	report.Warnings = append(report.Warnings, summary.Warnings...)
	if err != nil {
		return report, fmt.Errorf("going through conversations: %w", err)
	}
	return report, nil
}

// take remembers what was heard in one piece of a conversation.
func (c *Capture) take(ctx context.Context, h Heard, dryRun bool, refining *refining, report *CaptureReport) error {
	facts := c.chosen(h)
	report.Found += len(facts)
	if dryRun || len(facts) == 0 {
		return nil
	}
	facts = refining.facts(ctx, facts, report, func(f Fact) bool {
		_, err := c.Store.ByID(ctx, f.Memory.Namespace, f.Memory.ID)
		return err == nil
	})
	for len(facts) > 0 {
		n := independent(facts)
		if err := c.remember(ctx, facts[:n], report); err != nil {
			return fmt.Errorf("remembering what was said in %s: %w", h.SessionID, err)
		}
		facts = facts[n:]
	}
	return nil
}

// chosen returns the facts that the profile captures, in its shape.
func (c *Capture) chosen(h Heard) []Fact {
	var facts []Fact
	for _, f := range h.Facts {
		if c.Profile.Capture.Takes(f.Class) || c.onlyCorrecting(f.Class) {
			facts = append(facts, c.completed(f, h.Namespace))
		}
	}
	return c.shaped(h, facts)
}

// onlyCorrecting reports whether what is of a class is kept only for what it sets right.
func (c *Capture) onlyCorrecting(class lifecycle.Class) bool {
	return class == lifecycle.ClassCorrection && c.Profile.Capture.Corrections && !c.Profile.Capture.Takes(class)
}

// completed gives a fact what does not depend on who said it.
func (c *Capture) completed(f Fact, namespace string) Fact {
	now := c.Now()
	m := &f.Memory
	m.Namespace = namespace
	m.Type = lifecycle.ClassifyCaptured(f.Class, m.Content)
	m.InitialImportance = lifecycle.CapturedImportance(f.Class)
	m.Importance, m.Density = m.InitialImportance, 0.5
	m.CreatedAt = lifecycle.CapturedAt(m.ObservedAt, now)
	m.UpdatedAt, m.ImportanceSet = m.CreatedAt, m.CreatedAt
	return f
}

// alikeFrom is the share of the shorter text's terms from which two facts may
// repeat or contradict each other.
const alikeFrom = 0.3

// independent returns how many of the first facts have nothing to do with each
// other. The guard compares with what is stored: of two that do, the first must
// be stored before the second is judged. A correction may mean any earlier one,
// in other words.
func independent(facts []Fact) int {
	var terms [][]string
	for i, f := range facts {
		if _, corrects := lifecycle.CorrectionOf(f.Memory); corrects && i > 0 {
			return i
		}
		mine := text.Index(f.Memory.Content)
		for _, other := range terms {
			if shared(mine, other) >= alikeFrom {
				return i
			}
		}
		terms = append(terms, mine)
	}
	return len(facts)
}

// shared returns which part of the shorter list's terms the other one holds.
func shared(a, b []string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	held := map[string]bool{}
	for _, t := range b {
		held[t] = true
	}
	n := 0
	for _, t := range a {
		if held[t] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// remember writes facts that were not captured before.
func (c *Capture) remember(ctx context.Context, facts []Fact, report *CaptureReport) error {
	var fresh []taken
	for _, f := range facts {
		_, err := c.Store.ByID(ctx, f.Memory.Namespace, f.Memory.ID)
		switch {
		case err == nil:
			report.Known++
		case memory.IsNotFound(err) || memory.CodeOf(err) == memory.Unavailable || memory.CodeOf(err) == memory.ReadOnly: // then the journal takes it
			fresh = append(fresh, taken{memory: f.Memory, onlyCorrecting: c.onlyCorrecting(f.Class)})
		default:
			return fmt.Errorf("looking whether it was captured before: %w", err)
		}
	}
	outcomes, err := c.Remember.take(ctx, fresh)
	if err != nil {
		return err
	}
	for _, o := range outcomes {
		report.count(o)
	}
	return nil
}

func (r *CaptureReport) count(o Outcome) {
	switch o.Action {
	case "failed":
		r.Skipped++
		r.Warnings = append(r.Warnings, o.Reason)
	case string(lifecycle.Skipped):
		r.Skipped++
	case string(lifecycle.Held):
		r.Quarantined++
	case string(lifecycle.Merged), string(lifecycle.Reinforced), string(lifecycle.Updated):
		r.Merged++
	default:
		r.Added++
	}
	if o.Degraded != "" && len(r.Warnings) == 0 {
		r.Warnings = append(r.Warnings, o.Reason)
	}
}

// taken is a memory that was found in a conversation.
type taken struct {
	memory         memory.Memory
	onlyCorrecting bool // kept only if it sets something right
}

// take brings in memories that are complete but for their place. Those that
// cannot be kept fail by themselves.
func (r *Remember) take(ctx context.Context, memories []taken) ([]Outcome, error) {
	outcomes := make([]Outcome, len(memories))
	var open []*pending
	indexer := r.indexer()
	defer r.indexers.Put(indexer)
	for i, m := range memories {
		p := &pending{outcome: &outcomes[i], onlyCorrecting: m.onlyCorrecting}
		if err := r.finish(m.memory, p, indexer); err != nil {
			p.fail(err)
			continue
		}
		open = append(open, p)
	}
	if len(open) == 0 {
		return outcomes, nil
	}
	return outcomes, r.write(ctx, open)
}
