package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// entityContext answers "load the context of project X": the summary comes
// first, the facts are left to recall_path (seed 004 §2, §3). ok is false for
// any other question.
func (r *Recall) entityContext(ctx context.Context, a RecallArgs) (_ RecallResult, ok bool, _ error) {
	if r.Entities == nil || !lifecycle.AsksForContext(a.Query) {
		return RecallResult{}, false, nil
	}
	entities, err := r.Entities.List(ctx)
	if err != nil {
		return RecallResult{}, false, fmt.Errorf("listing entities: %w", err)
	}
	e, found := lifecycle.Named(entities, a.Query)
	if !found {
		return RecallResult{}, false, nil
	}
	text, file, err := r.Entities.Summary(ctx, e)
	if err != nil {
		return RecallResult{}, false, fmt.Errorf("reading the summary of %s: %w", e.Slug, err)
	}
	facts, err := r.Store.List(ctx, memory.Filter{Namespace: r.Namespace, URIPrefix: e.FactURI(""), Forms: []memory.Form{memory.Fact}})
	if err != nil {
		return RecallResult{}, false, fmt.Errorf("listing the facts of %s: %w", e.Slug, err)
	}
	if strings.TrimSpace(text) == "" && len(facts) == 0 {
		return RecallResult{}, false, nil
	}
	return r.contextResult(a, e, text, file, facts), true, nil
}

func (r *Recall) contextResult(a RecallArgs, e lifecycle.Entity, text, file string, facts []memory.Memory) RecallResult {
	now := r.Now()
	m := memory.Memory{
		ID: e.URI(), URI: e.URI(), Title: e.Slug, Content: strings.TrimSpace(text), Type: memory.Knowledge, Form: memory.Fact,
		Status: memory.Active, Trust: memory.TrustUser, Confidence: 1, Home: memory.Place{File: file, Line: 1},
	}
	for _, f := range facts {
		m.Trust = m.Trust.Lowest(f.Trust)
		if f.CreatedAt.After(m.CreatedAt) {
			m.CreatedAt = f.CreatedAt
		}
	}
	if m.Content == "" {
		m.Content, m.Home = outline(e, facts, now), memory.Place{}
	}
	if !strings.Contains(m.Content, "\n- ") {
		m.Content = strings.TrimSpace(m.Content + "\n\n" + awakened(facts))
	}
	return RecallResult{
		Query: a.Query, Confidence: 1, Count: 1, Memories: []RecallHit{{MemoryView: viewOf(m, r.Profile, now), Score: 1}},
		Notice: fmt.Sprintf("%s; recall_path uri=%s lists its facts (%d)", recallNotice, e.URI(), len(facts)),
	}
}

// outline is the summary of an entity whose file is not written yet.
func outline(e lifecycle.Entity, facts []memory.Memory, now time.Time) string {
	lines := []string{"# " + e.Slug}
	for _, section := range lifecycle.EntitySummary(facts, now).Sections {
		for _, line := range section.Entries {
			lines = append(lines, "- "+line.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// awakened lists the latest facts of an entity whose summary shows none: they are
// all cold, and somebody asks for them now.
func awakened(facts []memory.Memory) string {
	known := slices.DeleteFunc(slices.Clone(facts), func(f memory.Memory) bool { return f.Status != memory.Active || f.Trust == memory.TrustExternal })
	slices.SortFunc(known, func(a, b memory.Memory) int { return b.CreatedAt.Compare(a.CreatedAt) })
	lines := make([]string, 0, maxAwakened)
	for _, f := range known[:min(maxAwakened, len(known))] {
		lines = append(lines, "- "+lifecycle.OneLine(f, lifecycle.WrapupLineChars))
	}
	return strings.Join(lines, "\n")
}

const maxAwakened = 8
