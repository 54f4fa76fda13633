package lifecycle

import (
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// ConsistencyOK is the line of a run's report when no conflict was found.
const ConsistencyOK = "consistency check: OK"

// Consistency compares the liveliest memories with MEMORY.md, which is the
// truth, and returns the lines of the report: one that starts with
// "⚠️ CONFLICT" for each contradiction, else ConsistencyOK alone. It changes
// nothing, least of all MEMORY.md. Callers leave it out when the reflection
// before it failed. A profile without the check gets no lines.
func Consistency(outline memory.Outline, memories []memory.Memory, now time.Time, p Profile) []string {
	if p.Consistency <= 0 {
		return []string{}
	}
	indexer := text.NewIndexer()
	lines := truths(outline, indexer)
	report := []string{}
	for _, m := range liveliest(memories, now, p.Consistency) {
		mine := dissect(m.Content, indexer.Index(m.Content), indexer)
		for _, l := range lines {
			if l.id == m.ID {
				continue
			}
			why := conflict(l.statement, mine, p.Guard.Topic)
			if why == "" {
				why = conflict(mine, l.statement, p.Guard.Topic)
			}
			if why != "" {
				report = append(report, fmt.Sprintf("⚠️ CONFLICT: %q (%s) against MEMORY.md line %d %q: %s; MEMORY.md holds",
					clip(flat(m.Content), 120), m.URI, l.number, clip(flat(l.text), 120), why))
			}
		}
	}
	if len(report) == 0 {
		return []string{ConsistencyOK}
	}
	return report
}

type truth struct {
	statement
	id     string
	number int
}

func truths(outline memory.Outline, indexer *text.Indexer) []truth {
	var lines []truth
	for _, l := range outline.Lines {
		t := strings.TrimLeft(l.Text, " \t-*+")
		if structural(l.Text) || len(t) > comparedBytes {
			continue
		}
		t = withoutComment(t)
		lines = append(lines, truth{statement: dissect(t, indexer.Index(t), indexer), id: l.MemoryID, number: l.Number})
	}
	return lines
}

// withoutComment cuts the host's comments off a line.
func withoutComment(s string) string {
	before, _, _ := strings.Cut(s, "<!--")
	return strings.TrimSpace(before)
}

// liveliest returns the n active statements of the highest vitality.
func liveliest(memories []memory.Memory, now time.Time, n int) []memory.Memory {
	return ByVitality.best(memories, now, n, func(m *memory.Memory) bool {
		return (m.Type == memory.Knowledge || m.Type == memory.Identity) && len(m.Content) <= comparedBytes && presentable(*m)
	})
}
