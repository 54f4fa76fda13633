//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// caller is a server over any transport.
type caller interface {
	Call(ctx context.Context, tool string, args, result any) error
}

// soaker is one client of the soak.
type soaker struct {
	server  caller
	who     int
	random  *rand.Rand
	calls   int
	sent    []string
	live    []string // acknowledged and not forgotten
	recalls []time.Duration
}

// kept is how many memories a client keeps at a time: more are forgotten, so
// that the store, and with it the caches, do not grow for ever.
const kept = 40

func (c *soaker) work(ctx context.Context, done <-chan struct{}) error {
	for {
		select {
		case <-done:
			return nil
		case <-time.After(time.Duration(150+c.random.IntN(200)) * time.Millisecond):
		}
		c.calls++
		if err := c.step(ctx); err != nil && !busy(err) {
			return broken(err)
		}
	}
}

// busy recognises the refusal of a job that runs elsewhere.
func busy(err error) bool { return strings.Contains(err.Error(), `"code":"conflict"`) }

func (c *soaker) step(ctx context.Context) error {
	if len(c.live) >= kept {
		return c.forget(ctx)
	}
	switch n := c.random.IntN(100); {
	case n < 35:
		return c.remember(ctx)
	case n < 80 && len(c.live) > 0:
		return c.recall(ctx)
	case n < 90:
		return c.server.Call(ctx, "recall", map[string]any{}, nil)
	case n < 93:
		return c.server.Call(ctx, "status", map[string]any{"level": "standard"}, nil)
	case n < 96:
		return c.server.Call(ctx, "sync", map[string]any{}, nil)
	case n < 98:
		phases := []string{"decay", "tidy", "govern", "surface", "wrapup", "compound"}
		return c.server.Call(ctx, "reflect", map[string]any{"phase": phases[c.random.IntN(len(phases))]}, nil)
	default:
		return c.server.Call(ctx, "recall_path", map[string]any{"uri": "event://"}, nil)
	}
}

// remember sends a text whose first word no other has.
func (c *soaker) remember(ctx context.Context) error {
	n := c.who + 8*len(c.sent)
	text := fmt.Sprintf("soak%s: %s met %s about %s", word(n), word(c.random.IntN(1e6)), word(c.random.IntN(1e6)), word(c.random.IntN(1e6)))
	if n%3 == 0 {
		text = fmt.Sprintf("soak%s：%s 和 %s 讨论了第 %d 号方案", word(n), word(c.random.IntN(1e6)), word(c.random.IntN(1e6)), n)
	}
	c.sent = append(c.sent, text)
	var r struct {
		Action string `json:"action"`
		Reason string `json:"reason"`
	}
	if err := c.server.Call(ctx, "remember", map[string]any{"content": text, "uri": soakURI(n)}, &r); err != nil {
		return err
	}
	if r.Action != "added" {
		return fmt.Errorf("%q was %s: %s", text, r.Action, r.Reason)
	}
	c.live = append(c.live, text)
	return nil
}

func soakURI(n int) string { return "event://soak/" + word(n) }

func (c *soaker) recall(ctx context.Context) error {
	text := c.live[c.random.IntN(len(c.live))]
	begun := time.Now()
	err := recalled(ctx, c.server, text)
	c.recalls = append(c.recalls, time.Since(begun))
	return err
}

// forget forgets half of what there is.
func (c *soaker) forget(ctx context.Context) error {
	for len(c.live) > kept/2 {
		first, _, _ := strings.Cut(strings.Replace(c.live[0], "：", ":", 1), ":")
		uri := "event://soak/" + strings.TrimPrefix(first, "soak")
		if err := c.server.Call(ctx, "forget", map[string]any{"uri": uri}, nil); err != nil {
			return err
		}
		c.live = c.live[1:]
		c.calls++
	}
	return nil
}

// usage is what one process held at each look.
type usage struct{ rss, files []int }

// growth is what the servers held during a soak.
type growth map[int]*usage

func (g growth) look() error {
	for pid, u := range g {
		rss, err := residentKB(pid)
		if err != nil {
			return err
		}
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		if err != nil {
			return fmt.Errorf("counting files: %w", err)
		}
		u.rss, u.files = append(u.rss, rss), append(u.files, len(files))
	}
	return nil
}

// residentKB is the memory of a process.
func residentKB(pid int) (int, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("looking at a server: %w", err)
	}
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, fmt.Errorf("process %d is gone", pid)
	}
	kb, err := strconv.Atoi(fields[0])
	if err != nil {
		return 0, fmt.Errorf("reading VmRSS: %w", err)
	}
	return kb, nil
}

// thirds are the medians of the second and the last third: the first warms up.
func thirds(samples []int) (second, last int) {
	n := len(samples) / 3
	median := func(part []int) int {
		part = slices.Clone(part)
		slices.Sort(part)
		return part[len(part)/2]
	}
	return median(samples[n : 2*n]), median(samples[2*n:])
}

// check says which server has grown.
func (g growth) check() error {
	var problems []error
	for pid, u := range g {
		if len(u.rss) < 6 {
			return errors.New("the soak was too short to see growth")
		}
		if a, b := thirds(u.rss); float64(b) > 1.1*float64(a) {
			problems = append(problems, fmt.Errorf("process %d grew from %d to %d KB", pid, a, b))
		}
		if a, b := thirds(u.files); b > a+3 {
			problems = append(problems, fmt.Errorf("process %d had %d files open, then %d", pid, a, b))
		}
	}
	return errors.Join(problems...)
}

func (g growth) String() string {
	var parts []string
	for _, u := range g {
		if len(u.rss) < 6 {
			continue
		}
		a, b := thirds(u.rss)
		c, d := thirds(u.files)
		parts = append(parts, fmt.Sprintf("%d→%d MB and %d→%d files", a>>10, b>>10, c, d))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// traces counts goroutines of servers that worked, and of one that did not.
type traces struct {
	idle   int
	worked []int
}

// check allows for what comes with serving HTTP and scheduling.
func (n traces) check() error {
	for _, worked := range n.worked {
		if worked > n.idle+15 {
			return fmt.Errorf("a server that worked has %d goroutines, an idle one %d", worked, n.idle)
		}
	}
	return nil
}

func (n traces) String() string { return fmt.Sprintf("goroutines %v, idle %d", n.worked, n.idle) }
