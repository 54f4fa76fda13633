package locale

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Whatever the program's packages tell a person (failures, hints, warnings,
// findings) is known in Chinese, or is a text that is put together from others.
func TestEveryMessageOfTheProgramIsKnown(t *testing.T) {
	seen, missing := 0, 0
	for _, folder := range []string{"cmd/agent-memory", "tools", "internal", "store", "lifecycle", "markdown", "server"} {
		for _, path := range sources(t, filepath.Join("..", "..", filepath.FromSlash(folder))) {
			for _, text := range messagesIn(t, path) {
				seen++
				if sample := sampled(text); wordy(text) && Sentence(Chinese, sample) == sample {
					missing++
					t.Errorf("%s: no Chinese for %q", strings.TrimPrefix(filepath.ToSlash(path), "../../"), text)
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d messages were found: the test looks in the wrong place", seen)
	}
	if missing > 0 {
		t.Logf("add them to internal/locale; %d are missing", missing)
	}
}

// wordy reports whether a format holds words besides its gaps.
func wordy(format string) bool {
	return regexp.MustCompile(`[a-z]{2,}`).MatchString(regexp.MustCompile(`%[-0-9.]*[a-z]|--[a-z-]+`).ReplaceAllString(format, ""))
}

func sources(t *testing.T, root string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, "_mutant.go") {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %d files, %v", root, len(found), err)
	}
	return found
}

// messagesIn returns the texts that a file's code gives to whoever tells people.
func messagesIn(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		for _, arg := range told(call) {
			if text := literal(arg); text != "" {
				found = append(found, text)
			}
		}
		return true
	})
	return found
}

// told are the arguments of a call that a person reads.
func told(call *ast.CallExpr) []ast.Expr {
	first := func(n int) []ast.Expr { return call.Args[min(n, len(call.Args)):min(n+1, len(call.Args))] }
	selector, method := call.Fun.(*ast.SelectorExpr)
	switch name := nameOf(call.Fun); {
	case name == "Errorf" && method && nameOf(selector.X) == "memory":
		return first(1)
	case name == "WithHint", name == "warn" && method:
		return first(0)
	case name == "add" && len(call.Args) >= 4: // findings of doctor
		return call.Args[2:4]
	}
	return nil
}
