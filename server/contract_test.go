package server

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"agentmemory/tools"
)

func contract() []tools.Tool {
	var list []tools.Tool
	for _, spec := range []tools.Spec{tools.RememberSpec(), tools.RecallSpec(), tools.RecallPathSpec(), tools.ReflectSpec(),
		tools.ForgetSpec(), tools.StatusSpec(), tools.SyncSpec()} {
		list = append(list, tools.Tool{Spec: spec})
	}
	return list
}

func lineage() []tools.Tool {
	return []tools.Tool{{Spec: tools.BootSpec()}, {Spec: tools.LinkSpec()}, {Spec: tools.SnapshotSpec()}}
}

// listed is the answer to tools/list, the text that every conversation pays for.
func listed(t *testing.T, list []tools.Tool) []byte {
	t.Helper()
	result := mcp.ListToolsResult{Tools: []mcp.Tool{}}
	for _, tool := range list {
		result.Tools = append(result.Tools, announced(tool))
	}
	raw, err := encode(result)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What clients are told of each tool is a contract: a change of it must be
// seen in a review, so it stands in testdata/snapshots, one file a tool.
func TestToolSnapshots(t *testing.T) {
	var answer struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(listed(t, append(contract(), lineage()...)), &answer); err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	old, _ := filepath.Glob("testdata/snapshots/*.json")
	for _, file := range old {
		left[file] = true
	}
	for _, raw := range answer.Tools {
		var tool struct{ Name string }
		if err := json.Unmarshal(raw, &tool); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", "snapshots", tool.Name+".json")
		delete(left, file)
		matchSnapshot(t, file, raw)
	}
	for file := range left {
		t.Errorf("%s describes a tool that does not exist", file)
	}
}

func matchSnapshot(t *testing.T, file string, raw json.RawMessage) {
	t.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("no snapshot (go test ./server -update makes one): %v", err)
		return
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// Every conversation pays for the list of tools. A token is about four bytes.
func TestToolListFitsItsBudget(t *testing.T) {
	const budget = 1500
	list := listed(t, contract())
	if tokens := len(list) / 4; tokens > budget {
		t.Errorf("the list of tools costs %d tokens, budget %d", tokens, budget)
	}
}

// Hosts ask their users before they run what may destroy, and run in parallel
// what only reads.
func TestToolHints(t *testing.T) {
	want := map[string]tools.Hints{
		"remember":    {Idempotent: true},
		"recall":      {ReadOnly: true, Idempotent: true},
		"recall_path": {ReadOnly: true, Idempotent: true},
		"reflect":     {Idempotent: true},
		"forget":      {Destructive: true, Idempotent: true},
		"status":      {ReadOnly: true, Idempotent: true},
		"sync":        {Idempotent: true},
	}
	got := map[string]tools.Hints{}
	for _, tool := range contract() {
		got[tool.Name] = tool.Hints
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Some models refuse the whole list for one schema with a union of types, an
// array without items or a reference.
func TestSchemasArePortable(t *testing.T) {
	list := string(listed(t, append(contract(), lineage()...)))
	for _, forbidden := range []string{`"type":[`, `"$ref"`, `"anyOf"`, `"oneOf"`, `"allOf"`, `Schema":null`, `"type":"array"}`} {
		if strings.Contains(list, forbidden) {
			t.Errorf("the list of tools holds %s", forbidden)
		}
	}
}

// The example that people copy is one that clients can read.
func TestExampleConfiguration(t *testing.T) {
	raw, err := os.ReadFile("../mcp.json.example")
	if err != nil {
		t.Fatal(err)
	}
	var example struct {
		MCPServers map[string]struct {
			Command, Type, URL string
			Args               []string
		}
	}
	if err := json.Unmarshal(raw, &example); err != nil {
		t.Fatal(err)
	}
	stdio, web := example.MCPServers["agent-memory"], example.MCPServers["agent-memory-http"]
	if stdio.Command != "agent-memory" || len(stdio.Args) == 0 || stdio.Args[0] != "serve" {
		t.Errorf("stdio: %+v", stdio)
	}
	if web.Type != "http" || !strings.HasSuffix(web.URL, "/mcp") || !strings.HasPrefix(web.URL, "http://127.0.0.1:") {
		t.Errorf("http: %+v", web)
	}
}
