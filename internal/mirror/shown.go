package mirror

import (
	"encoding/json"
	"maps"
)

// decodedShown is projected.json as it was read last. It is read several times
// for each page that is written, and decoding it takes most of that.
type decodedShown struct {
	text  string
	files map[string]*shown
}

// decodeShown takes projected.json apart. The caller may change what it gets.
func (m *Mirror) decodeShown(text string) (map[string]*shown, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.shown.files == nil || m.shown.text != text {
		files := map[string]*shown{}
		if err := json.Unmarshal([]byte(text), &files); err != nil {
			return nil, err
		}
		m.shown = decodedShown{text, files}
	}
	files := make(map[string]*shown, len(m.shown.files))
	for name, s := range m.shown.files {
		files[name] = s.clone()
	}
	return files, nil
}

func (s *shown) clone() *shown {
	if s == nil {
		return nil
	}
	c := &shown{Lines: maps.Clone(s.Lines), Links: maps.Clone(s.Links), Hidden: maps.Clone(s.Hidden)}
	if s.Next != nil {
		c.Next = &announced{Text: s.Next.Text, Lines: maps.Clone(s.Next.Lines), Links: maps.Clone(s.Next.Links)}
	}
	return c
}
