package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who copies the Markdown without .agent-memory, or deletes that folder, finds
// every memory once: what our own files repeat is no person's text, what a person
// wrote into them is.
func TestTheMarkdownAloneHoldsEveryMemoryOnce(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "w")
	do := func(args ...string) string {
		t.Helper()
		code, out, errs := program(t, env, append(args, "--workspace", ws)...)
		if code != 0 {
			t.Fatalf("%v: %s%s", args, out, errs)
		}
		return out
	}
	do("init", "--profile", "openclaw")
	said := []string{"Decision: releases happen on Tuesdays only", "小满对花生过敏，记住", "Project Heron: the server stands in Hangzhou", "I prefer tabs in Go"}
	for _, s := range said {
		do("remember", s)
	}
	for _, phase := range []string{"surface", "wrapup", "extract", "compound"} {
		do("reflect", "--phase", phase)
	}
	memoryFile := filepath.Join(ws, "MEMORY.md")
	writeFile(t, memoryFile, read(t, memoryFile)+"\n## Mine\n\n- the spare key lies under the flower pot\n")
	if err := os.RemoveAll(filepath.Join(ws, ".agent-memory")); err != nil {
		t.Fatal(err)
	}
	do("sync")

	var status struct{ Passages int }
	if err := json.Unmarshal([]byte(do("status", "--json")), &status); err != nil || status.Passages != 1 {
		t.Errorf("%d passages were read, want the person's: %v\n%s", status.Passages, err, do("recall", "--form", "passage", "--limit", "20"))
	}
	for _, s := range append(said, "the spare key lies under the flower pot") {
		if n := strings.Count(do("recall", s, "--form", "note,passage,decision"), ". "+s); n != 1 {
			t.Errorf("%q is found %d times", s, n)
		}
	}
}
