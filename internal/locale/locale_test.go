package locale

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSentences(t *testing.T) {
	for _, c := range []struct{ english, chinese string }{
		{"new: nothing like it is stored", "新记忆：尚无类似的内容"},
		{`contradicts knowledge://journal/2026-02-18#0900-1: the value changed from "8080" to "9090"`,
			`与 knowledge://journal/2026-02-18#0900-1 矛盾：值从 "8080" 变为 "9090"`},
		{"both stay: its confidence 0.50 is lower than the 0.90 of decision://20260218-x", "两者并存：其置信度 0.50 低于 decision://20260218-x 的 0.90"},
		{"used 3 times: 账本用 SQLite", "用过 3 次：账本用 SQLite"},
		{"/home/lin/.agent-memory (default)", "/home/lin/.agent-memory（默认）"},
		{"/srv/w (flag --workspace)", "/srv/w（选项 --workspace）"},
		{"flag --workspace, its .shadow", "选项 --workspace 下的 .shadow"},
		{"/srv/w (environment AGENT_MEMORY_WORKSPACE)", "/srv/w（环境变量 AGENT_MEMORY_WORKSPACE）"},
		{"/srv/w does not exist (default)", "/srv/w 不存在（默认）"},
		{`argument "importance" must be a number, not "high"`, `参数 "importance" 应是数字，而不是 "high"`},
		{`items[2]: unknown argument "conten"`, `items[2]：未知参数 "conten"`},
		{`uri "../x": no scheme`, `地址 "../x"：没有类别`},
		{"a sentence that nobody wrote", "a sentence that nobody wrote"},
		{"", ""},
	} {
		if got := Sentence(Chinese, c.english); got != c.chinese {
			t.Errorf("%q\n got %q\nwant %q", c.english, got, c.chinese)
		}
		if got := Sentence("en", c.english); got != c.english {
			t.Errorf("in English %q became %q", c.english, got)
		}
	}
}

// Every gap that a Chinese sentence fills is one of the English sentence, and
// none is lost: a number or an address must not go missing in translation.
func TestNoGapIsLost(t *testing.T) {
	for _, group := range groups() {
		for _, sentence := range group {
			gaps := strings.Count(sentence.en, gap)
			for i := 1; i <= max(gaps, 9); i++ {
				n := strings.Count(sentence.zh, "{"+strconv.Itoa(i)+"}") + strings.Count(sentence.zh, "{"+strconv.Itoa(i)+"!}")
				if want := btoi(i <= gaps); n != want {
					t.Errorf("%q: gap %d stands %d times in %q", sentence.en, i, n, sentence.zh)
				}
			}
		}
	}
}

// Sentences stand within sentences, as deep as whoever wrote the text likes.
func TestSentencesWithinSentencesTakeLittleTime(t *testing.T) {
	began := time.Now()
	for _, form := range []string{"done at x: ", "the folder x cannot be read: ", "closing: ", "done x (asked for): "} {
		if got := Sentence(Chinese, strings.Repeat(form, 24)+"end"); !strings.HasSuffix(got, "end") || strings.HasPrefix(got, form) {
			t.Errorf("%q became %q", form, got)
		}
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Whatever reason the policies can give is known in Chinese.
func TestEveryReasonOfThePoliciesIsKnown(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "lifecycle", "*.go"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	seen := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, reason := range reasonsIn(t, path) {
			seen++
			if sample := sampled(reason); Sentence(Chinese, sample) == sample {
				t.Errorf("%s: no Chinese for %q", filepath.Base(path), reason)
			}
		}
	}
	if seen < 45 {
		t.Errorf("only %d reasons were found: the test looks in the wrong place", seen)
	}
}

// reasonsIn returns the texts with which the code of a file explains itself.
func reasonsIn(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	explaining := map[string]bool{"Sprintf": true, "skip": true, "toStatus": true, "add": true, "hold": true, "reinforce": true}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || !explaining[nameOf(call.Fun)] {
			return true
		}
		for _, arg := range call.Args {
			if text := literal(arg); strings.Count(text, " ") >= 2 {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

func nameOf(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

func literal(e ast.Expr) string {
	lit, is := e.(*ast.BasicLit)
	if !is || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil {
		return ""
	}
	return text
}

// sampled puts something into the gaps of a format.
func sampled(format string) string {
	return regexp.MustCompile(`%[0-9.]*[a-z]`).ReplaceAllString(format, "7")
}
