package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/tools"
)

// converse gives a whole input to a server and returns its answers by id.
func converse(t *testing.T, s *Server, in io.Reader) map[string]answered {
	t.Helper()
	var out bytes.Buffer
	if err := s.Stdio(t.Context(), in, &out); err != nil {
		t.Fatalf("Stdio = %v", err)
	}
	return byID(t, out.Bytes())
}

type answered struct {
	ID     json.RawMessage
	Result struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

func byID(t *testing.T, out []byte) map[string]answered {
	t.Helper()
	all := map[string]answered{}
	for raw := range bytes.Lines(out) {
		var a answered
		if err := json.Unmarshal(raw, &a); err != nil {
			t.Fatalf("not one JSON message a line: %q", raw)
		}
		if _, twice := all[string(a.ID)]; twice && string(a.ID) != "null" {
			t.Errorf("id %s answered twice", a.ID)
		}
		all[string(a.ID)] = a
	}
	return all
}

func call(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, tool, args)
}

// 20 clients in a row write 21 calls each and close at once: mcp-go alone
// leaves more than half of them unanswered.
func TestEveryCallIsAnsweredWhenInputEnds(t *testing.T) {
	for round := range 20 {
		slow := &register{delay: time.Millisecond}
		s := newTestServer(t, append(slow.tools(), echoTool()), io.Discard)
		var in strings.Builder
		for i := range 21 {
			if i%3 == 0 {
				in.WriteString(call(i, "set", fmt.Sprintf(`{"value":"v%d"}`, i)))
			} else {
				in.WriteString(call(i, "echo", `{"content":"x"}`))
			}
		}
		got := converse(t, s, strings.NewReader(in.String()))
		if len(got) != 21 {
			t.Fatalf("round %d: %d of 21 calls answered", round, len(got))
		}
		for id, a := range got {
			if a.Error != nil || a.Result.IsError {
				t.Errorf("round %d: call %s failed: %+v", round, id, a)
			}
		}
		if slow.value != "v18" {
			t.Errorf("round %d: the last write is %q, want v18: writes keep their order", round, slow.value)
		}
	}
}

func TestOwnWritesAreReadInOrder(t *testing.T) {
	kept := &register{delay: time.Millisecond}
	s := newTestServer(t, kept.tools(), io.Discard)
	var in strings.Builder
	for i := range 50 {
		in.WriteString(call(2*i, "set", fmt.Sprintf(`{"value":"%d"}`, i)))
		in.WriteString(call(2*i+1, "get", `{}`))
	}
	got := converse(t, s, strings.NewReader(in.String()))
	for i := range 50 {
		var seen struct{ Value string }
		if err := json.Unmarshal(got[fmt.Sprint(2*i+1)].Result.StructuredContent, &seen); err != nil {
			t.Fatal(err)
		}
		if n, err := strconv.Atoi(seen.Value); err != nil || n < i {
			t.Errorf("the read after write %d saw %q", i, seen.Value)
		}
	}
}

func TestOddLines(t *testing.T) {
	ping := `{"jsonrpc":"2.0","id":"ok","method":"ping"}`
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	cases := []struct {
		name, in string
		id       string
		code     int
	}{
		{"invalid UTF-8", `{"jsonrpc":"2.0","id":1,"method":"` + "\xff" + `"}`, "1", parseError},
		{"NUL", "{\"jsonrpc\":\"2.0\",\"id\":1,\x00\"method\":\"ping\"}", "1", parseError},
		{"20,000 levels deep", call(1, "echo", `{"content":`+deep+`}`), "1", parseError},
		{"half a message", `{"jsonrpc":"2.0","id":1,`, "1", parseError},
		{"too long, id first", `{"jsonrpc":"2.0","id":7,"method":"` + strings.Repeat("x", MaxMessage) + `"}`, "7", invalidRequest},
		{"too long, id last", `{"method":"` + strings.Repeat("x", MaxMessage) + `","jsonrpc":"2.0","id":"a-7"}`, `"a-7"`, invalidRequest},
		{"too long, an id quoted in it", `{"method":"` + strings.Repeat("x", MaxMessage) + `","params":{"content":"{\"id\":3}"}}`, "null", invalidRequest},
		{"too long, an id nested in it", `{"method":"` + strings.Repeat("x", MaxMessage) + `","params":{"id":3}}`, "null", invalidRequest},
		{"blank lines", "\n\r\n", "", 0},
		{"byte order mark and CRLF", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\r", "1", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newTestServer(t, testTools(), io.Discard)
			got := converse(t, s, strings.NewReader(strings.TrimSuffix(c.in, "\n")+"\n"+ping))
			if _, ok := got[`"ok"`]; !ok {
				t.Error("the call after it, the last line without line end, is not answered")
			}
			if c.id == "" {
				return
			}
			a, ok := got[c.id]
			if !ok {
				t.Fatalf("no answer to %s in %v", c.id, got)
			}
			if c.code == 0 && a.Error != nil || c.code != 0 && (a.Error == nil || a.Error.Code != c.code) {
				t.Errorf("answer %+v, want code %d", a.Error, c.code)
			}
		})
	}
}

// endless is a line of n bytes that exists nowhere in memory.
type endless struct{ n int }

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	k := min(len(p), e.n)
	for i := range p[:k] {
		p[i] = 'x'
	}
	e.n -= k
	return k, nil
}

func TestHundredMegabyteLineIsRefusedInBoundedMemory(t *testing.T) {
	s := newTestServer(t, testTools(), io.Discard)
	in := io.MultiReader(&endless{100 << 20}, strings.NewReader("\n"+`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := converse(t, s, in)
	runtime.ReadMemStats(&after)
	if a := got["null"]; a.Error == nil || a.Error.Code != invalidRequest {
		t.Errorf("answer to the long line: %+v", a)
	}
	if _, ok := got["1"]; !ok {
		t.Error("the next call is not answered")
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d MiB allocated for a refused line", used>>20)
	}
}

func TestCancelledCallIsStoppedAndNotAnswered(t *testing.T) {
	h := newHold()
	c := dialPipe(t, newTestServer(t, []tools.Tool{h.tool(), echoTool()}, io.Discard))
	c.send(t, []byte(call(1, "hold", `{}`)))
	<-h.entered
	c.send(t, []byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`))
	c.send(t, []byte(call(2, "echo", `{"content":"x"}`)))
	if got := byID(t, c.receive(t)); got["2"].Result.StructuredContent == nil {
		t.Errorf("first answer is %v, want that of the call after the cancelled one", got)
	}
	c.finish(t)
}

// What is running when the input ends gets five seconds, then is cancelled,
// and says so.
func TestEndIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHold()
		s := newTestServer(t, []tools.Tool{h.tool()}, io.Discard)
		started := time.Now()
		got := converse(t, s, strings.NewReader(call(1, "hold", `{}`)))
		if took := time.Since(started); took != grace {
			t.Errorf("ended after %v, want %v", took, grace)
		}
		if a := got["1"]; !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "cancelled") {
			t.Errorf("answer %+v, want that it was cancelled", a)
		}
	})
}

// A termination signal ends the context: what runs is finished, nothing new is taken.
func TestEndOfContextFinishesCalls(t *testing.T) {
	h := newHold()
	c := dialPipe(t, newTestServer(t, []tools.Tool{h.tool()}, io.Discard))
	c.send(t, []byte(call(1, "hold", `{}`)))
	<-h.entered
	c.cancel()
	close(h.release)
	if got := byID(t, c.receive(t)); got["1"].Result.IsError {
		t.Errorf("answer %v", got)
	}
	if err := <-c.ended; err != nil {
		t.Errorf("Stdio = %v, want nil", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBrokenOutputEndsTheServer(t *testing.T) {
	s := newTestServer(t, testTools(), io.Discard)
	in, inWrite := io.Pipe()
	defer func() { _ = inWrite.Close() }()
	go func() { _, _ = io.WriteString(inWrite, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n\n") }()
	if err := s.Stdio(t.Context(), in, brokenPipe{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("Stdio = %v, want the write error", err)
	}
}

// A handler that is stuck does not keep others from being answered, and the
// number of calls held in memory is bounded: reading stops.
func TestCallsInFlightAreBounded(t *testing.T) {
	h := newHold()
	c := dialPipe(t, newTestServer(t, []tools.Tool{h.tool()}, io.Discard))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	go func() {
		for i := range maxInFlight + 10 {
			if ctx.Err() == nil {
				_, _ = io.WriteString(c.in, call(i, "hold", `{}`))
			}
		}
		_ = c.in.Close()
	}()
	for range maxInFlight {
		<-h.entered
	}
	select {
	case <-h.entered:
		t.Error("more calls at once than allowed")
	case <-time.After(50 * time.Millisecond):
	}
	close(h.release)
	out, err := io.ReadAll(c.out)
	if got := byID(t, out); err != nil || len(got) != maxInFlight+10 {
		t.Errorf("%d of %d calls answered, %v", len(got), maxInFlight+10, err)
	}
}

// stuck is a client that takes no answers.
type stuck struct{ release chan struct{} }

func (s stuck) Write(p []byte) (int, error) { <-s.release; return len(p), nil }

// A client that reads nothing does not keep a termination signal from ending the server.
func TestEndDoesNotWaitForAStuckClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTestServer(t, testTools(), io.Discard)
		in, inWrite := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, _ = io.WriteString(inWrite, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n") }()
		release := make(chan struct{})
		ended := make(chan error, 1)
		go func() { ended <- s.Stdio(ctx, in, stuck{release}) }()
		synctest.Wait()
		cancel()
		started := time.Now()
		if err := <-ended; err != nil || time.Since(started) != grace {
			t.Errorf("Stdio = %v after %v, want nil after %v", err, time.Since(started), grace)
		}
		close(release)
		_ = inWrite.Close()
	})
}

// Nor do calls that take every slot, while another waits for one.
func TestEndDoesNotWaitForASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHold()
		s := newTestServer(t, []tools.Tool{h.tool()}, io.Discard)
		in, inWrite := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for i := range maxInFlight + 1 {
				_, _ = io.WriteString(inWrite, call(i, "hold", `{}`))
			}
		}()
		ended := make(chan error, 1)
		go func() { ended <- s.Stdio(ctx, in, io.Discard) }()
		synctest.Wait()
		cancel()
		started := time.Now()
		if err := <-ended; err != nil || time.Since(started) != grace {
			t.Errorf("Stdio = %v after %v, want nil after %v", err, time.Since(started), grace)
		}
		_ = inWrite.Close()
		_ = in.Close()
	})
}
