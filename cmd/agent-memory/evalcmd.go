package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/internal/redact"
	"agentmemory/lifecycle"
	"agentmemory/store"
	"agentmemory/tools"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"
)

// evalFlags are what the command line adds to the arguments of an evaluation.
type evalFlags struct {
	args tools.EvalArgs
	plot string
}

func (a *app) evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval DIR…",
		Short: "Measure retrieval on evaluation data: recall, false recall, latency, arms",
		Long: `Eval fills a fresh store in a temporary folder with DIR/memories.jsonl, by import, and asks it DIR/queries.jsonl, by recall;
the workspace is not touched. One JSON object a line:
  memories.jsonl  {"store":"a","id":"1","content":"…","actor":"…","session_id":"…","seq":0,"observed_at":"2026-02-21T14:00:00Z"}
  queries.jsonl   {"store":"a","id":"q1","query":"…","gold":["1"],"kind":"…","answerable":true}
A question is asked of its own store. "answerable": false marks those that should get no answer. Ids may repeat between stores.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error { return a.runEval(cmd.Context(), f, dirs) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.args.Unit, "unit", "memory", "what is ranked: memory or session")
	flags.BoolVar(&f.args.Pooled, "pooled", true, "also ask all stores of a set at once")
	flags.BoolVar(&f.args.Arms, "arms", false, "compare words, vectors, and the whole without each of its steps")
	flags.IntVar(&f.args.Resamples, "bootstrap", 1000, "resamples for the 95 % intervals; 0: none")
	flags.StringVar(&f.plot, "plot", "", "write the curves of recall@k to this SVG `FILE`")
	return cmd
}

func (a *app) runEval(ctx context.Context, f evalFlags, dirs []string) (err error) {
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "agent-memory-eval-")
	if err != nil {
		return fmt.Errorf("making a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	sets := make([]tools.EvalSet, len(dirs))
	for i, dir := range dirs {
		sets[i] = tools.EvalSet{Name: filepath.Base(filepath.Clean(dir)), FS: os.DirFS(dir)}
	}
	bench := &evalBench{folder: folder, now: a.env.Now, profile: profile}
	eval := &tools.Eval{Bench: bench, Defaults: rank.Defaults(), Clock: a.env.Now}
	report, err := eval.Run(a.withProgress(ctx), f.args, sets)
	if err != nil {
		return err
	}
	if err := plotEval(report, f.plot); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.Out, report)
	}
	return report.Text(a.Out)
}

func plotEval(report tools.EvalReport, path string) (err error) {
	if path == "" {
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return memory.Errorf(codeOfFile(err), "writing the plot: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return report.Plot(f)
}

// evalBench opens stores of its own, one file each.
type evalBench struct {
	folder  string
	now     func() time.Time
	profile lifecycle.Profile
	opened  int
}

// Open opens a fresh store with everything that recall needs.
func (b *evalBench) Open(ctx context.Context, _ string) (tools.EvalSubject, error) {
	b.opened++
	path := filepath.Join(b.folder, fmt.Sprintf("%d.db", b.opened))
	s, err := store.Open(ctx, store.Options{Path: path, Now: b.now, IDs: memory.NewIDSource(b.now, rand.Reader)})
	if err != nil {
		return nil, err
	}
	keeper := &lsa.Keeper{Generations: s, Contents: s, Lock: flock.New(path + ".lock"), Namespace: memory.DefaultNamespace}
	return &evalSubject{bench: b, store: s, keeper: keeper, meaning: &lsa.Meaning{Keeper: keeper, Vectors: s}}, nil
}

// evalSubject is one store under evaluation. Nothing is written to files, and
// no access is noted: each question meets the same store.
type evalSubject struct {
	bench   *evalBench
	store   *store.Store
	keeper  *lsa.Keeper
	meaning *lsa.Meaning
}

// Notify, Used and Returned take no notice.
func (s *evalSubject) Notify()            {}
func (s *evalSubject) Used(...string)     {}
func (s *evalSubject) Returned(...string) {}

// Add imports the memories and learns their vectors.
func (s *evalSubject) Add(ctx context.Context, source tools.ImportSource) error {
	importer := &tools.Import{Store: s.store, Text: redact.New(), Mirror: s, Now: s.bench.now, Namespace: memory.DefaultNamespace}
	result, err := importer.Run(ctx, tools.ImportArgs{Store: "eval"}, source)
	if err != nil {
		return err
	}
	if result.Failed > 0 || result.Refused > 0 {
		return fmt.Errorf("%d memories could not be imported: %v", result.Failed+result.Refused, result.Warnings)
	}
	return s.keeper.Update(ctx)
}

// Recall asks by an arm's parameters.
func (s *evalSubject) Recall(ctx context.Context, arm tools.Arm, args tools.RecallArgs) (tools.RecallResult, error) {
	r := &tools.Recall{Store: s.store, Accesses: s, Profile: s.bench.profile, Parameters: arm.Parameters, Now: s.bench.now, Namespace: memory.DefaultNamespace}
	if arm.Vectors {
		r.Meaning = s.meaning
	}
	return r.Run(ctx, args)
}

// Close closes the store.
func (s *evalSubject) Close() error { return s.store.Close() }
