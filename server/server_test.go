package server

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestInternalFailuresAreLoggedAndNotShown(t *testing.T) {
	for _, how := range []string{"internal", "raw", "panic"} {
		t.Run(how, func(t *testing.T) {
			log := &safeBuffer{}
			s := newTestServer(t, testTools(), log)
			got := converse(t, s, strings.NewReader(call(1, "fail", `{"how":"`+how+`"}`)))["1"]
			if len(got.Result.Content) != 1 || strings.Contains(got.Result.Content[0].Text, secretPath) {
				t.Errorf("shown: %+v", got)
			}
			var shown struct{ Error memory.Error }
			if err := json.Unmarshal([]byte(got.Result.Content[0].Text), &shown); err != nil {
				t.Fatal(err)
			}
			id := shown.Error.Hint[strings.LastIndex(shown.Error.Hint, " ")+1:]
			if !strings.Contains(log.String(), secretPath) || !strings.Contains(log.String(), id) {
				t.Errorf("the log lacks the cause or the id %q: %s", id, log)
			}
			if hasStack := strings.Contains(log.String(), "fixture_test.go"); hasStack != (how == "panic") {
				t.Errorf("log of %s: %s", how, log)
			}
		})
	}
}

func TestOnCallHearsOfEveryToolCallButNoContent(t *testing.T) {
	var mu sync.Mutex
	var heard []Call
	s, err := New(Options{Name: "x", Version: "1", Tools: testTools(), Logger: zerolog.Nop(), Now: testClock,
		OnCall: func(c Call) { mu.Lock(); heard = append(heard, c); mu.Unlock() }})
	if err != nil {
		t.Fatal(err)
	}
	converse(t, s, strings.NewReader(call(1, "set", `{"value":"secret"}`)))
	converse(t, s, strings.NewReader(call(2, "fail", `{"how":"refusal"}`)))
	converse(t, s, strings.NewReader(call(3, "fail", `{"how":"panic"}`)))
	want := []Call{{Tool: "set", Started: testClock()}, {Tool: "fail", Started: testClock(), Code: memory.NotFound}, {Tool: "fail", Started: testClock(), Code: memory.Internal}}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Error(diff)
	}
}

func TestNewRefusesWhatClientsCouldNotUse(t *testing.T) {
	run := func(context.Context, struct{}) (any, error) { return nil, nil }
	plain := func(name, output string) tools.Tool {
		return tools.Bind(tools.Spec{Name: name, Output: json.RawMessage(output)}, run)
	}
	cases := []struct {
		name string
		o    Options
	}{
		{"no clock", Options{}},
		{"no name", Options{Now: time.Now, Tools: []tools.Tool{plain("", "")}}},
		{"a name twice", Options{Now: time.Now, Tools: []tools.Tool{plain("a", ""), plain("a", "")}}},
		{"broken schema", Options{Now: time.Now, Tools: []tools.Tool{plain("a", "{")}}},
		{"null schema", Options{Now: time.Now, Tools: []tools.Tool{plain("a", "null")}}},
		{"schema of an array", Options{Now: time.Now, Tools: []tools.Tool{plain("a", `{"type":"array"}`)}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(c.o); err == nil {
				t.Error("New accepted it")
			}
		})
	}
}

// Clients read the text when they do not know structured content: both are the same JSON.
func TestTextIsTheStructuredContent(t *testing.T) {
	s := newTestServer(t, testTools(), io.Discard)
	got := converse(t, s, strings.NewReader(call(1, "echo", `{"content":"<a> & 账本 \u0000 \ud83c\udf89"}`)))["1"]
	var text, structured any
	if err := json.Unmarshal([]byte(got.Result.Content[0].Text), &text); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got.Result.StructuredContent, &structured); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, structured); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(got.Result.Content[0].Text, `\u003c`) {
		t.Errorf("needless escapes in %s", got.Result.Content[0].Text)
	}
}
