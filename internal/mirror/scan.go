package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// maxRead is the size from which a file is too large to be read as memory.
const maxRead = 8 << 20

// sighted is a file that a walk of the workspace met.
type sighted struct {
	path string
	kind kind
	root *os.Root // the workspace, or the folder of an extra path
	name string   // within root
	info fs.FileInfo
}

// walk lists the Markdown files that concern us, in a fixed order. Links are
// never followed.
func (m *Mirror) walk(ctx context.Context) ([]sighted, error) {
	var files []sighted
	for _, tree := range m.trees() {
		found, err := m.walkTree(ctx, tree)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	for _, extra := range m.Extra {
		found, err := extra.walk(ctx)
		if err != nil {
			m.Log("an extra path cannot be read", err)
		}
		files = append(files, found...)
	}
	return files, nil
}

// walkTree lists the files of one agent.
func (m *Mirror) walkTree(ctx context.Context, tree string) ([]sighted, error) {
	var files []sighted
	for _, name := range topLevel() {
		name = tree + name
		if info, err := m.Root.Lstat(name); err == nil && info.Mode().IsRegular() {
			files = append(files, sighted{name, classify(name), m.Root, name, info})
		}
	}
	for _, dir := range []string{"memory", "second-brain", untrustedDir} {
		found, err := m.walkDir(ctx, tree+dir)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// topLevel names the files at the root of a workspace that hosts load.
func topLevel() []string {
	return []string{markdown.MemoryFile, markdown.RecentFile, "SOUL.md", "USER.md", "IDENTITY.md", "AGENTS.md", "DREAMS.md"}
}

func (m *Mirror) walkDir(ctx context.Context, dir string) ([]sighted, error) {
	if why := m.obstacle(dir); why != "" {
		// Going on without it would take every memory in it for deleted.
		return nil, memory.Errorf(memory.PermissionDenied, "the folder %s cannot be read: %s", dir, why).
			WithHint("put the folder itself in its place; nothing is changed until then")
	}
	var files []sighted
	err := walkFiles(ctx, m.Root, dir, func(name string, d fs.DirEntry) error {
		k := classify(name)
		if k == ignored {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			files = append(files, sighted{name, k, m.Root, name, info})
		}
		return ignoreMissing(err)
	})
	return files, err
}

// walk lists the files of an extra path that its pattern matches.
func (e ExtraPath) walk(ctx context.Context) ([]sighted, error) {
	pattern := e.Pattern
	if pattern == "" {
		pattern = "**/*.md"
	}
	var files []sighted
	err := walkFiles(ctx, e.Root, ".", func(name string, d fs.DirEntry) error {
		if !strings.EqualFold(path.Ext(name), ".md") || !matches(pattern, name) {
			return nil
		}
		info, err := d.Info()
		if err == nil {
			files = append(files, sighted{"extra:" + e.Name + "/" + name, prose, e.Root, name, info})
		}
		return ignoreMissing(err)
	})
	return files, err
}

// walkFiles calls use for the regular files below dir whose names are ours;
// hidden folders are the business of others.
func walkFiles(ctx context.Context, root *os.Root, dir string, use func(string, fs.DirEntry) error) error {
	err := fs.WalkDir(root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return ignoreMissing(err)
		}
		if d.IsDir() {
			if name != dir && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return ctx.Err()
		}
		if !d.Type().IsRegular() || !ours(name) {
			return nil
		}
		return use(name, d)
	})
	if err != nil {
		return fmt.Errorf("walking %s: %w", dir, err)
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// matches is path.Match with ** for any number of folders.
func matches(pattern, name string) bool {
	head, tail, deep := strings.Cut(pattern, "**/")
	if !deep {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	for rest := name[len(head):]; ; {
		if matches(tail, rest) {
			return true
		}
		_, below, found := strings.Cut(rest, "/")
		if !found {
			return false
		}
		rest = below
	}
}

// defaultTrust is the trust of a line that says nothing about itself: what
// others than us and people write is theirs, what hosts collected is nobody's.
func (m *Mirror) defaultTrust(name string) memory.Trust {
	base := memory.TrustUser
	if m.OpenClaw {
		base = memory.TrustAgent
	}
	return markdown.Classify(name, base).Host
}
