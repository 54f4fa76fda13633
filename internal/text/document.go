package text

import (
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Document returns the terms under which a memory is found: who said it, when
// it was true, its title, its text and the values of its fields. The date is
// spelled as people write it, so that "in May 2023" finds it.
func Document(m memory.Memory) []string {
	parts := make([]string, 0, 5+len(m.Fields))
	parts = append(parts, m.Actor, m.Target, spelled(m.ObservedAt), m.Title, m.Content)
	for _, f := range m.Fields {
		parts = append(parts, f.Value)
	}
	return Index(strings.Join(parts, "\n"))
}

// spelled writes a date out; a time that is not known gives nothing.
func spelled(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format("2 January 2006")
}
