package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/lifecycle"
	"agentmemory/tools"

	"github.com/spf13/cobra"
)

// entities are the folders of one namespace together with what the settings
// say of them; it implements tools.EntityFiles.
type entities struct {
	files      *mirror.Mirror
	namespace  string
	configured []entityNames
}

// List returns every entity that has a folder or is configured.
func (x entities) List(ctx context.Context) ([]lifecycle.Entity, error) {
	folders, err := x.files.EntityFolders(ctx, x.namespace)
	if err != nil {
		return nil, fmt.Errorf("listing the folders of entities: %w", err)
	}
	var list []lifecycle.Entity
	seen := map[string]bool{}
	for _, f := range folders {
		e := lifecycle.Entity{Kind: f.Area, Slug: f.Name, Names: x.names(f.Name)}
		if f.Also != "" && f.Also != f.Name {
			e.Names = append(e.Names, f.Also)
		}
		seen[f.Name] = true
		list = append(list, e)
	}
	for _, c := range x.configured {
		if !seen[c.Name] {
			list = append(list, lifecycle.Entity{Kind: c.Area, Slug: c.Name, Names: c.Names})
		}
	}
	return list, nil
}

func (x entities) names(name string) []string {
	for _, c := range x.configured {
		if c.Name == name {
			return append([]string{}, c.Names...)
		}
	}
	return nil
}

// Summary returns the summary of an entity and the file in which it stands.
func (x entities) Summary(ctx context.Context, e lifecycle.Entity) (text, file string, err error) {
	return x.files.ReadSummary(ctx, x.namespace, e.Kind, e.Slug)
}

// Move moves the folder of an entity to another area.
func (x entities) Move(ctx context.Context, e lifecycle.Entity, area string) error {
	return x.files.MoveEntity(ctx, x.namespace, e.Slug, e.Kind, area)
}

// Renew rewrites the summaries as of now.
func (x entities) Renew(ctx context.Context) error { return x.files.RenewEntities(ctx) }

func (e *engine) entityFiles() entities {
	return entities{files: e.mirror, namespace: e.ns(), configured: e.config.Entities}
}

// entityOf tells what a fact without an address belongs to.
func (e *engine) entityOf(m memory.Memory) lifecycle.Entity {
	list, err := e.entityFiles().List(context.Background())
	if err != nil {
		e.log.Warn().Err(err).Msg("listing entities; the fact goes to the inbox")
	}
	return lifecycle.EntityFor(m, list)
}

func (e *engine) entityUse() *tools.EntityUse {
	return &tools.EntityUse{Files: e.entityFiles(), Store: e.store, Namespace: e.ns()}
}

// entityCommand lists entities, or moves one to another area.
func (a *app) entityCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "entity",
		Short: "List projects, areas and resources, or move one, such as a finished project to the archives",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runEntity(cmd.Context(), tools.EntityArgs{Action: "list"})
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "move NAME AREA",
		Short: "Move an entity to projects, areas, resources or archives; moving it back undoes it",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.runEntity(cmd.Context(), tools.EntityArgs{Action: "move", Name: args[0], To: args[1]})
		},
	})
	return cmd
}

func (a *app) runEntity(ctx context.Context, args tools.EntityArgs) (err error) {
	if !slices.Contains(tools.Areas(), args.To) && args.To != "" {
		return memory.Errorf(memory.InvalidArgument, "no area is named %q", args.To).WithHint("projects, areas, resources or archives")
	}
	e, err := a.openIndexed(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	result, err := e.entityUse().Run(ctx, args)
	if err != nil {
		return err
	}
	if args.Action == "move" {
		e.settle(ctx)
	}
	if a.json {
		return writeJSON(a.Out, result)
	}
	a.printEntities(result)
	return nil
}

func (a *app) printEntities(r tools.EntityResult) {
	p := a.printer(a.Out)
	if r.Moved != nil {
		p.line("moved to %s: %s (facts: %d)", r.Moved.Area, r.Moved.URI, r.Moved.Facts)
		p.line("undo: agent-memory %s", r.Undo)
		return
	}
	if len(r.Entities) == 0 {
		p.line("No project, area or resource is known yet. Remember one fact of it:")
		p.line("  agent-memory remember \"…\" --uri fact://projects/NAME/fact-001")
	}
	for _, e := range r.Entities {
		p.line("%-10s %-24s facts: %-4d %s", e.Area, e.Name, e.Facts, e.Summary)
	}
}
