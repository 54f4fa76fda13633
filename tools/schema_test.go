package tools

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"agentmemory/internal/memory"

	"github.com/google/go-cmp/cmp"
)

type sample struct {
	Content  string            `json:"content"`
	Limit    int               `json:"limit"`
	Score    float64           `json:"score"`
	Hard     bool              `json:"hard"`
	Phase    string            `json:"phase"`
	Tags     []string          `json:"tags"`
	Fields   map[string]string `json:"fields"`
	Items    []sample          `json:"items"`
	AgentID  string            `json:"agent_id"`
	Untagged string
}

func sampleSchema() Schema {
	item := Schema{{Name: "content", Kind: Text, Required: true}, {Name: "limit", Kind: Integer}}
	return Schema{
		{Name: "content", Kind: Text, Description: "what to remember"},
		{Name: "limit", Kind: Integer, Min: 1, Max: 50, Default: 8},
		{Name: "score", Kind: Number},
		{Name: "hard", Kind: Boolean},
		{Name: "phase", Kind: String, Enum: []string{"decay", "all"}, Aliases: []string{"stage"}},
		{Name: "tags", Kind: Strings},
		{Name: "fields", Kind: Object},
		{Name: "items", Kind: Objects, Items: item},
		{Name: "agent_id", Kind: String, Hidden: true},
	}
}

// The left sides are what mcporter and models really send.
func TestDecodeIsLenientWhereClientsAre(t *testing.T) {
	tests := []struct {
		in   string
		want sample
	}{
		{`{}`, sample{Limit: 8}},
		{``, sample{Limit: 8}},
		{`null`, sample{Limit: 8}},
		{`{"content":"用户喜欢 Go"}`, sample{Content: "用户喜欢 Go", Limit: 8}},
		{`{"content":true}`, sample{Content: "true", Limit: 8}},
		{`{"content":null}`, sample{Limit: 8}},
		{`{"content":123}`, sample{Content: "123", Limit: 8}},
		{`{"content":12345678901234567890.5}`, sample{Content: "12345678901234567890.5", Limit: 8}},
		{`{"content":["a","b"]}`, sample{Content: `["a","b"]`, Limit: 8}},
		{`{"content":{"a":"<b>"}}`, sample{Content: `{"a":"<b>"}`, Limit: 8}},
		{`{"limit":"3","score":"0.5","hard":"true"}`, sample{Limit: 3, Score: .5, Hard: true}},
		{`{"limit":3.0}`, sample{Limit: 3}},
		{`{"agentId":"noah","stage":"ALL"}`, sample{Limit: 8, AgentID: "noah", Phase: "all"}},
		{`{"phase":null}`, sample{Limit: 8}},
		{`{"tags":"x, y"}`, sample{Limit: 8, Tags: []string{"x", "y"}}},
		{`{"tags":["x","y"]}`, sample{Limit: 8, Tags: []string{"x", "y"}}},
		{`{"fields":{"why":"fast","n":3}}`, sample{Limit: 8, Fields: map[string]string{"why": "fast", "n": "3"}}},
		{`{"fields":{"next":["写测试","发邮件"],"mixed":["a",1]}}`, sample{Limit: 8, Fields: map[string]string{"next": "写测试\n发邮件", "mixed": `["a",1]`}}},
		{`{"fields":"{\"why\":\"fast\"}"}`, sample{Limit: 8, Fields: map[string]string{"why": "fast"}}},
		{`{"items":[{"content":"a","limit":"2"},"b"]}`, sample{Limit: 8, Items: []sample{{Content: "a", Limit: 2}, {Content: "b"}}}},
		{`{"items":"[{\"content\":\"a\"}]"}`, sample{Limit: 8, Items: []sample{{Content: "a"}}}},
	}
	for _, tt := range tests {
		var got sample
		if err := sampleSchema().Decode(json.RawMessage(tt.in), &got); err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestDecodeRefusesWithAHint(t *testing.T) {
	tests := []struct{ in, message, hint string }{
		{`{"contents":"x"}`, `unknown argument "contents"`, "content, fields, hard"},
		{`{"limit":0}`, `argument "limit" is 0`, "between 1 and 50"},
		{`{"limit":"many"}`, `must be an integer`, ""},
		{`{"limit":1.5}`, `must be an integer`, ""},
		{`{"score":"NaN"}`, `must be a number`, ""},
		{`{"hard":"maybe"}`, `must be true or false`, ""},
		{`{"phase":"sleep"}`, `cannot be "sleep"`, "decay, all"},
		{`{"tags":[1]}`, `must be a list of strings`, ""},
		{`{"items":[{"limit":1}]}`, `items[0]: argument "content" is missing`, ""},
		{`{"items":[{"contents":"x"}]}`, `items[0]: unknown argument`, "content, limit"},
		{`{"items":{}}`, `must be a list of objects`, ""},
		{`[]`, `not a JSON object`, ""},
		{`{"a":1}{"b":2}`, `more than one`, ""},
	}
	for _, tt := range tests {
		var got sample
		err := sampleSchema().Decode(json.RawMessage(tt.in), &got)
		var e *memory.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v is not a *memory.Error", tt.in, err)
			continue
		}
		if e.Code != memory.InvalidArgument || !strings.Contains(e.Message, tt.message) || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%s: %q, hint %q", tt.in, e.Message, e.Hint)
		}
	}
}

func TestSchemaAnnouncesNoHiddenName(t *testing.T) {
	raw := sampleSchema().JSON()
	var parsed struct {
		Properties map[string]any `json:"properties"`
		Additional *bool          `json:"additionalProperties"`
	}
	if err := json.Unmarshal(raw, &parsed); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if _, found := parsed.Properties["agent_id"]; found || len(parsed.Properties) != 8 || parsed.Additional == nil || *parsed.Additional {
		t.Errorf("%s", raw)
	}
}

// Of two names for one argument, either might count: neither does.
func TestAnArgumentGivenTwiceIsRefused(t *testing.T) {
	for in, want := range map[string]bool{
		`{"agent_id":"noah","agentId":"kai"}`: false, `{"stage":"decay","phase":"all"}`: false,
		`{"stage":"all","phase":"ALL"}`: true, `{"limit":3,"Limit":"3"}`: true, `{"agent_id":"noah","agentId":null}`: true,
	} {
		var s sample
		if err := sampleSchema().Decode(json.RawMessage(in), &s); (err == nil) != want {
			t.Errorf("%s: %+v, %v", in, s, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"content":"x","limit":"3"}`)
	f.Add(`{"items":[{"content":null}]}`)
	f.Fuzz(func(t *testing.T, in string) {
		var got sample
		err := sampleSchema().Decode(json.RawMessage(in), &got)
		var e *memory.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%q: untyped error %v", in, err)
		}
	})
}
