//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"agentmemory/bench/web"
)

const siteToken = "a-token-of-more-than-16-characters"

// site is the real server over HTTP, with a token.
type site struct {
	*trial
	*web.Server
	ws string
}

func (t *trial) site(ctx context.Context, name string) (*site, error) {
	ws, err := t.Fresh(name)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(t.Dir, "token")
	if err := os.WriteFile(file, []byte(siteToken), 0o600); err != nil {
		return nil, fmt.Errorf("writing a token: %w", err)
	}
	server, err := web.Start(ctx, []string{t.Binary, "serve", "--token-file", file, "--workspace", ws}, t.Env())
	if err != nil {
		return nil, err
	}
	server.Token = siteToken
	return &site{trial: t, Server: server, ws: ws}, nil
}

// request is one combination of the matrix.
type request struct{ method, path, host, origin, auth string }

// refusal is what the request must be answered with before its body is read; 0 if
// it may go on. It is the rule in other words than the program's.
func (r request) refusal() int {
	routes := map[string]string{"/mcp": "POST GET DELETE OPTIONS", "/sse": "GET OPTIONS", "/message": "POST OPTIONS", "/healthz": "GET HEAD"}
	allowed, known := routes[r.path]
	switch {
	case strings.Contains(r.host, "evil") || strings.Contains(r.origin, "evil") || r.origin == "null":
		return 403
	case !known:
		return 404
	case !slices.Contains(strings.Fields(allowed), r.method):
		return 405
	case r.path != "/healthz" && r.method != "OPTIONS" && r.auth != "Bearer "+siteToken:
		return 401
	}
	return 0
}

func matrix(addr string) (all []request) {
	_, port, _ := net.SplitHostPort(addr)
	for _, path := range []string{"/mcp", "/sse", "/message", "/healthz", "/other", "/mcp/", "//mcp"} {
		for _, method := range []string{"POST", "GET", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"} {
			for _, host := range []string{addr, "localhost:" + port, "evil.example", "127.0.0.1.evil.example:" + port} {
				for _, origin := range []string{"", "http://localhost:6274", "http://evil.example", "null", "http://localhost.evil.example"} {
					for _, auth := range []string{"", "Bearer " + siteToken, "Bearer " + siteToken[:16], "Basic " + siteToken} {
						all = append(all, request{method, path, host, origin, auth})
					}
				}
			}
		}
	}
	return all
}

// refusedUnread sends every combination of route, method, host, origin and token
// that is not to pass, with the head alone; the body, a call, follows the answer.
// Nothing may have run.
func refusedUnread(ctx context.Context, t *trial) (string, error) {
	s, err := t.site(ctx, "matrix")
	if err != nil {
		return "", err
	}
	before := map[int]int{}
	var problems []error
	for _, r := range matrix(s.Addr) {
		want := r.refusal()
		if want == 0 {
			continue
		}
		got, err := s.head(ctx, r)
		if err != nil || got != want {
			problems = append(problems, fmt.Errorf("%+v: status %d instead of %d before the body came: %w", r, got, want, err))
		}
		before[want]++
		if len(problems) > 4 {
			break
		}
	}
	if err := s.Call(ctx, "remember", map[string]any{"content": "who may call is heard"}, nil); err != nil {
		return "", err
	}
	out, err := t.CLI(ctx, "export", "--format", "jsonl", "--all", "--workspace", s.ws)
	if err == nil && !strings.Contains(string(out), "is heard") {
		err = errors.New("a call that may pass was not heard: the matrix shows nothing")
	}
	if strings.Contains(string(out), canary) {
		problems = append(problems, errors.New("a refused request ran its tool"))
	}
	done := fmt.Sprintf("%d combinations refused with the head alone (403: %d, 404: %d, 405: %d, 401: %d), no tool ran", before[403]+before[404]+before[405]+before[401], before[403], before[404], before[405], before[401])
	return done, errors.Join(broken(errors.Join(problems...)), err, s.Stop(20*time.Second))
}

// head sends the head of a request, waits for the status, then sends the body.
func (s *site) head(ctx context.Context, r request) (status int, err error) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		return 0, fmt.Errorf("connecting: %w", err)
	}
	defer func() { _ = c.Close() }()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"content":"` + canary + `"}}}`
	if err := c.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return 0, fmt.Errorf("limiting the time: %w", err)
	}
	if _, err := c.Write([]byte(r.text(len(body)))); err != nil {
		return 0, fmt.Errorf("sending the head: %w", err)
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("waiting for the status: %w", err)
	}
	_, _ = c.Write([]byte(body)) // nobody may be there to read it
	_, err = fmt.Sscanf(line, "HTTP/1.1 %d", &status)
	return status, err
}

func (r request) text(length int) string {
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", r.method, r.path, r.host, length)
	if r.origin != "" {
		text += "Origin: " + r.origin + "\r\n"
	}
	if r.auth != "" {
		text += "Authorization: " + r.auth + "\r\n"
	}
	return text + "\r\n"
}

// flood is one way to be a bad client, until ctx ends.
type flood struct {
	name    string
	clients int
	be      func(ctx context.Context, s *site)
}

func floods() []flood {
	return []flood{
		{"slow heads", 300, slowHead},
		{"slow bodies", 300, slowBody},
		{"large bodies", 100, largeBody},
		{"calls", 100, callOn},
		{"streams", 300, openStream},
		{"answers that nobody reads", 100, neverRead},
	}
}

// flooded lets crowds of bad clients at a server, one kind after the other. Memory
// stays near what the idle server had, and a call right afterwards, and during
// what costs no work, is answered within a second.
func flooded(ctx context.Context, t *trial) (string, error) {
	s, err := t.site(ctx, "floods")
	if err != nil {
		return "", err
	}
	for i := range 30 {
		if err := s.Call(ctx, "remember", map[string]any{"content": fmt.Sprintf("flood %s is the memory of number %d", word(i), i)}, nil); err != nil {
			return "", err
		}
	}
	idle, err := residentKB(s.PID())
	if err != nil {
		return "", err
	}
	var problems []error
	var worst int
	var most string
	var slowest time.Duration
	for _, f := range floods() {
		peak, next, err := s.under(ctx, f)
		if peak-idle > worst {
			worst, most = peak-idle, f.name
		}
		slowest = max(slowest, next)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("%s: %w", f.name, err))
		case peak-idle >= 64<<10:
			problems = append(problems, fmt.Errorf("%s: %d MB above idle", f.name, (peak-idle)>>10))
		case next >= time.Second:
			problems = append(problems, fmt.Errorf("%s: the next call took %s", f.name, next))
		}
	}
	done := fmt.Sprintf("%d kinds of bad clients, up to 300 at once: at most %d MB above the idle %d (%s), the next call within %s", len(floods()), worst>>10, idle>>10, most, slowest.Round(time.Millisecond))
	return done, errors.Join(broken(errors.Join(problems...)), s.Stop(20*time.Second))
}

// under runs one kind of clients for a few seconds.
func (s *site) under(ctx context.Context, f flood) (peak int, next time.Duration, err error) {
	attack, stop := context.WithTimeout(ctx, time.Duration(s.count(2, 10))*time.Second)
	defer stop()
	var wg sync.WaitGroup
	for range f.clients {
		wg.Go(func() {
			for attack.Err() == nil {
				f.be(attack, s)
			}
		})
	}
	for attack.Err() == nil {
		kb, err := residentKB(s.PID())
		if err != nil {
			return 0, 0, err
		}
		peak = max(peak, kb)
		time.Sleep(20 * time.Millisecond)
		if attack.Err() == nil && strings.HasPrefix(f.name, "slow") {
			next, err = s.timed(ctx, next)
			if err != nil {
				stop()
				wg.Wait()
				return peak, next, fmt.Errorf("a call beside it: %w", err)
			}
		}
	}
	next, err = s.timed(ctx, next)
	wg.Wait()
	return peak, next, err
}

func (s *site) timed(ctx context.Context, least time.Duration) (time.Duration, error) {
	begun := time.Now()
	err := s.Call(ctx, "recall", map[string]any{"query": word(7)}, nil)
	return max(least, time.Since(begun)), err
}

// dial connects; a refused connection is as good an answer as any.
func (s *site) dial(ctx context.Context) net.Conn {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", s.Addr)
	if err != nil {
		time.Sleep(10 * time.Millisecond)
		return nil
	}
	context.AfterFunc(ctx, func() { _ = c.Close() })
	return c
}

// drip sends a text byte by byte.
func drip(ctx context.Context, c net.Conn, text string) {
	for i := range len(text) {
		if _, err := c.Write([]byte{text[i]}); err != nil || ctx.Err() != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (s *site) good(method, path string) request {
	return request{method, path, s.Addr, "", "Bearer " + siteToken}
}

func slowHead(ctx context.Context, s *site) {
	if c := s.dial(ctx); c != nil {
		defer func() { _ = c.Close() }()
		drip(ctx, c, s.good("POST", "/mcp").text(1000))
	}
}

func slowBody(ctx context.Context, s *site) {
	if c := s.dial(ctx); c != nil {
		defer func() { _ = c.Close() }()
		if _, err := c.Write([]byte(s.good("POST", "/mcp").text(100_000))); err == nil {
			drip(ctx, c, strings.Repeat("x", 1000))
		}
	}
}

func largeBody(ctx context.Context, s *site) {
	if c := s.dial(ctx); c != nil {
		defer func() { _ = c.Close() }()
		if _, err := c.Write([]byte(s.good("POST", "/mcp").text(1 << 20))); err == nil {
			_, _ = c.Write([]byte(strings.Repeat("x", 1<<20)))
			_, _ = bufio.NewReader(c).ReadString('\n')
		}
	}
}

func callOn(ctx context.Context, s *site) {
	_ = s.Call(ctx, "recall", map[string]any{"query": "the memory of number 7"}, nil)
}

func openStream(ctx context.Context, s *site) {
	if c := s.dial(ctx); c != nil {
		defer func() { _ = c.Close() }()
		if _, err := c.Write([]byte(s.good("GET", "/sse").text(0))); err == nil {
			line, _ := bufio.NewReader(c).ReadString('\n')
			if strings.Contains(line, "200") {
				<-ctx.Done()
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func neverRead(ctx context.Context, s *site) {
	if c := s.dial(ctx); c != nil {
		defer func() { _ = c.Close() }()
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		for range 200 {
			if _, err := c.Write([]byte(s.good("POST", "/mcp").text(len(body)) + body)); err != nil {
				return
			}
		}
		<-ctx.Done()
	}
}
