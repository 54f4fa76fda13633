// Package internal_test holds the rules that span packages.
package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "agentmemory/"

// layers says which of our packages each folder may import, and which outside
// modules only it may use. A folder covers its sub-folders unless they are named.
var layers = map[string]struct{ ours, reserved []string }{
	"internal/memory":    {},
	"internal/locale":    {},
	"internal/text":      {ours: []string{"internal/memory"}, reserved: []string{"github.com/blevesearch/snowballstem"}},
	"internal/redact":    {ours: []string{"internal/memory"}},
	"lifecycle":          {ours: []string{"internal/memory", "internal/text"}},
	"internal/related":   {ours: []string{"internal/text"}},
	"internal/rank":      {ours: []string{"internal/memory", "internal/text", "internal/related"}},
	"markdown":           {ours: []string{"internal/locale", "internal/memory", "internal/text"}, reserved: []string{"github.com/yuin/goldmark"}},
	"internal/endpoint":  {ours: []string{"internal/memory"}},
	"internal/embed":     {ours: []string{"internal/memory", "internal/text", "internal/endpoint"}, reserved: []string{"gonum.org/v1/gonum"}},
	"internal/embed/lsa": {ours: []string{"internal/memory", "internal/text", "internal/embed"}, reserved: []string{"gonum.org/v1/gonum"}},
	"internal/sqlite":    {ours: []string{"internal/memory"}, reserved: []string{"modernc.org/sqlite"}},
	"store":              {ours: []string{"internal/memory", "internal/text", "internal/sqlite"}, reserved: []string{"github.com/philippgille/chromem-go", "gonum.org/v1/gonum"}},
	"store/storetest":    {ours: []string{"internal/memory", "store"}},
	"store/legacy":       {ours: []string{"internal/memory", "internal/sqlite"}},
	"internal/mirror":    {ours: []string{"internal/memory", "internal/text", "markdown", "internal/redact"}, reserved: []string{"github.com/fsnotify/fsnotify"}},
	"internal/capture":   {ours: []string{"internal/memory", "internal/text", "internal/redact", "internal/sqlite", "internal/lease"}},
	"internal/lease":     {ours: []string{"internal/memory", "markdown"}},
	"internal/jobs":      {ours: []string{"internal/memory", "internal/lease"}, reserved: []string{"github.com/netresearch/go-cron"}},
	"internal/llm":       {ours: []string{"internal/memory", "internal/endpoint"}},
	"tools":              {ours: []string{"internal/memory", "internal/text", "lifecycle", "internal/rank", "internal/redact"}},
	"server":             {ours: []string{"internal/memory", "tools"}, reserved: []string{"github.com/mark3labs/mcp-go"}},
	"testdata":           {},
	"cmd/agent-memory":   {ours: []string{""}},
	"bench":              {ours: []string{""}},
}

// pureStdlib are the folders that may use nothing but the standard library
// besides our own packages.
var pureStdlib = []string{"internal/locale", "internal/memory", "lifecycle"}

func TestLayers(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == ".cache" || d.Name() == "gosdk") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			seen++
			checkFile(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("only %d files were checked: the test looks in the wrong place", seen)
	}
}

func checkFile(t *testing.T, path string) {
	t.Helper()
	rel, err := filepath.Rel("..", path)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.ToSlash(filepath.Dir(rel))
	if folder == "." {
		t.Errorf("%s: no Go files at the root", rel)
		return
	}
	name := layerOf(folder)
	if name == "" {
		t.Errorf("%s: the folder has no row in the table of layers", folder)
		return
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		checkImport(t, rel, name, imported)
	}
}

func checkImport(t *testing.T, file, layer, imported string) {
	t.Helper()
	if ours, ok := strings.CutPrefix(imported, module); ok {
		if !within(ours, layer) && !allowed(layers[layer].ours, ours) {
			t.Errorf("%s: %s may not import %s", file, layer, ours)
		}
		return
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return
	}
	for _, pure := range pureStdlib {
		if layer == pure {
			t.Errorf("%s: %s uses the standard library only, not %s", file, layer, imported)
		}
	}
	if layer == "cmd/agent-memory" || layer == "bench" {
		return
	}
	for other, rule := range layers {
		if other == layer || within(layer, other) {
			continue
		}
		for _, r := range rule.reserved {
			if (imported == r || strings.HasPrefix(imported, r+"/")) && !reserves(layer, r) {
				t.Errorf("%s: %s is reserved to %s", file, imported, other)
			}
		}
	}
}

func reserves(layer, module string) bool {
	for _, r := range layers[layer].reserved {
		if r == module {
			return true
		}
	}
	return false
}

func allowed(list []string, folder string) bool {
	for _, a := range list {
		if a == "" || a == folder || within(folder, a) && layerOf(folder) == a {
			return true
		}
	}
	return false
}

func within(folder, parent string) bool {
	return folder == parent || strings.HasPrefix(folder, parent+"/")
}

func layerOf(folder string) string {
	for f := folder; f != "."; f = filepath.ToSlash(filepath.Dir(f)) {
		if _, ok := layers[f]; ok {
			return f
		}
	}
	return ""
}
