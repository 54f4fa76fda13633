package main

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentmemory/tools"
)

// Each profile begins a conversation with the files of its own order, after a
// reset with what was being worked on; how to behave is part of every one.
func TestBootOrderOfEveryProfile(t *testing.T) {
	env, home := surround(t)
	dir := filepath.Join(home, "w")
	const tacit, state, journal = "memory/life/resources/system/tacit_knowledge.md", "memory/CURRENT_STATE.md", "memory/2026-03-11.md"
	for _, name := range []string{"USER.md", tacit, "MEMORY.md", "RECENT.md", state, "memory/INDEX.md", journal} {
		writeFile(t, filepath.Join(dir, name), "# "+name+"\n\nsome words\n")
	}
	for _, c := range []struct {
		profile, occasion string
		want              []string
	}{
		{"openclaw", "start", []string{"USER.md", tacit, "MEMORY.md", "RECENT.md", journal}},
		{"openclaw", "reset", []string{state, "USER.md", tacit, "MEMORY.md", "RECENT.md", journal}},
		{"four-layer", "start", []string{tacit, "MEMORY.md"}},
		{"fusion", "start", []string{tacit, "MEMORY.md", "RECENT.md"}},
		{"yue", "start", []string{tacit, "MEMORY.md"}},
		{"watchtower", "start", []string{state, tacit, "memory/INDEX.md"}},
		{"para", "start", []string{"USER.md", tacit, journal}},
	} {
		got := answer[tools.BootResult](t, env, "--workspace", dir, "--set", "profile="+c.profile, "boot", "--occasion", c.occasion)
		var paths []string
		for _, f := range got.Files {
			paths = append(paths, f.Path)
		}
		if diff := cmp.Diff(c.want, paths); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.profile, c.occasion, diff)
		}
	}
}

func TestBootKeepsToItsBudget(t *testing.T) {
	env, home := surround(t)
	dir := filepath.Join(home, "w")
	writeFile(t, filepath.Join(dir, "USER.md"), "Ann\n")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), "# Memory\n"+strings.Repeat("- 一条很重要的记忆，十个字以上\n", 100))
	writeFile(t, filepath.Join(dir, "memory", "2026-03-11.md"), "# 2026-03-11\n\n- first of the day\n"+strings.Repeat("- in between\n", 200)+"- last of the day\n")
	for _, budget := range []int{10, 100, 1000, 5000} {
		got := answer[tools.BootResult](t, env, "--workspace", dir, "boot", "--tokens", strconv.Itoa(budget))
		if got.Tokens > budget || len(got.Files) == 0 || !strings.Contains(got.Text, "Ann") {
			t.Errorf("budget %d: %d tokens, %+v", budget, got.Tokens, got.Files)
		}
	}
	got := answer[tools.BootResult](t, env, "--workspace", dir, "boot", "--tokens", "1700")
	last := got.Files[len(got.Files)-1]
	if !last.Cut || last.Path != "memory/2026-03-11.md" || !strings.Contains(got.Text, "last of the day") || strings.Contains(got.Text, "first of the day") {
		t.Errorf("of a journal without room the newest lines stay: %+v", got.Files)
	}
}
