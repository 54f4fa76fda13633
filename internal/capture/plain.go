package capture

import (
	"encoding/json"
	"fmt"
	"time"
)

// plainFormat is one message a line: {"role", "content", "time"}, as anybody
// can write it. The time may also be called timestamp or ts.
type plainFormat struct{}

type plainRecord struct {
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	Time      json.RawMessage `json:"time"`
	Timestamp json.RawMessage `json:"timestamp"`
	TS        json.RawMessage `json:"ts"`
}

func (plainFormat) decode(raw []byte, c *Conversation) ([]Message, error) {
	var r plainRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("reading a record: %w", err)
	}
	if r.Role == "" {
		return nil, fmt.Errorf("a record without role")
	}
	inner, err := readContent(r.Content)
	if err != nil {
		return nil, err
	}
	m := Message{ID: r.ID, Nature: Spoken, Text: joined(inner.words, inner.tool), At: r.at()}
	if c.Started.IsZero() {
		c.Started = m.At
	}
	who, speaks := role(r.Role)
	switch {
	case r.Role == "tool" || r.Role == "function" || inner.tools:
		m.Role, m.Nature = User, Tool
	case !speaks:
		m.Role, m.Nature = User, Injected
	default:
		m.Role = who
	}
	if m.Text == "" {
		return nil, nil
	}
	return []Message{m}, nil
}

func (r plainRecord) at() (at time.Time) {
	for _, raw := range []json.RawMessage{r.Time, r.Timestamp, r.TS} {
		if at = instant(raw); !at.IsZero() {
			return at
		}
	}
	return at
}
