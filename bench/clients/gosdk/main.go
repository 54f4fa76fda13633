// Command gosdk checks a server with the client of the official Go SDK, over
// standard input and output, Streamable HTTP and HTTP+SSE. It prints a line a
// check. Usage: gosdk BINARY WORKSPACE BASE-URL.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: gosdk BINARY WORKSPACE BASE-URL")
		os.Exit(2)
	}
	binary, workspace, base := os.Args[1], os.Args[2], os.Args[3]
	command := exec.Command(binary, "serve", "--workspace", workspace)
	transports := map[string]mcp.Transport{
		"stdio":           &mcp.CommandTransport{Command: command},
		"streamable http": &mcp.StreamableClientTransport{Endpoint: base + "/mcp"},
		"sse":             &mcp.SSEClientTransport{Endpoint: base + "/sse"},
	}
	for _, name := range []string{"stdio", "streamable http", "sse"} {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		converse(ctx, name, transports[name])
		cancel()
	}
	check("stdio: the server ended by itself, cleanly", func() error {
		if command.ProcessState == nil || !command.ProcessState.Success() {
			return fmt.Errorf("state %v", command.ProcessState)
		}
		return nil
	})
	fmt.Println("done")
}

func check(name string, run func() error) {
	if err := run(); err != nil {
		fmt.Printf("FAIL %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	fmt.Printf("ok %s\n", name)
}

func converse(ctx context.Context, name string, transport mcp.Transport) {
	client := mcp.NewClient(&mcp.Implementation{Name: "checks", Version: "1"}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		fmt.Printf("FAIL %s: connecting: %v\n", name, err)
		return
	}
	c := conversation{session}
	check(name+": lists the tools", func() error { return c.tools(ctx) })
	check(name+": remembers and recalls", func() error { return c.memories(ctx, name) })
	check(name+": a refusal is a result", func() error { return c.refusal(ctx) })
	check(name+": survives a call that it cancels", func() error { return c.cancelled(ctx) })
	check(name+": 64 calls at once", func() error { return c.crowd(ctx, name) })
	check(name+": resources", func() error { return c.resources(ctx) })
	check(name+": prompts", func() error { return c.prompts(ctx) })
	check(name+": closes", session.Close)
}

type conversation struct{ session *mcp.ClientSession }

func (c conversation) tools(ctx context.Context) error {
	list, err := c.session.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	if want := []string{"forget", "recall", "recall_path", "reflect", "remember", "status", "sync"}; !slices.Equal(names, want) {
		return fmt.Errorf("tools %v", names)
	}
	return nil
}

// call returns the structured content of an answer.
func (c conversation) call(ctx context.Context, tool string, args map[string]any) (map[string]any, error) {
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(result.Content)
	if err != nil || result.IsError {
		return nil, fmt.Errorf("%s: %s", tool, text)
	}
	answer, ok := result.StructuredContent.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: no structured content", tool)
	}
	return answer, nil
}

func (c conversation) memories(ctx context.Context, name string) error {
	content := "the Go SDK keeps walruses, 海象, over " + name
	kept, err := c.call(ctx, "remember", map[string]any{"content": content, "uri": "knowledge://gosdk/" + strings.ReplaceAll(name, " ", "-")})
	if err != nil {
		return err
	}
	found, err := c.call(ctx, "recall", map[string]any{"query": "海象 " + name, "limit": 20})
	if err != nil {
		return err
	}
	memories, _ := found["memories"].([]any)
	for _, m := range memories {
		if hit, _ := m.(map[string]any); hit["id"] == kept["memoryId"] && hit["content"] == content {
			return nil
		}
	}
	return fmt.Errorf("%v not among %d memories", kept["memoryId"], len(memories))
}

func (c conversation) refusal(ctx context.Context) error {
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"colour": "red"}})
	if err != nil {
		return fmt.Errorf("a protocol error: %w", err)
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok || !result.IsError || !strings.Contains(text.Text, "invalid_argument") {
		return fmt.Errorf("%+v", result)
	}
	return nil
}

// cancelled gives a call up at once; what comes after it must not suffer.
func (c conversation) cancelled(ctx context.Context) error {
	brief, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.call(brief, "recall", map[string]any{"query": "walrus"}); err == nil {
		return errors.New("a cancelled call was answered")
	}
	brief, cancel = context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	_, _ = c.call(brief, "recall", map[string]any{"query": "walrus"}) // in time or not
	_, err := c.call(ctx, "status", nil)
	return err
}

func (c conversation) crowd(ctx context.Context, name string) error {
	var wg sync.WaitGroup
	failures := make([]error, 64)
	for i := range failures {
		wg.Go(func() {
			if i%2 == 0 {
				_, failures[i] = c.call(ctx, "remember", map[string]any{"content": fmt.Sprintf("crowd member %d over %s has badge %d", i, name, i*7919), "uri": fmt.Sprintf("knowledge://crowd/%d", i)})
			} else {
				_, failures[i] = c.call(ctx, "recall", map[string]any{"query": fmt.Sprintf("crowd badge %d", i)})
			}
		})
	}
	wg.Wait()
	return errors.Join(failures...)
}

func (c conversation) resources(ctx context.Context) error {
	list, err := c.session.ListResources(ctx, nil)
	if err != nil {
		return err
	}
	if len(list.Resources) != 5 {
		return fmt.Errorf("%d resources", len(list.Resources))
	}
	for _, r := range list.Resources {
		if _, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.URI}); err != nil {
			return err
		}
	}
	return nil
}

func (c conversation) prompts(ctx context.Context) error {
	list, err := c.session.ListPrompts(ctx, nil)
	if err != nil {
		return err
	}
	if len(list.Prompts) < 3 {
		return fmt.Errorf("%d prompts", len(list.Prompts))
	}
	for _, p := range list.Prompts {
		if _, err := c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: p.Name}); err != nil {
			return err
		}
	}
	return nil
}
