package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/markdown"
	"agentmemory/server"
	"agentmemory/tools"
)

// maxResource bounds the text of a resource: what a model can use, and far
// below the limit of a message.
const maxResource = 60_000

// resources are the files that a conversation may begin with.
func (e *engine) resources() []server.Resource {
	return []server.Resource{
		{URI: "memory://MEMORY.md", Name: "MEMORY.md", Title: "Long-term memory", Description: "What is worth reading in every conversation.", Read: e.file("MEMORY.md")},
		{URI: "memory://recent", Name: "recent", Title: "Recent memories", Description: "RECENT.md: the last seven days.", Read: e.file("RECENT.md")},
		{URI: "memory://today", Name: "today", Title: "Today's journal", Description: "What was remembered today.", Read: e.today},
		{URI: "memory://boot", Name: "boot", Title: "Boot context", Description: "The files of this profile's boot order, one after the other.", Read: e.bootText(lifecycle.OnStart)},
		{URI: "memory://boot/reset", Name: "boot-reset", Title: "Boot context after a reset", Description: "The same after a reset or compaction: first what was being worked on.", Read: e.bootText(lifecycle.OnReset)},
	}
}

func (e *engine) file(name string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return e.readFile(name) }
}

func (e *engine) today(context.Context) (string, error) { return e.readFile(e.journalName()) }

func (e *engine) journalName() string {
	return "memory/" + e.now().Format(time.DateOnly) + ".md"
}

// readFile returns a file of the workspace, "" if there is none yet.
func (e *engine) readFile(name string) (string, error) {
	f, err := e.root.Open(e.tree() + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", memory.Errorf(codeOfFile(err), "reading %s", name)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxResource))
	if err != nil {
		return "", memory.Errorf(memory.Unavailable, "reading %s", name)
	}
	return e.redactor.Clean(string(text)).Text, nil
}

// ReadText implements tools.BootFiles.
// What was superseded is in the file, but no conversation begins with it.
func (e *engine) ReadText(_ context.Context, name string) (string, error) {
	text, err := e.readFile(name)
	if err != nil || !markdown.Classify(name, memory.TrustUser).Home() {
		return text, err
	}
	return markdown.Parse(name, []byte(text)).InForce(), nil
}

func (e *engine) bootText(o lifecycle.Occasion) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		boot, err := e.boot().Context(ctx, tools.BootArgs{Occasion: string(o)})
		return boot.Text, err
	}
}
