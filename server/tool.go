package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// announced is the description of a tool that clients list. All four hints are
// set: an absent one is read as destructive and open-world.
func announced(t tools.Tool) mcp.Tool {
	title := t.Title
	if strings.EqualFold(title, t.Name) { // clients fall back to the name, and pay for every word
		title = ""
	}
	return mcp.Tool{
		Name:            t.Name,
		Title:           title,
		Description:     t.Description,
		RawInputSchema:  t.Input.JSON(),
		RawOutputSchema: t.Output,
		Annotations: mcp.ToolAnnotation{
			ReadOnlyHint:    mcp.ToBoolPtr(t.Hints.ReadOnly),
			DestructiveHint: mcp.ToBoolPtr(t.Hints.Destructive),
			IdempotentHint:  mcp.ToBoolPtr(t.Hints.Idempotent),
			OpenWorldHint:   mcp.ToBoolPtr(t.Hints.OpenWorld),
		},
	}
}

// handler runs one tool: failures become results that the model can read and
// act on, never protocol errors, and a panic costs one answer only.
func (s *Server) handler(t tools.Tool) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		defer s.calls.enter()()
		ctx, end := bounded(ctx)
		defer end()
		started := s.now()
		raw, err := s.run(s.withProgress(ctx, request), t, request.Params.RawArguments)
		call := Call{Tool: t.Name, Started: started, Duration: s.now().Sub(started)}
		result := &mcp.CallToolResult{StructuredContent: raw, Content: []mcp.Content{mcp.NewTextContent(string(raw))}}
		if err != nil {
			shown := s.shown(t.Name, err)
			call.Code = shown.Code
			result = failed(shown)
		}
		s.onCall(call)
		return result, nil
	}
}

func (s *Server) run(ctx context.Context, t tools.Tool, args json.RawMessage) (raw json.RawMessage, err error) {
	defer recovered(&err)
	answer, err := t.Call(ctx, args)
	if err != nil {
		return nil, err
	}
	if raw, err = encode(answer); err != nil {
		return nil, fmt.Errorf("encoding the answer: %w", err)
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil, errors.New("the answer is not a JSON object")
	}
	return raw, nil
}

func failed(e *memory.Error) *mcp.CallToolResult {
	raw, err := encode(map[string]any{"error": e})
	if err != nil {
		raw = []byte(`{"error":{"code":"internal","message":"internal error"}}`)
	}
	// No structured content: clients hold it against the output schema.
	return mcp.NewToolResultError(string(raw))
}

// encode writes JSON as people write it, with <, > and & as they are.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
