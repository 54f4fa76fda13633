package mirror

// Continuation returns the part of a full file to which new entries go, as far
// as this process has seen it fill up; the file itself if it has room. Without
// it every drain would look through all parts of a long day again.
func (m *Mirror) Continuation(file string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if part, full := m.parts[file]; full {
		return part
	}
	return file
}

// continues notes that a file is full and which part has room.
func (m *Mirror) continues(file, part string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for first, last := range m.parts {
		if last == file {
			m.parts[first] = part
		}
	}
	m.parts[file] = part
}
