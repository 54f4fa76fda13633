package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Earlier is what stood before a memory: one that it superseded, or that it speaks
// against. A correction keeps its own words, and what only the earlier sentence
// said is there.
type Earlier struct {
	ID      string `json:"id"`
	Date    string `json:"date"` // YYYY-MM-DD
	Content string `json:"content"`
}

// before names on a memory what it was put in the place of. Most have nothing,
// and cost nothing.
func (find findMemory) before(ctx context.Context, namespace string, v *MemoryView) error {
	ids := lifecycle.Opposed(memory.Memory{Links: v.Links})
	if v.Supersedes != "" {
		ids = append(ids, v.Supersedes)
	}
	for _, id := range ids {
		old, err := find(ctx, namespace, id)
		if memory.IsNotFound(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading what stood before %s: %w", v.ID, err)
		}
		if stoodBefore(old) && !strings.Contains(v.Content, strings.TrimRight(old.Content, ".。 ")) {
			v.Before = append(v.Before, Earlier{ID: old.ID, Date: old.Observed().Format(time.DateOnly), Content: old.Content})
		}
	}
	return nil
}

// stoodBefore reports whether a memory may be shown beside its successor: what was
// forgotten, and what nobody vouches for, is not.
func stoodBefore(old memory.Memory) bool {
	return (old.Status == memory.Superseded || old.Status == memory.Active) && old.Trust != memory.TrustExternal
}
