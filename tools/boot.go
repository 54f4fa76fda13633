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

// BootArgs say when the context is wanted and how much of it.
type BootArgs struct {
	Occasion string `json:"occasion"` // start or reset
	Tokens   int    `json:"tokens"`   // budget of the text; 0: defaultBootTokens
}

// BootResult lists what an agent should know when a conversation starts: the
// files of the profile's boot order as one text, and the identity memories.
type BootResult struct {
	Occasion  string       `json:"occasion"`
	Text      string       `json:"text"`
	Tokens    int          `json:"tokens"`
	Files     []BootFile   `json:"files"`
	Count     int          `json:"count"`
	BootPaths []string     `json:"bootPaths"`
	Memories  []MemoryView `json:"memories"`
}

// BootFile is one file of the boot order that exists.
type BootFile struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`        // of the part that is in the text
	Cut    bool   `json:"cut,omitempty"` // the budget had no room for the rest
}

// Budgets of a boot context, in estimated tokens.
const (
	defaultBootTokens = 12_000
	leastBootTokens   = 40 // of a file: with less room it is left out
)

// BootFiles reads files of the workspace.
type BootFiles interface {
	// ReadText returns a file's text, "" if there is none.
	ReadText(ctx context.Context, path string) (string, error)
}

// Boot is the use case behind the tool of that name: all P0 memories, and
// those whose addresses system://boot names, one a line.
type Boot struct {
	Store     PathStore
	Files     BootFiles // nil: there are none
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
			{Name: "occasion", Kind: String, Enum: []string{string(lifecycle.OnStart), string(lifecycle.OnReset)}, Default: string(lifecycle.OnStart)},
			{Name: "tokens", Kind: Integer, Min: 0, Max: 200_000, Description: "budget of the text; 0: 12000"},
			{Name: "agent_id", Kind: String, Hidden: true}, {Name: "agent_name", Kind: String, Hidden: true},
			{Name: "format", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer"},"memories":{"type":"array","items":{"type":"object"}}},"required":["count"]}`),
	}
}

// Run reads the files of the boot order, and collects the boot memories, each once.
func (b *Boot) Run(ctx context.Context, a BootArgs) (BootResult, error) {
	result, err := b.Context(ctx, a)
	if err != nil {
		return BootResult{}, err
	}
	memories, err := b.memories(ctx)
	if err != nil {
		return BootResult{}, err
	}
	result.Count, result.BootPaths, result.Memories = memories.Count, memories.BootPaths, memories.Memories
	return result, nil
}

// Context reads the files of the profile's boot order for an occasion, as far
// as the budget goes: what comes first is there whole before the next begins.
func (b *Boot) Context(ctx context.Context, a BootArgs) (BootResult, error) {
	left := a.Tokens
	if left <= 0 {
		left = defaultBootTokens
	}
	if a.Occasion == "" {
		a.Occasion = string(lifecycle.OnStart)
	}
	result := BootResult{Occasion: a.Occasion, Files: []BootFile{}}
	var text strings.Builder
	order := b.Profile.BootOrder(lifecycle.Occasion(a.Occasion))
	if b.Files == nil {
		order = nil
	}
	for _, path := range order {
		newest := path == lifecycle.FileToday
		if newest {
			path = "memory/" + b.Now().Format(time.DateOnly) + ".md"
		}
		content, err := b.Files.ReadText(ctx, path)
		if err != nil {
			return BootResult{}, fmt.Errorf("reading %s: %w", path, err)
		}
		part, cut := fitting(strings.TrimSpace(content), left, newest)
		if part == "" {
			continue
		}
		file := BootFile{Path: path, Tokens: lifecycle.EstimateTokens(part), Cut: cut}
		left -= file.Tokens
		result.Tokens += file.Tokens
		result.Files = append(result.Files, file)
		text.WriteString("<!-- " + path + " -->\n" + part + "\n\n")
	}
	result.Text = text.String()
	return result, nil
}

// fitting returns the whole lines of a text that fit a budget: of a journal the
// newest, which come last, of other files the first.
func fitting(text string, tokens int, newest bool) (part string, cut bool) {
	if lifecycle.EstimateTokens(text) <= tokens {
		return text, false
	}
	if tokens < leastBootTokens {
		return "", true
	}
	lines := strings.Split(text, "\n")
	note := "… (the rest is in the file)"
	used, from, to := lifecycle.EstimateTokens(note), len(lines), 0
	for i := range lines {
		line := lines[i]
		if newest {
			line = lines[len(lines)-1-i]
		}
		if used += lifecycle.EstimateTokens(line + "\n"); used > tokens {
			break
		}
		from, to = len(lines)-1-i, i+1
	}
	if newest {
		return strings.Join(append([]string{note}, lines[from:]...), "\n"), true
	}
	return strings.Join(append(lines[:to:to], note), "\n"), true
}

func (b *Boot) memories(ctx context.Context) (BootResult, error) {
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
		if bootable(m) {
			byID[m.ID] = m
		}
	}
	found := []string{}
	for _, path := range paths {
		m, err := b.Store.ByURI(ctx, b.Namespace, path)
		if err != nil || !m.Status.Recallable() || !bootable(m) {
			continue
		}
		byID[m.ID] = m
		found = append(found, path)
	}
	return b.result(byID, found), nil
}

// bootable reports whether a conversation may begin with a memory: whoever reads
// it is to follow it, so that somebody must have vouched for it.
func bootable(m memory.Memory) bool {
	return m.Form != memory.Passage && m.Trust != memory.TrustExternal
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
