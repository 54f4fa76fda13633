package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"agentmemory/internal/locale"
	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// memoryView is what people are shown of a memory. It is read from the same
// JSON that every other caller gets, so that nothing is formatted twice.
type memoryView struct {
	ID           string                `json:"id"`
	URI          string                `json:"uri"`
	Content      string                `json:"content"`
	Title        string                `json:"title"`
	Fields       []memory.Field        `json:"fields"`
	Type         string                `json:"type"`
	Form         string                `json:"form"`
	Status       string                `json:"status"`
	Vitality     float64               `json:"vitality"`
	State        string                `json:"state"`
	Temperature  string                `json:"temperature"`
	Score        float64               `json:"score"`
	Path         string                `json:"path"`
	Line         int                   `json:"line"`
	CreatedAt    string                `json:"created_at"`
	ObservedAt   string                `json:"observed_at"`
	Source       string                `json:"source"`
	SessionID    string                `json:"session_id"`
	MessageRange string                `json:"message_range"`
	Actor        string                `json:"actor"`
	Confidence   float64               `json:"confidence"`
	Trust        string                `json:"trust"`
	Uncertain    bool                  `json:"uncertain"`
	Contradicted []tools.Contradiction `json:"contradicted_by"`
	SupersededBy string                `json:"superseded_by"`
	Before       []tools.Earlier       `json:"before"`
	Why          string                `json:"why"`
}

type recallView struct {
	Count      int          `json:"count"`
	Abstained  bool         `json:"abstained"`
	Memories   []memoryView `json:"memories"`
	NearMisses []memoryView `json:"near_misses"`
	Degraded   any          `json:"degraded"`
}

type pathView struct {
	Found        bool                    `json:"found"`
	URI          string                  `json:"uri"`
	Prefix       string                  `json:"prefix"`
	Memory       *memoryView             `json:"memory"`
	Memories     []memoryView            `json:"memories"`
	Related      []memoryView            `json:"related"`
	Conversation *tools.ConversationView `json:"conversation"`
	Hint         string                  `json:"hint"`
}

type rememberView struct {
	Action   string         `json:"action"`
	MemoryID string         `json:"memoryId"`
	URI      string         `json:"uri"`
	Reason   string         `json:"reason"`
	Path     string         `json:"path"`
	Redacted []string       `json:"redacted"`
	Degraded any            `json:"degraded"`
	Items    []rememberView `json:"items"`
	Results  []rememberView `json:"results"`
}

// result prints a tool's answer.
func (p *printer) result(tool string, result any) error {
	raw, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	switch tool {
	case "recall":
		return show(raw, p.recall)
	case "recall_path":
		return show(raw, p.path)
	case "remember":
		return show(raw, p.remember)
	case "sync":
		return show(raw, p.sync)
	case "boot":
		return show(raw, p.boot)
	case "status":
		return show(raw, p.status)
	case "reflect":
		return show(raw, p.reflected)
	case "forget":
		return show(raw, p.forgotten)
	}
	return show(raw, func(tree any) { p.tree("", tree) })
}

func show[V any](raw []byte, print func(V)) error {
	var view V
	if err := json.Unmarshal(raw, &view); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	print(view)
	return nil
}

// printer writes for people, in their language.
type printer struct {
	w        io.Writer
	language string
}

func (a *app) printer(w io.Writer) *printer {
	if a.language == "" {
		a.fixLanguage(&config{values: map[string]value{setLanguage: {Text: autoLanguage}}})
	}
	return &printer{w: w, language: a.language}
}

// line prints a text of the program with what belongs into it; texts that are
// in the table are printed in the person's language.
func (p *printer) line(format string, args ...any) {
	_, _ = fmt.Fprintf(p.w, p.text(format)+"\n", args...)
}

// text returns a format, or a word, in the person's language.
func (p *printer) text(format string) string {
	if p.language == locale.Chinese {
		if said, known := chineseTexts()[format]; known {
			return said
		}
	}
	return format
}

func (p *printer) say(format string, args ...any) string { return fmt.Sprintf(p.text(format), args...) }

// said returns what may be a word from a list, or a sentence.
func (p *printer) said(english string) string { return p.sentence(p.text(english)) }

// sentence returns a reason, note or failure in the person's language.
func (p *printer) sentence(english string) string { return locale.Sentence(p.language, english) }

func (p *printer) recall(v recallView) {
	if v.Abstained || len(v.Memories) == 0 {
		p.line("Nothing relevant is remembered.")
		if len(v.NearMisses) > 0 {
			p.line("Nearest, but probably not meant:")
		}
		p.memories(v.NearMisses)
	} else {
		p.memories(v.Memories)
	}
	p.degraded(v.Degraded)
}

func (p *printer) path(v pathView) {
	switch {
	case v.Conversation != nil:
		p.conversation(*v.Conversation)
	case v.Memory != nil:
		p.memory(1, *v.Memory)
		p.memories(v.Related)
		if v.Hint != "" {
			p.line("  hint: %s", p.sentence(v.Hint))
		}
	case v.Found:
		p.memories(v.Memories)
	default:
		p.line("Nothing is remembered at %s%s.", v.URI, v.Prefix)
		if v.Hint != "" {
			p.line("  hint: %s", p.sentence(v.Hint))
		}
	}
}

func (p *printer) remember(v rememberView) {
	for _, item := range append(v.Items, v.Results...) {
		p.remember(item)
	}
	switch {
	case len(v.Results) > 0: // what became of the whole, such as "3 added, 1 failed"
		counts := strings.Split(v.Reason, ", ")
		for i, count := range counts {
			n, action, _ := strings.Cut(count, " ")
			counts[i] = n + " " + p.text(action)
		}
		p.line("%s: %s", p.text("batch"), strings.Join(counts, ", "))
	case v.Action != "":
		p.line("%s", strings.TrimSpace(p.text(v.Action)+" "+v.MemoryID+"  "+v.URI))
		if v.Reason != "" {
			p.line("  %s", p.sentence(clean(v.Reason)))
		}
	}
	if len(v.Redacted) > 0 {
		p.line("  redacted: %s; the rest was kept", clean(strings.Join(v.Redacted, ", ")))
	}
	p.degraded(v.Degraded)
}

func (p *printer) degraded(v any) {
	switch v := v.(type) {
	case string:
		if v != "" {
			p.line("degraded: %s", p.sentence(v))
		}
	case []any:
		for _, one := range v {
			p.line("degraded: %s", p.sentence(fmt.Sprint(one)))
		}
	}
}

func (p *printer) memories(list []memoryView) {
	for i, m := range list {
		p.memory(i+1, m)
	}
}

// memory prints what it says, then what lets a reader judge it: date, place,
// source, trust, and whether it is uncertain.
func (p *printer) memory(number int, m memoryView) {
	lines := strings.Split(strings.TrimRight(clean(m.Content), "\n"), "\n")
	p.line("%2d. %s", number, lines[0])
	for _, more := range append(lines[1:], m.filledIn()...) {
		p.line("    %s", more)
	}
	for _, parts := range [][]string{p.origin(m), p.measures(m)} {
		if len(parts) > 0 {
			p.line("    %s", strings.Join(parts, " · "))
		}
	}
	for _, c := range m.Contradicted {
		p.line("    CONTRADICTED by a note of %s: %s (%s)", c.Date, clean(strings.Join(strings.Fields(c.Content), " ")), c.ID)
	}
	for _, b := range m.Before {
		p.line("    before (%s): %s (%s)", b.Date, clean(strings.Join(strings.Fields(b.Content), " ")), b.ID)
	}
	if m.Why != "" {
		p.line("    why: %s", strings.Join(p.why(clean(m.Why)), "\n         "))
	}
}

// filledIn are the fields of a card that say more than its text.
func (m memoryView) filledIn() []string {
	var lines []string
	for _, f := range m.Fields {
		if value := strings.Join(strings.Fields(clean(f.Value)), " "); value != "" && !strings.Contains(m.Content, f.Value) {
			lines = append(lines, clean(f.Name)+": "+value)
		}
	}
	return lines
}

// above are the headings under which a note or a passage stands.
func (m memoryView) above() string {
	if m.Form != string(memory.Note) && m.Form != string(memory.Passage) || strings.Contains(m.Content, m.Title) {
		return ""
	}
	return m.Title
}

// why is a reason of the program, or the steps by which recall came to a memory.
func (p *printer) why(english string) []string {
	if said := p.sentence(english); said != english {
		return []string{said}
	}
	return locale.Explanation(p.language, english)
}

func (p *printer) origin(m memoryView) []string {
	parts := present(day(m.ObservedAt, m.CreatedAt), m.place(), p.about("under %s", m.above()), p.about("from %s", m.Source), p.about("by %s", m.Actor))
	parts = append(parts, present(p.about("session %s", messagesOf(m.SessionID, m.MessageRange)), p.about("trust %s", p.text(m.Trust)))...)
	if m.Uncertain && len(m.Contradicted) == 0 {
		parts = append(parts, p.say("UNCERTAIN (confidence %.2f)", m.Confidence))
	}
	return parts
}

// messagesOf names messages of a conversation as recall_path session:// takes them.
func messagesOf(session, messages string) string {
	if session == "" || messages == "" {
		return session + messages
	}
	return session + "#" + messages
}

func (p *printer) measures(m memoryView) []string {
	parts := present(m.ID, m.URI, strings.TrimSpace(p.text(m.Type)+" "+p.text(m.Form)))
	if m.Score > 0 {
		parts = append(parts, p.say("score %.2f", m.Score))
	}
	if m.State != "" {
		parts = append(parts, p.say("vitality %.2f, importance %s, temperature %s", m.Vitality, p.text(m.State), p.text(m.Temperature)))
	}
	if m.Status != "" && m.Status != "active" {
		parts = append(parts, p.text(m.Status))
	}
	return append(parts, present(p.about("superseded by %s", m.SupersededBy))...)
}

// about writes what is known of a memory; "" when it is not.
func (p *printer) about(format, s string) string {
	if s == "" {
		return ""
	}
	return p.say(format, s)
}

func (m memoryView) place() string {
	if m.Line > 0 {
		return fmt.Sprintf("%s:%d", m.Path, m.Line)
	}
	return m.Path
}

func present(parts ...string) []string {
	var out []string
	for _, part := range parts {
		if part != "" {
			out = append(out, clean(part))
		}
	}
	return out
}

// day renders when a memory was true, else when it was learned. Midnight stands
// for a day of which no time is known.
func day(observed, created string) string {
	text := observed
	if text == "" {
		text = created
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return strings.TrimSuffix(at.Format("2006-01-02 15:04"), " 00:00")
}

// tree prints any other answer as indented names and values.
func (p *printer) tree(indent string, v any) {
	switch v := v.(type) {
	case map[string]any:
		p.object(indent, v)
	case []any:
		for _, e := range v {
			switch row, flat := p.flatRow(e); {
			case isLeaf(e):
				p.line("%s- %s", indent, p.leaf(e))
			case flat:
				p.line("%s- %s", indent, row)
			default:
				p.tree(indent+"  ", e)
			}
		}
	default:
		p.line("%s%s", indent, p.leaf(v))
	}
}

func (p *printer) object(indent string, v map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if isLeaf(v[name]) {
			p.line("%s%s: %s", indent, p.text(clean(name)), p.leaf(v[name]))
			continue
		}
		p.line("%s%s:", indent, p.text(clean(name)))
		p.tree(indent+"  ", v[name])
	}
}

// flatRow renders an object without anything nested as one line.
func (p *printer) flatRow(v any) (string, bool) {
	object, ok := v.(map[string]any)
	if !ok {
		return "", false
	}
	if name, is := object["name"].(string); is && len(object) == 2 && object["value"] != nil { // a field of a card
		return p.say("%s: %s", p.text(clean(name)), strings.ReplaceAll(p.leaf(object["value"]), "\n", p.text("; "))), true
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !isLeaf(object[name]) {
			return "", false
		}
		if text := p.leaf(object[name]); text != "" {
			parts = append(parts, p.say("%s: %s", p.text(clean(name)), text))
		}
	}
	return strings.Join(parts, " · "), true
}

func isLeaf(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return true
}

func (p *printer) leaf(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case map[string]any, []any:
		return p.text("none")
	case string:
		return p.sentence(p.text(clean(v)))
	}
	return p.text(fmt.Sprint(v))
}

// clean keeps a terminal safe from what is stored: control characters become
// visible, so that no memory can move the cursor or colour the screen.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) {
			return r
		}
		return '·'
	}, s)
}
