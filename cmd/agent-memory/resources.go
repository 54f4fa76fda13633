package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
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

// readFile returns a file of the workspace, "" if there is none yet. Today's
// journal is read with the parts in which a long day goes on.
func (e *engine) readFile(name string) (string, error) {
	text, err := e.readOne(name, name == e.journalName())
	if err != nil || text == "" || name != e.journalName() {
		return text, err
	}
	for part := 2; ; part++ {
		more, err := e.readOne(markdown.JournalPath(e.now(), part), true)
		if err != nil || more == "" {
			return text, err
		}
		if text = strings.TrimRight(text, "\n") + "\n\n" + more; len(text) > maxResource {
			text = text[len(text)-maxResource:]
			text = text[strings.IndexByte(text, '\n')+1:]
		}
	}
}

func (e *engine) readOne(name string, newest bool) (string, error) {
	f, err := e.root.Open(e.tree() + name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", memory.Errorf(codeOfFile(err), "reading %s", name)
	}
	defer f.Close()
	text, err := readPart(f, newest)
	if err != nil {
		return "", memory.Errorf(memory.Unavailable, "reading %s", name)
	}
	return e.redactor.Clean(text).Text, nil
}

// readPart reads a file as far as a resource goes, in whole lines: half a secret is
// not known for one. Of a journal the end counts.
func readPart(f *os.File, newest bool) (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("looking at a file: %w", err)
	}
	over := info.Size() > maxResource
	if over && newest {
		if _, err := f.Seek(-maxResource, io.SeekEnd); err != nil {
			return "", fmt.Errorf("going to the end of a file: %w", err)
		}
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxResource))
	text := string(raw)
	switch {
	case err != nil:
		return "", fmt.Errorf("reading a file: %w", err)
	case over && newest:
		return text[strings.IndexByte(text, '\n')+1:], nil
	case over && strings.Contains(text, "\n"):
		return text[:strings.LastIndexByte(text, '\n')+1], nil
	}
	return text, nil
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
