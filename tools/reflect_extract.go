package tools

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// ExtractReport tells what extract found in the notes.
type ExtractReport struct {
	Facts      int `json:"facts"`
	Superseded int `json:"superseded"`
	Moved      int `json:"moved"` // facts that had stood elsewhere than with their entity
}

const lastExtractKey = "reflect.extract.last."

// extract turns what notes say for good into facts of the entities that they
// belong to, then rewrites the summaries by temperature.
func (r *reflection) extract(ctx context.Context) error {
	if !r.result.DryRun {
		if _, err := r.Fold(ctx); err != nil {
			return fmt.Errorf("folding accesses: %w", err)
		}
	}
	memories, err := r.everything(ctx)
	if err != nil {
		return err
	}
	entities, err := r.Entities.List(ctx)
	if err != nil {
		return fmt.Errorf("listing entities: %w", err)
	}
	since, err := r.lastExtract(ctx)
	if err != nil {
		return err
	}
	plan := lifecycle.Extract(memories, lifecycle.WithFactsOf(entities, memories), r.Now(), since, r.Profile)
	for i := range plan.Changes {
		if c := &plan.Changes[i]; c.Op == memory.OpAdd {
			c.Memory.Home.File = r.Home(c.Memory)
		}
	}
	plan.Changes = append(r.homecoming(memories), plan.Changes...)
	r.result.Extract = countExtract(plan)
	if err := r.carryOut(ctx, plan); err != nil || r.result.DryRun {
		return err
	}
	if err := r.Entities.Renew(ctx); err != nil {
		return fmt.Errorf("writing summaries: %w", err)
	}
	if err := r.Store.SetMeta(ctx, lastExtractKey+r.Namespace, []byte(r.Now().Format(time.RFC3339Nano))); err != nil {
		return fmt.Errorf("noting when facts were extracted: %w", err)
	}
	return nil
}

// lastExtract tells since when notes have to be read; the zero time for all.
func (r *reflection) lastExtract(ctx context.Context) (time.Time, error) {
	raw, err := r.Store.Meta(ctx, lastExtractKey+r.Namespace)
	if err != nil {
		return time.Time{}, fmt.Errorf("reading when facts were extracted: %w", err)
	}
	since, _ := time.Parse(time.RFC3339Nano, string(raw)) // an unreadable stamp is no stamp
	return since, nil
}

// homecoming moves facts that stand elsewhere to the file of their entity.
func (r *reflection) homecoming(memories []memory.Memory) []memory.Change {
	var changes []memory.Change
	for _, m := range memories {
		if _, isFact := lifecycle.EntityOf(m); !isFact || m.Status == memory.Forgotten || m.Status == memory.Missing {
			continue
		}
		old := m.Home.File
		m.Home = memory.Place{}
		if m.Home.File = r.Home(m); m.Home.File != old {
			changes = append(changes, memory.Change{Op: memory.OpMove, Memory: m, Revision: m.Revision, Reason: "a fact stands with its entity"})
		}
	}
	return changes
}

func countExtract(plan memory.Plan) *ExtractReport {
	report := &ExtractReport{}
	for _, c := range plan.Changes {
		switch c.Op {
		case memory.OpAdd:
			report.Facts++
		case memory.OpStatus:
			report.Superseded++
		case memory.OpMove:
			report.Moved++
		}
	}
	return report
}
