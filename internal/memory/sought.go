package memory

import (
	"slices"
	"strings"
	"unicode"
)

// Sought returns the lines by which a purge recognises the words of a memory
// wherever they stand: those of its title and content, and the sentences in its
// fields. A date, a name or a state in a field is nobody's words: other memories,
// and the records of all of them, have the same.
func (m *Memory) Sought() []string {
	lines := append(filledLines(m.Title), filledLines(m.Content)...)
	if m.Form == State {
		lines = filledLines(m.Content) // its title is the name of its file
	}
	return append(lines, slices.DeleteFunc(m.Filled(), func(line string) bool { return !sentence(line) })...)
}

// Filled returns the lines of the fields that hold words. They are sought where
// they stand alone only.
func (m *Memory) Filled() (lines []string) {
	for _, f := range m.Fields {
		if f.Name != "id" { // its address
			lines = append(lines, filledLines(f.Value)...)
		}
	}
	return slices.DeleteFunc(lines, func(line string) bool { return !strings.ContainsFunc(line, unicode.IsLetter) })
}

func filledLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// sentence reports whether a text says something by itself: four words, or as
// many characters of a script without spaces as make about as many.
func sentence(text string) bool {
	const words, characters = 4, 8
	n := 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			n++
		}
	}
	return n >= characters || len(strings.Fields(text)) >= words
}
