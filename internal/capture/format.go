package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// format understands the lines of one host.
type format interface {
	// decode returns the messages of one line, and completes c where the line
	// is about the conversation. A line that is understood and says nothing
	// has no messages; an error means that it was not understood.
	decode(raw []byte, c *Conversation) ([]Message, error)
}

func formatOf(h Host) (format, error) {
	switch h {
	case OpenClaw:
		return openClawFormat{}, nil
	case ClaudeCode:
		return claudeFormat{}, nil
	case Codex:
		return codexFormat{}, nil
	case Plain:
		return plainFormat{}, nil
	}
	return nil, fmt.Errorf("no format is known for host %q", h)
}

// block is one piece of a message's content, in the shapes that all hosts use.
type block struct {
	Type string `json:"type"`
	Text string `json:"text"`
	// Content is that of a tool's result: text, or blocks again.
	Content json.RawMessage `json:"content"`
}

// content is the words of a message and whether it brings a tool's result.
type content struct {
	words string
	tool  string // words of tool results
	tools bool   // holds a tool's result at all
}

// readContent takes the words out of a content that is a string or a list of
// blocks; thinking, tool calls and images are left out.
func readContent(raw json.RawMessage) (content, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return content{}, nil
	}
	if raw[0] == '"' {
		var s string
		err := json.Unmarshal(raw, &s)
		return content{words: s}, err
	}
	var blocks []block
	if err := json.Unmarshal(raw, &blocks); err != nil {
		return content{}, fmt.Errorf("reading a content: %w", err)
	}
	var c content
	for _, b := range blocks {
		switch b.Type {
		case "text", "input_text", "output_text":
			c.words = joined(c.words, b.Text)
		case "tool_result":
			c.tools = true
			if inner, err := readContent(b.Content); err == nil {
				c.tool = joined(c.tool, inner.words)
			}
		}
	}
	return c, nil
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// role maps a host's role; false for one that does not speak.
func role(s string) (Role, bool) {
	switch s {
	case "user", "human":
		return User, true
	case "assistant", "ai", "model":
		return Assistant, true
	}
	return "", false
}

// instant reads a time as hosts write it: RFC 3339, or seconds or milliseconds
// since 1970. The zero time means that it could not be read.
func instant(raw json.RawMessage) time.Time {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return time.Time{}
		}
		return at
	}
	var n float64
	if json.Unmarshal(raw, &n) != nil || n <= 0 || n > 1e14 {
		return time.Time{}
	}
	if n < 1e11 { // seconds until the year 5138
		n *= 1000
	}
	return time.UnixMilli(int64(n)).UTC()
}

// startsWithAny reports whether s, white space apart, starts with one of the marks.
func startsWithAny(s string, marks ...string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	for _, m := range marks {
		if strings.HasPrefix(s, m) {
			return true
		}
	}
	return false
}
