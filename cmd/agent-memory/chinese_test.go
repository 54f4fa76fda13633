package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Without a locale, the files of the workspace tell the language.
func TestTheLanguageFollowsTheFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, answer string }{
		{"我们决定账本用 SQLite 存储，每天凌晨备份到书房的硬盘", "没有相关的记忆。"},
		{"We decided to keep the ledger in SQLite", "Nothing relevant is remembered."},
	} {
		env, home := surround(t, "LANG=C.UTF-8")
		for _, args := range [][]string{{"init"}, {"remember", c.said}} {
			if code, _, errs := program(t, env, args...); code != 0 {
				t.Fatal(errs)
			}
		}
		if settings := read(t, home, ".agent-memory", ".agent-memory", "config.toml"); !strings.Contains(settings, `language = "auto"`) {
			t.Errorf("nothing tells the language yet, but it is fixed:\n%s", settings)
		}
		if _, out, _ := program(t, env, "recall", "xyzzy"); !strings.HasPrefix(out, c.answer) {
			t.Errorf("after %q: %q", c.said, out)
		}
	}
}

// A line that is printed with a text of its own has that text in the table, with
// the same gaps in the same order.
func TestEveryLineIsKnownInChinese(t *testing.T) {
	texts := chineseTexts()
	verb := regexp.MustCompile(`%[-0-9.]*[a-z]`)
	for english, chinese := range texts {
		if a, b := verb.FindAllString(english, -1), verb.FindAllString(chinese, -1); strings.Join(a, "") != strings.Join(b, "") {
			t.Errorf("%q has the gaps %v, %q has %v", english, a, chinese, b)
		}
	}
	words := regexp.MustCompile(`[a-zA-Z]{2,}`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range append(files, filepath.Join("..", "..", "tools", "forecast_plot.go")) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, text := range printed(t, file) {
			if _, known := texts[text]; !known && words.MatchString(verb.ReplaceAllString(text, "")) && !strings.HasPrefix(text, "  agent-memory ") {
				t.Errorf("%s prints %q, which is not in the table", file, text)
			}
		}
	}
}

// A word has one translation: where two tables name it, they agree.
func TestTablesOfTextsAgree(t *testing.T) {
	all := map[string]string{}
	for _, table := range textTables() {
		for english, chinese := range table {
			if before, known := all[english]; known && before != chinese {
				t.Errorf("%q is %q and %q", english, before, chinese)
			}
			all[english] = chinese
		}
	}
}

// printed returns the texts that a file's code prints in the person's language.
func printed(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || len(call.Args) == 0 {
			return true
		}
		name := ""
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.Ident:
			name = f.Name
		}
		lit, is := call.Args[0].(*ast.BasicLit)
		if !is || lit.Kind != token.STRING || name != "line" && name != "say" && name != "about" && name != "text" {
			return true
		}
		if text, err := strconv.Unquote(lit.Value); err == nil {
			found = append(found, text)
		}
		return true
	})
	return found
}
