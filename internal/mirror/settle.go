package mirror

import (
	"maps"
	"time"

	"agentmemory/internal/memory"
)

// sighting is a foreign state of a file and when it was first seen.
type sighting struct {
	state memory.FileState
	since time.Time
}

// emptied is how many times longer an emptied file has to rest: an editor that
// was stopped between emptying and writing it would else cost every line.
const emptied = 30

// settled reports whether a foreign save has rested long enough to be read: an
// editor that saves in place shows an empty or half a file for a moment. before
// is the size that we knew the file with.
func (m *Mirror) settled(state memory.FileState, before int64) bool {
	rest := m.Settle
	if state.Size == 0 && before != 0 {
		rest *= emptied
	}
	now := m.Now()
	if age := now.Sub(state.ModTime); age >= rest {
		return true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, known := m.seen[state.Path]
	if !known || s.state.Size != state.Size || !s.state.ModTime.Equal(state.ModTime) {
		m.seen[state.Path] = sighting{state, now}
		return false
	}
	return now.Sub(s.since) >= rest
}

// forgetSighting is called when a file has been read.
func (m *Mirror) forgetSighting(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.seen, name)
}

// forgetOldSightings drops those of files that are gone, or are not as they were
// seen any more: nobody waits for them.
func (m *Mirror) forgetOldSightings(files map[string]sighted) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.seen, func(name string, s sighting) bool {
		f, there := files[name]
		return !there || f.info.Size() != s.state.Size || !f.info.ModTime().Equal(s.state.ModTime)
	})
}
