package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"agentmemory/bench/stdio"
)

type bench struct {
	binaries
	dir         string
	size, calls int
}

func (b bench) measure(ctx context.Context) (Row, error) {
	row := Row{Size: b.size}
	begun := time.Now()
	if err := b.fill(ctx); err != nil {
		return row, err
	}
	row.Import = time.Since(begun)
	if err := b.start(ctx, &row); err != nil {
		return row, err
	}
	if err := b.serve(ctx, &row); err != nil {
		return row, err
	}
	err := b.floorServer(ctx, &row)
	row.Disk = diskUse(b.dir)
	return row, err
}

func (b bench) env() []string { return []string{"HOME=" + b.dir, "PATH=" + os.Getenv("PATH")} }

func (b bench) workspace() string { return filepath.Join(b.dir, "workspace") }

// fill makes the store through the program's own import.
func (b bench) fill(ctx context.Context) error {
	if err := os.MkdirAll(b.workspace(), 0o700); err != nil {
		return fmt.Errorf("making the workspace: %w", err)
	}
	path := filepath.Join(b.dir, "import.jsonl")
	if err := writeCorpus(path, b.size); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, b.memory, "import", path, "--workspace", b.workspace())
	cmd.Env = b.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("importing: %w\n%s", err, out)
	}
	return os.Remove(path)
}

// start measures from exec to the answer of the first tool call.
func (b bench) start(ctx context.Context, row *Row) error {
	var took []time.Duration
	for range 15 {
		begun := time.Now()
		s, err := b.server(ctx)
		if err != nil {
			return err
		}
		if err := s.Call(ctx, "recall_path", map[string]any{"uri": "knowledge://nothing/here"}, nil); err != nil {
			return err
		}
		took = append(took, time.Since(begun))
		if err := s.Stop(10 * time.Second); err != nil {
			return err
		}
	}
	row.Start, row.StartSlow = quantiles(took)
	return nil
}

func (b bench) server(ctx context.Context) (*stdio.Server, error) {
	return stdio.Start(ctx, []string{b.memory, "serve", "--workspace", b.workspace()}, b.env())
}

func (b bench) serve(ctx context.Context, row *Row) error {
	s, err := b.server(ctx)
	if err != nil {
		return err
	}
	defer s.Kill() //nolint:errcheck // an error path only: Stop has ended it before
	if err := b.warm(ctx, s); err != nil {
		return err
	}
	if row.Recall, row.RecallSlow, err = b.time(ctx, s, "recall", func(i int) map[string]any { return map[string]any{"query": query(i)} }); err != nil {
		return err
	}
	if row.Remember, row.RememberSlow, err = b.time(ctx, s, "remember", func(i int) map[string]any { return map[string]any{"content": fresh(i)} }); err != nil {
		return err
	}
	if row.Lag, row.LagSlow, err = b.lag(ctx, s); err != nil {
		return err
	}
	row.RSS = residentKB(s.PID())
	return s.Stop(20 * time.Second)
}

func (b bench) warm(ctx context.Context, s *stdio.Server) error {
	for i := range 20 {
		if err := s.Call(ctx, "recall", map[string]any{"query": query(10_000 + i)}, nil); err != nil {
			return err
		}
	}
	return nil
}

func (b bench) time(ctx context.Context, s *stdio.Server, tool string, args func(int) map[string]any) (p50, p95 time.Duration, err error) {
	took := make([]time.Duration, 0, b.calls)
	for i := range b.calls {
		begun := time.Now()
		if err := s.Call(ctx, tool, args(i), nil); err != nil {
			return 0, 0, err
		}
		took = append(took, time.Since(begun))
	}
	p50, p95 = quantiles(took)
	return p50, p95, nil
}

// lag measures from the answer of remember to the line in the journal.
func (b bench) lag(ctx context.Context, s *stdio.Server) (p50, p95 time.Duration, err error) {
	var took []time.Duration
	for i := range 20 {
		var result struct {
			ID string `json:"memoryId"`
		}
		if err := s.Call(ctx, "remember", map[string]any{"content": fresh(100_000 + i)}, &result); err != nil {
			return 0, 0, err
		}
		begun := time.Now()
		for !b.inFiles(result.ID) {
			if time.Since(begun) > 10*time.Second {
				return 0, 0, fmt.Errorf("%s is in no file after 10 s", result.ID)
			}
			time.Sleep(time.Millisecond)
		}
		took = append(took, time.Since(begun))
	}
	p50, p95 = quantiles(took)
	return p50, p95, nil
}

func (b bench) inFiles(id string) bool {
	days, _ := filepath.Glob(filepath.Join(b.workspace(), "memory", time.Now().Format("2006")+"*.md"))
	for _, day := range days {
		text, err := os.ReadFile(day)
		if err == nil && strings.Contains(string(text), "am:"+id) {
			return true
		}
	}
	return false
}

func (b bench) floorServer(ctx context.Context, row *Row) error {
	s, err := stdio.Start(ctx, []string{b.floor, filepath.Join(b.dir, "floor.db")}, b.env())
	if err != nil {
		return err
	}
	defer s.Kill() //nolint:errcheck // an error path only: Stop has ended it before
	for i := range b.size {
		if err := s.Call(ctx, "remember", map[string]any{"content": text(i)}, nil); err != nil {
			return err
		}
	}
	if row.FloorRead, _, err = b.time(ctx, s, "recall", func(i int) map[string]any { return map[string]any{"query": query(i)} }); err != nil {
		return err
	}
	if row.FloorWrite, _, err = b.time(ctx, s, "remember", func(i int) map[string]any { return map[string]any{"content": fresh(i)} }); err != nil {
		return err
	}
	if err := s.Stop(10 * time.Second); err != nil {
		return err
	}
	return os.Remove(filepath.Join(b.dir, "floor.db"))
}

func quantiles(took []time.Duration) (p50, p95 time.Duration) {
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*95/100]
}

func residentKB(pid int) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), "VmRSS:")
	var kb int
	fmt.Sscan(after, &kb) //nolint:errcheck // 0 says that it could not be read
	return kb
}

func diskUse(dir string) int64 {
	var total int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total
}
