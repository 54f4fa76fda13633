package server

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// Accepted calls are finished when the server is told to end, on every
// transport, and open streams do not keep it from ending.
func TestShutdownFinishesAcceptedCalls(t *testing.T) {
	h := newHold()
	site := serve(t, newTestServer(t, []tools.Tool{h.tool()}, io.Discard), HTTPOptions{})
	endpoint, events := site.stream(t)
	site.do(t, request{path: endpoint, body: call(1, "hold", `{}`)})
	posted := make(chan string, 1)
	go func() {
		res, err := site.client.Post("http://"+site.addr+"/mcp", "application/json", strings.NewReader(call(2, "hold", `{}`)))
		if err != nil {
			posted <- err.Error()
			return
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		posted <- string(body)
	}()
	<-h.entered
	<-h.entered
	ended := make(chan error, 1)
	go func() { ended <- site.stop() }()
	time.Sleep(20 * time.Millisecond)
	close(h.release)
	if got := nextEvent(t, events); !strings.Contains(got, `"released":true`) {
		t.Errorf("on the stream: %s", got)
	}
	if got := <-posted; !strings.Contains(got, `"released":true`) {
		t.Errorf("posted: %s", got)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("HTTP = %v", err)
		}
	case <-time.After(grace + time.Second):
		t.Error("the server does not end")
	}
}

func TestTooManyAtOnceAreTurnedAway(t *testing.T) {
	h := newHold()
	site := serve(t, newTestServer(t, []tools.Tool{h.tool()}, io.Discard), HTTPOptions{})
	results := make(chan int, maxCalls)
	for i := range maxCalls {
		go func() {
			res, err := site.client.Post("http://"+site.addr+"/mcp", "application/json", strings.NewReader(call(i, "hold", `{}`)))
			if err != nil {
				results <- 0
				return
			}
			_ = res.Body.Close()
			results <- res.StatusCode
		}()
	}
	for range maxCalls {
		<-h.entered
	}
	if status, header, _ := site.do(t, request{body: pingBody}); status != 429 || header.Get("Retry-After") == "" {
		t.Errorf("status %d, want 429 with Retry-After", status)
	}
	close(h.release)
	for range maxCalls {
		if status := <-results; status != 200 {
			t.Errorf("an accepted call got status %d", status)
		}
	}
}

// Ids of requests are chosen by each client for itself: what one cancels is
// not what another has asked for.
func TestOneClientCannotCancelTheCallOfAnother(t *testing.T) {
	h := newHold()
	site := serve(t, newTestServer(t, []tools.Tool{h.tool()}, io.Discard), HTTPOptions{})
	answered := make(chan string, 1)
	go func() {
		res, err := site.client.Post("http://"+site.addr+"/mcp", "application/json", strings.NewReader(call(1, "hold", `{}`)))
		if err != nil {
			answered <- err.Error()
			return
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		answered <- string(body)
	}()
	<-h.entered
	if status, _, body := site.do(t, request{body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`}); status != 202 {
		t.Errorf("the notification: %d %s", status, body)
	}
	time.Sleep(20 * time.Millisecond)
	close(h.release)
	if got := <-answered; !strings.Contains(got, `"released":true`) {
		t.Errorf("the call of the other client: %s", got)
	}
}

// A client that goes away stops its call.
func TestClosedRequestCancelsItsCall(t *testing.T) {
	h := newHold()
	var mu sync.Mutex
	var codes []memory.Code
	s, err := New(Options{Name: "x", Version: "1", Tools: []tools.Tool{h.tool()}, Now: testClock,
		OnCall: func(c Call) { mu.Lock(); codes = append(codes, c.Code); mu.Unlock() }})
	if err != nil {
		t.Fatal(err)
	}
	site := serve(t, s, HTTPOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+site.addr+"/mcp", strings.NewReader(call(1, "hold", `{}`)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	go func() { <-h.entered; cancel() }()
	if _, err := site.client.Do(req); err == nil {
		t.Error("a cancelled request was answered")
	}
	if err := s.calls.wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(codes) != 1 || codes[0] != memory.Unavailable {
		t.Errorf("the call ended with %v", codes)
	}
}

// The Go SDK sends such a notification, and takes a refusal for the end of the connection.
func TestNotificationsNeedNoRevision(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+site.addr+"/mcp",
		strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	res, err := site.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		t.Errorf("status %d, want 202", res.StatusCode)
	}
}
