package tools_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"agentmemory/internal/rank"
	analysis "agentmemory/internal/text"
	"agentmemory/tools"
)

// stepFloors is the least MRR of each kind of question in testdata/retrieval/steps,
// .01 below what was measured when it was set. Each kind asks for what one step of
// the ranking does: beside the memory that is meant stands another one that comes
// first without that step.
func stepFloors() map[string]float64 {
	return map[string]float64{
		"asking":       0.99,
		"answers":      0.49,
		"conversation": 0.49,
		"date":         0.61,
		"identifiers":  0.99,
		"length":       0.86,
		"pairs":        0.90,
		"phrases":      0.99,
		"regions":      0.79,
		"speaker":      0.74,
		"spread":       0.49,
		"stems":        0.99,
		"talk":         0.90,
		"telling":      0.99,
		"time":         0.86,
	}
}

// slipped lists the kinds whose MRR lies below its floor.
func slipped(t *testing.T, r tools.EvalResult) []string {
	t.Helper()
	floors := stepFloors()
	var low []string
	for _, k := range r.Kinds {
		floor, known := floors[k.Kind]
		if !known {
			t.Errorf("%s: no floor is set; measured %.4f", k.Kind, k.MRR.Mean)
		}
		if k.MRR.Mean < floor {
			low = append(low, k.Kind)
		}
	}
	if len(r.Kinds) != len(floors) {
		t.Errorf("%d kinds, %d floors", len(r.Kinds), len(floors))
	}
	return low
}

// filledBench fills each store once, however often it is opened.
type filledBench struct {
	evalBench
	filled map[string]*filledSubject
}

type filledSubject struct {
	tools.EvalSubject
	full bool
}

func (b *filledBench) Open(ctx context.Context, name string) (tools.EvalSubject, error) {
	if b.filled[name] == nil {
		s, err := b.evalBench.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		b.filled[name] = &filledSubject{EvalSubject: s}
	}
	return b.filled[name], nil
}

func (s *filledSubject) Add(ctx context.Context, source tools.ImportSource) error {
	if s.full {
		return nil
	}
	s.full = true
	return s.EvalSubject.Add(ctx, source)
}

// stepsSet reads the questions and memories; distort changes every text.
func stepsSet(t *testing.T, distort func(string) string) tools.EvalSet {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"memories.jsonl", "queries.jsonl"} {
		raw, err := os.ReadFile(filepath.Join("..", "testdata", "retrieval", "steps", name))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
			var line map[string]any
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			for _, field := range []string{"content", "query"} {
				if s, ok := line[field].(string); ok {
					line[field] = distort(s)
				}
			}
			if err := json.NewEncoder(&out).Encode(line); err != nil {
				t.Fatal(err)
			}
		}
		files[name] = &fstest.MapFile{Data: out.Bytes()}
	}
	return tools.EvalSet{Name: "steps", FS: files}
}

func same(s string) string { return s }

// unstemmed makes every English word one that has no other forms.
func unstemmed(s string) string {
	return regexp.MustCompile(`[A-Za-z]{2,}`).ReplaceAllStringFunc(s, func(word string) string {
		if len(analysis.Index(word+" zebra")) == 1 || word == "Assistant" {
			return word
		}
		return word + "ж"
	})
}

// unpaired parts all characters, so that no two of them make a pair.
func unpaired(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteRune(r)
		if utf8.RuneLen(r) > 2 && analysis.IsCJK(r) {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// TestPlantedLossesAreNoticed plants a loss in one step after the other: the gate
// has to name the kind of question that suffers, and must be silent without one.
func TestPlantedLossesAreNoticed(t *testing.T) {
	t.Parallel()
	plants := []struct {
		name    string
		suffers string
		change  func(*rank.Parameters)
		distort func(string) string
	}{
		{"nothing", "", func(*rank.Parameters) {}, same},
		{"no stems", "stems", nil, unstemmed},
		{"no pairs of characters", "regions", nil, unpaired},
		{"no phrases", "phrases", func(p *rank.Parameters) { p.Phrase = 0 }, same},
		{"no window", "spread", func(p *rank.Parameters) { p.Window = 0 }, same},
		{"no neighbours", "answers", func(p *rank.Parameters) { p.Previous, p.Answered, p.Next, p.Distant = 0, 0, 0, 0 }, same},
		{"questions and answers swapped", "answers", func(p *rank.Parameters) { p.Previous, p.Answered = p.Answered, p.Previous }, same},
		{"no session", "conversation", func(p *rank.Parameters) { p.Session = 0 }, same},
		{"short remarks get as much", "conversation", func(p *rank.Parameters) { p.Brevity = 0 }, same},
		{"no speaker", "speaker", func(p *rank.Parameters) { p.Speaker = 0 }, same},
		{"no person", "talk", func(p *rank.Parameters) { p.Person = 0 }, same},
		{"no date", "date", func(p *rank.Parameters) { p.Date = 0 }, same},
		{"no time words", "time", func(p *rank.Parameters) { p.TimeWord = 0 }, same},
		{"questions as good as statements", "telling", func(p *rank.Parameters) { p.Asking = 0 }, same},
		{"length does not count", "length", func(p *rank.Parameters) { p.B = 0 }, same},
		{"terms that never saturate", "speaker", func(p *rank.Parameters) { p.K1 = 3 }, same},
		{"own text counts less than neighbours", "talk", func(p *rank.Parameters) { p.Words = 0.3 }, same},
		{"vectors and words swapped", "spread", func(p *rank.Parameters) { p.Semantic = 1 }, same},
	}
	whole := &filledBench{evalBench{t}, map[string]*filledSubject{}}
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			bench, parameters := whole, rank.Defaults()
			if p.change == nil {
				bench = &filledBench{evalBench{t}, map[string]*filledSubject{}}
			} else {
				p.change(&parameters)
			}
			eval := &tools.Eval{Bench: bench, Defaults: parameters, Clock: func() time.Time { return time.Unix(0, 0) }}
			report, err := eval.Run(t.Context(), tools.EvalArgs{}, []tools.EvalSet{stepsSet(t, p.distort)})
			if err != nil {
				t.Fatal(err)
			}
			low := slipped(t, report.Results[0])
			if p.suffers == "" && len(low) > 0 || p.suffers != "" && !slices.Contains(low, p.suffers) {
				t.Errorf("the gate names %q, expected %q", low, p.suffers)
			}
		})
	}
}
