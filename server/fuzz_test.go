package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// Lines come out as they went in, whatever their length and their pieces, and
// of an overlong one no more is held than the limit.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nlast"), 3)
	f.Add([]byte("\ufeff{\"id\":1}\n"+strings.Repeat("x", 70_000)+"\n{}"), 100)
	f.Add([]byte("0123456789\n"), 10)
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		if limit < 1 || limit > 1<<17 {
			return
		}
		source := newLines(bytes.NewReader(in), limit)
		want := bytes.Split(in, []byte("\n"))
		if len(want[len(want)-1]) == 0 {
			want = want[:len(want)-1]
		}
		for i, w := range want {
			got, err := source.next()
			if err != nil {
				t.Fatalf("line %d of %d: %v", i, len(want), err)
			}
			w = bytes.TrimSuffix(w, []byte("\r"))
			if long := len(w) > limit; got.long != long {
				t.Fatalf("line %d of %d bytes, limit %d: long = %v", i, len(w), limit, got.long)
			}
			if len(got.text) > limit+2 || len(got.tail) > tailLength {
				t.Fatalf("%d and %d bytes held, limit %d", len(got.text), len(got.tail), limit)
			}
			if i == 0 {
				w = bytes.TrimPrefix(w, []byte("\ufeff"))
			}
			if !got.long && !bytes.Equal(got.text, w) {
				t.Fatalf("line %d is %q, want %q", i, got.text, w)
			}
		}
		if _, err := source.next(); !errors.Is(err, io.EOF) {
			t.Fatalf("after the last line: %v", err)
		}
	})
}

// Whatever is sent, there is one answer at most, it is JSON of one line, it
// shows nothing of the inside, and the next message is answered.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"content":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`,
		`{"jsonrpc":"2.0","id":"a","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"wrap-up","arguments":{"day":null}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"memory://boot","_meta":{"progressToken":[]}}}`,
		`{"jsonrpc":"2.0","id":1.5e300,"method":"completion/complete","params":{"ref":7}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","task":[]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":7}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
		`[[[`, `"`, "\xff", `{"id":{}}`,
	} {
		f.Add([]byte(seed))
	}
	s, err := New(Options{Name: "x", Version: "1", Tools: testTools(), Resources: testResources(), Prompts: testPrompts(), Now: testClock})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if bytes.ContainsAny(raw, "\n") {
			return
		}
		in := append(append([]byte("{}\n"), raw...), []byte("\n"+`{"jsonrpc":"2.0","id":"after","method":"ping"}`)...)
		var out bytes.Buffer
		if err := s.Stdio(t.Context(), bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		pinged := false
		for answer := range bytes.Lines(out.Bytes()) {
			var a struct{ ID any }
			if err := json.Unmarshal(answer, &a); err != nil {
				t.Fatalf("not JSON: %q", answer)
			}
			pinged = pinged || a.ID == "after"
			for _, inside := range []string{secretPath, "Go struct", "Go value", "goroutine", "unmarshal"} {
				if strings.Contains(string(answer), inside) && !strings.Contains(string(raw), inside) {
					t.Errorf("%q shows the inside: %s", raw, answer)
				}
			}
		}
		if !pinged {
			t.Errorf("no answer after %q", raw)
		}
	})
}
