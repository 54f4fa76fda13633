package markdown

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

const updatedPrefix = "_updated: "

// stateSection is one section of CURRENT_STATE.md and the field that it holds.
type stateSection struct{ field, zh, en string }

func stateSections() []stateSection {
	return []stateSection{
		{"goals", "今日目标", "Today's goals"},
		{"in_progress", "进行中", "In progress"},
		{"blockers", "阻碍", "Blockers"},
		{memory.StateNext, "下一步", "Next"},
		{memory.StateLater, "之后", "Later"},
		{"notes", "备注", "Notes"},
	}
}

// RenderState writes CURRENT_STATE.md as of the local time at: one section a
// field (goals, in_progress, blockers, next, later, then notes and others), one bullet
// for each line of its value. A memory with no fields has its content as notes.
func RenderState(m memory.Memory, lang Language, at time.Time) []byte {
	e := FromMemory(m)
	e.Form, e.Number = memory.State, 0
	if len(m.Fields) == 0 && strings.TrimSpace(m.Content) != "" {
		m.Fields = []memory.Field{{Name: "notes", Value: m.Content}}
	}
	m.Fields = memory.PostponedSteps(m.Fields)
	title := "# CURRENT_STATE"
	if m.ID != "" {
		title += " " + e.comment("")
	}
	lines := []string{title, "", updatedPrefix + at.Format(stampLayout) + "_"}
	done := map[string]bool{}
	for _, s := range stateSections() {
		done[s.field] = true
		value := fieldValue(m.Fields, s.field)
		if s.field != memory.StateNotes && s.field != memory.StateLater || value != "" {
			lines = append(lines, stateLines(lang.pick(s.zh, s.en), value)...)
		}
	}
	for _, f := range m.Fields {
		if !done[f.Name] {
			lines = append(lines, stateLines(Escape(oneLine(f.Name)), f.Value)...)
		}
	}
	return document(lines)
}

func stateLines(heading, value string) []string {
	lines := []string{"", "## " + heading}
	for _, l := range strings.Split(value, "\n") {
		if text := plainLine(l, memory.MaxContent); text != "" {
			lines = append(lines, "- "+text)
		}
	}
	return lines
}

// ParseState reads CURRENT_STATE.md: the fields of its sections, whatever the
// language of their headings, and the id of its comment. ok is false if the file
// holds nothing. Text before the first section counts as notes.
func ParseState(src []byte) (m memory.Memory, ok bool) {
	d := Parse(StatePath, src)
	m = memory.Memory{Form: memory.State, Type: memory.Event, Status: memory.Active, Title: "CURRENT_STATE", URI: "state://current"}
	name := "notes"
	for i := 0; i < len(d.lines); i++ {
		line := bare(d.lines[i])
		if level, text, head := atxHeading(line); head {
			t := cutTrailer(text, ours)
			if meta, found := readMetadata(t.ours, memory.Event); found && level == 1 {
				e := Entry{Form: memory.State}
				e.describe(meta, "")
				m.ID, m.Type, m.Status, m.ObservedAt = e.ID, e.Type, e.Status, e.Observed
				m.URI = cmp.Or(e.URI, m.URI)
			}
			if level > 1 {
				name = stateField(Unescape(t.text))
			}
			continue
		}
		m.Fields = addStateLine(m.Fields, name, line)
	}
	m.Content = memory.StateContent(m.Fields)
	m.ContentHash = memory.Hash(m.Content)
	return m, m.ID != "" || len(m.Fields) > 0
}

func addStateLine(fields []memory.Field, name, line string) []memory.Field {
	text := strings.TrimSpace(line)
	if m, ok := listMarker(line); ok {
		text = strings.TrimSpace(line[m.size:])
	}
	text = fromPlainLine(text)
	if text == "" || strings.HasPrefix(text, updatedPrefix) {
		return fields
	}
	i := slices.IndexFunc(fields, func(f memory.Field) bool { return f.Name == name })
	if i < 0 {
		return append(fields, memory.Field{Name: name, Value: text})
	}
	fields[i].Value += "\n" + text
	return fields
}

func stateField(heading string) string {
	for _, s := range stateSections() {
		if strings.EqualFold(heading, s.zh) || strings.EqualFold(heading, s.en) || strings.EqualFold(heading, s.field) {
			return s.field
		}
	}
	return heading
}

// SameState reports whether two texts of CURRENT_STATE.md differ in their stamp
// at most.
func SameState(a, b []byte) bool {
	strip := func(src []byte) string {
		lines := splitLines(string(src))
		return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, updatedPrefix) }), "")
	}
	return strip(a) == strip(b)
}
