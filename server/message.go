package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// MaxMessage is the longest JSON-RPC message that is read, in bytes.
const MaxMessage = 1 << 20

// JSON-RPC 2.0 error codes (https://www.jsonrpc.org/specification, section 5.1).
const (
	parseError     = -32700
	invalidRequest = -32600
	invalidParams  = -32602
	internalError  = -32603
)

// message is what must be known of a JSON-RPC message before it is worked on.
type message struct {
	id     json.RawMessage // null if absent
	method string
	name   string            // of the tool or prompt asked for
	texts  map[string]string // arguments of prompts/get
	cancel json.RawMessage   // id of the request that notifications/cancelled names
}

func (m message) isRequest() bool { return m.method != "" && string(m.id) != "null" }

func (m message) isNotification() bool { return m.method != "" && string(m.id) == "null" }

// rpcError is a message that cannot be worked on, and the answer to it.
type rpcError struct {
	ID      json.RawMessage
	Code    int
	Message string
}

func (e *rpcError) Error() string { return e.Message }

// MarshalJSON writes the error as a JSON-RPC answer.
func (e *rpcError) MarshalJSON() ([]byte, error) {
	id := e.ID
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	return encode(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": e.Code, "message": e.Message}})
}

// inspect checks a message before mcp-go sees it, which accepts invalid UTF-8
// and answers what is misshapen with a dump of its own Go types.
func (s *Server) inspect(raw []byte) (message, *rpcError) {
	m, refused := shape(raw)
	switch {
	case refused != nil || !m.isRequest():
		return m, refused
	case !fits(m.method, raw):
		return m, m.refuse(invalidParams, "params are not those of %s", m.method)
	case m.method == "tools/call" && !s.known(m.name):
		return m, m.refuse(invalidParams, "there is no tool %q; tools: %s", m.name, strings.Join(s.toolNames(), ", "))
	case m.method == "prompts/get":
		return m, s.checkPrompt(m)
	}
	return m, nil
}

// fits tries what mcp-go will do, whose own answer to params that it cannot
// read names its Go types.
func fits(method string, raw []byte) bool {
	var request any
	switch mcp.MCPMethod(method) {
	case mcp.MethodInitialize:
		request = new(mcp.InitializeRequest)
	case mcp.MethodServerDiscover:
		request = new(mcp.DiscoverRequest)
	case mcp.MethodSubscriptionsListen:
		request = new(mcp.SubscriptionsListenRequest)
	case mcp.MethodToolsCall:
		request = new(mcp.CallToolRequest)
	case mcp.MethodPromptsGet:
		request = new(mcp.GetPromptRequest)
	case mcp.MethodResourcesRead:
		request = new(mcp.ReadResourceRequest)
	default: // lists and ping: a cursor at most
		request = new(mcp.ListToolsRequest)
	}
	return json.Unmarshal(raw, request) == nil
}

// deep reports whether a text opens more brackets than encoding/json follows.
func deep(raw []byte) bool {
	level := 0
	for _, c := range raw {
		switch c {
		case '[', '{':
			level++
		case ']', '}':
			level--
		}
		if level > 10_000 {
			return true
		}
	}
	return false
}

// shape reads the outer members of a message.
func shape(raw []byte) (message, *rpcError) {
	if !utf8.Valid(raw) {
		return message{}, &rpcError{Code: parseError, Message: "the message is not valid UTF-8"}
	}
	return unpack(raw)
}

// misshapen refuses what is no JSON object, for which encoding/json gave a reason.
func misshapen(raw []byte, reason error) *rpcError {
	var syntax *json.SyntaxError
	switch {
	case errors.As(reason, &syntax) && deep(raw): // encoding/json stops at 10,000 levels, so depth is bounded here too
		return &rpcError{Code: parseError, Message: "the message is nested more than 10000 levels deep"}
	case errors.As(reason, &syntax):
		return &rpcError{Code: parseError, Message: "the message is not valid JSON"}
	case bytes.TrimSpace(raw)[0] == '[':
		return &rpcError{Code: invalidRequest, Message: "batches are not supported: send one message a line"}
	}
	return &rpcError{Code: invalidRequest, Message: "the message is not a JSON object"}
}

func unpack(raw []byte) (message, *rpcError) {
	var outer struct {
		ID     json.RawMessage
		Method json.RawMessage
		Params json.RawMessage
	}
	if err := json.Unmarshal(raw, &outer); err != nil {
		return message{}, misshapen(raw, err)
	}
	m := message{id: outer.ID}
	if kindOf(m.id) == "none" {
		m.id = json.RawMessage("null")
	}
	if k := kindOf(m.id); k != "string" && k != "number" && k != "null" {
		return message{}, &rpcError{Code: invalidRequest, Message: "id must be a string or a number"}
	}
	if !m.text(outer.Method, &m.method) {
		return m, m.refuse(invalidRequest, "method must be a string")
	}
	return m, m.checkParams(outer.Params)
}

func (m *message) refuse(code int, format string, args ...any) *rpcError {
	return &rpcError{ID: m.id, Code: code, Message: fmt.Sprintf(format, args...)}
}

// text reads an optional JSON string.
func (m *message) text(raw json.RawMessage, into *string) bool {
	switch kindOf(raw) {
	case "none":
		return true
	case "string":
		return json.Unmarshal(raw, into) == nil
	}
	return false
}

func (m *message) checkParams(raw json.RawMessage) *rpcError {
	var params map[string]json.RawMessage
	switch kindOf(raw) {
	case "none", "null":
	case "object":
		if json.Unmarshal(raw, &params) != nil {
			return m.refuse(invalidParams, "params must be an object")
		}
	default:
		return m.refuse(invalidParams, "params must be an object")
	}
	if k := kindOf(params["arguments"]); k != "object" && k != "null" && k != "none" {
		return m.refuse(invalidParams, "arguments must be an object")
	}
	if name := params["name"]; !m.text(name, &m.name) {
		return m.refuse(invalidParams, "name must be a string")
	}
	return m.note(params)
}

// note keeps what the transports decide by.
func (m *message) note(params map[string]json.RawMessage) *rpcError {
	if cursor := ""; m.text(params["cursor"], &cursor) && cursor != "" {
		return m.refuse(invalidParams, "the cursor is not one that was handed out")
	}
	switch m.method {
	case "prompts/get":
		if args := params["arguments"]; len(args) > 0 && json.Unmarshal(args, &m.texts) != nil {
			return m.refuse(invalidParams, "the arguments of a prompt must be strings")
		}
	case "notifications/cancelled":
		m.cancel = params["requestId"]
	}
	return nil
}

// kindOf tells the JSON type of a value by its first byte; "none" if absent.
func kindOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "none"
	}
	switch raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
