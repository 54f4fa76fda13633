package server

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// What is copied together says the same as what is encoded, whatever it holds.
func TestAnswersAreCopiedTogetherAsTheyWouldBeEncoded(t *testing.T) {
	answer := func(text string, structured any) mcp.CallToolResult {
		return mcp.CallToolResult{StructuredContent: structured, Content: []mcp.Content{mcp.NewTextContent(text)}}
	}
	plain := answer(`{"a":"b"}`, json.RawMessage(`{"a":"b"}`))
	typed, described, failed := plain, plain, plain
	typed.ResultType = mcp.ResultTypeComplete
	described.Meta = &mcp.Meta{AdditionalFields: map[string]any{"x": 1}}
	failed.IsError = true
	hostile := `{"q":"<b>&amp; \"数据库\" \\ \u2028 \n 😀","n":1e300}`
	for name, result := range map[string]any{
		"plain": plain, "typed": typed, "described": described, "failed": failed, "hostile": answer(hostile, json.RawMessage(hostile)),
		"another text": answer("not the same", json.RawMessage(`{}`)), "no structure": answer("{}", nil), "nothing": mcp.CallToolResult{}, "a list": []int{1},
	} {
		for _, id := range []any{int64(7), "seven \"<>\"", 1.5} {
			m := mcp.NewJSONRPCResultResponse(mcp.NewRequestId(id), result)
			want, err := encode(m)
			if err != nil {
				t.Fatal(err)
			}
			got, err := encodeAnswer(m)
			if err != nil {
				t.Fatal(err)
			}
			var a, b any
			if json.Unmarshal(want, &a) != nil || json.Unmarshal(got, &b) != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("%s, %v: %s instead of %s", name, id, got, want)
			}
		}
	}
}
