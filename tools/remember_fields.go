package tools

import (
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// cardFields are the fields that the card of a form has, besides its title; nil
// for forms without a card.
func cardFields(f memory.Form) []string {
	switch f {
	case memory.Decision:
		return []string{"date", "why", "finding", "conclusion", "impact", "refs"}
	case memory.Task:
		return []string{"goal", "boundary", "acceptance", "key_actions", "artifacts", "final_status", "next_step"}
	}
	return nil
}

// fieldOf returns the field of a decision that a caller means by another word.
func fieldOf(word string) string {
	switch word {
	case "reason", "reasons", "rationale", "because", "原因", "理由", "为什么":
		return "why"
	case "decision", "result", "outcome", "结论", "决定":
		return "conclusion"
	case "findings", "发现":
		return "finding"
	case "consequence", "consequences", "影响":
		return "impact"
	case "references", "links", "参考":
		return "refs"
	case "日期":
		return "date"
	}
	return word
}

// nameFields gives the fields of a card the names that the card has, where the
// caller used another word and the field itself is free.
func nameFields(m *memory.Memory) {
	known := cardFields(m.Form)
	for i, f := range m.Fields {
		name := strings.ReplaceAll(strings.ToLower(strings.TrimSpace(f.Name)), " ", "_")
		if m.Form == memory.Decision {
			name = fieldOf(name)
		}
		if slices.Contains(known, name) && m.Field(name) == "" {
			m.Fields[i].Name = name
		}
	}
}

// strangeFields tells which fields a card keeps without knowing them, and which
// ones it has; "" when there are none.
func strangeFields(m memory.Memory) string {
	known := cardFields(m.Form)
	if known == nil {
		return ""
	}
	var strange []string
	for _, f := range m.Fields {
		if f.Name != "id" && f.Name != "source" && f.Name != "artifact paths" && !slices.Contains(known, f.Name) {
			strange = append(strange, quoteShort(f.Name))
		}
	}
	if len(strange) == 0 {
		return ""
	}
	return fmt.Sprintf("kept as given, but no field of a %s: %s; its fields are %s", m.Form, strings.Join(strange, ", "), strings.Join(known, ", "))
}
