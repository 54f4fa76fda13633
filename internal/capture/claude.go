package capture

import (
	"encoding/json"
	"fmt"
)

// claudeFormat is the line format of Claude Code's transcripts.
type claudeFormat struct{}

type claudeRecord struct {
	Type             string          `json:"type"`
	UUID             string          `json:"uuid"`
	SessionID        string          `json:"sessionId"`
	Timestamp        json.RawMessage `json:"timestamp"`
	IsSidechain      bool            `json:"isSidechain"`
	IsMeta           bool            `json:"isMeta"`
	IsCompactSummary bool            `json:"isCompactSummary"`
	IsAPIError       bool            `json:"isApiErrorMessage"`
	ForkedFrom       *struct {
		SessionID   string `json:"sessionId"`
		MessageUUID string `json:"messageUuid"`
	} `json:"forkedFrom"`
	Message *struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

func (f claudeFormat) decode(raw []byte, c *Conversation) ([]Message, error) {
	var r claudeRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("reading a record: %w", err)
	}
	if r.Type == "" {
		return nil, fmt.Errorf("a record without type")
	}
	f.describe(r, c)
	if r.Type != "user" && r.Type != "assistant" {
		return nil, nil
	}
	if r.Message == nil {
		return nil, fmt.Errorf("a %s record without message", r.Type)
	}
	who, speaks := role(r.Message.Role)
	if !speaks {
		return nil, nil
	}
	inner, err := readContent(r.Message.Content)
	if err != nil {
		return nil, err
	}
	m := Message{ID: r.UUID, Role: who, Nature: f.nature(r, inner), Text: joined(inner.words, inner.tool), At: instant(r.Timestamp)}
	if r.ForkedFrom != nil && r.ForkedFrom.MessageUUID != "" {
		m.ID = r.ForkedFrom.MessageUUID // the copy of a message keeps its identity
	}
	if m.Text == "" {
		return nil, nil
	}
	return []Message{m}, nil
}

func (claudeFormat) describe(r claudeRecord, c *Conversation) {
	if c.ID == "" {
		c.ID = r.SessionID
	}
	if at := instant(r.Timestamp); c.Started.IsZero() {
		c.Started = at
	}
	if r.IsSidechain {
		c.Kind = SubAgent
	}
	if r.ForkedFrom != nil && c.Parent == "" {
		c.Parent = r.ForkedFrom.SessionID
	}
}

func (claudeFormat) nature(r claudeRecord, inner content) Nature {
	switch {
	case r.IsCompactSummary:
		return Summary
	case r.IsMeta || r.IsAPIError:
		return Injected
	case inner.tools:
		return Tool
	}
	return Spoken
}
