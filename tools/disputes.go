package tools

import (
	"context"
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Contradiction is a later note that speaks against a decision.
type Contradiction struct {
	ID      string `json:"id"`
	URI     string `json:"uri"`
	Date    string `json:"date"` // of the note, YYYY-MM-DD
	Content string `json:"content"`
}

// findMemory returns one memory by its id.
type findMemory func(ctx context.Context, namespace, id string) (memory.Memory, error)

// beside names on a memory what has to be known beside it.
func (find findMemory) beside(ctx context.Context, namespace string, v *MemoryView) error {
	if err := find.before(ctx, namespace, v); err != nil {
		return err
	}
	return find.contradict(ctx, namespace, v)
}

// contradict names on a decision the notes that speak against it. Nearly every
// memory has none, and costs nothing.
func (find findMemory) contradict(ctx context.Context, namespace string, v *MemoryView) error {
	card := memory.Memory{Status: memory.Status(v.Status), Links: v.Links}
	card.UpdatedAt, _ = time.Parse(time.RFC3339, v.UpdatedAt) // the view's own stamp, "" if unknown
	for _, id := range lifecycle.Opponents(card) {
		note, err := find(ctx, namespace, id)
		if memory.IsNotFound(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading what contradicts %s: %w", v.ID, err)
		}
		if lifecycle.Disputed(card, note) {
			v.Contradicted = append(v.Contradicted, contradictionOf(note))
			v.Uncertain = true
		}
	}
	return nil
}

func contradictionOf(note memory.Memory) Contradiction {
	return Contradiction{ID: note.ID, URI: note.URI, Date: note.Observed().Format(time.DateOnly), Content: note.Content}
}

// disputes lists the open disputes of the namespace. Decisions are few and most
// are not contradicted: the other memories are read only where one is.
func (s *Status) disputes(ctx context.Context) ([]string, error) {
	cards, err := s.Store.List(ctx, memory.Filter{Namespace: s.Namespace, Forms: []memory.Form{memory.Decision}})
	if err != nil {
		return nil, fmt.Errorf("listing decisions: %w", err)
	}
	if !slices.ContainsFunc(cards, func(m memory.Memory) bool { return len(lifecycle.Opponents(m)) > 0 }) {
		return nil, nil
	}
	memories, err := s.Store.List(ctx, memory.Filter{Namespace: s.Namespace})
	if err != nil {
		return nil, fmt.Errorf("listing memories: %w", err)
	}
	return disputesIn(memories), nil
}

// disputesIn lists the open disputes among memories.
func disputesIn(memories []memory.Memory) []string {
	var lines []string
	for _, d := range lifecycle.Disputes(memories) {
		lines = append(lines, fmt.Sprintf("%s is contradicted by %s of %s: %s", d.Card.URI, d.Note.ID, d.Note.Observed().Format(time.DateOnly),
			lifecycle.OneLine(d.Note, lifecycle.WrapupLineChars)))
	}
	return lines
}
