// Command capture measures the real binary on transcripts in the shape of
// Claude Code's: a first capture of many conversations, a run on an unchanged
// day, one more message, and one very long conversation. It prints wall and
// processor time and the most memory that was resident.
//
//	go run ./bench/capture                 # 100 MB in 200 conversations
//	go run ./bench/capture -long 1024      # and one conversation of 1 GB
//
// What is said is made up of a few hundred sentences of which one in twelve is
// worth keeping, between outputs of tools, as in a day of work.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	size := flag.Int("mb", 100, "megabytes of conversations")
	files := flag.Int("files", 200, "conversations")
	long := flag.Int("long", 0, "megabytes of one long conversation; 0: none")
	worth := flag.Int("worth", 12, "one in so many of the user's messages is worth keeping")
	flag.Parse()
	if err := run(context.Background(), *size, *files, *long, *worth); err != nil {
		fmt.Fprintln(os.Stderr, "capture:", err)
		os.Exit(1)
	}
}

type rig struct {
	ctx       context.Context
	binary    string
	home      string
	generator *rand.Rand
	said      int
	worth     int
}

func run(ctx context.Context, size, files, long, worth int) error {
	dir, err := os.MkdirTemp("", "agent-memory-capture-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	r := &rig{ctx: ctx, binary: filepath.Join(dir, "agent-memory"), home: filepath.Join(dir, "home"), generator: rand.New(rand.NewPCG(1, 2)), worth: worth}
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", r.binary, "./cmd/agent-memory").CombinedOutput(); err != nil {
		return fmt.Errorf("building: %w\n%s", err, out)
	}
	if err := r.program("init", "--capture", "claude-code"); err != nil {
		return err
	}
	for i := range files {
		if err := r.write(fmt.Sprintf("s%04d", i), size<<20/files); err != nil {
			return err
		}
	}
	steps := []struct {
		name string
		do   func() error
	}{
		{fmt.Sprintf("%d MB in %d conversations", size, files), func() error { return nil }},
		{"unchanged", func() error { return nil }},
		{"one more message", func() error { return r.write("s0000", 200) }},
	}
	if long > 0 {
		steps = append(steps, struct {
			name string
			do   func() error
		}{fmt.Sprintf("one conversation of %d MB", long), func() error { return r.write("long", long<<20) }})
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return err
		}
		if err := r.measure(s.name); err != nil {
			return err
		}
	}
	return nil
}

func (r *rig) command(args ...string) *exec.Cmd {
	c := exec.CommandContext(r.ctx, r.binary, args...)
	c.Env = []string{"HOME=" + r.home, "PATH=" + os.Getenv("PATH"), "TZ=UTC"}
	return c
}

func (r *rig) program(args ...string) error {
	if out, err := r.command(args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", args, err, out)
	}
	return nil
}

// measure captures, and prints what it took.
func (r *rig) measure(name string) error {
	c := r.command("sync", "sessions", "--json")
	start := time.Now()
	out, err := c.Output()
	wall := time.Since(start)
	if err != nil {
		return fmt.Errorf("capturing: %w", err)
	}
	var result struct {
		Sessions struct{ Conversations, Messages, Found, Added, Merged, Skipped int }
	}
	if err := json.Unmarshal(out, &result); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	megabytes, ok := resident(c.ProcessState)
	if !ok {
		return fmt.Errorf("no resource usage on this system")
	}
	s := result.Sessions
	fmt.Printf("%-32s wall %7.0f ms  user %7.0f ms  system %6.0f ms  resident %4d MB  (%d messages, %d found, %d added, %d merged, %d skipped)\n", name,
		wall.Seconds()*1000, c.ProcessState.UserTime().Seconds()*1000, c.ProcessState.SystemTime().Seconds()*1000, megabytes, s.Messages, s.Found, s.Added, s.Merged, s.Skipped)
	return nil
}

// write appends to a conversation until it has grown by size bytes.
func (r *rig) write(id string, size int) (err error) {
	path := filepath.Join(r.home, ".claude", "projects", "-home-me-work", id+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making %s: %w", filepath.Dir(path), err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	w := bufio.NewWriter(f)
	for written := 0; written < size; {
		line, err := r.line(id)
		if err != nil {
			return err
		}
		n, err := w.Write(line)
		if err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		written += n
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return f.Close()
}

// line makes the next record of a conversation.
func (r *rig) line(id string) ([]byte, error) {
	r.said++
	role, content := "user", any(r.sentence())
	switch r.said % 3 {
	case 1:
		role, content = "assistant", []any{map[string]any{"type": "text", "text": strings.Repeat("I read the file and changed the function as asked. ", 6)}}
	case 2:
		content = []any{map[string]any{"type": "tool_result", "tool_use_id": "t", "content": strings.Repeat("output of a tool, line after line\n", 60)}}
	}
	raw, err := json.Marshal(map[string]any{
		"type": role, "uuid": fmt.Sprintf("m-%d", r.said), "sessionId": id, "isSidechain": false, "cwd": "/home/me/work", "version": "2.1.205",
		"timestamp": time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.said) * 10 * time.Second).Format(time.RFC3339Nano),
		"message":   map[string]any{"role": role, "content": content},
	})
	if err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	return append(raw, '\n'), nil
}

func (r *rig) sentence() string {
	pick := func(list ...string) string { return list[r.generator.IntN(len(list))] }
	name := fmt.Sprintf("%s-%s %d", pick("amber", "cobalt", "willow", "heron", "quartz", "maple", "saffron", "onyx"), pick("relay", "ledger", "parser", "gateway", "cache", "broker", "index"), r.generator.IntN(10_000))
	if r.generator.IntN(r.worth) > 0 {
		return pick("can you look at "+name+" again?", "run the tests of "+name+" please", "why does "+name+" fail?", name+" 现在能编译了吗？", "看一下 "+name+" 的日志", "thanks, that works", "hm, "+name+" still looks odd to me")
	}
	return pick("We decided to keep "+name+" on port "+fmt.Sprint(r.generator.IntN(60_000))+".", "记住："+name+" 由王芳负责", "Never restart "+name+" during the day.", "我们决定把 "+name+" 迁移到新集群", "The root cause was a full disk on "+name+".")
}
