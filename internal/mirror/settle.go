package mirror

import (
	"time"

	"agentmemory/internal/memory"
)

// sighting is a foreign state of a file and when it was first seen.
type sighting struct {
	state memory.FileState
	since time.Time
}

// settled reports whether a foreign save has rested long enough to be read: an
// editor that saves in place shows an empty or half a file for a moment.
func (m *Mirror) settled(state memory.FileState) bool {
	now := m.Now()
	if age := now.Sub(state.ModTime); age >= m.Settle {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, known := m.seen[state.Path]
	if !known || s.state.Size != state.Size || !s.state.ModTime.Equal(state.ModTime) {
		m.seen[state.Path] = sighting{state, now}
		return false
	}
	return now.Sub(s.since) >= m.Settle
}

// forgetSighting is called when a file has been read.
func (m *Mirror) forgetSighting(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.seen, name)
}
