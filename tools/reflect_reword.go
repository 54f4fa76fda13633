package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Bounds of what one run asks a language model.
const (
	rewordLines    = 12              // lines of one request
	rewordRequests = 16              // of one run
	rewordPatience = 4 * time.Minute // for all of them
	keptWordings   = 1 << 14         // the oldest go first
)

// Rewriter is a language model that words lines anew. It proposes; what it
// proposes is checked.
type Rewriter interface {
	Reword(ctx context.Context, lines []string) ([]string, error)
}

// Wording is what was once proposed for a text, and accepted. Text is empty
// where nothing was: the text keeps its own words, and nobody is asked again.
type Wording struct {
	MemoryID string `json:"memory"`
	Source   string `json:"source"` // hash of the text that it is a wording of
	Text     string `json:"text,omitempty"`
}

// Wordings keep what was proposed, so that the same text is sent once and gets
// the same words in every run.
type Wordings interface {
	Read(ctx context.Context) ([]Wording, error)
	Write(ctx context.Context, kept []Wording) error
}

// WordingReport tells what a language model did for the summaries of a run.
type WordingReport struct {
	Requests int `json:"requests"`
	Reworded int `json:"reworded"` // lines that stand in its words, of this run or an earlier one
	Refused  int `json:"refused"`  // proposals of this run that were not true to their line
}

// Rewording lets a language model shorten lines of summaries. The summary
// without it stays the truth: whatever fails or does not hold what the line
// says leaves the line as it is.
type Rewording struct {
	Model Rewriter
	Kept  Wordings
}

// rewording is its work in one run.
type rewording struct {
	*Rewording
	report *WordingReport
	texts  map[string]memory.Memory // by id
	known  []Wording
	index  map[string]int // into known, by hash of the source
	failed error          // why nobody is asked any more
	told   bool           // that it failed
}

// reworded returns pages in which lines are shortened where a model is
// configured and its wording is true to them. Memories are all there are.
func (r *reflection) reworded(ctx context.Context, pages []memory.Projection, memories []memory.Memory) []memory.Projection {
	if r.Rewording == nil || len(pages) == 0 {
		return pages
	}
	if r.wording == nil {
		r.result.Wording = &WordingReport{}
		r.wording = &rewording{Rewording: r.Rewording, report: r.result.Wording}
		r.wording.failed = r.wording.begin(ctx)
	}
	pages = r.wording.pages(ctx, pages, memories)
	if err := r.wording.failed; err != nil && !r.wording.told {
		r.wording.told = true
		r.result.Notes = append(r.result.Notes, fmt.Sprintf("degraded: lines keep their own words where the language model did not word them: %s", saidOnce(err)))
	}
	return pages
}

// saidOnce returns what an error says without its cause, which it repeats.
func saidOnce(err error) string {
	var e *memory.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

func (w *rewording) begin(ctx context.Context) error {
	known, err := w.Kept.Read(ctx)
	if err != nil {
		return fmt.Errorf("reading earlier wordings: %w", err)
	}
	w.known, w.index = known, make(map[string]int, len(known))
	for i, k := range known {
		w.index[k.Source] = i
	}
	return nil
}

func (w *rewording) pages(ctx context.Context, pages []memory.Projection, memories []memory.Memory) []memory.Projection {
	ctx, cancel := context.WithTimeout(ctx, rewordPatience)
	defer cancel()
	w.report.Reworded, w.texts = 0, make(map[string]memory.Memory, len(memories))
	for _, m := range memories {
		w.texts[m.ID] = m
	}
	worded := make([]memory.Projection, len(pages))
	for i, p := range pages {
		worded[i] = w.page(ctx, p)
	}
	if err := w.keep(context.WithoutCancel(ctx)); err != nil && w.failed == nil {
		w.failed = err
	}
	return worded
}

// place is a line that waits for a wording.
type place struct {
	line   *memory.ProjectedLine
	source string // the whole text of it
}

func (w *rewording) page(ctx context.Context, p memory.Projection) memory.Projection {
	p.Sections = slices.Clone(p.Sections)
	for i := range p.Sections {
		p.Sections[i].Entries = slices.Clone(p.Sections[i].Entries)
		var open []place
		for j := range p.Sections[i].Entries {
			line := &p.Sections[i].Entries[j]
			source, worth := lifecycle.Wordable(*line, w.texts[line.MemoryID])
			if worth && !w.apply(line, source) {
				open = append(open, place{line, source})
			}
		}
		for part := range slices.Chunk(open, rewordLines) {
			w.ask(ctx, part)
		}
	}
	return p
}

// apply words a line as it was worded before, and reports whether that is settled.
// It is checked again: the file that it comes from can be edited.
func (w *rewording) apply(line *memory.ProjectedLine, source string) bool {
	i, found := w.index[memory.Hash(source)]
	if !found {
		return false
	}
	if text := w.known[i].Text; text != "" && lifecycle.Rewords(source, text) {
		line.Text = text
		w.report.Reworded++
	}
	return true
}

// ask has lines worded. After a failure nobody is asked for the rest of the run.
func (w *rewording) ask(ctx context.Context, part []place) {
	if w.failed == nil && w.report.Requests >= rewordRequests {
		w.failed = memory.Errorf(memory.Unavailable, "the %d requests of a run are spent", rewordRequests)
	}
	if w.failed != nil {
		return
	}
	sources := make([]string, len(part))
	for i, p := range part {
		sources[i] = p.source
	}
	w.report.Requests++
	proposed, err := w.Model.Reword(ctx, sources)
	if err == nil && len(proposed) != len(part) {
		err = memory.Errorf(memory.Unavailable, "%d wordings came back for %d lines", len(proposed), len(part))
	}
	if err != nil {
		w.failed = err
		return
	}
	for i, p := range part {
		w.settle(p, proposed[i])
	}
}

// settle accepts or refuses a wording; both are final for this text.
func (w *rewording) settle(p place, proposed string) {
	kept := Wording{MemoryID: p.line.MemoryID, Source: memory.Hash(p.source)}
	if lifecycle.Rewords(p.source, proposed) {
		kept.Text = proposed
	} else if proposed != p.source {
		w.report.Refused++
	}
	w.index[kept.Source] = len(w.known)
	w.known = append(w.known, kept)
	w.apply(p.line, p.source)
}

// keep keeps what was settled, without what belongs to memories that are gone.
func (w *rewording) keep(ctx context.Context) error {
	if w.index == nil {
		return nil // what is there could not be read, and is left alone
	}
	kept := slices.DeleteFunc(slices.Clone(w.known), func(k Wording) bool {
		_, there := w.texts[k.MemoryID]
		return !there
	})
	kept = kept[max(0, len(kept)-keptWordings):]
	if err := w.Kept.Write(ctx, kept); err != nil {
		return fmt.Errorf("keeping the wordings: %w", err)
	}
	return nil
}
