// Package subject is the program that the rigs examine: its binary, its
// workspaces as people use them, and what must be in them afterwards.
package subject

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"agentmemory/bench/stdio"
)

// HumanFiles are files whose lines a person wrote before the server came; each line must survive.
func HumanFiles() map[string]string {
	return map[string]string{
		"MEMORY.md":            "# MEMORY.md\n\n- The user prefers short answers\n- 用户喜欢喝绿茶\n",
		"memory/2026-02-20.md": "# 2026-02-20\n\n## 09:30\n\n- Met Mei about the Lisbon move\n- 决定先做离线版\n",
	}
}

// Subject is one build of the program and the folder of its trials.
type Subject struct{ Binary, Dir string }

// Build makes the program, with build tags if any, as a binary below dir.
func Build(ctx context.Context, dir, name string, tags ...string) (*Subject, error) {
	binary := filepath.Join(dir, name)
	out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-tags", strings.Join(tags, ","), "-o", binary, "./cmd/agent-memory").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("building %s: %w\n%s", name, err, out)
	}
	return &Subject{Binary: binary, Dir: dir}, nil
}

// Env is the environment of every run: a home of its own, nothing of the caller's.
func (r *Subject) Env() []string { return []string{"HOME=" + r.Dir, "PATH=" + os.Getenv("PATH")} }

// Serve starts a server on a workspace, under a wrapper such as strace if given.
func (r *Subject) Serve(ctx context.Context, ws string, wrapper ...string) (*stdio.Server, error) {
	return stdio.Start(ctx, append(wrapper, r.Binary, "serve", "--workspace", ws), r.Env())
}

// Fresh makes a workspace that people have used before.
func (r *Subject) Fresh(name string) (string, error) {
	ws := filepath.Join(r.Dir, name)
	if err := os.RemoveAll(ws); err != nil {
		return "", fmt.Errorf("clearing %s: %w", ws, err)
	}
	for file, text := range HumanFiles() {
		path := filepath.Join(ws, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", fmt.Errorf("making %s: %w", filepath.Dir(path), err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("writing %s: %w", path, err)
		}
	}
	return ws, nil
}

// CLI runs one subcommand to its end and returns its standard output.
func (r *Subject) CLI(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.Binary, args...)
	cmd.Env = r.Env()
	var out, failure bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failure
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("agent-memory %s: %w\n%s", strings.Join(args, " "), err, failure.Bytes())
	}
	return out.Bytes(), nil
}

// Exported returns the memories of a workspace, by id.
func (r *Subject) Exported(ctx context.Context, ws string) (map[string]map[string]any, error) {
	out, err := r.CLI(ctx, "export", "--format", "jsonl", "--workspace", ws)
	if err != nil {
		return nil, err
	}
	memories := map[string]map[string]any{}
	for _, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("export line %q: %w", line, err)
		}
		id, _ := m["id"].(string)
		if _, twice := memories[id]; twice {
			return nil, fmt.Errorf("id %s is exported twice", id)
		}
		memories[id] = m
	}
	return memories, nil
}

// Kept checks that every acknowledged text is in the database once and in
// Markdown once, that no other text is there twice, that people's lines still
// stand, and that nothing temporary is left.
func (r *Subject) Kept(ctx context.Context, ws string, sent, acknowledged []string) error {
	problems := []error{r.KeptTexts(ctx, ws, sent, acknowledged)}
	for file := range HumanFiles() {
		problems = append(problems, LinesKept(ws, file))
	}
	return errors.Join(problems...)
}

// KeptTexts is Kept without people's lines, whose files jobs may have archived.
func (r *Subject) KeptTexts(ctx context.Context, ws string, sent, acknowledged []string) error {
	memories, err := r.Exported(ctx, ws)
	if err != nil {
		return err
	}
	inStore := map[string]int{}
	for _, m := range memories {
		content, _ := m["content"].(string)
		inStore[content]++
	}
	markdown, leftovers, err := r.Markdown(ws)
	if err != nil {
		return err
	}
	var problems []error
	for _, text := range acknowledged {
		if inStore[text] != 1 || strings.Count(markdown, "- "+text+" <!--") != 1 {
			problems = append(problems, fmt.Errorf("acknowledged %q: %d in the store, %d in Markdown", text, inStore[text], strings.Count(markdown, text)))
		}
	}
	for _, text := range sent {
		if inStore[text] > 1 || strings.Count(markdown, "- "+text+" <!--") > 1 {
			problems = append(problems, fmt.Errorf("%q stands twice", text))
		}
	}
	if len(leftovers) > 0 {
		problems = append(problems, fmt.Errorf("left behind: %s", strings.Join(leftovers, ", ")))
	}
	return errors.Join(problems...)
}

// LinesKept checks that a file of HumanFiles still has a person's lines.
func LinesKept(ws, file string) error {
	raw, err := os.ReadFile(filepath.Join(ws, file))
	if err != nil {
		return fmt.Errorf("reading a person's file: %w", err)
	}
	for _, line := range strings.Split(HumanFiles()[file], "\n") {
		if !strings.Contains(string(raw), line) {
			return fmt.Errorf("%s lost the line %q", file, line)
		}
	}
	return nil
}

// Markdown returns all Markdown below memory/ of a workspace and the temporary and
// conflict files in it.
func (*Subject) Markdown(ws string) (string, []string, error) {
	var markdown strings.Builder
	var leftovers []string
	err := filepath.WalkDir(ws, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(ws, path)
		switch {
		case strings.Contains(rel, ".conflict-"), strings.Contains(d.Name(), ".tmp"), halfDone(rel):
			leftovers = append(leftovers, rel)
		case strings.HasSuffix(rel, ".md") && !strings.HasPrefix(rel, ".agent-memory/backup") && strings.HasPrefix(rel, "memory/"):
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			markdown.Write(raw)
		}
		return nil
	})
	if err != nil {
		return "", nil, fmt.Errorf("reading the workspace: %w", err)
	}
	sort.Strings(leftovers)
	return markdown.String(), leftovers, nil
}

// halfDone recognises what a recovery takes away from the folder of swapped-out
// files. Those themselves stay there until they have rested.
func halfDone(name string) bool {
	inside, swapped := strings.CutPrefix(name, ".agent-memory/swap/")
	return swapped && (strings.Contains(inside, ".") || strings.HasPrefix(inside, "own-"))
}
