package memory

import (
	"cmp"
	"slices"
	"strings"
)

// StateContent is the text under which the current state is found: its notes as
// they are, then its other fields, one a line. It is the same for the fields as
// they were given and as CURRENT_STATE.md, which keeps no blank lines, tells them.
func StateContent(fields []Field) string {
	var lines []string
	for _, f := range slices.SortedStableFunc(slices.Values(fields), func(a, b Field) int { return cmp.Compare(stateRank(a.Name), stateRank(b.Name)) }) {
		values := StateLines(f.Value)
		switch {
		case len(values) == 0:
		case f.Name == StateNotes:
			lines = append(lines, values...)
		default:
			lines = append(lines, strings.ReplaceAll(f.Name, "_", " ")+": "+strings.Join(values, "; "))
		}
	}
	return strings.Join(lines, "\n")
}

// StateNotes is the field of a state that holds what has no field of its own.
const StateNotes = "notes"

// StateLines are the lines of a value of a state.
func StateLines(value string) []string {
	var lines []string
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func stateRank(name string) int {
	order := []string{StateNotes, "goals", "in_progress", "blockers", "next"}
	if at := slices.Index(order, name); at >= 0 {
		return at
	}
	return len(order)
}
