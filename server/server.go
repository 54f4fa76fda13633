// Package server puts the use cases of package tools behind the Model Context
// Protocol: over standard input and output, Streamable HTTP and the older
// HTTP+SSE. It is the only importer of mcp-go and knows no use case by name:
// what a tool accepts and answers is decided in package tools alone.
package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/rs/zerolog"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// Options are what a server offers and whom it tells.
type Options struct {
	Name         string
	Version      string
	Instructions string // shown to the model by hosts that do so
	Tools        []tools.Tool
	Resources    []Resource
	Prompts      []Prompt
	Logger       zerolog.Logger   // never standard output
	Now          func() time.Time // required
	OnCall       func(Call)       // told after each tool call, before it is answered; must not block; may be nil
}

// Call is what the audit log may know of a tool call: nothing of its content.
type Call struct {
	Tool     string
	Started  time.Time
	Duration time.Duration
	Code     memory.Code // empty if the call succeeded
}

// Server answers MCP requests of both protocol eras on any number of
// connections at once.
type Server struct {
	mcp     *mcpserver.MCPServer
	log     zerolog.Logger
	now     func() time.Time
	onCall  func(Call)
	readers map[string]bool // by tool: whether it changes nothing
	prompts map[string]Prompt
	calls   *inFlight
}

// New registers everything in o. It fails when a description could not be sent
// to clients as it is: no clock, two tools of one name, a schema that is not a
// JSON object.
func New(o Options) (*Server, error) {
	if o.Now == nil {
		return nil, errors.New("making the server: no clock")
	}
	if o.OnCall == nil {
		o.OnCall = func(Call) {}
	}
	s := &Server{log: o.Logger, now: o.Now, onCall: o.OnCall, readers: map[string]bool{}, prompts: map[string]Prompt{}, calls: newInFlight()}
	s.mcp = mcpserver.NewMCPServer(o.Name, o.Version,
		mcpserver.WithInstructions(o.Instructions),
		mcpserver.WithToolCapabilities(false))
	if err := s.register(o.Tools); err != nil {
		return nil, err
	}
	s.addResources(o.Resources)
	s.addPrompts(o.Prompts)
	return s, nil
}

func (s *Server) register(list []tools.Tool) error {
	seen := map[string]bool{}
	for _, t := range list {
		if t.Name == "" || seen[t.Name] {
			return fmt.Errorf("registering tools: name %q is empty or taken", t.Name)
		}
		seen[t.Name] = true
		if err := checkSchemas(t); err != nil {
			return err
		}
		s.readers[t.Name] = t.Hints.ReadOnly
		s.mcp.AddTool(announced(t), s.handler(t))
	}
	return nil
}

// checkSchemas refuses what mcp-go would send silently as null.
func checkSchemas(t tools.Tool) error {
	for kind, schema := range map[string]json.RawMessage{"input": t.Input.JSON(), "output": t.Output} {
		if len(schema) == 0 && kind == "output" {
			continue
		}
		var object struct{ Type string }
		if err := json.Unmarshal(schema, &object); err != nil {
			return fmt.Errorf("registering tool %s: reading its %s schema: %w", t.Name, kind, err)
		}
		if object.Type != "object" {
			return fmt.Errorf("registering tool %s: its %s schema is not of type object", t.Name, kind)
		}
	}
	return nil
}

func (s *Server) known(tool string) bool {
	_, ok := s.readers[tool]
	return ok
}

func (s *Server) toolNames() []string { return slices.Sorted(maps.Keys(s.readers)) }
