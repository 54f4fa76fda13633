package server

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// encodeAnswer writes what encode writes. The answer of a tool, which is JSON
// already and stands in it twice, is copied rather than encoded three times.
func encodeAnswer(m any) (json.RawMessage, error) {
	response, ok := m.(mcp.JSONRPCResponse)
	if !ok {
		return encode(m)
	}
	result, ok := response.Result.(mcp.CallToolResult)
	if !ok || !bare(result) {
		return encode(m)
	}
	raw, ok := result.StructuredContent.(json.RawMessage)
	text, same := result.Content[0].(mcp.TextContent)
	if !ok || !same || text.Text != string(raw) || text.Meta != nil || text.Annotations != nil {
		return encode(m)
	}
	id, err := encode(response.ID)
	if err != nil {
		return nil, err
	}
	quoted, err := encode(text.Text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(2*len(raw) + len(quoted) + 100)
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(id)
	b.WriteString(`,"result":{"content":[{"type":"text","text":`)
	b.Write(quoted)
	b.WriteString(`}],`)
	if result.ResultType != "" {
		fmt.Fprintf(&b, `"resultType":%q,`, result.ResultType)
	}
	b.WriteString(`"structuredContent":`)
	b.Write(raw)
	b.WriteString("}}")
	return b.Bytes(), nil
}

// bare reports whether a result has nothing but one content, its structure and its type.
func bare(r mcp.CallToolResult) bool {
	return len(r.Content) == 1 && !r.IsError && r.Meta == nil && len(r.RawStructuredContent) == 0 &&
		len(r.InputRequests) == 0 && r.RequestState == ""
}
