package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/lifecycle"
)

// Bounds of what one request asks a language model.
const (
	refineFacts   = 12 // of one request
	keptRefusals  = 1 << 12
	keepsSubject  = 0.5 // of the terms of what rules found
	shortestQuote = 4   // characters
)

// Said is a message that a fact was taken from, redacted.
type Said struct {
	Number int64
	Role   string
	Text   string
}

// Refinable is a fact as a language model sees it. ID counts the facts of one
// request from 1; Range says which messages it was taken from.
type Refinable struct {
	ID    int
	Range string
	Text  string
	Said  []Said
}

// Refinement is what a model proposes for one fact, or for several that say
// one thing together. Quote are the words of the messages that bear it out.
type Refinement struct {
	IDs   []int
	Range string
	Quote string
	Text  string
	Drop  bool // nothing of it is worth keeping
}

// Refiner is a language model that words what was captured anew. It proposes;
// what it proposes is checked against what was said.
type Refiner interface {
	Refine(ctx context.Context, facts []Refinable) ([]Refinement, error)
}

// RefineState is what is kept between runs: what a day has spent, and which
// facts were left out, so that reading a conversation again leaves them out, too.
type RefineState struct {
	Day        string   `json:"day"` // local date
	Characters int      `json:"characters"`
	Left       []string `json:"left_out,omitempty"` // ids, oldest first; no text
}

// RefineLedger keeps the state. Captures of one workspace never overlap.
type RefineLedger interface {
	Read(ctx context.Context) (RefineState, error)
	Write(ctx context.Context, s RefineState) error
}

// RefineReport tells what a language model did in a run.
type RefineReport struct {
	Requests int `json:"requests"`
	Reworded int `json:"reworded"`
	Merged   int `json:"merged"`  // facts that became part of another one
	Dropped  int `json:"dropped"` // facts that it thought not worth keeping
	Refused  int `json:"refused"` // proposals that the conversation does not bear out
}

// Refining lets a language model improve what rules found. What the rules found
// stays where the model fails, or says what nobody said; what the user asked to
// be remembered is not shown to it.
type Refining struct {
	Model      Refiner
	Kept       RefineLedger
	Calls      int // of one run
	Characters int // sent on one day
	Day        func() string
}

// refining is its work in one run.
type refining struct {
	*Refining
	state  RefineState
	left   map[string]bool
	report RefineReport
	failed error
}

// begin returns nil where no model is to be asked.
func (r *Refining) begin(ctx context.Context, report *CaptureReport) *refining {
	if r == nil {
		return nil
	}
	run := &refining{Refining: r, left: map[string]bool{}}
	state, err := r.Kept.Read(ctx)
	if err != nil {
		run.failed = fmt.Errorf("reading what was refined: %w", err)
	}
	if day := r.Day(); state.Day != day {
		state.Day, state.Characters = day, 0
	}
	run.state = state
	for _, id := range state.Left {
		run.left[id] = true
	}
	report.Refined = &run.report
	return run
}

// facts returns what is to be remembered of facts that rules found. Known says
// which are in the store already: they are neither sent nor changed.
func (r *refining) facts(ctx context.Context, facts []Fact, report *CaptureReport, known func(Fact) bool) []Fact {
	if r == nil {
		return facts
	}
	facts = slices.DeleteFunc(slices.Clone(facts), func(f Fact) bool {
		if r.left[f.Memory.ID] {
			report.Known++
		}
		return r.left[f.Memory.ID]
	})
	var open []int
	for i, f := range facts {
		if f.refinable() && !known(f) {
			open = append(open, i)
		}
	}
	gone := map[int]bool{}
	for part := range slices.Chunk(open, refineFacts) {
		r.part(ctx, facts, part, gone)
	}
	kept := make([]Fact, 0, len(facts))
	for i, f := range facts {
		if !gone[i] {
			kept = append(kept, f)
		}
	}
	return kept
}

// refinable: plain notes whose words stand in a message, and which the user did
// not ask for in so many words.
func (f Fact) refinable() bool {
	m := f.Memory
	return f.Class != lifecycle.ClassRemember && m.Form == memory.Note && m.Status == memory.Active && len(m.Fields) == 0 &&
		slices.ContainsFunc(f.Said, func(s Said) bool { return strings.Contains(s.Text, m.Content) })
}

// part asks about some facts and takes over what holds. Gone are those that
// were merged into others or left out.
func (r *refining) part(ctx context.Context, facts []Fact, part []int, gone map[int]bool) {
	request := make([]Refinable, len(part))
	size := 0
	for i, at := range part {
		f := facts[at]
		request[i] = Refinable{ID: i + 1, Range: f.Memory.MessageRange, Text: f.Memory.Content, Said: f.Said}
		for _, s := range f.Said {
			size += utf8.RuneCountInString(s.Text)
		}
	}
	if !r.affords(size) {
		return
	}
	proposals, err := r.Model.Refine(ctx, request)
	if err != nil {
		r.failed = err
		return
	}
	used := map[int]bool{}
	for _, p := range proposals {
		chosen := r.chosen(p, request, used)
		if chosen == nil {
			r.report.Refused++
			continue
		}
		r.take(p, facts, part, chosen, gone)
	}
}

// affords spends the budget. After a failure, or beyond it, nobody is asked.
func (r *refining) affords(size int) bool {
	switch {
	case r.failed != nil:
		return false
	case r.report.Requests >= r.Calls:
		r.failed = memory.Errorf(memory.Unavailable, "the %d calls of a run are spent", r.Calls)
	case r.state.Characters+size > r.Characters:
		r.failed = memory.Errorf(memory.Unavailable, "the %d characters of a day are spent", r.Characters)
	default:
		r.report.Requests++
		r.state.Characters += size
	}
	return r.failed == nil
}

// chosen returns which facts a proposal is about, as places in the request; nil
// if the conversation does not bear it out.
func (r *refining) chosen(p Refinement, request []Refinable, used map[int]bool) []int {
	var chosen []int
	for _, id := range p.IDs {
		if id < 1 || id > len(request) || used[id] || slices.Contains(chosen, id-1) {
			return nil
		}
		chosen = append(chosen, id-1)
	}
	if len(chosen) == 0 || !borneOut(p, request, chosen) {
		return nil
	}
	for _, i := range chosen {
		used[i+1] = true
	}
	return chosen
}

// borneOut reports whether a proposal quotes, word for word, one message of its
// facts' range, the quotation holds all that the rules found there, and the
// wording is the quotation with words left out: nothing added, no number, name,
// negation or condition lost.
func borneOut(p Refinement, request []Refinable, chosen []int) bool {
	if utf8.RuneCountInString(p.Quote) < shortestQuote {
		return false
	}
	for _, i := range chosen {
		f := request[i]
		if p.Range != f.Range || !strings.Contains(p.Quote, f.Text) || !slices.ContainsFunc(f.Said, func(s Said) bool { return strings.Contains(s.Text, p.Quote) }) {
			return false
		}
		if !p.Drop && p.Text != f.Text && shared(text.Index(f.Text), text.Index(p.Text)) < keepsSubject {
			return false
		}
	}
	if p.Drop {
		return true
	}
	said := len(chosen) == 1 && p.Text == request[chosen[0]].Text || p.Text == p.Quote && !strings.Contains(p.Text, "\n")
	return said || lifecycle.Rewords(p.Quote, p.Text)
}

func (r *refining) take(p Refinement, facts []Fact, part, chosen []int, gone map[int]bool) {
	first := &facts[part[chosen[0]]]
	rest := chosen[1:]
	switch {
	case p.Drop:
		r.report.Dropped += len(chosen)
		rest = chosen
	case p.Text != first.Memory.Content:
		first.Memory.Content = p.Text
		r.report.Reworded++
	}
	if !p.Drop {
		r.report.Merged += len(rest)
	}
	for _, i := range rest {
		gone[part[i]] = true
		id := facts[part[i]].Memory.ID
		r.left[id] = true
		r.state.Left = append(r.state.Left, id)
	}
}

// end keeps what was spent, and says why the model was not asked for all.
func (r *refining) end(ctx context.Context, report *CaptureReport) {
	if r == nil {
		return
	}
	r.state.Left = r.state.Left[max(0, len(r.state.Left)-keptRefusals):]
	if r.report.Requests > 0 {
		if err := r.Kept.Write(ctx, r.state); err != nil && r.failed == nil {
			r.failed = fmt.Errorf("keeping what was refined: %w", err)
		}
	}
	if r.failed != nil {
		report.Warnings = append(report.Warnings, "what was found keeps its own words where the language model did not refine it: "+saidOnce(r.failed))
	}
}

// LocalDay returns the date of a clock in a zone.
func LocalDay(now func() time.Time, zone *time.Location) func() string {
	return func() string { return now().In(zone).Format(time.DateOnly) }
}
