//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// staleHost plays a host that loads MEMORY.md, thinks, and writes all of it back
// with a line of its own, as OpenClaw does when it promotes or dreams; now and then it
// does so with today's journal. Meanwhile the server writes both.
func staleHost(ctx context.Context, t *trial) (string, error) {
	ws, err := t.Fresh("host")
	if err != nil {
		return "", err
	}
	s, err := t.Serve(ctx, ws)
	if err != nil {
		return "", err
	}
	agent := writer{server: s}
	if err := agent.begin(ctx); err != nil {
		return "", errors.Join(err, s.Kill())
	}
	host := &host{trial: t, ws: ws}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var writing error
	wg.Go(func() { writing = agent.writeOn(ctx, stop) })
	saving := host.saveOn(t.count(12, 150))
	close(stop)
	wg.Wait()
	time.Sleep(3 * time.Second) // what was saved last is read when it has rested
	if err := errors.Join(writing, saving, s.Call(ctx, "reflect", map[string]any{"phase": "compound"}, nil), s.Stop(60*time.Second)); err != nil {
		return "", err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return "", err
	}
	done := fmt.Sprintf("a host saved stale copies %d times while %d memories were written: its lines and ours stand once, none is hidden", len(host.wrote), len(agent.written))
	return done, t.judgeHost(ctx, host, &agent)
}

type host struct {
	*trial

	ws    string
	wrote []string
}

func (h *host) saveOn(saves int) error {
	journals, err := filepath.Glob(filepath.Join(h.ws, "memory", "20*.md"))
	if err != nil || len(journals) == 0 {
		return fmt.Errorf("no journal: %w", err)
	}
	for i := range saves {
		file := filepath.Join(h.ws, "MEMORY.md")
		if i%4 == 3 {
			file = journals[len(journals)-1]
		}
		loaded, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("loading %s: %w", file, err)
		}
		time.Sleep(time.Duration(100+h.random.IntN(900)) * time.Millisecond)
		line := fmt.Sprintf("the host promoted insight %d of dream %d", i, i*7919)
		h.wrote = append(h.wrote, line)
		text := strings.TrimRight(string(loaded), "\n") + "\n- " + line + "\n"
		temp := file + ".host"
		if err := errors.Join(os.WriteFile(temp, []byte(text), 0o600), os.Rename(temp, file)); err != nil {
			return fmt.Errorf("saving %s: %w", file, err)
		}
		if h.random.IntN(3) == 0 {
			time.Sleep(rest)
		}
	}
	return nil
}

func (t *trial) judgeHost(ctx context.Context, h *host, agent *writer) error {
	text, err := everyMarkdown(h.ws)
	if err != nil {
		return err
	}
	twice, err := deletedTwice(ctx, h.ws)
	if err != nil {
		return err
	}
	journals, _, err := t.Markdown(h.ws)
	if err != nil {
		return err
	}
	var problems []error
	for _, line := range h.wrote {
		if !strings.Contains(text, line) {
			problems = append(problems, fmt.Errorf("a line of the host is lost: %q", line))
		}
	}
	for _, line := range agent.written {
		if n := strings.Count(journals, "- "+line+" <!--"); n != 1 && (n > 1 || !twice[line]) {
			problems = append(problems, fmt.Errorf("%q stands %d times", line, n))
		}
	}
	hidden, err := hiddenIn(h.ws)
	for file, n := range hidden {
		problems = append(problems, fmt.Errorf("%d memories count as taken out of %s by somebody", n, file))
	}
	if len(problems) > 5 {
		problems = append(problems[:5], fmt.Errorf("and %d more", len(problems)-5))
	}
	return errors.Join(err, broken(errors.Join(problems...)))
}

// hiddenIn counts what people took out of the derived files.
func hiddenIn(ws string) (map[string]int, error) {
	raw, err := os.ReadFile(filepath.Join(ws, ".agent-memory", "projected.json"))
	if err != nil {
		return nil, fmt.Errorf("reading what is hidden: %w", err)
	}
	var files map[string]struct{ Hidden map[string]time.Time }
	if err := json.Unmarshal(raw, &files); err != nil {
		return nil, fmt.Errorf("reading what is hidden: %w", err)
	}
	hidden := map[string]int{}
	for name, f := range files {
		if len(f.Hidden) > 0 {
			hidden[name] = len(f.Hidden)
		}
	}
	return hidden, nil
}
