package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSON5(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain JSON", `{"a":[1,-2.5e3,true,null,"x"]}`, `{"a":[1,-2500,true,null,"x"]}`},
		{"comments", "{ // one\n \"a\": 1, /* two */ \"b\": 2 }", `{"a":1,"b":2}`},
		{"a comment in a string", `{"url":"http://x//y"}`, `{"url":"http://x//y"}`},
		{"trailing commas", "{a: [1, 2, ], b: {c: 1,},\n}", `{"a":[1,2],"b":{"c":1}}`},
		{"trailing comma before a comment", "[1, // last\n]", `[1]`},
		{"bare keys", `{agent_memory: {$x: 1, 中文: 2}}`, `{"agent_memory":{"$x":1,"中文":2}}`},
		{"single quotes", `{'a': 'it\'s "so"'}`, `{"a":"it's \"so\""}`},
		{"escapes", `{"a": 'tab\tuni\u4e2d\
next'}`, `{"a":"tab\tuni中next"}`},
		{"sign", `{a: +1}`, `{"a":1}`},
		{"byte order mark", "\ufeff{}", `{}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got, want any
			if err := decodeJSON5([]byte(tt.in), &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBrokenJSON5IsAnError(t *testing.T) {
	for _, in := range []string{"", "{", `{"a"`, "/* open", "{'a: 1}", "{a: /}", "{a: 1 b: 2}"} {
		var v any
		if err := decodeJSON5([]byte(in), &v); err == nil {
			t.Errorf("%q was read as %v", in, v)
		}
	}
}

// What is JSON is JSON5, and means the same.
func FuzzJSON5(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2,{"b":"c\n"}]}`, "{a:1,}", `'x'`, "1e5", "\"\\u00e9\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var got, want any
		err := decodeJSON5([]byte(in), &got)
		if json.Unmarshal([]byte(in), &want) != nil {
			return
		}
		if err != nil {
			t.Fatalf("JSON is refused: %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}
