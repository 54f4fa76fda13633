package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// site is a server on a port of its own.
type site struct {
	addr   string
	client *http.Client
	stop   func() error
}

func serve(t *testing.T, s *Server, o HTTPOptions) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.Listener = listener
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.HTTP(ctx, o) }()
	transport := &http.Transport{}
	stopped := false
	site := &site{addr: listener.Addr().String(), client: &http.Client{Transport: transport, Timeout: 20 * time.Second}}
	site.stop = func() error {
		stopped = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if !stopped {
			if err := site.stop(); err != nil {
				t.Errorf("HTTP = %v, want nil at the end of its context", err)
			}
		}
	})
	return site
}

// request is one exchange; empty fields mean what a well-behaved client sends.
type request struct {
	method, path, host, origin, auth, kind, body string
}

func (s *site) do(t *testing.T, r request) (int, http.Header, string) {
	t.Helper()
	if r.method == "" {
		r.method = http.MethodPost
	}
	if r.path == "" {
		r.path = "/mcp"
	}
	req, err := http.NewRequestWithContext(t.Context(), r.method, "http://"+s.addr+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	if r.kind == "" {
		r.kind = "application/json"
	}
	req.Header.Set("Content-Type", r.kind)
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Host = r.host
	for name, value := range map[string]string{"Origin": r.origin, "Authorization": r.auth} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	res, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(body)
}

const pingBody = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestWhoMayCall(t *testing.T) {
	token := "s3cret"
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{Token: token, Hosts: []string{"Memory.example:443"}, Origins: []string{"https://app.example"}})
	_, port, _ := net.SplitHostPort(site.addr)
	auth := "Bearer " + token
	cases := []struct {
		name string
		r    request
		want int
	}{
		{"loopback address", request{auth: auth}, 200},
		{"localhost", request{auth: auth, host: "localhost:" + port}, 200},
		{"IPv6 loopback", request{auth: auth, host: "[::1]:" + port}, 200},
		{"a host on the list", request{auth: auth, host: "memory.EXAMPLE"}, 200},
		{"a rebound name", request{auth: auth, host: "evil.example"}, 403},
		{"another address", request{auth: auth, host: "192.0.2.1"}, 403},
		{"an origin on the list", request{auth: auth, origin: "https://app.example"}, 200},
		{"an origin of this machine", request{auth: auth, origin: "http://localhost:6274"}, 200},
		{"a foreign origin", request{auth: auth, origin: "http://evil.example"}, 403},
		{"an origin that starts like ours", request{auth: auth, origin: "http://localhost.evil.example"}, 403},
		{"another scheme of an origin", request{auth: auth, origin: "http://app.example"}, 403},
		{"an opaque origin", request{auth: auth, origin: "null"}, 403},
		{"no token", request{}, 401},
		{"a wrong token", request{auth: "Bearer s3creT"}, 401},
		{"a token of another scheme", request{auth: "Basic " + token}, 401},
		{"an empty token", request{auth: "Bearer "}, 401},
		{"origin before token", request{origin: "http://evil.example"}, 403},
		{"PUT", request{auth: auth, method: http.MethodPut}, 405},
		{"POST to the stream", request{auth: auth, path: "/sse"}, 405},
		{"GET of the message endpoint", request{auth: auth, path: "/message", method: http.MethodGet}, 405},
		{"a simple request of a form", request{auth: auth, kind: "text/plain", body: pingBody}, 415},
		{"unknown path", request{auth: auth, path: "/other"}, 404},
		{"health needs no token", request{path: "/healthz", method: http.MethodGet}, 200},
		{"health is not for foreign origins", request{path: "/healthz", method: http.MethodGet, origin: "http://evil.example"}, 403},
		{"a stream is not for foreign hosts", request{path: "/sse", method: http.MethodGet, host: "evil.example", auth: auth}, 403},
		{"the message endpoint is not for foreign origins", request{path: "/message", auth: auth, origin: "http://evil.example"}, 403},
		{"an unknown path is not for foreign hosts", request{path: "/other", host: "evil.example"}, 403},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.r.body == "" && c.r.method == "" {
				c.r.body = pingBody
			}
			got, header, body := site.do(t, c.r)
			if got != c.want {
				t.Errorf("status %d, want %d: %s", got, c.want, body)
			}
			if allowed := header.Get("Access-Control-Allow-Origin"); allowed == "*" {
				t.Error("every web page may read this answer")
			}
			if got == 405 && header.Get("Allow") == "" || got == 401 && header.Get("WWW-Authenticate") == "" {
				t.Errorf("the status lacks its header: %v", header)
			}
		})
	}
}

// A body that never comes must not matter to a request that is refused anyway.
func TestRefusedBeforeTheBodyIsRead(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	conn, err := net.Dial("tcp", site.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_, _ = fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
	_ = conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	status, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(status, "403") {
		t.Errorf("answer %q, %v", status, err)
	}
}

// Every refusal comes before the body, on every path: net/http itself would wait for it.
func TestUnknownPathsAreRefusedBeforeTheBodyIsRead(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	for path, want := range map[string]string{"/other": "404", "//mcp": "404", "/mcp/": "404", "/healthz": "405"} {
		status := site.head(t, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
		if !strings.Contains(status, want) {
			t.Errorf("%s: %q before the body came, want %s", path, status, want)
		}
	}
	if status := site.head(t, "POST //mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000\r\n\r\n"); !strings.Contains(status, "403") {
		t.Errorf("a foreign host on a path that is not in its shortest form: %q", status)
	}
}

// head sends the head of a request and returns the line of its status, if one comes.
func (s *site) head(t *testing.T, text string) string {
	t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, _ = io.WriteString(conn, text)
	_ = conn.SetReadDeadline(time.Now().Add(time.Second))
	status, _ := bufio.NewReader(conn).ReadString('\n')
	return status
}

// Clients that send their bodies slowly, more of them than may call at once,
// do not hold the turn of one that sends its own.
func TestSlowBodiesHoldNobodyUp(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	for range maxCalls + 20 {
		conn, err := net.Dial("tcp", site.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		_, _ = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	}
	begun := time.Now()
	if status, _, body := site.do(t, request{body: pingBody}); status != 200 || time.Since(begun) > slotWait {
		t.Errorf("status %d after %s: %s", status, time.Since(begun), body)
	}
}

// Large bodies are turned away when there are too many, small ones are not.
func TestLargeBodiesLeaveRoomForSmallOnes(t *testing.T) {
	b := newBodies()
	var large []*share
	for {
		s := &share{of: b}
		full := true
		for piece := int64(firstPiece); piece <= MaxMessage && full; piece *= 2 {
			full = s.take(piece)
		}
		large = append(large, s)
		if !full {
			break
		}
	}
	if n := len(large) - 1; n < 4 || n > 16 {
		t.Errorf("%d of the largest bodies fit", n)
	}
	small := &share{of: b}
	if !small.take(firstPiece) || !small.take(2*firstPiece) {
		t.Error("a small body is turned away")
	}
	for _, s := range append(large, small) {
		s.giveBack()
	}
	if whole := (&share{of: b, small: smallBody}); !whole.take(bodyMemory) {
		t.Error("not everything was given back")
	}
}

func TestBadBodies(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	cases := []struct {
		name, body string
		status     int
		code       int
	}{
		{"2 MiB", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2<<20) + `"}`, 413, invalidRequest},
		{"not JSON", `{`, 400, parseError},
		{"empty", ``, 400, parseError},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 400, parseError},
		{"20,000 levels deep", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), 400, parseError},
		{"params of text", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"x"}`, 200, invalidParams},
		{"a tool that does not exist", call(1, "nothing", `{}`), 200, invalidParams},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, _, body := site.do(t, request{body: c.body})
			var got answered
			if err := json.Unmarshal([]byte(body), &got); err != nil || got.Error == nil {
				t.Fatalf("status %d, not a JSON-RPC error: %.200s", status, body)
			}
			if status != c.status || got.Error.Code != c.code {
				t.Errorf("status %d, code %d, want %d, %d", status, got.Error.Code, c.status, c.code)
			}
			if strings.Contains(body, "Go ") || strings.Contains(body, "json:") {
				t.Errorf("a raw Go error is shown: %s", body)
			}
		})
	}
}

// The same calls give the same answers over every transport and era.
func TestStreamableHTTPAnswers(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	status, header, body := site.do(t, request{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`})
	if status != 200 || !strings.Contains(body, `"protocolVersion":"2025-06-18"`) || header.Get("Mcp-Session-Id") != "" {
		t.Errorf("initialize: %d %v %s", status, header, body)
	}
	status, _, body = site.do(t, request{body: call(2, "echo", `{"content":12345678901234567890}`)})
	if status != 200 || !strings.Contains(body, `"content":"12345678901234567890"`) {
		t.Errorf("call: %d %s", status, body)
	}
	status, _, body = site.do(t, request{body: call(3, "fail", `{"how":"panic"}`)})
	if status != 200 || !strings.Contains(body, `internal error`) || strings.Contains(body, secretPath) {
		t.Errorf("panic: %d %s", status, body)
	}
	status, _, body = site.do(t, request{body: `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"steps","_meta":{"progressToken":5}}}`})
	if status != 200 || !strings.Contains(body, `"progressToken":5`) || !strings.Contains(body, `"steps":3`) {
		t.Errorf("progress: %d %s", status, body)
	}
	if status, _, body = site.do(t, request{body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`}); status != 202 {
		t.Errorf("notification: %d %s", status, body)
	}
}

func TestModernRevisionOverHTTP(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"content":"x"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+site.addr+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo"} {
		req.Header.Set(name, value)
	}
	res, err := site.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	got, _ := io.ReadAll(res.Body)
	if res.StatusCode != 200 || !strings.Contains(string(got), `"resultType":"complete"`) || res.Header.Get("Mcp-Session-Id") != "" {
		t.Errorf("%d %s", res.StatusCode, got)
	}
}

// stream opens /sse and returns its events and the message endpoint.
func (s *site) stream(t *testing.T) (endpoint string, events *bufio.Reader) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.addr+"/sse", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	events = bufio.NewReader(res.Body)
	return nextEvent(t, events), events
}

func nextEvent(t *testing.T, events *bufio.Reader) string {
	t.Helper()
	for {
		text, err := events.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ended: %v", err)
		}
		if data, ok := strings.CutPrefix(text, "data:"); ok {
			return strings.TrimSpace(data)
		}
	}
}

func TestLegacyEventStream(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	endpoint, events := site.stream(t)
	if status, _, body := site.do(t, request{path: endpoint, body: call(1, "echo", `{"content":"账本"}`)}); status != 202 {
		t.Fatalf("posting to %s: %d %s", endpoint, status, body)
	}
	if got := nextEvent(t, events); !strings.Contains(got, `账本`) {
		t.Errorf("event %s", got)
	}
	site.do(t, request{path: endpoint, body: call(2, "nothing", `{}`)})
	if got := nextEvent(t, events); !strings.Contains(got, `"code":-32602`) {
		t.Errorf("a tool that does not exist, on the stream: %s", got)
	}
	if status, _, _ := site.do(t, request{path: "/message?sessionId=other", body: pingBody}); status != 400 {
		t.Errorf("a session that does not exist: status %d", status)
	}
}

func TestAddressesThatNeedConsent(t *testing.T) {
	s := newTestServer(t, testTools(), io.Discard)
	cases := []struct {
		name string
		o    HTTPOptions
		want memory.Code
	}{
		{"all interfaces", HTTPOptions{Addr: "0.0.0.0:0"}, memory.PermissionDenied},
		{"all interfaces of IPv6", HTTPOptions{Addr: "[::]:0", Token: "t"}, memory.PermissionDenied},
		{"allowed without a token", HTTPOptions{Addr: "0.0.0.0:0", AllowRemote: true}, memory.PermissionDenied},
		{"no port", HTTPOptions{Addr: "localhost"}, memory.InvalidArgument},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := s.HTTP(t.Context(), c.o)
			if memory.CodeOf(err) != c.want {
				t.Errorf("HTTP = %v, want %s", err, c.want)
			}
			var e *memory.Error
			if !errors.As(err, &e) || e.Hint == "" {
				t.Errorf("%v has no hint", err)
			}
		})
	}
	if err := s.HTTP(t.Context(), HTTPOptions{Addr: "0.0.0.0:0"}); err == nil || !strings.Contains(err.Error(), " 0.0.0.0:") {
		t.Errorf("%v does not name the address that was asked for", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.HTTP(ended, HTTPOptions{Addr: ":0"}); err != nil {
		t.Errorf("an empty host, which means loopback: %v", err)
	}
	if err := s.HTTP(ended, HTTPOptions{Addr: "0.0.0.0:0", AllowRemote: true, Token: "t"}); err != nil {
		t.Errorf("allowed, with a token: %v", err)
	}
}

func TestLargeBodiesDoNotHarmTheNextCall(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	var body bytes.Buffer
	for range 4 {
		body.Write(bytes.Repeat([]byte("x"), 1<<20))
	}
	for range 3 {
		if status, _, _ := site.do(t, request{body: body.String()}); status != 413 {
			t.Errorf("status %d, want 413", status)
		}
	}
	if status, _, _ := site.do(t, request{body: pingBody}); status != 200 {
		t.Errorf("the next call: status %d", status)
	}
}

// A client that tries the newest revision first on the older transport is told
// to speak an older one, instead of being left with an error about headers.
func TestEventStreamOffersOlderRevisionsOnly(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{})
	endpoint, events := site.stream(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+site.addr+endpoint, strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
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
	if got := nextEvent(t, events); !strings.Contains(got, `"supportedVersions":["2025-11-25"`) {
		t.Errorf("answer %s", got)
	}
}

// Proxies cut a stream that says nothing; mcp-go says nothing unless told to.
func TestIdleStreamIsKeptAlive(t *testing.T) {
	site := serve(t, newTestServer(t, testTools(), io.Discard), HTTPOptions{keepAlive: 10 * time.Millisecond})
	_, events := site.stream(t)
	for range 2 {
		if got := nextEvent(t, events); !strings.Contains(got, `"method":"ping"`) {
			t.Errorf("event %s", got)
		}
	}
}
