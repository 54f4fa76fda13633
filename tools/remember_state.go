package tools

import (
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// tellState gives the current state what its file can show: what is said beside
// its fields becomes its notes, its content is what the fields say, and an empty
// field says nothing.
func tellState(m *memory.Memory) {
	if m.Form != memory.State || m.URI != "" && m.URI != currentState {
		return
	}
	known := append(memory.StateLines(memory.StateContent(m.Fields)), memory.StateLines(m.Field(memory.StateNotes))...)
	said := slices.DeleteFunc(memory.StateLines(m.Content), func(line string) bool { return slices.Contains(known, line) })
	fields := slices.DeleteFunc(slices.Clone(m.Fields), func(f memory.Field) bool { return strings.TrimSpace(f.Value) == "" })
	if len(said) > 0 {
		fields = withNotes(fields, said)
	}
	if content := memory.StateContent(fields); content != "" && len(content) <= memory.MaxContent && len(fields) <= memory.MaxFields {
		m.Content, m.Fields = content, fields
	}
}

// withNotes puts lines before the notes that fields hold.
func withNotes(fields []memory.Field, lines []string) []memory.Field {
	notes := strings.Join(lines, "\n")
	i := slices.IndexFunc(fields, func(f memory.Field) bool { return f.Name == memory.StateNotes })
	if i < 0 {
		return append(fields, memory.Field{Name: memory.StateNotes, Value: notes})
	}
	fields[i].Value = strings.TrimSpace(notes + "\n" + fields[i].Value)
	return fields
}
