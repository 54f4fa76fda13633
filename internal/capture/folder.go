package capture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"agentmemory/internal/memory"
)

// Folder is a Source of conversations that are files, one each.
type Folder struct {
	host   Host
	root   *os.Root
	format format
}

// OpenFolder opens the folder in which a host keeps its files: ~/.openclaw/agents,
// ~/.claude/projects, ~/.codex, or any folder of plain JSONL files. Links that
// lead out of it are not followed.
func OpenFolder(host Host, dir string) (*Folder, error) {
	f, err := formatOf(host)
	if err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "%w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, memory.Errorf(memory.Unavailable, "opening the conversations of %s: %w", host, err)
	}
	return &Folder{host: host, root: root, format: f}, nil
}

// Close releases the folder.
func (f *Folder) Close() error { return f.root.Close() }

// Conversations implements Source. Files are listed in lexical order. A folder
// that cannot be read is passed over: others may be.
func (f *Folder) Conversations(ctx context.Context, each func(Conversation) error) error {
	compressed := map[string]bool{} // of which the plain file was listed: it wins
	return fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if d != nil && d.IsDir() && name != "." {
				return fs.SkipDir
			}
			return err
		}
		if d.IsDir() || !d.Type().IsRegular() || !f.holds(name) {
			return nil
		}
		if plain, zst := strings.CutSuffix(name, ".zst"); zst && compressed[plain] {
			return nil
		}
		compressed[name] = true
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone meanwhile
		}
		if err != nil {
			return fmt.Errorf("looking at %s: %w", name, err)
		}
		c := f.describe(name)
		c.Modified, c.Size = info.ModTime(), info.Size()
		return each(c)
	})
}

// holds reports whether a file is a conversation of the host.
func (f *Folder) holds(name string) bool {
	base := path.Base(name)
	if strings.HasPrefix(base, ".") {
		return false
	}
	switch f.host {
	case Codex:
		return strings.HasPrefix(base, "rollout-") && (strings.HasSuffix(base, ".jsonl") || strings.HasSuffix(base, ".jsonl.zst"))
	case OpenClaw: // checkpoints, deleted and reset conversations have a longer name
		return strings.HasSuffix(base, ".jsonl") && strings.Count(base, ".") == 1 && path.Base(path.Dir(name)) == "sessions"
	}
	return strings.HasSuffix(base, ".jsonl") || strings.HasSuffix(base, ".jsonl.zst")
}

// describe tells what a file's name says about its conversation.
func (f *Folder) describe(name string) Conversation {
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".zst"), ".jsonl")
	c := Conversation{Host: f.host, ID: base, Path: name, Kind: Interactive}
	parts := strings.Split(name, "/")
	switch f.host {
	case Codex:
		c.ID = "" // the header says it
	case OpenClaw: // <agent>/sessions/<id>.jsonl
		if len(parts) == 3 {
			c.Agent = parts[0]
		}
	case ClaudeCode: // <project>/<session>/subagents/agent-<id>.jsonl
		if len(parts) > 2 && parts[len(parts)-2] == "subagents" {
			c.Kind, c.Parent = SubAgent, parts[len(parts)-3]
		}
	}
	return c
}
