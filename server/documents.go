package server

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Resource is a text that clients can read by its URI, such as memory://recent.
type Resource struct {
	URI         string
	Name        string
	Title       string
	Description string
	MIMEType    string // text/markdown if empty
	Read        func(ctx context.Context) (string, error)
}

// Prompt is a text that a person can insert into a conversation. In Text,
// {name} stands for the argument of that name.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []PromptArgument
	Text        string
}

// PromptArgument describes one argument of a prompt.
type PromptArgument struct {
	Name        string
	Description string
	Required    bool
}

func (s *Server) addResources(list []Resource) {
	if len(list) == 0 {
		return
	}
	// Neither subscriptions nor change notices: no transport delivers them reliably.
	mcpserver.WithResourceCapabilities(false, false)(s.mcp)
	for _, r := range list {
		if r.MIMEType == "" {
			r.MIMEType = "text/markdown"
		}
		announced := mcp.NewResource(r.URI, r.Name, mcp.WithResourceDescription(r.Description), mcp.WithMIMEType(r.MIMEType))
		announced.Title = r.Title
		s.mcp.AddResource(announced, s.reader(r))
	}
}

func (s *Server) reader(r Resource) mcpserver.ResourceHandlerFunc {
	return func(ctx context.Context, _ mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		defer s.calls.enter()()
		text, err := read(ctx, r)
		if err != nil {
			return nil, protocolError{s.shown(r.URI, err)}
		}
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.URI, MIMEType: r.MIMEType, Text: text}}, nil
	}
}

func read(ctx context.Context, r Resource) (text string, err error) {
	defer recovered(&err)
	return r.Read(ctx)
}

func (s *Server) addPrompts(list []Prompt) {
	if len(list) == 0 {
		return
	}
	mcpserver.WithPromptCapabilities(false)(s.mcp)
	for _, p := range list {
		announced := mcp.NewPrompt(p.Name, mcp.WithPromptDescription(p.Description))
		announced.Title = p.Title
		for _, a := range p.Arguments {
			announced.Arguments = append(announced.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
		}
		s.prompts[p.Name] = p
		s.mcp.AddPrompt(announced, p.get)
	}
}

func (p Prompt) get(_ context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	var pairs []string
	for _, a := range p.Arguments {
		pairs = append(pairs, "{"+a.Name+"}", request.Params.Arguments[a.Name])
	}
	text := strings.NewReplacer(pairs...).Replace(p.Text)
	return &mcp.GetPromptResult{
		Description: p.Description,
		Messages:    []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))},
	}, nil
}

// checkPrompt refuses a prompt without its required arguments; mcp-go would
// call that an internal error.
func (s *Server) checkPrompt(m message) *rpcError {
	for _, a := range s.prompts[m.name].Arguments {
		if a.Required && m.texts[a.Name] == "" {
			return m.refuse(invalidParams, "argument %q of prompt %q is missing: %s", a.Name, m.name, a.Description)
		}
	}
	return nil
}
