package tools

import "agentmemory/internal/memory"

// tellState gives the current state what its file can show.
func tellState(m *memory.Memory) {
	if m.Form == memory.State && (m.URI == "" || m.URI == currentState) {
		m.Content, m.Fields = memory.TellState(m.Content, m.Fields)
	}
}
