package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"agentmemory/internal/memory"
)

// LinkArgs choose between making a link and following links.
type LinkArgs struct {
	Action   string `json:"action"`
	SourceID string `json:"source_id"`
	TargetID string `json:"target_id"`
	Relation string `json:"relation"`
	MaxHops  int    `json:"max_hops"`
}

// LinkResult holds what the chosen action yields.
type LinkResult struct {
	Created *LinkView   `json:"created,omitempty"`
	Links   []LinkView  `json:"links,omitzero"` // there, though empty, where they were asked for
	Nodes   []GraphNode `json:"nodes,omitzero"` // likewise
}

// LinkView is one link between two memories.
type LinkView struct {
	SourceID string `json:"source_id"`
	TargetID string `json:"target_id"`
	Relation string `json:"relation"`
}

// GraphNode is one memory met on a walk along links.
type GraphNode struct {
	ID       string `json:"id"`
	Hop      int    `json:"hop"`
	Relation string `json:"relation"`
	Content  string `json:"content"`
}

// Link is the use case behind the lineage tool of that name.
type Link struct {
	Store  ForgetStore
	Paths  *RecallPath
	Mirror Notifier
}

// LinkSpec describes the tool.
func LinkSpec() Spec {
	return Spec{
		Name: "link", Title: "Link memories", Description: "Create, list or follow links between memories.",
		Hints: Hints{Idempotent: true},
		Input: Schema{
			{Name: "action", Kind: String, Enum: []string{"create", "query", "traverse"}, Required: true},
			{Name: "source_id", Kind: String, Aliases: []string{"id"}, Required: true},
			{Name: "target_id", Kind: String},
			{Name: "relation", Kind: String, Enum: []string{"related", "caused", "reminds", "evolved", "contradicts"}, Default: "related"},
			{Name: "max_hops", Kind: Integer, Min: 1, Max: maxHops, Default: 2},
			{Name: "agent_id", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object"}`),
	}
}

// Run creates, lists or follows links.
func (l *Link) Run(ctx context.Context, a LinkArgs) (LinkResult, error) {
	from, err := l.Store.ByID(ctx, l.Paths.Namespace, a.SourceID)
	if err != nil {
		return LinkResult{}, err
	}
	switch a.Action {
	case "create":
		return l.create(ctx, a, from)
	case "query":
		links := []LinkView{}
		for _, link := range from.Links {
			links = append(links, LinkView{SourceID: from.ID, TargetID: link.Target, Relation: link.Relation})
		}
		return LinkResult{Links: links}, nil
	}
	related, err := l.Paths.walk(ctx, from, a.MaxHops, 200)
	if err != nil {
		return LinkResult{}, err
	}
	nodes := []GraphNode{}
	for _, r := range related {
		nodes = append(nodes, GraphNode{ID: r.ID, Hop: r.Hop, Relation: r.Relation, Content: r.Content})
	}
	return LinkResult{Nodes: nodes}, nil
}

func (l *Link) create(ctx context.Context, a LinkArgs, from memory.Memory) (LinkResult, error) {
	if a.TargetID == "" {
		return LinkResult{}, memory.Errorf(memory.InvalidArgument, "create needs target_id").WithHint("it is the id of another memory; recall tells ids")
	}
	if _, err := l.Store.ByID(ctx, l.Paths.Namespace, a.TargetID); err != nil {
		return LinkResult{}, err
	}
	view := LinkView{SourceID: from.ID, TargetID: a.TargetID, Relation: a.Relation}
	for _, link := range from.Links {
		if link.Target == a.TargetID && link.Relation == a.Relation {
			return LinkResult{Created: &view}, nil
		}
	}
	from.Links = append(from.Links, memory.Link{Target: a.TargetID, Relation: a.Relation})
	change := memory.Change{Op: memory.OpUpdate, Memory: from, Revision: from.Revision, Reason: "link"}
	applied, err := l.Store.Apply(ctx, []memory.Change{change})
	if err != nil {
		return LinkResult{}, fmt.Errorf("linking: %w", err)
	}
	if applied[0].Conflict != memory.NoConflict {
		return LinkResult{}, memory.Errorf(memory.Conflicting, "the memory changed meanwhile").WithHint("repeat the call")
	}
	l.Mirror.Notify()
	return LinkResult{Created: &view}, nil
}
