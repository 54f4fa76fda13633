package capture

import (
	"encoding/json"
	"fmt"
)

// codexFormat is the line format of Codex's rollouts. Messages are taken from
// response_item records; event_msg records repeat them.
type codexFormat struct{}

type codexRecord struct {
	Type      string          `json:"type"`
	Timestamp json.RawMessage `json:"timestamp"`
	Payload   struct {
		Type         string          `json:"type"`
		Role         string          `json:"role"`
		Content      json.RawMessage `json:"content"`
		Output       json.RawMessage `json:"output"`
		Message      json.RawMessage `json:"message"`
		ID           string          `json:"id"`
		Source       json.RawMessage `json:"source"`
		ThreadSource string          `json:"thread_source"`
		ForkedFrom   string          `json:"forked_from_id"`
	} `json:"payload"`
}

func (f codexFormat) decode(raw []byte, c *Conversation) ([]Message, error) {
	var r codexRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("reading a record: %w", err)
	}
	switch r.Type {
	case "session_meta":
		f.describe(r, c)
	case "response_item":
		return f.item(r)
	case "compacted":
		inner, err := readContent(r.Payload.Message)
		if err != nil || inner.words == "" {
			return nil, err
		}
		return []Message{{Role: Assistant, Nature: Summary, Text: inner.words, At: instant(r.Timestamp)}}, nil
	case "":
		return nil, fmt.Errorf("a record without type")
	}
	return nil, nil
}

func (codexFormat) describe(r codexRecord, c *Conversation) {
	if c.ID == "" || c.Started.IsZero() { // a fork repeats the header of its parent after its own
		c.ID, c.Started = r.Payload.ID, instant(r.Timestamp)
		c.Parent = r.Payload.ForkedFrom
	}
	var source struct {
		SubAgent json.RawMessage `json:"subagent"`
	}
	if r.Payload.ThreadSource == "subagent" || json.Unmarshal(r.Payload.Source, &source) == nil && source.SubAgent != nil {
		c.Kind = SubAgent
	}
}

func (codexFormat) item(r codexRecord) ([]Message, error) {
	m := Message{ID: r.Payload.ID, Nature: Spoken, At: instant(r.Timestamp)}
	switch r.Payload.Type {
	case "function_call_output", "custom_tool_call_output":
		m.Role, m.Nature = User, Tool
		inner, err := readContent(r.Payload.Output)
		if err != nil {
			return nil, nil // structured output: nothing to read
		}
		m.Text = inner.words
	case "message":
		who, speaks := role(r.Payload.Role)
		inner, err := readContent(r.Payload.Content)
		if err != nil {
			return nil, err
		}
		if !speaks {
			return nil, nil // developer and system messages
		}
		m.Role, m.Text = who, inner.words
	}
	if m.Text == "" {
		return nil, nil
	}
	return []Message{m}, nil
}
