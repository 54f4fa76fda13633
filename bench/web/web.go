// Package web drives a real MCP server over Streamable HTTP, the way clients
// in other processes do.
package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"agentmemory/bench/stdio"
)

// Server is one running child that serves HTTP. Calls may be made from several goroutines.
type Server struct {
	Addr  string // host:port
	Token string // sent with every call unless empty

	cmd    *exec.Cmd
	client *http.Client
	next   atomic.Int64
	ended  chan error
}

// Start runs the command with --http and a free port, and waits until it serves.
func Start(ctx context.Context, command, env []string) (*Server, error) {
	addr, err := freeAddr(ctx)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], "--http", addr)...)
	cmd.Env = env
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", command[0], err)
	}
	s := &Server{Addr: addr, cmd: cmd, ended: make(chan error, 1)}
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}, Timeout: time.Minute}
	go func() { s.ended <- cmd.Wait() }()
	return s, s.untilServing(ctx)
}

func freeAddr(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("looking for a free port: %w", err)
	}
	addr := listener.Addr().String()
	return addr, listener.Close()
}

func (s *Server) untilServing(ctx context.Context) error {
	for range 600 {
		if s.Healthy(ctx) == nil {
			return nil
		}
		select {
		case err := <-s.ended:
			s.ended <- err
			return fmt.Errorf("the server ended before it served: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return errors.Join(errors.New("the server does not serve"), s.Stop(time.Second))
}

// Healthy asks /healthz.
func (s *Server) Healthy(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Addr+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("making a request: %w", err)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("asking for its health: %w", err)
	}
	return response.Body.Close()
}

// PID is the process id of the child.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Call runs one tool and decodes its structured result into result.
func (s *Server) Call(ctx context.Context, tool string, args, result any) error {
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": s.next.Add(1), "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		return fmt.Errorf("encoding a request: %w", err)
	}
	raw, err := s.post(ctx, body)
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	var answer stdio.Answer
	if err := json.Unmarshal(raw, &answer); err != nil {
		return fmt.Errorf("%s: decoding the answer: %w", tool, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: error %d: %s", tool, answer.Error.Code, answer.Error.Message)
	}
	return stdio.Decode(tool, answer.Result, result)
}

func (s *Server) post(ctx context.Context, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.Addr+"/mcp", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if s.Token != "" {
		request.Header.Set("Authorization", "Bearer "+s.Token)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("posting: %w", err)
	}
	raw, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d: %s", response.StatusCode, raw)
	}
	return lastEvent(raw), nil
}

// lastEvent is the data of the last event if the answer came as a stream.
func lastEvent(raw []byte) []byte {
	for line := range strings.Lines(string(raw)) {
		if data, ok := strings.CutPrefix(line, "data:"); ok {
			raw = []byte(strings.TrimSpace(data))
		}
	}
	return raw
}

// HangUp closes the connections that wait for further calls.
func (s *Server) HangUp() { s.client.CloseIdleConnections() }

// Signal sends the child a signal.
func (s *Server) Signal(sig syscall.Signal) error { return s.cmd.Process.Signal(sig) }

// Stop asks the child to end (SIGTERM) and waits at most wait.
func (s *Server) Stop(wait time.Duration) error {
	s.HangUp()
	if err := s.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("asking the server to end: %w", err)
	}
	return s.Wait(wait)
}

// Wait waits at most wait for the child to end by itself.
func (s *Server) Wait(wait time.Duration) error {
	select {
	case err := <-s.ended:
		return err
	case <-time.After(wait):
		return errors.Join(errors.New("the server did not end"), s.cmd.Process.Kill(), <-s.ended)
	}
}
