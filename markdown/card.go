package markdown

import (
	"slices"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
)

func isCard(f memory.Form) bool { return f == memory.Decision || f == memory.Task }

// decisionFields is the order of seed 000 §3.1; supersedes is optional.
func decisionFields() []string {
	return []string{"id", "date", "source", "why", "finding", "conclusion", "impact", "confidence", "status", "supersedes", "refs"}
}

// taskFields is the order of seed 003 §2.
func taskFields() []string {
	return []string{"goal", "boundary", "acceptance", "key_actions", "artifacts", "final_status", "next_step"}
}

func sourceFields() []string { return []string{"session_id", "session_path", "message_range"} }

func fieldValue(fields []memory.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// cardForm recognises the heading of a card: "Decision: title", "Task: title",
// also in Chinese and with a full-width colon.
func cardForm(heading string) (form memory.Form, title string) {
	name, title, found := cutColon(heading)
	if !found {
		return "", ""
	}
	switch strings.ToLower(name) {
	case "decision", "决策", "決策", "决定", "決定":
		return memory.Decision, title
	case "task", "任务", "任務":
		return memory.Task, title
	}
	return "", ""
}

// cutColon cuts at the first colon, ASCII or full-width, and one space after it.
func cutColon(s string) (name, value string, found bool) {
	i := strings.IndexAny(s, ":：")
	if i < 0 {
		return strings.TrimSpace(s), "", false
	}
	value = strings.TrimPrefix(strings.TrimPrefix(s[i:], ":"), "：")
	return strings.TrimSpace(s[:i]), strings.TrimPrefix(value, " "), true
}

// decisionURI derives the address of a decision from its id field.
func decisionURI(id string) string {
	if slug, ok := strings.CutPrefix(id, "DECISION-"); ok && slug != "" {
		return "decision://" + slug
	}
	return ""
}

// cardFields lists the fields of a memory as its card shows them: what has a
// place of its own in a memory is taken from there.
func cardFields(m memory.Memory) []memory.Field {
	if m.Form != memory.Decision {
		return m.Fields
	}
	fields := slices.Clone(m.Fields)
	set := func(name, value string) {
		if value != "" && fieldValue(fields, name) != value {
			fields = slices.DeleteFunc(fields, func(f memory.Field) bool { return f.Name == name })
			fields = append(fields, memory.Field{Name: name, Value: value})
		}
	}
	if slug, ok := strings.CutPrefix(m.URI, "decision://"); ok && fieldValue(fields, "id") == "" {
		set("id", "DECISION-"+slug)
	}
	if fieldValue(fields, "date") == "" && !m.Observed().IsZero() {
		set("date", m.Observed().Format("2006-01-02"))
	}
	set("session_id", m.SessionID)
	set("session_path", m.SessionPath)
	set("message_range", m.MessageRange)
	if m.Confidence > 0 {
		set("confidence", strconv.FormatFloat(m.Confidence, 'g', -1, 64))
	}
	set("status", string(m.Status))
	return fields
}

// setCardFields puts the fields of a card where a memory keeps them; those
// without a place of their own stay fields.
func setCardFields(m *memory.Memory, fields []memory.Field) {
	for _, f := range fields {
		if m.Form != memory.Decision || !setOwnPlace(m, f) {
			m.Fields = append(m.Fields, f)
		}
	}
}

func setOwnPlace(m *memory.Memory, f memory.Field) bool {
	switch f.Name {
	case "session_id":
		m.SessionID = f.Value
	case "session_path":
		m.SessionPath = f.Value
	case "message_range":
		m.MessageRange = f.Value
	case "confidence":
		c, err := strconv.ParseFloat(f.Value, 64)
		if err != nil || c < 0 || c > 1 {
			return f.Value == ""
		}
		m.Confidence = c
	case "status":
		if s := memory.Status(f.Value); slices.Contains(memory.Statuses(), s) {
			m.Status = s
			return true
		}
		return f.Value == ""
	default:
		return false
	}
	return true
}

// renderCard writes a decision exactly as seed 000 §3.1 has it, and a task card
// in the same shape; further fields follow in their order.
func (e Entry) renderCard(day string) []string {
	word, order := "Task", taskFields()
	if e.Form == memory.Decision {
		word, order = "Decision", decisionFields()
	}
	heading := join("## "+word+":", Escape(oneLine(e.Title)), e.comment(day), e.Comments)
	lines := []string{heading}
	if content := Sanitise(e.Content); content != e.impliedContent() {
		lines = append(lines, fieldLines("content", content)...)
	}
	done := map[string]bool{"content": true}
	for _, name := range order {
		lines = append(lines, e.cardField(name)...)
		done[name] = true
	}
	for _, name := range sourceFields() {
		done[name] = done[name] || e.Form == memory.Decision
	}
	for _, f := range e.Fields {
		if !done[f.Name] {
			lines = append(lines, fieldLines(f.Name, f.Value)...)
		}
	}
	return lines
}

func (e Entry) cardField(name string) []string {
	value := fieldValue(e.Fields, name)
	switch {
	case name == "source" && e.Form == memory.Decision:
		lines := []string{"- source:"}
		for _, n := range sourceFields() {
			lines = append(lines, "  "+strings.TrimRight("- "+n+": "+Escape(oneLine(fieldValue(e.Fields, n))), " "))
		}
		return lines
	case name == "supersedes" && value == "":
		return nil
	}
	return fieldLines(name, value)
}

// impliedContent is the content of a card that says none: a decision's
// conclusion or a task's goal, else the title.
func (e Entry) impliedContent() string {
	name := "goal"
	if e.Form == memory.Decision {
		name = "conclusion"
	}
	if v := Sanitise(fieldValue(e.Fields, name)); v != "" {
		return v
	}
	return oneLine(e.Title)
}

// fieldLines lays a field out as a list item, "- name: value".
func fieldLines(name, value string) []string {
	label := strings.NewReplacer(":", " ", "：", " ").Replace(oneLine(name))
	if slices.Contains(taskFields(), label) {
		label = strings.ReplaceAll(label, "_", " ")
	}
	lines := strings.Split(Escape(Sanitise(value)), "\n")
	first := "- " + Escape(label) + ":"
	switch {
	case lines[0] == "":
		return []string{first}
	case needsOwnLine(lines):
		return append([]string{first}, indented(lines)...)
	}
	return append([]string{first + " " + lines[0]}, indented(lines[1:])...)
}

// readField reads one list item of a card.
func readField(lines []string, b block) (memory.Field, bool) {
	name, first, found := cutColon(lines[0][min(b.marker, len(lines[0])):])
	if !found || name == "" {
		return memory.Field{}, false
	}
	value := itemText(first, lines[1:], b.offset)
	return memory.Field{Name: canonicalField(Unescape(name)), Value: Unescape(value)}, true
}

func canonicalField(name string) string {
	folded := strings.ReplaceAll(strings.ToLower(name), " ", "_")
	if folded == "artifact_paths" {
		folded = "artifacts"
	}
	if slices.Contains(taskFields(), folded) || slices.Contains(decisionFields(), folded) {
		return folded
	}
	return name
}

// readCard completes the entry of a card from its fields.
func (e *Entry) readCard(fields []memory.Field) {
	for _, f := range fields {
		switch {
		case f.Name == "content":
			e.Content = f.Value
		case f.Name == "source" && e.Form == memory.Decision && strings.HasPrefix(f.Value, "- "):
			e.Fields = append(e.Fields, readSource(f.Value)...)
		case f.Value != "":
			e.Fields = append(e.Fields, f)
		}
	}
	if e.Content == "" {
		e.Content = e.impliedContent()
	}
	if s := memory.Status(fieldValue(e.Fields, "status")); e.Form == memory.Decision && slices.Contains(memory.Statuses(), s) {
		e.Status = s
	}
}

func readSource(value string) []memory.Field {
	var fields []memory.Field
	for _, line := range strings.Split(value, "\n") {
		name, v, found := cutColon(strings.TrimLeft(line, "-*+ \t"))
		if v = strings.TrimSpace(v); found && v != "" {
			fields = append(fields, memory.Field{Name: name, Value: v})
		}
	}
	return fields
}
