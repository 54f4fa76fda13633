package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"agentmemory/internal/rank"
	"agentmemory/tools"

	"github.com/spf13/cobra"
)

type evalFlags struct {
	tools.EvalArgs
	plot      string
	intervals bool
}

// resamples of the bootstrap: enough for two digits of an interval.
const resamples = 1000

func (a *app) evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval DIR…",
		Short: "Measure retrieval on data of your own, in temporary workspaces",
		Long: `Eval runs questions against the real program and prints recall@k, any@k, MRR and the rate of false answers.
Each DIR holds memories.jsonl (store, id, content, actor, session_id, seq, observed_at)
and queries.jsonl (store, id, query, gold: ids of memories, kind, answerable).`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error { return a.runEval(cmd.Context(), f, dirs) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Unit, "unit", "memory", "what counts as found: `UNIT` memory or session")
	flags.BoolVar(&f.Pooled, "pooled", false, "also ask all stores of a set at once")
	flags.BoolVar(&f.Arms, "arms", false, "compare ways of ranking: words only, vectors only, without each boost")
	flags.BoolVar(&f.intervals, "intervals", false, "print 95 % bootstrap intervals")
	flags.StringVar(&f.plot, "plot", "", "draw recall by rank into `FILE.svg`")
	return cmd
}

func (a *app) runEval(ctx context.Context, f evalFlags, dirs []string) error {
	var sets []tools.EvalSet
	for _, dir := range dirs {
		path, err := a.env.expand(dir)
		if err != nil {
			return err
		}
		if !isDir(path) {
			return fileProblem(path, os.ErrNotExist)
		}
		sets = append(sets, tools.EvalSet{Name: filepath.Base(path), FS: os.DirFS(path)})
	}
	if f.intervals {
		f.Resamples = resamples
	}
	parameters, err := evalBench{a}.parameters()
	if err != nil {
		return err
	}
	eval := &tools.Eval{Bench: evalBench{a}, Defaults: parameters, Clock: a.env.Now}
	report, err := eval.Run(a.withProgress(ctx), f.EvalArgs, sets)
	if err != nil {
		return err
	}
	if f.plot != "" {
		if err := a.plot(f.plot, report.Plot); err != nil {
			return err
		}
	}
	if a.json {
		return writeJSON(a.Out, report)
	}
	return report.Text(a.Out, a.printer(a.Out).sentence)
}

// plot writes a drawing into a file that the user named.
func (a *app) plot(file string, draw func(io.Writer) error) (err error) {
	path, err := a.env.expand(file)
	if err != nil {
		return err
	}
	out, err := os.Create(path) //nolint:gosec // the user names the file
	if err != nil {
		return fileProblem(path, err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return draw(out)
}

// evalBench opens each store under evaluation as a workspace of its own, which
// is removed afterwards.
type evalBench struct{ app *app }

// evalFolder begins the names of the temporary workspaces.
const evalFolder = "agent-memory-eval-"

// parameters are those that every fresh workspace ranks by: its embedder is
// that of the user's settings, of the environment or of the flags.
func (b evalBench) parameters() (rank.Parameters, error) {
	fresh := *b.app
	fresh.workspaceFlag = filepath.Join(os.TempDir(), evalFolder+"none")
	c, err := fresh.loadConfig()
	if err != nil {
		return rank.Parameters{}, err
	}
	return c.ranking(), nil
}

// Open implements tools.EvalBench.
func (b evalBench) Open(ctx context.Context, _ string) (tools.EvalSubject, error) {
	folder, err := os.MkdirTemp("", evalFolder)
	if err != nil {
		return nil, fmt.Errorf("making a temporary workspace: %w", err)
	}
	fresh := *b.app
	fresh.workspaceFlag = folder
	fresh.Err = io.Discard // no notes about new workspaces
	e, err := fresh.openEngine(ctx)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return &evalSubject{engine: e, folder: folder}, nil
}

type evalSubject struct {
	engine *engine
	folder string
}

// Add implements tools.EvalSubject.
func (s *evalSubject) Add(ctx context.Context, source tools.ImportSource) error {
	if _, err := s.engine.importer().Run(ctx, tools.ImportArgs{Store: "eval"}, source); err != nil {
		return err
	}
	if s.engine.vectors == nil {
		return nil
	}
	return s.engine.vectors.update(ctx)
}

// Recall implements tools.EvalSubject.
func (s *evalSubject) Recall(ctx context.Context, arm tools.Arm, args tools.RecallArgs) (tools.RecallResult, error) {
	recall := s.engine.recall()
	recall.Parameters = arm.Parameters
	if !arm.Vectors {
		recall.Meaning = nil
	}
	return recall.Run(ctx, args)
}

// Close implements tools.EvalSubject.
func (s *evalSubject) Close() error {
	return errors.Join(s.engine.close(), os.RemoveAll(s.folder))
}
