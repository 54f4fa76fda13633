package tools

import (
	"context"
	"fmt"
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

// disputesIn lists the open disputes among memories.
func disputesIn(memories []memory.Memory) []string {
	var lines []string
	for _, d := range lifecycle.Disputes(memories) {
		lines = append(lines, fmt.Sprintf("%s is contradicted by %s of %s: %s", d.Card.URI, d.Note.ID, d.Note.Observed().Format(time.DateOnly),
			lifecycle.OneLine(d.Note, lifecycle.WrapupLineChars)))
	}
	return lines
}
