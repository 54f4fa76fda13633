package tools

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

func (r *reflection) decay(ctx context.Context) error {
	folded, since, err := r.beforeDecay(ctx)
	if err != nil {
		return err
	}
	memories, err := r.survey(ctx)
	if err != nil {
		return err
	}
	plan, counts := lifecycle.Decay(memories, r.Now(), since)
	r.result.Decay = &DecayReport{DecayCounts: counts, Folded: folded}
	if err := r.carryOut(ctx, plan); err != nil {
		return err
	}
	if err := r.afterDecay(ctx); err != nil {
		return err
	}
	return r.report(ctx, memories)
}

// lastDecayKey is where it is noted when decay was last reported, for each namespace.
func (r *reflection) lastDecayKey() string {
	if r.Namespace == memory.DefaultNamespace {
		return "reflect.decay.last"
	}
	return "reflect.decay.last." + r.Namespace
}

// beforeDecay takes the noted accesses into account and tells when decay was
// last reported. A dry run leaves the accesses alone.
func (r *reflection) beforeDecay(ctx context.Context) (folded int, since time.Time, err error) {
	if !r.result.DryRun {
		if folded, err = r.Fold(ctx); err != nil {
			return 0, since, fmt.Errorf("folding accesses: %w", err)
		}
	}
	raw, err := r.Store.Meta(ctx, r.lastDecayKey())
	if err != nil {
		return folded, since, fmt.Errorf("reading when decay was last reported: %w", err)
	}
	if len(raw) > 0 {
		since, _ = time.Parse(time.RFC3339Nano, string(raw)) // an unreadable stamp is no stamp
	}
	return folded, since, nil
}

func (r *reflection) afterDecay(ctx context.Context) error {
	if r.result.DryRun {
		return nil
	}
	stamp := r.Now().Format(time.RFC3339Nano)
	if err := r.Store.SetMeta(ctx, r.lastDecayKey(), []byte(stamp)); err != nil {
		return fmt.Errorf("noting when decay was reported: %w", err)
	}
	return nil
}

func (r *reflection) tidy(ctx context.Context) error {
	memories, err := r.survey(ctx)
	if err != nil {
		return err
	}
	plan, counts := lifecycle.Tidy(memories, r.Now(), r.Profile)
	r.result.Tidy = &TidyReport{TidyCounts: counts}
	return r.carryOut(ctx, plan)
}

func (r *reflection) govern(ctx context.Context) error {
	memories, err := r.survey(ctx)
	if err != nil {
		return err
	}
	plan, counts := lifecycle.Govern(memories, r.Now(), r.Profile)
	r.result.Govern = &GovernReport{GovernCounts: counts}
	return r.carryOut(ctx, plan)
}

func (r *reflection) all(ctx context.Context) error {
	folded, since, err := r.beforeDecay(ctx)
	if err != nil {
		return err
	}
	memories, err := r.survey(ctx)
	if err != nil {
		return err
	}
	plan, found := lifecycle.All(memories, r.Now(), since, r.Profile)
	r.result.Decay = &DecayReport{DecayCounts: found.Decay, Folded: folded}
	r.result.Tidy = &TidyReport{TidyCounts: found.Tidy}
	r.result.Govern = &GovernReport{GovernCounts: found.Govern}
	if err := r.carryOut(ctx, plan); err != nil {
		return err
	}
	if err := r.afterDecay(ctx); err != nil {
		return err
	}
	memories = lifecycle.Advance(memories, plan.Changes)
	if err := r.report(ctx, memories); err != nil {
		return err
	}
	return r.compare(ctx, memories)
}

// compare holds the liveliest memories against MEMORY.md, which is the truth.
// It comes last: nothing is compared when the reflection failed.
func (r *reflection) compare(ctx context.Context, memories []memory.Memory) error {
	if r.Profile.Consistency <= 0 || r.Files == nil {
		return nil
	}
	outline, err := r.Files.ReadOutline(ctx)
	if err != nil {
		return fmt.Errorf("reading %s: %w", indexFile, err)
	}
	r.result.Consistency = lifecycle.Consistency(outline, memories, r.Now(), r.Profile)
	return nil
}
