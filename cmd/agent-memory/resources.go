package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/server"
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
		{URI: "memory://boot", Name: "boot", Title: "Boot context", Description: "The files of this profile's boot order, one after the other.", Read: e.bootText},
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
	f, err := e.root.Open(name)
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

func (e *engine) bootText(context.Context) (string, error) {
	var b strings.Builder
	for _, name := range e.profile.BootOrder(lifecycle.OnStart) {
		if name == lifecycle.FileToday {
			name = e.journalName()
		}
		text, err := e.readFile(name)
		if err != nil {
			return "", err
		}
		if strings.TrimSpace(text) == "" || b.Len()+len(text) > maxResource {
			continue
		}
		b.WriteString("<!-- " + name + " -->\n" + strings.TrimSpace(text) + "\n\n")
	}
	return b.String(), nil
}
