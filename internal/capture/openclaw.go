package capture

import (
	"encoding/json"
	"fmt"
	"strings"
)

// openClawFormat is the line format of OpenClaw's transcripts (session header
// versions 3 and 4), which its database keeps as event_json too.
type openClawFormat struct{}

type openClawRecord struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Timestamp json.RawMessage `json:"timestamp"`
	Version   int             `json:"version"`
	Summary   string          `json:"summary"`
	Content   json.RawMessage `json:"content"`
	Message   *struct {
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		Timestamp json.RawMessage `json:"timestamp"`
	} `json:"message"`
}

// newestHeader is the newest version of the session header that was seen.
const newestHeader = 4

func (f openClawFormat) decode(raw []byte, c *Conversation) ([]Message, error) {
	var r openClawRecord
	if err := json.Unmarshal(raw, &r); err != nil {
		return nil, fmt.Errorf("reading a record: %w", err)
	}
	switch r.Type {
	case "session":
		if r.Version > newestHeader {
			return nil, fmt.Errorf("session version %d is newer than %d", r.Version, newestHeader)
		}
		if c.ID == "" {
			c.ID = r.ID
		}
		c.Started = instant(r.Timestamp)
		return nil, nil
	case "message":
		return f.message(r)
	case "compaction", "branch_summary":
		return []Message{{ID: r.ID, Role: Assistant, Nature: Summary, Text: r.Summary, At: instant(r.Timestamp)}}, nil
	case "custom_message":
		inner, err := readContent(r.Content)
		if err != nil {
			return nil, err
		}
		return []Message{{ID: r.ID, Role: User, Nature: Injected, Text: inner.words, At: instant(r.Timestamp)}}, nil
	case "":
		return nil, fmt.Errorf("a record without type")
	}
	return nil, nil // model changes, labels, leaves and what may come
}

func (openClawFormat) message(r openClawRecord) ([]Message, error) {
	if r.Message == nil {
		return nil, fmt.Errorf("a message record without message")
	}
	inner, err := readContent(r.Message.Content)
	if err != nil {
		return nil, err
	}
	m := Message{ID: r.ID, Nature: Spoken, Text: inner.words, At: instant(r.Message.Timestamp)}
	if m.At.IsZero() {
		m.At = instant(r.Timestamp)
	}
	switch r.Message.Role {
	case "toolResult", "tool":
		m.Role, m.Nature = User, Tool
		return []Message{m}, nil
	}
	who, speaks := role(r.Message.Role)
	if !speaks || m.Text == "" {
		return nil, nil
	}
	m.Role = who
	return []Message{m}, nil
}

// openClawKind tells by a session's key who started it. Keys are
// "agent:<agent>:<rest>" or, for some jobs and hooks, the rest alone.
func openClawKind(key string) (kind Kind, agent string) {
	rest := key
	if after, found := strings.CutPrefix(key, "agent:"); found {
		agent, rest, _ = strings.Cut(after, ":")
	}
	switch {
	case strings.HasPrefix(rest, "cron:"):
		return Scheduled, agent
	case strings.HasPrefix(rest, "subagent:") || strings.Contains(rest, ":subagent:"):
		return SubAgent, agent
	case strings.HasPrefix(rest, "hook:"):
		return Hook, agent
	case strings.HasPrefix(rest, "acp:") || strings.HasPrefix(rest, "boot:") || strings.Contains(":"+rest, ":active-memory:"):
		return Bot, agent
	case strings.Contains(rest, "heartbeat"):
		return Heartbeat, agent
	}
	return Interactive, agent
}
