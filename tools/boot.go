package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// BootResult lists what an agent should know when a conversation starts.
type BootResult struct {
	Count     int          `json:"count"`
	BootPaths []string     `json:"bootPaths"`
	Memories  []MemoryView `json:"memories"`
}

// Boot is the use case behind the tool of that name: all P0 memories, and
// those whose addresses system://boot names, one a line.
type Boot struct {
	Store     PathStore
	Accesses  Accesses
	Profile   lifecycle.Profile
	Now       func() time.Time
	Namespace string
}

// BootSpec describes the tool.
func BootSpec() Spec {
	return Spec{
		Name: "boot", Title: "Boot memories", Description: "Load identity and boot memories at the start of a conversation.",
		Hints: Hints{ReadOnly: true, Idempotent: true},
		Input: Schema{
			{Name: "agent_id", Kind: String, Hidden: true}, {Name: "agent_name", Kind: String, Hidden: true},
			{Name: "format", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer"},"memories":{"type":"array","items":{"type":"object"}}},"required":["count"]}`),
	}
}

// NoArgs is for tools without arguments.
type NoArgs struct{}

// Run collects the boot memories, each once.
func (b *Boot) Run(ctx context.Context, _ NoArgs) (BootResult, error) {
	identity, err := b.Store.List(ctx, memory.Filter{Namespace: b.Namespace, Types: []memory.Type{memory.Identity}})
	if err != nil {
		return BootResult{}, fmt.Errorf("listing identity memories: %w", err)
	}
	paths, err := b.paths(ctx)
	if err != nil {
		return BootResult{}, err
	}
	byID := map[string]memory.Memory{}
	for _, m := range identity {
		if m.Form != memory.Passage {
			byID[m.ID] = m
		}
	}
	found := []string{}
	for _, path := range paths {
		m, err := b.Store.ByURI(ctx, b.Namespace, path)
		if err != nil || !m.Status.Recallable() {
			continue
		}
		byID[m.ID] = m
		found = append(found, path)
	}
	return b.result(byID, found), nil
}

func (b *Boot) result(byID map[string]memory.Memory, paths []string) BootResult {
	memories := make([]memory.Memory, 0, len(byID))
	for _, m := range byID {
		memories = append(memories, m)
	}
	sort.Slice(memories, func(i, j int) bool { return memories[i].CreatedAt.Before(memories[j].CreatedAt) })
	views := []MemoryView{}
	for _, m := range memories {
		b.Accesses.Used(m.ID)
		views = append(views, viewOf(m, b.Profile, b.Now()))
	}
	return BootResult{Count: len(views), BootPaths: paths, Memories: views}
}

// paths are the fixed boot addresses and those listed in system://boot.
func (b *Boot) paths(ctx context.Context) ([]string, error) {
	paths := []string{"core://agent", "core://user", "core://agent/identity", "core://user/identity"}
	m, err := b.Store.ByURI(ctx, b.Namespace, "system://boot")
	if memory.IsNotFound(err) {
		return paths, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading system://boot: %w", err)
	}
	for _, line := range strings.Split(m.Content, "\n") {
		if line = strings.TrimSpace(line); strings.Contains(line, "://") {
			paths = append(paths, line)
		}
	}
	return paths, nil
}
