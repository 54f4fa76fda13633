// Package stdio drives a real MCP server as a child process, the way a client
// does: one JSON-RPC message a line on its standard input and output.
package stdio

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// Server is one running child. Calls may be made from several goroutines.
type Server struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	write sync.Mutex

	mu      sync.Mutex
	next    int64
	waiting map[int64]chan Answer
	closed  error
	done    chan struct{}
}

// Answer is the answer to one request.
type Answer struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// Start runs the command and shakes hands with it.
func Start(ctx context.Context, command []string, env []string) (*Server, error) {
	s, err := Spawn(ctx, command, env)
	if err != nil {
		return nil, err
	}
	params := map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"},
	}
	if _, err := s.Request(ctx, "initialize", params); err != nil {
		return nil, errors.Join(fmt.Errorf("initialize: %w", err), s.Kill())
	}
	return s, s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// Spawn runs the command without a handshake.
func Spawn(ctx context.Context, command []string, env []string) (*Server, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = env
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("opening standard input: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("opening standard output: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", command[0], err)
	}
	s := &Server{cmd: cmd, in: in, waiting: map[int64]chan Answer{}, done: make(chan struct{})}
	go s.read(out)
	return s, nil
}

// PID is the process id of the child.
func (s *Server) PID() int { return s.cmd.Process.Pid }

func (s *Server) read(out io.Reader) {
	defer close(s.done)
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			s.deliver(line)
		}
		if err != nil {
			s.hangUp(err)
			return
		}
	}
}

func (s *Server) deliver(line []byte) {
	var message struct {
		ID *int64 `json:"id"`
		Answer
	}
	if json.Unmarshal(line, &message) != nil || message.ID == nil {
		return
	}
	s.mu.Lock()
	c := s.waiting[*message.ID]
	delete(s.waiting, *message.ID)
	s.mu.Unlock()
	if c != nil {
		c <- message.Answer
	}
}

func (s *Server) hangUp(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = err
	for id, c := range s.waiting {
		close(c)
		delete(s.waiting, id)
	}
}

// Request sends one request and waits for its answer.
func (s *Server) Request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c, err := s.Post(method, params)
	if err != nil {
		return nil, err
	}
	select {
	case answer, ok := <-c:
		if !ok {
			return nil, errors.New("the server hung up before it answered")
		}
		if answer.Error != nil {
			return nil, fmt.Errorf("error %d: %s", answer.Error.Code, answer.Error.Message)
		}
		return answer.Result, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Post sends one request; the answer comes on the channel, which is closed
// without one when the server hangs up.
func (s *Server) Post(method string, params any) (<-chan Answer, error) {
	c := make(chan Answer, 1)
	s.mu.Lock()
	if s.closed != nil {
		s.mu.Unlock()
		return nil, fmt.Errorf("the server is gone: %w", s.closed)
	}
	s.next++
	id := s.next
	s.waiting[id] = c
	s.mu.Unlock()
	return c, s.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

func (s *Server) send(message any) error {
	line, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encoding a request: %w", err)
	}
	s.write.Lock()
	defer s.write.Unlock()
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing a request: %w", err)
	}
	return nil
}

// Call runs one tool and decodes its structured result into result.
func (s *Server) Call(ctx context.Context, tool string, args, result any) error {
	raw, err := s.Request(ctx, "tools/call", map[string]any{"name": tool, "arguments": args})
	if err != nil {
		return fmt.Errorf("%s: %w", tool, err)
	}
	return Decode(tool, raw, result)
}

// Decode reads the result of a tool from the answer to its call.
func Decode(tool string, raw json.RawMessage, result any) error {
	var r struct {
		IsError    bool            `json:"isError"`
		Structured json.RawMessage `json:"structuredContent"`
		Content    []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return fmt.Errorf("%s: decoding the result: %w", tool, err)
	}
	if r.IsError {
		text := ""
		if len(r.Content) > 0 {
			text = r.Content[0].Text
		}
		return fmt.Errorf("%s: %s", tool, text)
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(r.Structured, result); err != nil {
		return fmt.Errorf("%s: decoding the structured result: %w", tool, err)
	}
	return nil
}

// CloseInput closes the child's standard input, as a client does that ends.
func (s *Server) CloseInput() error { return s.in.Close() }

// Stop closes standard input and waits for the child to end by itself, at most wait.
func (s *Server) Stop(wait time.Duration) error {
	if err := s.in.Close(); err != nil {
		return errors.Join(err, s.Kill())
	}
	select {
	case <-s.done:
		return s.cmd.Wait()
	case <-time.After(wait):
		return errors.Join(errors.New("the server did not end with its input"), s.Kill())
	}
}

// Wait waits for the child to end, whatever ended it.
func (s *Server) Wait() error {
	<-s.done
	return s.cmd.Wait()
}

// Kill ends the child at once (SIGKILL).
func (s *Server) Kill() error {
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("killing the server: %w", err)
	}
	<-s.done
	_ = s.cmd.Wait() // says only that it was killed
	return nil
}
