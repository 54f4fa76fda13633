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

// MaxNext is the number of next steps that a state has (seed 003 §2); what comes
// after them stands under StateLater.
const MaxNext = 3

// The fields of next steps.
const (
	StateNext  = "next"
	StateLater = "later"
)

// TellState returns a state as its file can show it: what is said beside its
// fields becomes its notes, next steps that the list has no place for come later,
// an empty field says nothing, and its content is what the fields say. A state
// that is too large stays as it is.
func TellState(content string, fields []Field) (string, []Field) {
	known := append(StateLines(StateContent(fields)), StateLines(fieldOf(fields, StateNotes))...)
	said := slices.DeleteFunc(StateLines(content), func(line string) bool { return slices.Contains(known, line) })
	told := slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return strings.TrimSpace(f.Value) == "" })
	if len(said) > 0 {
		told = withLines(told, StateNotes, said)
	}
	told = PostponedSteps(told)
	if content := StateContent(told); content != "" && len(content) <= MaxContent && len(told) <= MaxFields {
		return content, told
	}
	return content, fields
}

// PostponedSteps moves the next steps that the list has no place for behind it.
func PostponedSteps(fields []Field) []Field {
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == StateNext })
	if i < 0 {
		return fields
	}
	steps := StateLines(fields[i].Value)
	if len(steps) <= MaxNext {
		return fields
	}
	fields = slices.Clone(fields)
	fields[i].Value = strings.Join(steps[:MaxNext], "\n")
	return withLines(fields, StateLater, steps[MaxNext:])
}

// withLines puts lines into a field, before those that it holds.
func withLines(fields []Field, name string, lines []string) []Field {
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return append(fields, Field{Name: name, Value: strings.Join(lines, "\n")})
	}
	held := StateLines(fields[i].Value)
	lines = slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return slices.Contains(held, l) })
	fields[i].Value = strings.Join(append(lines, held...), "\n")
	return fields
}

func fieldOf(fields []Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
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
	order := []string{StateNotes, "goals", "in_progress", "blockers", StateNext, StateLater}
	if at := slices.Index(order, name); at >= 0 {
		return at
	}
	return len(order)
}
