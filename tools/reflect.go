package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Bounds of a reflection.
const (
	applyAtOnce = 100 // changes of one transaction, so that writers wait little
	shownSteps  = 200 // steps of a plan that are listed in the answer
	shownText   = 60  // characters of their memories
)

// The derived files that hosts load by themselves.
const (
	recentFile = "RECENT.md"
	indexFile  = "MEMORY.md"
)

// ReflectStore is what reflecting needs of the store.
type ReflectStore interface {
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
	// Survey lists a namespace; what is put away or forgotten only as memory.Brief.
	Survey(ctx context.Context, namespace string) ([]memory.Memory, error)
	Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error)
	Meta(ctx context.Context, key string) ([]byte, error)
	SetMeta(ctx context.Context, key string, value []byte) error
}

// ReflectArgs choose a phase, or the undo of a run.
type ReflectArgs struct {
	Phase  string `json:"phase"`
	DryRun *bool  `json:"dry_run"`
	Undo   bool   `json:"undo"`
	Date   string `json:"date"` // of wrapup: the day that it covers
}

// ReflectResult reports each phase that ran. Plan lists what was, or in a dry
// run would be, changed, with the reason.
type ReflectResult struct {
	Phase   string           `json:"phase"`
	DryRun  bool             `json:"dry_run"`
	Decay   *DecayReport     `json:"decay,omitempty"`
	Tidy    *TidyReport      `json:"tidy,omitempty"`
	Govern  *GovernReport    `json:"govern,omitempty"`
	Surface *ProjectedReport `json:"surface,omitempty"`
	Index   *ProjectedReport `json:"compound,omitempty"`
	Extract *ExtractReport   `json:"extract,omitempty"`
	GC      *GCReport        `json:"gc,omitempty"`
	Wrapup  *WrapupReport    `json:"wrapup,omitempty"`
	Wording *WordingReport   `json:"wording,omitempty"`
	Undone  *memory.Undone   `json:"undone,omitempty"`
	Changed int              `json:"changed"`
	Plan    []PlanStep       `json:"plan"`
	// Files are the derived files that were written, besides MEMORY.md and RECENT.md.
	Files []string `json:"files,omitempty"`
	// Consistency are the lines of the comparison with MEMORY.md: its OK, or conflicts.
	Consistency []string `json:"consistency,omitempty"`
	Notes       []string `json:"notes,omitempty"`
}

// PlanStep is one change and why.
type PlanStep struct {
	Op     string `json:"op"`
	ID     string `json:"id"`
	URI    string `json:"uri,omitempty"`
	Status string `json:"status,omitempty"`
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"` // the beginning of the memory
}

// DecayReport counts under the lineage's names; Folded are the accesses taken into account.
type DecayReport struct {
	lifecycle.DecayCounts
	Folded int `json:"folded"`
}

// TidyReport counts under the lineage's names; nothing is ever pruned.
type TidyReport struct {
	lifecycle.TidyCounts
	OrphansCleaned  int `json:"orphansCleaned"`
	SnapshotsPruned int `json:"snapshotsPruned"`
}

// GovernReport counts under the lineage's names.
type GovernReport struct {
	lifecycle.GovernCounts
	OrphanPaths int `json:"orphanPaths"`
}

// ProjectedReport tells of a derived file.
type ProjectedReport struct {
	File    string `json:"file"`
	Written bool   `json:"written"`
	Lines   int    `json:"lines"`
	Demoted int    `json:"demoted,omitempty"`
}

// GCReport tells what was collected.
type GCReport struct {
	Removed int `json:"removed"`
}

// Reflect is the use case behind the tool of that name.
type Reflect struct {
	Store     ReflectStore
	Files     Projections
	Wrapups   WrapupFiles
	Weekly    CompoundFiles
	Undoing   Undoing
	Archive   Archive
	Mirror    Notifier
	Entities  EntityFiles
	Reports   Reports    // nil: none are written
	Rewording *Rewording // nil: summaries keep the words of the memories
	Home      func(memory.Memory) string
	Fold      func(ctx context.Context) (int, error) // takes the access log into the memories' counters
	Profile   lifecycle.Profile
	Now       func() time.Time // in the workspace's zone
	Namespace string
}

func phaseNames() []string {
	var names []string
	for _, p := range phases() {
		names = append(names, p.name)
	}
	return names
}

// ReflectSpec describes the tool.
func ReflectSpec() Spec {
	return Spec{
		Name: "reflect", Title: "Reflect",
		Description: "Maintain; all = decay, tidy, govern; surface: RECENT.md; compound: MEMORY.md",
		Hints:       Hints{Idempotent: true},
		Input: Schema{
			{Name: "phase", Kind: String, Enum: phaseNames()},
			{Name: "dry_run", Kind: Boolean, Description: "only plan; gc: default"},
			{Name: "undo", Kind: Boolean, Description: "take back the last run (of the phase, if one is given)", Announce: `{"type":"boolean"}`},
			{Name: "date", Kind: String, Description: "wrapup: the day that it covers, YYYY-MM-DD", Hidden: true},
			{Name: "agent_id", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"changed":{"type":"integer"},"plan":{"type":"array","items":{"type":"object"}}},"required":["changed"]}`),
	}
}

// Run plans a phase, all if none is named, and, unless it is a dry run, carries the plan out.
func (r *Reflect) Run(ctx context.Context, a ReflectArgs) (ReflectResult, error) {
	if a.Date != "" && (a.Undo || a.Phase != "wrapup") {
		return ReflectResult{}, memory.Errorf(memory.InvalidArgument, "only a wrapup is of a day").WithHint("leave date out, or give phase wrapup")
	}
	if a.Undo {
		return r.undo(ctx, a)
	}
	if a.Phase == "" {
		a.Phase = "all"
	}
	run := &reflection{Reflect: r, args: a, result: ReflectResult{Phase: a.Phase, Plan: []PlanStep{}}}
	run.result.DryRun = a.Phase == "gc" && r.Profile.GC.DryRun
	if a.DryRun != nil {
		run.result.DryRun = *a.DryRun
	}
	if !run.result.DryRun && r.Undoing != nil {
		ctx = r.Undoing.Begin(ctx, a.Phase)
	}
	if err := run.phase(ctx, a.Phase); err != nil {
		return ReflectResult{}, fmt.Errorf("reflect %s: %w", a.Phase, err)
	}
	r.Mirror.Notify()
	return run.result, nil
}

// reflection is one run.
type reflection struct {
	*Reflect
	args     ReflectArgs
	memories []memory.Memory // as last listed
	wording  *rewording      // nil: no line was to be reworded yet
	result   ReflectResult
}

// everything lists the whole namespace, whatever the status.
func (r *reflection) everything(ctx context.Context) ([]memory.Memory, error) {
	memories, err := r.Store.List(ctx, memory.Filter{Namespace: r.Namespace, Statuses: memory.Statuses(), Layer: memory.LayerAll})
	if err != nil {
		return nil, fmt.Errorf("listing memories: %w", err)
	}
	r.memories = memories
	return memories, nil
}

// survey lists the whole namespace for phases that change nothing that is put
// away, and read only of it what memory.Brief keeps: decay, tidy and govern.
func (r *reflection) survey(ctx context.Context) ([]memory.Memory, error) {
	memories, err := r.Store.Survey(ctx, r.Namespace)
	if err != nil {
		return nil, fmt.Errorf("listing memories: %w", err)
	}
	r.memories = memories
	return memories, nil
}

// carryOut applies a plan in small transactions. A change that was overtaken by
// another writer is left for the next run.
func (r *reflection) carryOut(ctx context.Context, plan memory.Plan) error {
	r.note(plan)
	if r.result.DryRun {
		return nil
	}
	if err := r.expect(ctx, plan.Changes); err != nil {
		return err
	}
	progress := ProgressFrom(ctx)
	for from := 0; from < len(plan.Changes); from += applyAtOnce {
		part := plan.Changes[from:min(from+applyAtOnce, len(plan.Changes))]
		applied, err := r.Store.Apply(ctx, part)
		if err != nil {
			return fmt.Errorf("applying the plan: %w", err)
		}
		for _, one := range applied {
			if one.Conflict == memory.NoConflict {
				r.result.Changed++
			}
		}
		progress(from+len(part), len(plan.Changes), plan.Phase)
	}
	return nil
}

func (r *reflection) note(plan memory.Plan) {
	r.result.Notes = append(r.result.Notes, plan.Notes...)
	for _, c := range plan.Changes {
		if len(r.result.Plan) == shownSteps {
			r.result.Notes = append(r.result.Notes, fmt.Sprintf("the plan has %d steps; the first %d are listed", len(plan.Changes), shownSteps))
			return
		}
		step := PlanStep{Op: string(c.Op), ID: c.Memory.ID, URI: c.Memory.URI, Reason: c.Reason, Text: lifecycle.OneLine(c.Memory, shownText)}
		if c.Op == memory.OpStatus {
			step.Status = string(c.Memory.Status)
		}
		r.result.Plan = append(r.result.Plan, step)
	}
}
