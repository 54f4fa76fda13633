//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"agentmemory/bench/stdio"
	"agentmemory/internal/memory"
	"agentmemory/store"
)

// savedByPeople lets a person save MEMORY.md, RECENT.md and today's journal in
// every way that editors know while the server writes the same files.
func savedByPeople(ctx context.Context, t *trial) (string, error) {
	ws, err := t.Fresh("editor")
	if err != nil {
		return "", err
	}
	s, err := t.Serve(ctx, ws, slowRenames()...)
	if err != nil {
		return "", err
	}
	person := typist{trial: t, random: rand.New(rand.NewPCG(t.random.Uint64(), 2)), deleted: map[string]bool{}} //nolint:gosec // not for secrets
	agent := writer{server: s, saves: t.count(60, 1500)}
	if err := agent.begin(ctx); err != nil {
		return "", errors.Join(err, s.Kill())
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var writing error
	wg.Go(func() { writing = agent.writeOn(ctx, stop) })
	typing := person.typeOn(ws, func(saved int) bool { return saved < agent.saves || agent.said.Load() < int64(agent.saves) })
	close(stop)
	wg.Wait()
	time.Sleep(3 * time.Second) // what was saved last is read when it has rested
	if err := errors.Join(writing, typing, s.Stop(60*time.Second)); err != nil {
		return "", err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return "", err
	}
	done := fmt.Sprintf("a person typed %d lines in %d saves while %d memories were written: no line lost, none of ours twice", len(person.typed), person.saves, len(agent.written))
	return done, t.judgeLines(ctx, ws, &person, &agent)
}

// slowRenames is a wrapper that widens the moment between the last look at a
// file and its replacement.
func slowRenames() []string {
	if _, err := exec.LookPath("strace"); err != nil {
		return nil
	}
	calls := "renameat,renameat2"
	return []string{"strace", "-f", "--seccomp-bpf", "-qqq", "-o", "/dev/null", "-e", "trace=" + calls, "-e", "inject=" + calls + ":delay_enter=50000"}
}

// judgeLines looks for every line of the person and for every memory.
func (t *trial) judgeLines(ctx context.Context, ws string, person *typist, agent *writer) error {
	text, err := everyMarkdown(ws)
	if err != nil {
		return err
	}
	var problems []error
	journals, _, err := t.Markdown(ws)
	if err != nil {
		return err
	}
	home, err := os.ReadFile(person.journal)
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	for _, line := range person.typed {
		if !strings.Contains(text, line) && !person.deleted[line] {
			problems = append(problems, fmt.Errorf("a person's line is lost: %q", line))
		}
		// What was deleted from a file that only shows it, or while it was being moved, may stand in its home.
		if n := strings.Count(string(home), line); n > 1 && person.deleted[line] {
			problems = append(problems, fmt.Errorf("a line that a person deleted stands %d times: %q", n, line))
		}
	}
	twice, err := deletedTwice(ctx, ws)
	if err != nil {
		return err
	}
	for _, line := range agent.written {
		n := strings.Count(journals, "- "+line+" <!--")
		// Nobody deletes them here. A line comes back after one stale save; the second
		// one counts as a deletion, but only the second.
		if n != 1 && (n > 1 || !twice[line]) {
			problems = append(problems, fmt.Errorf("%q stands %d times", line, n))
		}
	}
	if len(problems) > 5 {
		problems = append(problems[:5], fmt.Errorf("and %d more", len(problems)-5))
	}
	return broken(errors.Join(problems...))
}

// deletedTwice returns the lines that were taken out after they had been written
// again once: they are in the archive, from where they can be restored, or, of
// many at once, kept as missing.
func deletedTwice(ctx context.Context, ws string) (map[string]bool, error) {
	s, err := store.Open(ctx, store.Options{Path: filepath.Join(ws, ".agent-memory", "memory.db"), Now: time.Now, ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	restored := map[string]time.Time{}
	raw, err := s.Meta(ctx, "mirror.restored")
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &restored)
	}
	missing, failed := s.List(ctx, memory.Filter{Statuses: []memory.Status{memory.Missing}})
	if err = errors.Join(err, failed, s.Close()); err != nil {
		return nil, fmt.Errorf("reading which lines were restored: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(ws, "memory", "archive", "*.jsonl"))
	twice := map[string]bool{}
	for _, m := range missing {
		_, before := restored[m.ID]
		twice[m.Content] = before
	}
	for _, file := range files {
		text, readErr := os.ReadFile(file)
		err = errors.Join(err, readErr)
		for line := range strings.Lines(string(text)) {
			var gone struct{ ID, Content string }
			err = errors.Join(err, json.Unmarshal([]byte(line), &gone))
			if _, before := restored[gone.ID]; before {
				twice[gone.Content] = true
			}
		}
	}
	return twice, err
}

// everyMarkdown returns all Markdown that a person sees in a workspace,
// conflict files included.
func everyMarkdown(ws string) (string, error) {
	var all strings.Builder
	err := filepath.WalkDir(ws, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".agent-memory" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		raw, err := os.ReadFile(path)
		all.Write(raw)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("reading the workspace: %w", err)
	}
	return all.String(), nil
}

// writer is the agent: it remembers while the person types.
type writer struct {
	server  *stdio.Server
	saves   int
	written []string
	said    atomic.Int64 // how many were written so far
}

// begin makes the files that the person is going to save.
func (w *writer) begin(ctx context.Context) error {
	if err := w.remember(ctx, 0); err != nil {
		return err
	}
	for _, phase := range []string{"surface", "compound"} {
		if err := w.server.Call(ctx, "reflect", map[string]any{"phase": phase}, nil); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) remember(ctx context.Context, i int) error {
	text := fmt.Sprintf("the agent noted event %d: 第%d件事", i, i)
	err := w.server.Call(ctx, "remember", map[string]any{"content": text, "type": "event"}, nil)
	if err == nil {
		w.written = append(w.written, text)
		w.said.Add(1)
	}
	return err
}

func (w *writer) writeOn(ctx context.Context, stop <-chan struct{}) error {
	for i := 1; ; i++ {
		select {
		case <-stop:
			return nil
		case <-time.After(30 * time.Millisecond):
		}
		if err := w.remember(ctx, i); err != nil {
			return err
		}
		if i%15 == 0 {
			err := w.server.Call(ctx, "reflect", map[string]any{"phase": []string{"surface", "compound"}[i/15%2]}, nil)
			if err != nil && !strings.Contains(err.Error(), "sav") { // whoever saves is waited for
				return err
			}
		}
	}
}

// rest is how long a person has to leave a file alone before it is written
// again: the saves right after it are those that meet a writer.
const rest = 1600 * time.Millisecond

// typist is a person with an editor.
type typist struct {
	*trial

	random  *rand.Rand
	journal string
	typed   []string
	deleted map[string]bool
	saves   int // so far
}

func (p *typist) typeOn(ws string, more func(saved int) bool) error {
	journals, err := filepath.Glob(filepath.Join(ws, "memory", "20*.md"))
	if err != nil || len(journals) == 0 {
		return fmt.Errorf("no journal to type into: %w", err)
	}
	p.journal = journals[len(journals)-1]
	files := []string{filepath.Join(ws, "MEMORY.md"), filepath.Join(ws, "RECENT.md"), p.journal, p.journal}
	for i := 0; more(i); i++ {
		if err := p.save(files[p.random.IntN(len(files))], i); err != nil {
			return fmt.Errorf("save %d: %w", i, err)
		}
		p.saves++
		pause := time.Duration(5+p.random.IntN(40)) * time.Millisecond
		if p.random.IntN(p.count(8, 15)) == 0 {
			pause += rest + time.Duration(p.random.IntN(300))*time.Millisecond
		}
		time.Sleep(pause)
	}
	return nil
}

// save adds a line to a file, or takes an own one out, in one of the ways of editors.
func (p *typist) save(file string, i int) error {
	line := fmt.Sprintf("the person typed line number %d end", i)
	way := p.random.IntN(8)
	if way < 3 {
		p.typed = append(p.typed, line)
		return appendTo(file, "- "+line+"\n")
	}
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		raw, err = nil, nil
	}
	if err != nil {
		return err
	}
	text := string(raw)
	if way == 7 {
		text = p.takeOut(text)
	} else {
		p.typed = append(p.typed, line)
		text = strings.TrimRight(text, "\n") + "\n- " + line + "\n"
	}
	if way%2 == 0 {
		return os.WriteFile(file, []byte(text), 0o600)
	}
	if way == 5 { // keeps a copy, as editors do
		if err := os.WriteFile(file+"~", raw, 0o600); err != nil {
			return err
		}
	}
	temp := file + ".swp"
	if err := os.WriteFile(temp, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, file)
}

// takeOut deletes an own line.
func (p *typist) takeOut(text string) string {
	for _, line := range p.typed {
		before, after, found := strings.Cut(text, "- "+line)
		if !found {
			continue
		}
		p.deleted[line] = true
		_, after, _ = strings.Cut(after, "\n")
		return before + after
	}
	return text
}

func appendTo(file, text string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
