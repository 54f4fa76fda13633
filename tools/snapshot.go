package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
)

// HistoryStore is what snapshots need of the store.
type HistoryStore interface {
	ByID(ctx context.Context, namespace, id string) (memory.Memory, error)
	History(ctx context.Context, id string) ([]memory.Revision, error)
	Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error)
}

// SnapshotArgs choose a memory and, for a rollback, one of its earlier states.
type SnapshotArgs struct {
	Action     string `json:"action"`
	MemoryID   string `json:"memory_id"`
	SnapshotID string `json:"snapshot_id"`
}

// SnapshotResult lists earlier states, or tells that one is back.
type SnapshotResult struct {
	Snapshots  []SnapshotView `json:"snapshots,omitzero"` // there, though empty, where they were asked for
	RolledBack bool           `json:"rolled_back,omitempty"`
}

// SnapshotView is one earlier state of a memory.
type SnapshotView struct {
	ID        string `json:"id"`
	MemoryID  string `json:"memory_id"`
	Content   string `json:"content"`
	ChangedBy string `json:"changed_by"`
	Action    string `json:"action"`
	CreatedAt string `json:"created_at"`
}

// Snapshot is the use case behind the lineage tool of that name.
type Snapshot struct {
	Store     HistoryStore
	Mirror    Notifier
	Namespace string
}

// SnapshotSpec describes the tool.
func SnapshotSpec() Spec {
	return Spec{
		Name: "snapshot", Title: "Earlier contents", Description: "List a memory's earlier contents, or roll back to one.",
		Hints: Hints{},
		Input: Schema{
			{Name: "action", Kind: String, Enum: []string{"list", "rollback"}, Required: true},
			{Name: "memory_id", Kind: String}, {Name: "snapshot_id", Kind: String, Description: "<memory id>@<revision>"},
			{Name: "agent_id", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object"}`),
	}
}

// Run lists or restores earlier contents.
func (s *Snapshot) Run(ctx context.Context, a SnapshotArgs) (SnapshotResult, error) {
	if a.Action == "rollback" {
		return s.rollback(ctx, a)
	}
	if a.MemoryID == "" {
		return SnapshotResult{}, memory.Errorf(memory.InvalidArgument, "list needs memory_id").WithHint("recall tells the ids of memories")
	}
	if _, err := s.Store.ByID(ctx, s.Namespace, a.MemoryID); err != nil {
		return SnapshotResult{}, err
	}
	history, err := s.Store.History(ctx, a.MemoryID)
	if err != nil {
		return SnapshotResult{}, fmt.Errorf("reading history: %w", err)
	}
	views := []SnapshotView{}
	for _, h := range history {
		views = append(views, SnapshotView{
			ID: fmt.Sprintf("%s@%d", h.MemoryID, h.Revision), MemoryID: h.MemoryID, Content: h.Content,
			ChangedBy: h.Reason, Action: string(h.Op), CreatedAt: stamp(h.At),
		})
	}
	return SnapshotResult{Snapshots: views}, nil
}

func (s *Snapshot) rollback(ctx context.Context, a SnapshotArgs) (SnapshotResult, error) {
	id, text, found := strings.Cut(a.SnapshotID, "@")
	revision, err := strconv.ParseInt(text, 10, 64)
	if !found || err != nil {
		return SnapshotResult{}, memory.Errorf(memory.InvalidArgument, "snapshot_id %s is not <memory id>@<revision>", quoteShort(a.SnapshotID)).
			WithHint("snapshot action=list memory_id=… lists them")
	}
	m, err := s.Store.ByID(ctx, s.Namespace, id)
	if err != nil {
		return SnapshotResult{}, err
	}
	history, err := s.Store.History(ctx, id)
	if err != nil {
		return SnapshotResult{}, fmt.Errorf("reading history: %w", err)
	}
	for _, h := range history {
		if h.Revision != revision {
			continue
		}
		m.Content = h.Content
		return s.replace(ctx, m, "rollback to "+a.SnapshotID)
	}
	return SnapshotResult{}, memory.Errorf(memory.NotFound, "no snapshot %s", a.SnapshotID).
		WithHint("snapshot action=list memory_id=%s lists them", id)
}

func (s *Snapshot) replace(ctx context.Context, m memory.Memory, reason string) (SnapshotResult, error) {
	applied, err := s.Store.Apply(ctx, []memory.Change{{Op: memory.OpUpdate, Memory: m, Reason: reason, Import: true}})
	if err != nil {
		return SnapshotResult{}, fmt.Errorf("rolling back: %w", err)
	}
	if applied[0].Conflict != memory.NoConflict {
		return SnapshotResult{}, memory.Errorf(memory.Conflicting, "the memory changed meanwhile").WithHint("repeat the call")
	}
	s.Mirror.Notify()
	return SnapshotResult{RolledBack: true}, nil
}
