package tools_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/internal/redact"
	"agentmemory/lifecycle"
	"agentmemory/store"
	"agentmemory/store/storetest"
	"agentmemory/tools"
)

// evalBench opens real stores for an evaluation.
type evalBench struct{ t *testing.T }

func (b evalBench) Open(context.Context, string) (tools.EvalSubject, error) {
	s, clock := storetest.Open(b.t)
	keeper := &lsa.Keeper{Generations: s, Contents: s, Hold: nobodyElse, Namespace: memory.DefaultNamespace}
	return &evalSubject{t: b.t, store: s, clock: clock, keeper: keeper}, nil
}

type evalSubject struct {
	t      *testing.T
	store  *store.Store
	clock  *storetest.Clock
	keeper *lsa.Keeper
}

func (s *evalSubject) Add(ctx context.Context, source tools.ImportSource) error {
	importer := &tools.Import{Store: s.store, Archive: &archive{}, Text: redact.New(), Mirror: nobody{}, Now: s.clock.Now, Namespace: memory.DefaultNamespace}
	result, err := importer.Run(ctx, tools.ImportArgs{Store: "eval"}, source)
	if err != nil {
		return err
	}
	if result.Added != result.Read {
		s.t.Errorf("%d of %d memories were imported: %v", result.Added, result.Read, result.Warnings)
	}
	return s.keeper.Update(ctx)
}

func (s *evalSubject) Recall(ctx context.Context, arm tools.Arm, a tools.RecallArgs) (tools.RecallResult, error) {
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		return tools.RecallResult{}, err
	}
	r := &tools.Recall{Store: s.store, Accesses: nobody{}, Profile: profile, Parameters: arm.Parameters, Now: s.clock.Now, Namespace: memory.DefaultNamespace}
	if arm.Vectors {
		r.Meaning = &lsa.Meaning{Keeper: s.keeper, Vectors: s.store}
	}
	return r.Run(ctx, a)
}

func (s *evalSubject) Close() error { return nil } // the test does

func evaluated(t *testing.T, a tools.EvalArgs, sets ...tools.EvalSet) tools.EvalReport {
	t.Helper()
	elapsed := time.Duration(0)
	clock := func() time.Time {
		elapsed += time.Millisecond
		return time.Unix(0, 0).Add(elapsed)
	}
	eval := &tools.Eval{Bench: evalBench{t}, Defaults: rank.Defaults(), Clock: clock}
	report, err := eval.Run(t.Context(), a, sets)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func bilingual() tools.EvalSet {
	return tools.EvalSet{Name: "bilingual", FS: os.DirFS(filepath.Join("..", "testdata", "retrieval", "bilingual"))}
}

// TestRetrievalDoesNotSlip is the gate on quality: conversations and questions
// of our own in four languages. The bounds lie one or two questions below what was
// measured when they were set (.985, 1, .941, .867).
func TestRetrievalDoesNotSlip(t *testing.T) {
	t.Parallel()
	result := evaluated(t, tools.EvalArgs{}, bilingual()).Results[0]
	for _, bound := range []struct {
		name      string
		got, want float64
	}{
		{"recall@5", result.All.Recall5.Mean, 0.97},
		{"any@10", result.All.Any10.Mean, 0.985},
		{"any@10 answered", result.All.Answered.Mean, 0.91},
		{"MRR", result.All.MRR.Mean, 0.85},
	} {
		if bound.got < bound.want {
			t.Errorf("%s has slipped to %.3f, below %.2f", bound.name, bound.got, bound.want)
		}
	}
	for _, f := range result.False {
		if most := map[string]float64{"foreign": 0.2, "absent": 0.4}[f.Kind]; f.Rate.Mean > most {
			t.Errorf("%.2f of the %s questions are answered, more than %.2f", f.Rate.Mean, f.Kind, most)
		}
	}
	for _, kind := range result.Kinds {
		if kind.Any10.Mean < 0.9 {
			t.Errorf("%s: any@10 is %.3f", kind.Kind, kind.Any10.Mean)
		}
	}
}

func TestEvalComparesArmsPooledAndBySession(t *testing.T) {
	t.Parallel()
	report := evaluated(t, tools.EvalArgs{Arms: true, Pooled: true, Unit: tools.UnitSession, Resamples: 50}, bilingual())
	arms := len(tools.Arms(rank.Defaults()))
	if len(report.Results) != 2*arms {
		t.Fatalf("%d results for %d arms, apart and pooled", len(report.Results), arms)
	}
	best, plain := report.Results[0], report.Results[2]
	if best.Arm != "default" || plain.Arm != "plain BM25" || best.All.MRR.Mean < plain.All.MRR.Mean {
		t.Errorf("%s has MRR %.3f, %s %.3f", best.Arm, best.All.MRR.Mean, plain.Arm, plain.All.MRR.Mean)
	}
	if i := best.All.Recall5; i.Low > i.Mean || i.High < i.Mean {
		t.Errorf("the mean %.3f lies outside [%.3f, %.3f]", i.Mean, i.Low, i.High)
	}
	if !report.Results[arms].Pooled || report.Results[arms].Stores != 1 {
		t.Errorf("%+v is not pooled", report.Results[arms])
	}
	var text, plot bytes.Buffer
	if err := report.Text(&text, nil); err != nil || !strings.Contains(text.String(), "bilingual (pooled)") {
		t.Errorf("%v: %s", err, text.String())
	}
	if err := report.Plot(&plot); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, &plot)
}

func wellFormed(t *testing.T, r io.Reader) {
	t.Helper()
	d := xml.NewDecoder(r)
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the plot is no XML: %v", err)
		}
	}
}

// TestEvalFigures checks the measures on answers that can be counted by hand.
func TestEvalFigures(t *testing.T) {
	data := fstest.MapFS{
		"memories.jsonl": {Data: []byte(`{"store":"a","id":1,"content":"The lighthouse keeper is called Amund","session_id":"s","seq":0}
{"store":"a","id":2,"content":"Supper is herring with beetroot","session_id":"s","seq":1}
{"store":"b","id":1,"content":"Violin strings arrive on Monday"}
`)},
		"queries.jsonl": {Data: []byte(`{"store":"a","id":"q1","query":"lighthouse keeper","gold":["1"],"kind":"one"}
{"store":"a","id":"q2","query":"beetroot","gold":[2,1],"kind":"two"}
{"store":"b","id":"q3","query":"violin strings","gold":["1"],"kind":"one"}
{"store":"b","id":"q4","query":"helicopter licence of Amund","gold":[],"kind":"none","answerable":false}
`)},
	}
	result := evaluated(t, tools.EvalArgs{}, tools.EvalSet{Name: "tiny", FS: data}).Results[0]
	if result.Stores != 2 || result.Memories != 3 || result.All.Queries != 3 {
		t.Errorf("%d stores, %d memories, %d questions", result.Stores, result.Memories, result.All.Queries)
	}
	if result.All.MRR.Mean != 1 || result.All.Any10.Mean != 1 || result.Curve[0] < 0.83 || result.Curve[0] > 0.84 {
		t.Errorf("MRR %.3f, any@10 %.3f, recall@1 %.3f", result.All.MRR.Mean, result.All.Any10.Mean, result.Curve[0])
	}
	if len(result.False) != 1 || result.False[0].Rate.Mean != 0 || result.False[0].Queries != 1 {
		t.Errorf("false recall %+v", result.False)
	}
	if result.Latency.P50 != 1 {
		t.Errorf("latency %+v of a clock that moves 1 ms between looks", result.Latency)
	}
}

// TestPooledQuestionsThatAnotherStoreAnswers: asked of all stores at once they have an answer.
func TestPooledQuestionsThatAnotherStoreAnswers(t *testing.T) {
	data := fstest.MapFS{
		"memories.jsonl": {Data: []byte(`{"store":"a","id":1,"content":"The lighthouse keeper is called Amund"}
{"store":"b","id":1,"content":"Violin strings arrive on Monday"}
`)},
		"queries.jsonl": {Data: []byte(`{"store":"a","id":"q1","query":"Who keeps the lighthouse?","gold":["1"],"kind":"one"}
{"store":"b","id":"q2","query":"Who keeps the lighthouse?","gold":[],"kind":"foreign","answerable":false}
{"store":"b","id":"q3","query":"Who repairs the helicopter?","gold":[],"kind":"absent","answerable":false}
`)},
	}
	report := evaluated(t, tools.EvalArgs{Pooled: true}, tools.EvalSet{Name: "tiny", FS: data})
	if apart := report.Results[0].False; len(apart) != 2 {
		t.Errorf("store by store: %+v", apart)
	}
	if pooled := report.Results[1].False; len(pooled) != 1 || pooled[0].Kind != "absent" {
		t.Errorf("pooled: %+v", pooled)
	}
}

func TestEvalRefusesWhatItCannotRead(t *testing.T) {
	eval := &tools.Eval{Bench: evalBench{t}, Defaults: rank.Defaults(), Clock: func() time.Time { return time.Unix(0, 0) }}
	for name, set := range map[string]fstest.MapFS{
		"no files": {},
		"no JSON":  {"memories.jsonl": {Data: []byte("{")}, "queries.jsonl": {}},
	} {
		if _, err := eval.Run(t.Context(), tools.EvalArgs{}, []tools.EvalSet{{Name: name, FS: set}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := eval.Run(t.Context(), tools.EvalArgs{Unit: "page"}, nil); memory.CodeOf(err) != memory.InvalidArgument {
		t.Errorf("an unknown unit: %v", err)
	}
}
