package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// lowVitality is the vitality below which a memory has nearly faded.
const lowVitality = 0.1

// patience is how long a change may wait for its file before it is worth a word.
const patience = 15 * time.Second

// StatusStore is what status needs of the store.
type StatusStore interface {
	Stats(ctx context.Context, namespace string) (memory.Stats, error)
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
	// Measure visits memories without their words, addresses and ids.
	Measure(ctx context.Context, namespace string, visit func(memory.Memory)) error
}

// Check is one part of the program that can tell how it is.
type Check interface {
	// Health returns named facts, and a warning for each thing that a person should look at.
	Health(ctx context.Context) (facts map[string]any, warnings []string, err error)
}

// StatusArgs choose how much to tell.
type StatusArgs struct {
	Level string `json:"level"`
}

// StatusResult counts memories and tells how the parts of the program are.
type StatusResult struct {
	Total       int            `json:"total"`
	ByType      map[string]int `json:"by_type"`
	ByPriority  map[string]int `json:"by_priority"`
	Paths       int            `json:"paths"`
	Links       int            `json:"links"`
	Snapshots   int            `json:"snapshots"`
	LowVitality int            `json:"low_vitality"`
	AgentID     string         `json:"agent_id"`
	Profile     string         `json:"profile"`
	ByStatus    map[string]int `json:"by_status,omitempty"`
	ByState     map[string]int `json:"by_state,omitempty"`
	Temperature map[string]int `json:"by_temperature,omitempty"`
	Passages    int            `json:"passages"`
	Outbox      int            `json:"outbox"`
	OldestOut   string         `json:"outbox_since,omitempty"`
	Health      map[string]any `json:"health,omitempty"`
	Degraded    []string       `json:"degraded"`
	Missing     []string       `json:"missing,omitempty"`
	Quarantined []string       `json:"quarantined,omitempty"`
	// Contradicted are decisions in force and the later notes that say otherwise.
	Contradicted []string   `json:"contradicted,omitempty"`
	Heartbeat    *Heartbeat `json:"heartbeat,omitempty"`
}

// Status is the use case behind the tool of that name.
type Status struct {
	Store     StatusStore
	Checks    map[string]Check
	Profile   lifecycle.Profile
	Now       func() time.Time
	Namespace string
}

// StatusSpec describes the tool.
func StatusSpec() Spec {
	return Spec{
		Name: "status", Title: "Status", Description: "Counts and health of the memory.",
		Hints: Hints{ReadOnly: true, Idempotent: true},
		Input: Schema{
			{Name: "level", Kind: String, Enum: []string{"light", "standard", "full"}, Default: "standard"},
			{Name: "agent_id", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"total":{"type":"integer"},"degraded":{"type":"array","items":{"type":"string"}}},"required":["total"]}`),
	}
}

// Run gathers the counts, then, by level, the health of each part and what needs a person.
func (s *Status) Run(ctx context.Context, a StatusArgs) (StatusResult, error) {
	stats, err := s.Store.Stats(ctx, s.Namespace)
	if err != nil {
		return StatusResult{}, fmt.Errorf("counting memories: %w", err)
	}
	result := s.counts(stats)
	if result.Heartbeat, err = s.heartbeat(ctx, stats); err != nil || a.Level == "light" {
		return result, err
	}
	if err := s.measure(ctx, &result); err != nil {
		return StatusResult{}, err
	}
	if result.Contradicted, err = s.disputes(ctx); err != nil {
		return StatusResult{}, err
	}
	s.health(ctx, &result)
	if stats.Outbox > 0 && s.Now().Sub(stats.OldestOut) > patience {
		result.Degraded = append(result.Degraded, fmt.Sprintf("files: %d changes wait since %s for a file that is being saved, was emptied or cannot be written", stats.Outbox, result.OldestOut))
	}
	if a.Level != "full" {
		return result, nil
	}
	if err := s.ahead(ctx, result.Heartbeat); err != nil {
		return StatusResult{}, err
	}
	return result, s.attention(ctx, &result)
}

func (s *Status) counts(stats memory.Stats) StatusResult {
	result := StatusResult{
		Total: stats.Total, ByType: map[string]int{}, ByPriority: map[string]int{}, ByStatus: map[string]int{},
		Paths: stats.URIs, Links: stats.Links, Snapshots: stats.Revisions, AgentID: s.Namespace, Profile: s.Profile.Name,
		Passages: stats.Passages, Outbox: stats.Outbox, OldestOut: stamp(stats.OldestOut), Degraded: []string{},
	}
	for t, n := range stats.ByType {
		result.ByType[string(t)] = n
	}
	for p, n := range stats.ByPriority {
		result.ByPriority["P"+strconv.Itoa(p)] = n
	}
	for st, n := range stats.ByStatus {
		result.ByStatus[string(st)] = n
	}
	return result
}

// measure counts memories by vitality, state and temperature as of now.
func (s *Status) measure(ctx context.Context, result *StatusResult) error {
	result.ByState, result.Temperature = map[string]int{}, map[string]int{}
	now := s.Now()
	err := s.Store.Measure(ctx, s.Namespace, func(m memory.Memory) {
		if m.Form == memory.Passage {
			return
		}
		result.ByState[string(lifecycle.TierOf(m, now))]++
		result.Temperature[string(lifecycle.TemperatureOf(m, now))]++
		if lifecycle.Vitality(m, now) < lowVitality {
			result.LowVitality++
		}
	})
	if err != nil {
		return fmt.Errorf("measuring memories: %w", err)
	}
	return nil
}

func (s *Status) health(ctx context.Context, result *StatusResult) {
	result.Health = map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Checks)) {
		facts, warnings, err := s.Checks[name].Health(ctx)
		if err != nil {
			warnings = append(warnings, err.Error())
		}
		if len(facts) > 0 {
			result.Health[name] = facts
		}
		for _, w := range warnings {
			result.Degraded = append(result.Degraded, name+": "+w)
		}
	}
}

// attention lists the memories that wait for a person's word.
func (s *Status) attention(ctx context.Context, result *StatusResult) error {
	waiting, err := s.Store.List(ctx, memory.Filter{
		Namespace: s.Namespace, Statuses: []memory.Status{memory.Missing, memory.Quarantined}, Limit: 200,
	})
	if err != nil {
		return fmt.Errorf("listing what needs attention: %w", err)
	}
	for _, m := range waiting {
		if m.Status == memory.Missing {
			result.Missing = append(result.Missing, m.ID+" "+m.Home.File)
			continue
		}
		result.Quarantined = append(result.Quarantined, m.ID+" "+m.Home.File)
	}
	return nil
}
