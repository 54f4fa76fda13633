package tools

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
)

// EvalSubject is one fresh store under evaluation. It works like any other:
// memories come in by import, questions are answered by recall.
type EvalSubject interface {
	// Add takes the memories over and returns when words and vectors are indexed.
	Add(ctx context.Context, source ImportSource) error
	// Recall answers as the tool of that name does, with an arm's parameters.
	Recall(ctx context.Context, arm Arm, a RecallArgs) (RecallResult, error)
	Close() error
}

// EvalBench opens fresh stores.
type EvalBench interface {
	Open(ctx context.Context, name string) (EvalSubject, error)
}

// Arm is one way of ranking that is compared with others.
type Arm struct {
	Name       string          `json:"name"`
	Parameters rank.Parameters `json:"-"`
	Vectors    bool            `json:"vectors"`
}

// EvalSet is one folder of evaluation data: memories.jsonl and queries.jsonl.
type EvalSet struct {
	Name string
	FS   fs.FS
}

// EvalArgs say what is evaluated and how.
type EvalArgs struct {
	Unit      string // memory or session: what counts as found
	Pooled    bool   // also ask all stores of a set at once
	Arms      bool   // compare arms
	Resamples int    // of the bootstrap; 0: no intervals
}

// EvalReport is the outcome: one entry for each set, way of asking and arm.
type EvalReport struct {
	Unit    string       `json:"unit"`
	Results []EvalResult `json:"results"`
}

// EvalResult holds the figures of one set, asked store by store or pooled, by one arm.
type EvalResult struct {
	Set      string        `json:"set"`
	Pooled   bool          `json:"pooled"`
	Arm      string        `json:"arm"`
	Stores   int           `json:"stores"`
	Memories int           `json:"memories"`
	All      Figures       `json:"all"`
	Kinds    []Figures     `json:"kinds"`
	False    []FalseRecall `json:"false_recall"`
	Latency  Latency       `json:"latency_ms"`
	Curve    []float64     `json:"recall_curve"` // recall at 1, 2, … curveLength
}

// Latency of a recall within the program, in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Eval is the use case behind the command of that name.
type Eval struct {
	Bench    EvalBench
	Defaults rank.Parameters
	Clock    func() time.Time // for latencies only
}

// defaultArm is the ranking that users get.
const defaultArm = "default"

// UnitSession ranks sessions instead of memories.
const UnitSession = "session"

// Run evaluates each set.
func (e *Eval) Run(ctx context.Context, a EvalArgs, sets []EvalSet) (EvalReport, error) {
	if a.Unit == "" {
		a.Unit = "memory"
	}
	if a.Unit != "memory" && a.Unit != UnitSession {
		return EvalReport{}, memory.Errorf(memory.InvalidArgument, "unit cannot be %q", a.Unit).WithHint("memory or session")
	}
	report := EvalReport{Unit: a.Unit}
	for _, set := range sets {
		data, err := readEvalData(set.FS)
		if err != nil {
			return report, fmt.Errorf("reading the evaluation set %s: %w", set.Name, err)
		}
		results, err := e.set(ctx, a, set.Name, data)
		if err != nil {
			return report, fmt.Errorf("evaluating %s: %w", set.Name, err)
		}
		report.Results = append(report.Results, results...)
	}
	return report, nil
}

// set evaluates one set store by store and, if asked, with all stores in one.
func (e *Eval) set(ctx context.Context, a EvalArgs, name string, data evalData) ([]EvalResult, error) {
	arms := []Arm{{Name: defaultArm, Parameters: e.Defaults, Vectors: true}}
	if a.Arms {
		arms = Arms(e.Defaults)
	}
	results, err := e.ask(ctx, a, arms, data.stores())
	if err != nil {
		return nil, err
	}
	if a.Pooled && len(data.names) > 1 {
		pooled, err := e.ask(ctx, a, arms, []evalStore{data.pooled()})
		if err != nil {
			return nil, err
		}
		for i := range pooled {
			pooled[i].Pooled = true
		}
		results = append(results, pooled...)
	}
	for i := range results {
		results[i].Set = name
	}
	return results, nil
}

// ask fills a fresh store for each part of the data and asks its questions by every arm.
func (e *Eval) ask(ctx context.Context, a EvalArgs, arms []Arm, stores []evalStore) ([]EvalResult, error) {
	answers := make([][]answer, len(arms))
	memories := 0
	for _, s := range stores {
		memories += len(s.records)
		if err := e.askStore(ctx, a, arms, s, answers); err != nil {
			return nil, fmt.Errorf("store %s: %w", s.name, err)
		}
	}
	results := make([]EvalResult, len(arms))
	for i, arm := range arms {
		results[i] = summarise(answers[i], a.Resamples)
		results[i].Arm, results[i].Stores, results[i].Memories = arm.Name, len(stores), memories
	}
	return results, nil
}

func (e *Eval) askStore(ctx context.Context, a EvalArgs, arms []Arm, s evalStore, answers [][]answer) (err error) {
	subject, err := e.Bench.Open(ctx, s.name)
	if err != nil {
		return fmt.Errorf("opening a fresh store: %w", err)
	}
	defer func() {
		if closing := subject.Close(); err == nil {
			err = closing
		}
	}()
	if err := subject.Add(ctx, s.source()); err != nil {
		return fmt.Errorf("importing %d memories: %w", len(s.records), err)
	}
	for i, arm := range arms {
		for _, q := range s.queries {
			got, err := e.answer(ctx, a.Unit, arm, subject, q)
			if err != nil {
				return fmt.Errorf("asking %s: %w", q.ID, err)
			}
			got.gold, got.found = s.units(a.Unit, q.Gold), ordered(s.units(a.Unit, got.found))
			answers[i] = append(answers[i], got)
		}
		ProgressFrom(ctx)(i+1, len(arms), "arms of "+s.name)
	}
	return nil
}

// answer asks one question. Abstention is switched off and applied afterwards
// by the confidence, so that one run shows the ranking with and without it.
func (e *Eval) answer(ctx context.Context, unit string, arm Arm, subject EvalSubject, q evalQuery) (answer, error) {
	threshold := arm.Parameters.Threshold
	arm.Parameters.Threshold = 0
	start := e.Clock()
	args := RecallArgs{Query: q.Query, Limit: maxResults}
	if unit == UnitSession {
		args.GroupBy = UnitSession
	}
	result, err := subject.Recall(ctx, arm, args)
	if err != nil {
		return answer{}, err
	}
	got := answer{query: q, abstained: result.Confidence < threshold || result.Count == 0, took: e.Clock().Sub(start)}
	for _, h := range result.Memories {
		got.found = append(got.found, h.ID)
	}
	return got, nil
}
