package mirror

import (
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// stateLine is one line of CURRENT_STATE.md and the field that it stands under.
type stateLine struct{ field, text string }

func (l stateLine) key() string { return lineKey(l.field + "\x00" + l.text) }

func stateLines(fields []memory.Field) []stateLine {
	var lines []stateLine
	for _, f := range fields {
		for line := range strings.Lines(f.Value) {
			if text := strings.TrimSpace(line); text != "" {
				lines = append(lines, stateLine{f.Name, text})
			}
		}
	}
	return lines
}

// peoplesLines are the lines of CURRENT_STATE.md that we did not write: they
// outlive what an agent overwrites. Of a file that we have never written,
// those are all of its lines, if it is a person who writes here.
func (p *publication) peoplesLines(name string, text *string, s *shown) []stateLine {
	if text == nil || s == nil && p.defaultTrust(name) != memory.TrustUser {
		return nil
	}
	told, _ := markdown.ParseState([]byte(*text))
	return slices.DeleteFunc(stateLines(told.Fields), func(l stateLine) bool {
		return s != nil && s.Lines[l.key()] != ""
	})
}

// asTyped gives lines that say what a person wrote, but for a secret that the
// store does not keep, the words that stand in the file.
func (m *Mirror) asTyped(fields []memory.Field, people []stateLine) []memory.Field {
	typed := map[stateLine]string{}
	for _, l := range people {
		if kept := strings.TrimSpace(m.clean(l.text)); kept != l.text {
			typed[stateLine{l.field, kept}] = l.text
		}
	}
	if len(typed) == 0 {
		return fields
	}
	fields = slices.Clone(fields)
	for i, f := range fields {
		lines := strings.Split(f.Value, "\n")
		for n, line := range lines {
			if text, known := typed[stateLine{f.Name, strings.TrimSpace(line)}]; known {
				lines[n] = text
			}
		}
		fields[i].Value = strings.Join(lines, "\n")
	}
	return fields
}

// withPeople adds people's lines to the fields of a state. The list of what is
// next is short; what has no place in it comes later.
func withPeople(fields []memory.Field, people []stateLine) []memory.Field {
	fields = slices.Clone(fields)
	has := map[stateLine]bool{}
	count := map[string]int{}
	for _, l := range stateLines(fields) {
		has[l] = true
		count[l.field]++
	}
	for _, l := range people {
		if has[l] {
			continue
		}
		if l.field == memory.StateNext && count[l.field] >= memory.MaxNext {
			l.field = memory.StateLater
		}
		count[l.field]++
		i := slices.IndexFunc(fields, func(f memory.Field) bool { return f.Name == l.field })
		if i < 0 {
			fields = append(fields, memory.Field{Name: l.field, Value: l.text})
			continue
		}
		fields[i].Value = strings.TrimLeft(fields[i].Value+"\n"+l.text, "\n")
	}
	return fields
}

// ownStateLines notes which lines of a state are ours; one that a person wrote
// before an agent repeated it stays theirs.
func ownStateLines(mem memory.Memory, people []stateLine) map[string]string {
	theirs := map[stateLine]bool{}
	for _, l := range people {
		theirs[l] = true
	}
	lines := map[string]string{}
	for _, l := range stateLines(mem.Fields) {
		if !theirs[l] {
			lines[l.key()] = mem.ID
		}
	}
	return lines
}
