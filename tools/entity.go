package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// EntityFiles are the folders of entities: their facts and summaries.
type EntityFiles interface {
	// List returns every entity that has a folder or is configured.
	List(ctx context.Context) ([]lifecycle.Entity, error)
	// Summary returns the summary as it stands, "" if there is none, and its file.
	Summary(ctx context.Context, e lifecycle.Entity) (text, file string, err error)
	// Move moves the folder to another area; the facts follow.
	Move(ctx context.Context, e lifecycle.Entity, area string) error
	// Renew rewrites the summaries as of now.
	Renew(ctx context.Context) error
}

// EntityArgs choose what to do with an entity.
type EntityArgs struct {
	Action string `json:"action"`
	Name   string `json:"name"`
	To     string `json:"to"`
}

// EntityResult lists the entities, or tells of the one that was moved.
type EntityResult struct {
	Entities []EntityView `json:"entities"`
	Moved    *EntityView  `json:"moved,omitempty"`
	Undo     string       `json:"undo,omitempty"`
}

// EntityView is one entity.
type EntityView struct {
	Name    string   `json:"name"`
	Area    string   `json:"area"`
	URI     string   `json:"uri"`
	Names   []string `json:"names,omitempty"`
	Facts   int      `json:"facts"`
	Summary string   `json:"summary,omitempty"` // file
}

// EntityUse is the use case of the command entity.
type EntityUse struct {
	Files     EntityFiles
	Store     PathStore
	Namespace string
}

// Areas lists where entities may be (seed 004 §1).
func Areas() []string { return []string{"projects", "areas", "resources", "archives"} }

// Run lists or moves.
func (u *EntityUse) Run(ctx context.Context, a EntityArgs) (EntityResult, error) {
	entities, err := u.Files.List(ctx)
	if err != nil {
		return EntityResult{}, fmt.Errorf("listing entities: %w", err)
	}
	if a.Action == "move" {
		return u.move(ctx, a, entities)
	}
	result := EntityResult{Entities: []EntityView{}}
	for _, e := range entities {
		view, err := u.view(ctx, e)
		if err != nil {
			return result, err
		}
		result.Entities = append(result.Entities, view)
	}
	return result, nil
}

func (u *EntityUse) view(ctx context.Context, e lifecycle.Entity) (EntityView, error) {
	facts, err := u.Store.List(ctx, memory.Filter{Namespace: u.Namespace, URIPrefix: e.FactURI(""), Forms: []memory.Form{memory.Fact}})
	if err != nil {
		return EntityView{}, fmt.Errorf("listing the facts of %s: %w", e.Slug, err)
	}
	v := EntityView{Name: e.Slug, Area: e.Kind, URI: e.URI(), Names: e.Names, Facts: len(facts)}
	text, file, err := u.Files.Summary(ctx, e)
	if err == nil && text != "" {
		v.Summary = file
	}
	return v, err
}

func (u *EntityUse) move(ctx context.Context, a EntityArgs, entities []lifecycle.Entity) (EntityResult, error) {
	if a.Name == "" || a.To == "" {
		return EntityResult{}, memory.Errorf(memory.InvalidArgument, "move needs a name and where to").WithHint("for example: entity move ledger archives")
	}
	e, err := findEntity(entities, a.Name)
	if err != nil {
		return EntityResult{}, err
	}
	moved := lifecycle.Entity{Kind: a.To, Slug: e.Slug, Names: e.Names}
	result := EntityResult{Entities: []EntityView{}, Undo: fmt.Sprintf("entity move %s %s", e.Slug, e.Kind)}
	if e.Kind != a.To {
		if err := u.Files.Move(ctx, e, a.To); err != nil {
			return EntityResult{}, fmt.Errorf("moving %s: %w", e.Slug, err)
		}
	}
	view, err := u.view(ctx, moved)
	result.Moved = &view
	return result, err
}

// findEntity returns the entity of that name: its own, its address, or another of its names.
func findEntity(entities []lifecycle.Entity, name string) (lifecycle.Entity, error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), "/")
	for _, e := range entities {
		if e.Slug == name || e.URI() == name || e.Kind+"/"+e.Slug == name {
			return e, nil
		}
	}
	for _, e := range entities {
		if strings.EqualFold(e.Slug, name) || slices.ContainsFunc(e.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return e, nil
		}
	}
	known := []string{}
	for _, e := range entities {
		known = append(known, e.Slug)
	}
	return lifecycle.Entity{}, memory.Errorf(memory.NotFound, "no entity is named %s", quoteShort(name)).WithHint("known: %s", strings.Join(known, ", "))
}
