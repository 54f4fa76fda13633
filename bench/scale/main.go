// Command scale measures recall over stdio on very large stores, up to a million
// memories, beside plain FTS5 in the same server. Stores of that size would take
// hours to import with their files, so the store is filled by itself, through the
// same transactions; everything from the request line to the answer line is the
// real thing: analysis, index, vectors, ranking, loading, MCP.
//
//	go run ./bench/scale -size 100000
//	go run ./bench/scale -size 1000000
//	go run ./bench/scale -size 10000 -dir DIR -calls 500 -against /tmp/scale-of-yesterday
//	go run ./bench/scale -size 100000 -dimension 384   # random vectors: only their number and length count
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"agentmemory/internal/embed/lsa"
)

type options struct {
	size, dimension, calls int
	dir, profile, against  string
	serve                  bool
}

// Report is what was measured at one size. CPU is user and system time of the
// server, which other work on the machine changes less than the clock.
type Report struct {
	Size      int     `json:"size"`
	Dimension int     `json:"dimension"`
	Filled    float64 `json:"fill_s"`
	First     float64 `json:"first_answer_ms"`  // from exec; by words only while vectors are loaded
	Refused   int     `json:"refused_at_first"` // questions that took longer than recall allows, before the first answer with vectors
	Complete  float64 `json:"with_vectors_ms"`  // from exec to the first answer that used them
	P50       float64 `json:"recall_p50_ms"`    //
	P95       float64 `json:"recall_p95_ms"`    //
	CPU       float64 `json:"recall_cpu_ms"`    // mean of a call
	PlainP50  float64 `json:"fts5_p50_ms"`      // ten best by bm25 in the same server
	PlainP95  float64 `json:"fts5_p95_ms"`      //
	PlainCPU  float64 `json:"fts5_cpu_ms"`      //
	Resident  float64 `json:"resident_mb"`      //
	Disk      float64 `json:"disk_mb"`          // of the store alone
	Late      int     `json:"without_vectors"`  // of the measured answers
	Filtered  float64 `json:"filtered_p50_ms"`  // with type and actor, which one memory in a hundred passes
	Space     float64 `json:"namespace_p50_ms"` // in a namespace that holds one memory in a hundred
}

func main() {
	var o options
	flag.IntVar(&o.size, "size", 100_000, "memories")
	flag.IntVar(&o.dimension, "dimension", lsa.Dimension, "of the vectors; other than 128 they are random")
	flag.IntVar(&o.calls, "calls", 300, "calls measured of each kind")
	flag.StringVar(&o.dir, "dir", "", "keep the store in this folder and use it again")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile of the server to this file")
	flag.StringVar(&o.against, "against", "", "ask another build of this program the same, and compare answers and CPU")
	flag.BoolVar(&o.serve, "serve", false, "be the server (used by the program itself)")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.serve {
		return serve(ctx, o)
	}
	if o.dir == "" {
		dir, err := os.MkdirTemp("", "agent-memory-scale-")
		if err != nil {
			return fmt.Errorf("making a folder: %w", err)
		}
		defer os.RemoveAll(dir)
		o.dir = dir
	}
	report := Report{Size: o.size, Dimension: o.dimension}
	begun := time.Now()
	if err := fill(ctx, o); err != nil {
		return fmt.Errorf("filling the store: %w", err)
	}
	if o.against != "" {
		return compare(ctx, o, os.Stdout)
	}
	report.Filled = time.Since(begun).Seconds()
	failed := measure(ctx, o, &report) // what came before a failure is printed nevertheless
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	if err := out.Encode(report); err != nil {
		return fmt.Errorf("printing the report: %w", err)
	}
	if failed != nil {
		return fmt.Errorf("measuring: %w", failed)
	}
	return nil
}

func (o options) store() string { return filepath.Join(o.dir, fmt.Sprintf("%d.db", o.size)) }
func (o options) plain() string { return filepath.Join(o.dir, fmt.Sprintf("%d-plain.db", o.size)) }
