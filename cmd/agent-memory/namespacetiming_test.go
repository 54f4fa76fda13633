package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestWhatAnotherHoldsCostsNothing asks, as one agent, for a word that fills
// another agent's memory, and for one that nobody knows: the answers are the
// same, and so is the work, in statements of the database and in memory that is
// taken. Times by the clock are logged: the machine is never idle enough to judge by.
func TestWhatAnotherHoldsCostsNothing(t *testing.T) {
	sequential(t)
	t.Parallel()
	env, dir, _ := agents(t)
	var lines strings.Builder
	for i := range 400 {
		fmt.Fprintf(&lines, `{"content":"quokkaberg keeps record %d of the %c%c archive","type":"knowledge","uri":"knowledge://records/r%d"}`+"\n", i, 'a'+rune(i%26), 'a'+rune(i/26%26), i)
	}
	file := filepath.Join(t.TempDir(), "records.jsonl")
	writeFile(t, file, lines.String())
	if code, _, errs := program(t, env, as(dir, "kai", "import", file)...); code != 0 {
		t.Fatal(errs)
	}
	e, err := (&app{streams: streams{Out: &strings.Builder{}, Err: &strings.Builder{}}, env: env, workspaceFlag: dir, setFlags: []string{"agent=空"}}).openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for _, question := range []string{"%s", "the okapi and %s", "who feeds the okapi at noon: %s?", "does %s sleep in the cellar"} {
		held, unknown := probe(t, e, question, "quokkaberg"), probe(t, e, question, "wollemiberg")
		if held.answer != unknown.answer {
			t.Errorf("%q: the answers differ:\n%s\n%s", question, held.answer, unknown.answer)
		}
	}
	held, unknown := probe(t, e, "%s", "quokkaberg"), probe(t, e, "%s", "wollemiberg")
	for range 30 { // in turn, so that both meet the same machine
		held.ask()
		unknown.ask()
	}
	if held.statements != unknown.statements {
		t.Errorf("a word of another agent costs %d statements, one of nobody %d", held.statements, unknown.statements)
	}
	if ratio := float64(held.bytes) / float64(unknown.bytes); ratio > 1.1 || ratio < .9 {
		t.Errorf("a word of another agent takes %d bytes, one of nobody %d", held.bytes, unknown.bytes)
	}
	t.Logf("at best %s and %s; %d and %d bytes, %d statements", held.best, unknown.best, held.bytes, unknown.bytes, held.statements)
}

// prober asks one question again and again.
type prober struct {
	t          *testing.T
	e          *engine
	word       string
	question   string
	answer     string // without the word
	statements int64
	bytes      uint64 // the least
	best       time.Duration
}

func probe(t *testing.T, e *engine, question, word string) *prober {
	p := &prober{t: t, e: e, word: word, question: fmt.Sprintf(question, word), bytes: 1 << 62, best: time.Hour}
	for range 5 { // caches fill
		p.ask()
	}
	return p
}

func (p *prober) ask() {
	p.t.Helper()
	var before, after runtime.MemStats
	work := p.e.store.Work().Statements
	runtime.ReadMemStats(&before)
	begun := time.Now()
	result, err := p.e.call(p.t.Context(), "recall", json.RawMessage(`{"explain":true,"query":"`+p.question+`"}`))
	took := time.Since(begun)
	runtime.ReadMemStats(&after)
	if err != nil {
		p.t.Fatal(err)
	}
	p.statements = p.e.store.Work().Statements - work
	p.bytes, p.best = min(p.bytes, after.TotalAlloc-before.TotalAlloc), min(p.best, took)
	raw, err := json.Marshal(result)
	if err != nil {
		p.t.Fatal(err)
	}
	p.answer = strings.ReplaceAll(string(raw), p.word, "…")
}
