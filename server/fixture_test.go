package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// The tools of these tests are real ones, bound and decoded like every other,
// that do nothing but show what the adapter makes of arguments and answers.

type echoArgs struct {
	Content  string              `json:"content"`
	Label    string              `json:"label"`
	Kind     string              `json:"kind"`
	Limit    int                 `json:"limit"`
	Weight   float64             `json:"weight"`
	Explain  bool                `json:"explain"`
	Tags     []string            `json:"tags"`
	Fields   map[string]string   `json:"fields"`
	Items    []map[string]string `json:"items"`
	Lifetime time.Duration       `json:"-"`
}

func echoTool() tools.Tool {
	return tools.Bind(tools.Spec{
		Name: "echo", Title: "Echo", Description: "Answers its arguments as they were understood.",
		Hints: tools.Hints{ReadOnly: true, Idempotent: true},
		Input: tools.Schema{
			{Name: "content", Kind: tools.Text, Description: "any text", Required: true},
			{Name: "label", Aliases: []string{"name"}, Kind: tools.String},
			{Name: "kind", Kind: tools.String, Enum: []string{"one", "two"}},
			{Name: "limit", Kind: tools.Integer, Min: 1, Max: 50, Default: 8},
			{Name: "weight", Kind: tools.Number, Max: 1},
			{Name: "explain", Kind: tools.Boolean},
			{Name: "tags", Kind: tools.Strings},
			{Name: "fields", Kind: tools.Object},
			{Name: "items", Kind: tools.Objects, Items: tools.Schema{{Name: "content", Kind: tools.Text, Required: true}}},
			{Name: "old_name", Kind: tools.String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"content":{"type":"string"},"limit":{"type":"integer"}},"required":["content","limit"]}`),
	}, func(_ context.Context, a echoArgs) (echoArgs, error) { return a, nil })
}

type failArgs struct {
	How string `json:"how"`
}

func failTool() tools.Tool {
	return tools.Bind(tools.Spec{
		Name: "fail", Description: "Fails in the way asked for.",
		Hints: tools.Hints{ReadOnly: true},
		Input: tools.Schema{{Name: "how", Kind: tools.String, Required: true}},
	}, func(ctx context.Context, a failArgs) (any, error) {
		switch a.How {
		case "refusal":
			return nil, memory.Errorf(memory.NotFound, "no memory %q", "knowledge://x").WithHint("list them with recall")
		case "wrapped":
			return nil, fmt.Errorf("recalling: %w", memory.Errorf(memory.ReadOnly, "the store is read-only"))
		case "internal":
			return nil, memory.Errorf(memory.Internal, "opening %s: %w", secretPath, errors.New("disk on fire"))
		case "raw":
			return nil, errors.New("open " + secretPath + ": permission denied")
		case "panic":
			panic("index out of range in " + secretPath)
		case "deadline":
			return nil, fmt.Errorf("searching: %w", context.DeadlineExceeded)
		case "list":
			return []string{"not", "an", "object"}, nil
		case "unencodable":
			return map[string]any{"f": func() {}}, nil
		}
		return map[string]any{"how": a.How}, nil
	})
}

// secretPath stands for what must never reach a client.
const secretPath = "/home/alice/.agent-memory/secret.db"

// register is a tiny store: set is a write, get a read, so that order shows.
type register struct {
	mu    sync.Mutex
	value string
	delay time.Duration
}

type setArgs struct {
	Value string `json:"value"`
}

func (r *register) tools() []tools.Tool {
	set := tools.Bind(tools.Spec{Name: "set", Description: "Keeps a value.",
		Input: tools.Schema{{Name: "value", Kind: tools.Text, Required: true}}},
		func(_ context.Context, a setArgs) (map[string]any, error) {
			time.Sleep(r.delay)
			r.mu.Lock()
			defer r.mu.Unlock()
			r.value = a.Value
			return map[string]any{"kept": a.Value}, nil
		})
	get := tools.Bind(tools.Spec{Name: "get", Description: "Answers the value kept.", Hints: tools.Hints{ReadOnly: true}},
		func(context.Context, struct{}) (map[string]any, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			return map[string]any{"value": r.value}, nil
		})
	return []tools.Tool{set, get}
}

type stepsArgs struct {
	Steps int `json:"steps"`
}

func stepsTool() tools.Tool {
	return tools.Bind(tools.Spec{Name: "steps", Description: "Reports progress.", Hints: tools.Hints{ReadOnly: true},
		Input: tools.Schema{{Name: "steps", Kind: tools.Integer, Default: 3}}},
		func(ctx context.Context, a stepsArgs) (map[string]any, error) {
			report := tools.ProgressFrom(ctx)
			for i := 1; i <= a.Steps; i++ {
				report(i, a.Steps, fmt.Sprintf("step %d", i))
			}
			return map[string]any{"steps": a.Steps}, nil
		})
}

// hold is a tool that runs until it is released or cancelled.
type hold struct {
	entered chan struct{}
	release chan struct{}
}

func newHold() *hold { return &hold{entered: make(chan struct{}, 1000), release: make(chan struct{})} }

func (h *hold) tool() tools.Tool {
	return tools.Bind(tools.Spec{Name: "hold", Description: "Runs until released.", Hints: tools.Hints{ReadOnly: true}},
		func(ctx context.Context, _ struct{}) (map[string]any, error) {
			h.entered <- struct{}{}
			select {
			case <-h.release:
				return map[string]any{"released": true}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})
}

func testTools() []tools.Tool {
	return append((&register{}).tools(), echoTool(), failTool(), stepsTool())
}

func testResources() []Resource {
	return []Resource{
		{URI: "memory://recent", Name: "recent", Title: "Recent", Description: "What happened lately.",
			Read: func(context.Context) (string, error) { return "# Recent\n\n- 账本用 SQLite <b>\n", nil }},
		{URI: "memory://boot", Name: "boot", MIMEType: "text/plain",
			Read: func(context.Context) (string, error) {
				return "", fmt.Errorf("reading %s: %w", secretPath, errors.New("denied"))
			}},
		{URI: "memory://none", Name: "none",
			Read: func(context.Context) (string, error) { return "", memory.Errorf(memory.NotFound, "no journal today") }},
	}
}

func testPrompts() []Prompt {
	return []Prompt{{Name: "wrap-up", Title: "Wrap up", Description: "Closes the day.",
		Arguments: []PromptArgument{{Name: "day", Description: "YYYY-MM-DD", Required: true}, {Name: "focus"}},
		Text:      "Summarise {day}. Focus: {focus}."}}
}

// testClock stands still: durations in hooks and answers do not vary.
func testClock() time.Time { return time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC) }

// safeBuffer is a log that is written to and read from by several goroutines.
type safeBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func newTestServer(t *testing.T, list []tools.Tool, log io.Writer) *Server {
	t.Helper()
	s, err := New(Options{Name: "agent-memory", Version: "0.0.0-test", Instructions: "Remember what matters.",
		Tools: list, Resources: testResources(), Prompts: testPrompts(), Logger: zerolog.New(log), Now: testClock})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
