package text

import (
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Document returns the terms under which a memory is found: who said it, when
// it was true, its title, its text and the values of its fields. The date is
// spelled as people write it, so that "in May 2023" finds it.
func Document(m memory.Memory) []string { return document(m, Index) }

// Document returns the terms of m as the function of that name does.
func (x *Indexer) Document(m memory.Memory) []string { return document(m, x.Index) }

func document(m memory.Memory, index func(string) []string) []string {
	parts := make([]string, 0, 5+len(m.Fields))
	parts = append(parts, m.Actor, m.Target, spelled(m.ObservedAt), m.Title, m.Content)
	for _, f := range m.Fields {
		parts = append(parts, f.Value)
	}
	terms := index(strings.Join(parts, "\n"))
	if asks(m.Content) {
		terms = append(terms, Question)
	}
	return terms
}

// Question is the term that Document adds to a text that ends in a question:
// the answer is then more likely to stand after it than in it.
const Question = "?"

// asks reports whether a text ends in a question, whatever caption in square
// brackets follows it.
func asks(content string) bool {
	content = strings.TrimSpace(content)
	if strings.HasSuffix(content, "]") {
		if i := strings.LastIndexByte(content, '['); i > 0 {
			content = strings.TrimSpace(content[:i])
		}
	}
	content = strings.TrimRight(content, "\"'”’」』)）")
	return strings.HasSuffix(content, "?") || strings.HasSuffix(content, "？")
}

// spelled writes a date out; a time that is not known gives nothing.
func spelled(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format("2 January 2006")
}
