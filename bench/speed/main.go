// Command speed measures the real binary over stdio, as a client sees it: cold
// start, remember and recall at several store sizes, memory, disk and the time
// until a memory stands in its file, beside the floor that a bare mcp-go + FTS5
// server sets on the same machine.
//
//	go run ./bench/speed                       # 1k, 10k, 100k
//	go run ./bench/speed -sizes 1000 -json
//	go run ./bench/speed -reuse /var/tmp/stores  # fills each store once and measures copies of it
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Row is what was measured at one size.
type Row struct {
	Size         int           `json:"size"`
	Start        time.Duration `json:"start_p50"`
	StartSlow    time.Duration `json:"start_p95"`
	Remember     time.Duration `json:"remember_p50"`
	RememberSlow time.Duration `json:"remember_p95"`
	RememberCPU  time.Duration `json:"remember_cpu"` // of the server a call, files included
	Recall       time.Duration `json:"recall_p50"`
	RecallSlow   time.Duration `json:"recall_p95"`
	RecallCPU    time.Duration `json:"recall_cpu"`
	FloorWrite   time.Duration `json:"floor_remember_p50"`
	FloorRead    time.Duration `json:"floor_recall_p50"`
	FloorCPU     time.Duration `json:"floor_remember_cpu"`
	Lag          time.Duration `json:"file_lag_p50"`
	LagSlow      time.Duration `json:"file_lag_p95"`
	RSS          int           `json:"rss_kb"`        // at the end of the calls
	Steady       int           `json:"rss_steady_kb"` // when it has rested
	Disk         int64         `json:"disk_bytes"`
	Import       time.Duration `json:"import"` // 0: the store was there already
}

func main() {
	sizes := flag.String("sizes", "1000,10000,100000", "store sizes, separated by commas")
	calls := flag.Int("calls", 300, "calls measured of each kind")
	asJSON := flag.Bool("json", false, "print JSON")
	reuse := flag.String("reuse", "", "`folder` of filled stores: made there when missing, measured on copies")
	flag.Parse()
	if err := run(context.Background(), *sizes, *calls, *reuse, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, sizes string, calls int, reuse string, asJSON bool) error {
	dir, err := os.MkdirTemp("", "agent-memory-speed-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	binaries, err := build(ctx, dir)
	if err != nil {
		return err
	}
	var rows []Row
	for _, s := range strings.Split(sizes, ",") {
		size, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return fmt.Errorf("size %q: %w", s, err)
		}
		fmt.Fprintf(os.Stderr, "measuring %d memories …\n", size)
		b := bench{binaries: binaries, dir: filepath.Join(dir, s), size: size, calls: calls}
		if reuse != "" {
			b.kept = filepath.Join(reuse, s)
		}
		row, err := b.measure(ctx)
		if err != nil {
			return fmt.Errorf("%d memories: %w", size, err)
		}
		rows = append(rows, row)
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(rows)
	}
	print(rows)
	return nil
}

type binaries struct{ memory, floor string }

func build(ctx context.Context, dir string) (binaries, error) {
	b := binaries{memory: filepath.Join(dir, "agent-memory"), floor: filepath.Join(dir, "floor")}
	for out, pkg := range map[string]string{b.memory: "./cmd/agent-memory", b.floor: "./bench/floor"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return b, fmt.Errorf("building %s: %w\n%s", pkg, err, text)
		}
	}
	return b, nil
}

func print(rows []Row) {
	fmt.Println("| memories | start p50/p95 | remember p50/p95 | recall p50/p95 | × floor (write, read) | CPU of a remember, a recall, the floor's remember | in its file p50/p95 | RSS at the end, rested | disk | bytes per memory | import |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		fmt.Printf("| %d | %s / %s | %s / %s | %s / %s | %.1f, %.1f | %s, %s, %s | %s / %s | %.1f, %.1f MB | %.1f MB | %d | %s |\n",
			r.Size, ms(r.Start), ms(r.StartSlow), ms(r.Remember), ms(r.RememberSlow), ms(r.Recall), ms(r.RecallSlow),
			ratio(r.Remember, r.FloorWrite), ratio(r.Recall, r.FloorRead), ms(r.RememberCPU), ms(r.RecallCPU), ms(r.FloorCPU),
			ms(r.Lag), ms(r.LagSlow), float64(r.RSS)/1024, float64(r.Steady)/1024, float64(r.Disk)/1e6, r.Disk/int64(max(1, r.Size)), r.Import.Round(10*time.Millisecond))
	}
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(1, b)) }
