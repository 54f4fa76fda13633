package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"agentmemory/internal/memory"
)

// protocolRevision is the MCP revision that the client of the demonstration
// opens with; the server answers every later one too.
const protocolRevision = "2025-06-18"

// endGrace is how long a child may take to finish after its input has ended.
const endGrace = 10 * time.Second

// mcpClient speaks MCP to a child process over its standard input and output,
// one request at a time.
type mcpClient struct {
	command *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Reader
	errors  *lockedBuffer
	next    int
}

// startServer starts this very program as a server with the given variables
// and nothing else in its environment.
func startServer(ctx context.Context, variables []string, args ...string) (*mcpClient, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding the program itself: %w", err)
	}
	c := &mcpClient{command: exec.CommandContext(ctx, self, args...), errors: &lockedBuffer{}}
	c.command.Env = variables
	c.command.Stderr = c.errors
	if c.in, err = c.command.StdinPipe(); err != nil {
		return nil, fmt.Errorf("connecting to the server: %w", err)
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("connecting to the server: %w", err)
	}
	c.answers = bufio.NewReader(out)
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	return c, c.handshake()
}

func (c *mcpClient) handshake() error {
	params := map[string]any{
		"protocolVersion": protocolRevision,
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "agent-memory demo", "version": release},
	}
	if err := c.request("initialize", params, nil); err != nil {
		return err
	}
	return c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// call runs a tool and decodes its structured answer into target, which may be nil.
func (c *mcpClient) call(tool string, args map[string]any, target any) error {
	var result struct {
		IsError           bool            `json:"isError"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		Content           []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := c.request("tools/call", map[string]any{"name": tool, "arguments": args}, &result); err != nil {
		return err
	}
	if result.IsError {
		text := "no reason given"
		if len(result.Content) > 0 {
			text = result.Content[0].Text
		}
		return memory.Errorf(memory.Internal, "tool %s failed: %s", tool, text)
	}
	if target == nil {
		return nil
	}
	if err := json.Unmarshal(result.StructuredContent, target); err != nil {
		return fmt.Errorf("reading the answer of %s: %w", tool, err)
	}
	return nil
}

type rpcAnswer struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (c *mcpClient) request(method string, params, target any) error {
	c.next++
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method, "params": params}); err != nil {
		return err
	}
	answer, err := c.receive(c.next)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: the server answers %d %s", method, answer.Error.Code, answer.Error.Message)
	}
	if target == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Result, target); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", method, err)
	}
	return nil
}

func (c *mcpClient) send(message any) error {
	raw, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	if _, err := c.in.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("writing to the server: %w (%s)", err, c.errors)
	}
	return nil
}

// receive reads until the answer with the id comes; notifications are left out.
func (c *mcpClient) receive(id int) (rpcAnswer, error) {
	for {
		line, err := c.answers.ReadBytes('\n')
		if err != nil {
			return rpcAnswer{}, fmt.Errorf("the server ended: %w (%s)", err, c.errors)
		}
		var answer rpcAnswer
		if err := json.Unmarshal(line, &answer); err != nil {
			return rpcAnswer{}, fmt.Errorf("the server wrote what is not MCP: %w", err)
		}
		if answer.ID == id {
			return answer, nil
		}
	}
}

// close ends the input, as a client does that goes away, and waits for the
// server to finish what it accepted.
func (c *mcpClient) close() error {
	if err := c.in.Close(); err != nil {
		return fmt.Errorf("closing the server's input: %w", err)
	}
	timer := time.AfterFunc(endGrace, func() { _ = c.command.Process.Kill() })
	defer timer.Stop()
	if err := c.command.Wait(); err != nil {
		return fmt.Errorf("the server ended badly: %w (%s)", err, c.errors)
	}
	return nil
}

// lockedBuffer keeps the last of what a child writes to standard error.
type lockedBuffer struct {
	mu   sync.Mutex
	text []byte
}

const keptErrors = 4 << 10

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p...)
	if over := len(b.text) - keptErrors; over > 0 {
		b.text = b.text[over:]
	}
	return len(p), nil
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.text)
}
