// Command hooks measures what a hook costs the conversation that waits for it,
// as a whole process in a store of a given size: time from start to end, and
// the processor time of the process, which other work on the machine moves less.
//
//	go run ./bench/hooks                    # 10,000 memories, 100 calls of each hook
//	go run ./bench/hooks -size 1000 -calls 20
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	size := flag.Int("size", 10_000, "`memories` in the store")
	calls := flag.Int("calls", 100, "`calls` of each hook")
	flag.Parse()
	if err := run(context.Background(), *size, *calls); err != nil {
		fmt.Fprintln(os.Stderr, "hooks:", err)
		os.Exit(1)
	}
}

// bench is a workspace filled for measuring.
type bench struct {
	program, workspace string
}

func run(ctx context.Context, size, calls int) error {
	dir, err := os.MkdirTemp("", "agent-memory-hooks-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	b := bench{program: filepath.Join(dir, "agent-memory"), workspace: filepath.Join(dir, "workspace")}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", b.program, "./cmd/agent-memory")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building: %w", err)
	}
	if err := b.fill(ctx, filepath.Join(dir, "corpus.jsonl"), size); err != nil {
		return err
	}
	fmt.Printf("%d memories, %d calls of each hook; milliseconds of a whole process\n\n", size, calls)
	fmt.Println("hook           answered  median    p95    max   cpu median    cpu p95")
	for _, event := range []string{"user-prompt", "session-start", "stop"} {
		if err := b.measure(ctx, event, calls); err != nil {
			return err
		}
	}
	return nil
}

func words() [][]string {
	return [][]string{
		{"the gateway", "Mei", "billing", "the search index", "Tomás", "数据库", "小林", "支付服务", "发布流程", "缓存"},
		{"moved to", "was delayed by", "now depends on", "failed because of", "改用", "依赖", "拒绝", "已经迁移到"},
		{"SQLite", "Postgres 17", "a retry budget", "the blue cluster", "port 8443", "新的索引", "周五的会议", "北京机房", "限流规则", "两台备用机"},
	}
}

func sentence(r *rand.Rand) string {
	w := words()
	return fmt.Sprintf("%s %s %s", w[0][r.IntN(len(w[0]))], w[1][r.IntN(len(w[1]))], w[2][r.IntN(len(w[2]))])
}

// fill imports a corpus and writes the files that a conversation begins with.
func (b bench) fill(ctx context.Context, corpus string, size int) error {
	f, err := os.Create(corpus) //nolint:gosec // in our own folder
	if err != nil {
		return fmt.Errorf("creating the corpus: %w", err)
	}
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	for i := range size {
		r := rand.New(rand.NewPCG(7, uint64(i))) //nolint:gosec // a reproducible corpus
		at := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
		err := e.Encode(map[string]any{
			"id": fmt.Sprintf("m%d", i), "content": fmt.Sprintf("%s (ticket OPS-%d, run %d)", sentence(r), i, i*7919%100_003),
			"session_id": fmt.Sprintf("s%d", i/20), "seq": i % 20, "observed_at": at.Format(time.RFC3339),
		})
		if err != nil {
			return fmt.Errorf("writing the corpus: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing the corpus: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("writing the corpus: %w", err)
	}
	for _, args := range [][]string{{"import", corpus}, {"reflect", "surface"}, {"reflect", "compound"}} {
		if out, err := b.command(ctx, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", args, err, out)
		}
	}
	return nil
}

func (b bench) command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, b.program, append([]string{"--workspace", b.workspace}, args...)...) //nolint:gosec // our own program
}

func (b bench) measure(ctx context.Context, event string, calls int) error {
	var took, spent []time.Duration
	answered := 0
	for i := range calls {
		r := rand.New(rand.NewPCG(11, uint64(i))) //nolint:gosec // reproducible questions
		input, err := json.Marshal(map[string]any{"session_id": "s", "transcript_path": nil, "source": "startup", "prompt": "Do you remember: " + sentence(r) + "?"})
		if err != nil {
			return fmt.Errorf("encoding the input: %w", err)
		}
		cmd := b.command(ctx, "hook", event)
		var out bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, os.Stderr
		begun := time.Now()
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("hook %s: %w", event, err)
		}
		took = append(took, time.Since(begun))
		spent = append(spent, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		if out.Len() > 0 {
			answered++
		}
	}
	slices.Sort(took)
	slices.Sort(spent)
	fmt.Printf("%-14s %8d %7.1f %6.1f %6.1f %12.1f %10.1f\n", event, answered,
		at(took, .5), at(took, .95), at(took, 1), at(spent, .5), at(spent, .95))
	return nil
}

// at is a quantile in milliseconds.
func at(sorted []time.Duration, q float64) float64 {
	i := min(len(sorted)-1, int(q*float64(len(sorted))))
	return float64(sorted[i].Microseconds()) / 1000
}
