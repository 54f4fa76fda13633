package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The retrieval audit, the failures and the pain points are files for people:
// reflect writes them, a recall never does, and people's lines in them stay.
func TestReflectWritesTheReports(t *testing.T) {
	env, home := surround(t)
	dir := filepath.Join(home, "w")
	at := func(name string) string { return filepath.Join(dir, "memory", name) }
	answer[rememberView](t, env, "--workspace", dir, "remember", "the gateway listens on port 8080")
	answer[rememberView](t, env, "--workspace", dir, "remember", "the gateway listens on port 9090")
	answer[recallView](t, env, "--workspace", dir, "recall", "gateway port")
	if _, err := os.Stat(at("retrieval-audit.json")); !os.IsNotExist(err) {
		t.Fatalf("a recall wrote a file: %v", err)
	}
	writeFile(t, at("pain-points.md"), "# 我的痛点\n\n- 手写的一条\n")
	writeFile(t, filepath.Join(dir, "memory", "failure-reports", "2026-03-11-0200-sync.md"), "# Job in trouble: sync (stale)\n\ndetails\n")
	answer[map[string]any](t, env, "--workspace", dir, "reflect", "--phase", "all")
	var audit struct {
		Memories, Returned, Used int
		MostUsed                 []struct{ Content string } `json:"most_used"`
	}
	if err := json.Unmarshal([]byte(read(t, at("retrieval-audit.json"))), &audit); err != nil {
		t.Fatal(err)
	}
	if audit.Memories != 1 || audit.Used != 1 || len(audit.MostUsed) != 1 || audit.MostUsed[0].Content != "the gateway listens on port 9090" {
		t.Errorf("%+v", audit)
	}
	pains := read(t, at("pain-points.md"))
	for _, want := range []string{"# 我的痛点\n\n- 手写的一条\n", "port 8080 → the gateway listens on port 9090", "Job in trouble: sync (stale) (memory/failure-reports/2026-03-11-0200-sync.md)"} {
		if !strings.Contains(pains, want) {
			t.Errorf("%q is missing in\n%s", want, pains)
		}
	}
	if failures := read(t, at("failures.json")); !strings.Contains(failures, "2026-03-11-0200-sync.md") {
		t.Errorf("%s", failures)
	}
	before := read(t, at("retrieval-audit.json")) + pains
	again := answer[map[string]any](t, env, "--workspace", dir, "reflect", "--phase", "all")
	if again["files"] != nil || before != read(t, at("retrieval-audit.json"))+read(t, at("pain-points.md")) {
		t.Errorf("a second run wrote %v", again["files"])
	}
}
