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

	"agentmemory/tools"
)

// memoryView is what people are shown of a memory. It is read from the same
// JSON that every other caller gets, so that nothing is formatted twice.
type memoryView struct {
	ID           string  `json:"id"`
	URI          string  `json:"uri"`
	Content      string  `json:"content"`
	Type         string  `json:"type"`
	Form         string  `json:"form"`
	Status       string  `json:"status"`
	Vitality     float64 `json:"vitality"`
	State        string  `json:"state"`
	Temperature  string  `json:"temperature"`
	Score        float64 `json:"score"`
	Path         string  `json:"path"`
	Line         int     `json:"line"`
	CreatedAt    string  `json:"created_at"`
	ObservedAt   string  `json:"observed_at"`
	Source       string  `json:"source"`
	SessionID    string  `json:"session_id"`
	MessageRange string  `json:"message_range"`
	Actor        string  `json:"actor"`
	Confidence   float64 `json:"confidence"`
	Trust        string  `json:"trust"`
	Uncertain    bool    `json:"uncertain"`
	SupersededBy string  `json:"superseded_by"`
	Why          string  `json:"why"`
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
	Degraded any            `json:"degraded"`
	Items    []rememberView `json:"items"`
	Results  []rememberView `json:"results"`
}

// printResult prints a tool's answer for people.
func printResult(w io.Writer, tool string, result any) error {
	raw, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	p := &printer{w: w}
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

type printer struct{ w io.Writer }

func (p *printer) line(format string, args ...any) { _, _ = fmt.Fprintf(p.w, format+"\n", args...) }

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
	case v.Found:
		p.memories(v.Memories)
	default:
		p.line("Nothing is remembered at %s%s.", v.URI, v.Prefix)
		if v.Hint != "" {
			p.line("  hint: %s", v.Hint)
		}
	}
}

func (p *printer) remember(v rememberView) {
	for _, item := range append(v.Items, v.Results...) {
		p.remember(item)
	}
	if v.Action != "" {
		p.line("%s %s  %s", v.Action, v.MemoryID, v.URI)
		if v.Reason != "" {
			p.line("  %s", clean(v.Reason))
		}
	}
	p.degraded(v.Degraded)
}

func (p *printer) degraded(v any) {
	switch v := v.(type) {
	case string:
		if v != "" {
			p.line("degraded: %s", v)
		}
	case []any:
		for _, one := range v {
			p.line("degraded: %v", one)
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
	for _, more := range lines[1:] {
		p.line("    %s", more)
	}
	for _, parts := range [][]string{m.origin(), m.measures()} {
		if len(parts) > 0 {
			p.line("    %s", strings.Join(parts, " · "))
		}
	}
	if m.Why != "" {
		p.line("    why: %s", strings.Join(strings.Split(clean(m.Why), "; "), "\n         "))
	}
}

func (m memoryView) origin() []string {
	parts := present(day(m.ObservedAt, m.CreatedAt), m.place(), prefixed("from ", m.Source), prefixed("by ", m.Actor))
	if m.SessionID != "" {
		parts = append(parts, strings.TrimSpace("session "+m.SessionID+" "+m.MessageRange))
	}
	if m.Trust != "" {
		parts = append(parts, "trust "+m.Trust)
	}
	if m.Uncertain {
		parts = append(parts, fmt.Sprintf("UNCERTAIN (confidence %.2f)", m.Confidence))
	}
	return parts
}

func (m memoryView) measures() []string {
	parts := present(m.ID, m.URI, strings.TrimSpace(m.Type+" "+m.Form))
	if m.Score > 0 {
		parts = append(parts, fmt.Sprintf("score %.2f", m.Score))
	}
	if m.State != "" {
		parts = append(parts, fmt.Sprintf("vitality %.2f %s %s", m.Vitality, m.State, m.Temperature))
	}
	if m.Status != "" && m.Status != "active" {
		parts = append(parts, m.Status)
	}
	return append(parts, present(prefixed("superseded by ", m.SupersededBy))...)
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

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// day renders when a memory was true, else when it was learned.
func day(observed, created string) string {
	text := observed
	if text == "" {
		text = created
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.Format("2006-01-02 15:04")
}

// tree prints any other answer as indented names and values.
func (p *printer) tree(indent string, v any) {
	switch v := v.(type) {
	case map[string]any:
		p.object(indent, v)
	case []any:
		for _, e := range v {
			switch row, flat := flatRow(e); {
			case isLeaf(e):
				p.line("%s- %s", indent, leaf(e))
			case flat:
				p.line("%s- %s", indent, row)
			default:
				p.tree(indent+"  ", e)
			}
		}
	default:
		p.line("%s%s", indent, leaf(v))
	}
}

func (p *printer) object(indent string, v map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if isLeaf(v[name]) {
			p.line("%s%s: %s", indent, clean(name), leaf(v[name]))
			continue
		}
		p.line("%s%s:", indent, clean(name))
		p.tree(indent+"  ", v[name])
	}
}

// flatRow renders an object without anything nested as one line.
func flatRow(v any) (string, bool) {
	object, ok := v.(map[string]any)
	if !ok {
		return "", false
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !isLeaf(object[name]) {
			return "", false
		}
		if text := leaf(object[name]); text != "" {
			parts = append(parts, clean(name)+": "+text)
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

func leaf(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case map[string]any, []any:
		return "none"
	case string:
		return clean(v)
	}
	return fmt.Sprint(v)
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
