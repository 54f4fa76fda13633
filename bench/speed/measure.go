package main

import (
	"context"
	"errors"
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
	kept        string // folder of a filled store that is measured by copies; "": none
	size, calls int
}

func (b bench) measure(ctx context.Context) (Row, error) {
	row := Row{Size: b.size}
	if err := b.prepare(ctx, &row); err != nil {
		return row, err
	}
	if err := b.start(ctx, &row); err != nil {
		return row, err
	}
	if err := b.serve(ctx, &row); err != nil {
		return row, err
	}
	row.Disk = diskUse(b.workspace())
	return row, b.floorServer(ctx, &row)
}

func (b bench) env() []string { return []string{"HOME=" + b.dir, "PATH=" + os.Getenv("PATH")} }

func (b bench) workspace() string { return filepath.Join(b.dir, "workspace") }

// prepare fills the stores, or takes copies of those that are kept.
func (b bench) prepare(ctx context.Context, row *Row) error {
	if b.kept == "" {
		begun := time.Now()
		err := b.fill(ctx)
		row.Import = time.Since(begun)
		return errors.Join(err, b.fillFloor(ctx))
	}
	if _, err := os.Stat(b.kept); err != nil {
		filled := b
		filled.kept, filled.dir = "", b.kept+".unfinished"
		if err := errors.Join(os.RemoveAll(filled.dir), filled.prepare(ctx, row)); err != nil {
			return err
		}
		if err := os.Rename(filled.dir, b.kept); err != nil {
			return fmt.Errorf("keeping the store: %w", err)
		}
	}
	if err := os.CopyFS(b.dir, os.DirFS(b.kept)); err != nil {
		return fmt.Errorf("copying the kept store: %w", err)
	}
	return nil
}

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

// rest is how long after the last call a server is looked at again: calls in a row
// end after two seconds on a fast machine, before it has given back what loading took.
const rest = 5 * time.Second

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
	if row.Recall, row.RecallSlow, row.RecallCPU, err = b.time(ctx, s, "recall", recalled); err != nil {
		return err
	}
	if row.Remember, row.RememberSlow, row.RememberCPU, err = b.time(ctx, s, "remember", remembered); err != nil {
		return err
	}
	if row.Lag, row.LagSlow, err = b.lag(ctx, s); err != nil {
		return err
	}
	row.RSS = residentKB(s.PID())
	time.Sleep(rest)
	row.Steady = residentKB(s.PID())
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

func recalled(i int) map[string]any   { return map[string]any{"query": query(i)} }
func remembered(i int) map[string]any { return map[string]any{"content": fresh(i)} }

// time measures calls as the client sees them, and what one of them costs the
// server, whatever it does in the background included.
func (b bench) time(ctx context.Context, s *stdio.Server, tool string, args func(int) map[string]any) (p50, p95, cpu time.Duration, err error) {
	took := make([]time.Duration, 0, b.calls)
	before := processorTime(s.PID())
	for i := range b.calls {
		begun := time.Now()
		if err := s.Call(ctx, tool, args(i), nil); err != nil {
			return 0, 0, 0, err
		}
		took = append(took, time.Since(begun))
	}
	cpu = (processorTime(s.PID()) - before) / time.Duration(b.calls)
	p50, p95 = quantiles(took)
	return p50, p95, cpu, nil
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

func (b bench) floorDB() string { return filepath.Join(b.dir, "floor.db") }

func (b bench) fillFloor(ctx context.Context) error {
	s, err := stdio.Start(ctx, []string{b.floor, b.floorDB()}, b.env())
	if err != nil {
		return err
	}
	defer s.Kill() //nolint:errcheck // an error path only: Stop has ended it before
	for i := range b.size {
		if err := s.Call(ctx, "remember", map[string]any{"content": text(i)}, nil); err != nil {
			return err
		}
	}
	return s.Stop(10 * time.Second)
}

func (b bench) floorServer(ctx context.Context, row *Row) error {
	s, err := stdio.Start(ctx, []string{b.floor, b.floorDB()}, b.env())
	if err != nil {
		return err
	}
	defer s.Kill() //nolint:errcheck // an error path only: Stop has ended it before
	if row.FloorRead, _, _, err = b.time(ctx, s, "recall", recalled); err != nil {
		return err
	}
	if row.FloorWrite, _, row.FloorCPU, err = b.time(ctx, s, "remember", remembered); err != nil {
		return err
	}
	return s.Stop(10 * time.Second)
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

// processorTime is what a process has used of the processors, as Linux counts
// it: in hundredths of a second. Elsewhere it is 0.
func processorTime(pid int) time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	var user, system int64
	fmt.Sscan(fields[11], &user)   //nolint:errcheck // 0 says that it could not be read
	fmt.Sscan(fields[12], &system) //nolint:errcheck // as above
	return time.Duration(user+system) * 10 * time.Millisecond
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
