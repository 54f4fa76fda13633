package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the program answers in testdata/conversations")

// TestConversations plays the files of testdata/conversations against the
// whole program, in lock-step. The text on top says what is shown. Sections:
//
//	call TOOL     the arguments of one call, as JSON
//	answer        what the answer must hold: of objects only the members named
//	              here count, lists must have the same length
//	file PATH     what a file of the workspace must hold, soon
//	write PATH    a person writes a file
//
// Ids differ from run to run: the first one seen is written <id 1>, and so on.
func TestConversations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/conversations/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { play(t, file) })
	}
}

func play(t *testing.T, file string) {
	script, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p := converse(t)
	for i := range script.Files {
		s := &script.Files[i]
		verb, rest, _ := strings.Cut(s.Name, " ")
		switch verb {
		case "call":
			p.call(t, rest, p.real(string(s.Data)))
		case "answer":
			p.compare(t, s)
		case "file":
			p.file(t, rest, s)
		case "write":
			writeFile(t, filepath.Join(p.workspace, rest), p.real(string(s.Data)))
		default:
			t.Fatalf("%s: unknown section %q", file, s.Name)
		}
	}
	p.finish(t)
	if *update {
		if err := os.WriteFile(file, txtar.Format(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// partner is a client in conversation with the program.
type partner struct {
	in        *io.PipeWriter
	out       *bufio.Reader
	ended     chan int
	errs      *bytes.Buffer
	workspace string
	calls     int
	last      json.RawMessage // the latest answer
	ids       []string        // in the order of appearance
}

func converse(t *testing.T) *partner {
	t.Helper()
	env, home := surround(t)
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	p := &partner{in: inWrite, out: bufio.NewReader(outRead), ended: make(chan int, 1), errs: &bytes.Buffer{}, workspace: filepath.Join(home, ".agent-memory")}
	go func() {
		p.ended <- run(t.Context(), []string{"agent-memory", "serve"}, streams{In: inRead, Out: outWrite, Err: p.errs}, env)
		_ = outWrite.Close()
	}()
	return p
}

func (p *partner) call(t *testing.T, tool, args string) {
	t.Helper()
	p.calls++
	if _, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", p.calls, tool, oneLine(t, args)); err != nil {
		t.Fatal(err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("no answer to call %d: %v", p.calls, err)
	}
	var got struct {
		Result struct{ Content []struct{ Text string } }
		Error  json.RawMessage
	}
	if err := json.Unmarshal(line, &got); err != nil || len(got.Result.Content) != 1 {
		t.Fatalf("answer to call %d: %s", p.calls, line)
	}
	p.last = json.RawMessage(got.Result.Content[0].Text)
}

func oneLine(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return b.String()
}

// compare holds the latest answer against what is expected of it.
func (p *partner) compare(t *testing.T, s *txtar.File) {
	t.Helper()
	var want, got any
	if err := json.Unmarshal(s.Data, &want); err != nil {
		t.Fatalf("%v in %s", err, s.Data)
	}
	if err := json.Unmarshal([]byte(p.stable(string(p.last))), &got); err != nil {
		t.Fatalf("%v in %s", err, p.last)
	}
	got = chosen(want, got)
	if *update {
		s.Data = pretty(t, got)
	} else if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answer to call %d (-want +got):\n%s\nthe whole: %s", p.calls, diff, p.last)
	}
}

// chosen keeps of got what want names; an empty object chooses everything.
func chosen(want, got any) any {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(w) == 0 {
			return got
		}
		out := map[string]any{}
		for name := range w {
			if v, found := g[name]; found {
				out[name] = chosen(w[name], v)
			}
		}
		return out
	case []any:
		g, ok := got.([]any)
		if !ok {
			return got
		}
		out := slices.Clone(g)
		for i := range min(len(w), len(g)) {
			out[i] = chosen(w[i], g[i])
		}
		return out
	}
	return got
}

// file waits until a file holds what is expected: the mirror writes behind the answer.
func (p *partner) file(t *testing.T, path string, s *txtar.File) {
	t.Helper()
	wait := 5 * time.Second
	if *update {
		wait = 500 * time.Millisecond
	}
	var got string
	for end := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(p.workspace, path))
		got = p.stable(string(text))
		if !*update && got == string(s.Data) || time.Now().After(end) {
			break
		}
	}
	if *update {
		s.Data = []byte(got)
	} else if diff := cmp.Diff(string(s.Data), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// stable writes ids by the order of their appearance; real undoes it.
func (p *partner) stable(text string) string {
	return regexp.MustCompile(`\b0[0-9a-hjkmnp-tv-z]{25}\b`).ReplaceAllStringFunc(text, func(id string) string {
		i := slices.Index(p.ids, id)
		if i < 0 {
			i = len(p.ids)
			p.ids = append(p.ids, id)
		}
		return fmt.Sprintf("<id %d>", i+1)
	})
}

func (p *partner) real(text string) string {
	for i, id := range p.ids {
		text = strings.ReplaceAll(text, fmt.Sprintf("<id %d>", i+1), id)
	}
	return text
}

func (p *partner) finish(t *testing.T) {
	t.Helper()
	_ = p.in.Close()
	if rest, err := io.ReadAll(p.out); err != nil || len(rest) > 0 {
		t.Errorf("at the end: %q, %v", rest, err)
	}
	if code := <-p.ended; code != 0 {
		t.Errorf("exit status %d: %s", code, p.errs)
	}
}

func pretty(t *testing.T, v any) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
