package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A private agent has MEMORY.md, RECENT.md, wrap-ups, weekly files and runs to
// take back, like the main one; no file of one tree shows what another holds.
func TestPrivateAgentsHaveFilesOfTheirOwn(t *testing.T) {
	sequential(t)
	t.Parallel()
	env, dir, _ := agents(t)
	phases := [][]string{{"surface"}, {"wrapup", "--date", "2026-03-11"}, {"reflect", "compound"}, {"reflect", "all"}}
	for agent := range canaries() {
		for _, phase := range phases {
			answer[map[string]any](t, env, as(dir, agent, phase...)...)
		}
	}
	checkTrees(t, dir, "MEMORY.md", "RECENT.md", "second-brain/summaries/2026-03-11-wrapup.md", "memory/INDEX.md", "memory/weekly/2026-03-09.md", "memory/archive/weekly-2026-W11.md",
		"memory/pain-points.md", "memory/retrieval-audit.json")
	kai := treeOfAgent(t, dir, "kai")
	if index := read(t, dir, kai, "memory", "INDEX.md"); strings.Contains(index, "agents/") || !strings.Contains(index, "topics/knowledge.md") {
		t.Errorf("INDEX.md of kai leads out of its tree, or nowhere:\n%s", index)
	}
	if text := read(t, dir, kai, "MEMORY.md"); !strings.Contains(text, "](memory/topics/knowledge.md#") {
		t.Errorf("links of kai's MEMORY.md do not lead from where it stands:\n%s", text)
	}

	total := answer[map[string]any](t, env, as(dir, "kai", "status")...)["total"]
	answer[map[string]any](t, env, as(dir, "", "sync")...)
	if now := answer[map[string]any](t, env, as(dir, "kai", "status")...)["total"]; now != total {
		t.Errorf("kai's reports became memories: %v, then %v", total, now)
	}
	before := filesBelow(t, dir)
	for agent := range canaries() {
		for _, phase := range phases[:3] {
			answer[map[string]any](t, env, as(dir, agent, phase...)...)
		}
	}
	for name, text := range filesBelow(t, dir) {
		if !strings.HasPrefix(name, ".agent-memory") && text != before[name] && !strings.Contains(name, "state") {
			t.Errorf("a second run changed %s", name)
		}
	}
}

func TestAnAgentTakesBackItsOwnRunsOnly(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	answer[map[string]any](t, env, as(dir, "kai", "surface")...)
	answer[map[string]any](t, env, as(dir, "", "surface")...)
	kai := filepath.Join(dir, treeOfAgent(t, dir, "kai"))
	answer[map[string]any](t, env, as(dir, "kai", "reflect", "--undo")...)
	if isFile(filepath.Join(kai, "RECENT.md")) {
		t.Error("kai's RECENT.md is still there")
	}
	if !strings.Contains(read(t, dir, "RECENT.md"), "zebrafinch") {
		t.Error("the main agent's RECENT.md was touched")
	}
	if code, _, errs := program(t, env, as(dir, "kai", "reflect", "--undo")...); code != 3 || !strings.Contains(errs, "no run to undo") {
		t.Errorf("kai takes back what another did: %d %s", code, errs)
	}
	answer[map[string]any](t, env, as(dir, "", "reflect", "--undo")...)
	if isFile(filepath.Join(dir, "RECENT.md")) {
		t.Error("the main agent's RECENT.md is still there")
	}
}

// What a person takes out of, or writes into, a file of an agent's tree concerns
// that agent's memory.
func TestAPersonEditsTheFilesOfAnAgent(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	answer[map[string]any](t, env, as(dir, "kai", "surface")...)
	recent := filepath.Join(dir, treeOfAgent(t, dir, "kai"), "RECENT.md")
	text := read(t, recent)
	line := ""
	for l := range strings.Lines(text) {
		if strings.Contains(l, "axolotl sleeps") {
			line = l
		}
	}
	if line == "" {
		t.Fatalf("RECENT.md:\n%s", text)
	}
	writeFile(t, recent, strings.Replace(text, line, "", 1)+"- the axolotl likes rain\n")
	rested(t, dir)
	later := later(env, time.Hour)
	answer[map[string]any](t, later, as(dir, "kai", "surface")...)
	if now := read(t, recent); strings.Contains(now, "axolotl sleeps") || !strings.Contains(now, "likes rain") {
		t.Errorf("RECENT.md after the edit:\n%s", now)
	}
	if got := answer[recallView](t, later, as(dir, "kai", "recall", "what does the axolotl like")...); got.Count == 0 || !strings.Contains(got.Memories[0].Content, "rain") {
		t.Errorf("kai does not know what a person wrote: %+v", got)
	}
	if got := answer[recallView](t, later, as(dir, "", "recall", "what does the axolotl like")...); got.Count != 0 && strings.Contains(got.Memories[0].Content, "axolotl") {
		t.Errorf("the main agent knows it: %+v", got)
	}
}

// The timetable serves every agent.
func TestScheduledJobsServeEveryAgent(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	for _, job := range []string{"surface", "wrapup", "compound"} {
		if code, out, errs := program(t, later(env, 2*time.Hour+35*time.Minute), as(dir, "", "schedule", "run", job)...); code != 0 {
			t.Fatalf("%s: %s%s", job, out, errs)
		}
	}
	checkTrees(t, dir, "MEMORY.md", "RECENT.md", "second-brain/summaries/2026-03-11-wrapup.md")
}

// checkTrees looks for each agent's word in the given files of its tree, and for
// nobody else's.
func checkTrees(t *testing.T, dir string, files ...string) {
	t.Helper()
	for agent, own := range canaries() {
		tree := treeOfAgent(t, dir, agent)
		for _, name := range files {
			text := read(t, dir, tree, filepath.FromSlash(name))
			report := strings.Contains(name, "pain-points") || strings.Contains(name, "audit") // figures, and what is in the way: nothing here
			if name != "memory/INDEX.md" && !report && !strings.Contains(text, own) {
				t.Errorf("%s of %q does not show its own:\n%s", name, agent, text)
			}
			for other, canary := range canaries() {
				if other != agent && strings.Contains(text, canary) {
					t.Errorf("%s of %q shows %s:\n%s", name, agent, canary, text)
				}
			}
		}
	}
}

// treeOfAgent is the folder of an agent's files below the workspace.
func treeOfAgent(t *testing.T, dir, agent string) string {
	t.Helper()
	if agent == "" {
		return ""
	}
	found, err := filepath.Glob(filepath.Join(dir, "agents", agent+"-*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the tree of %s: %v %v", agent, found, err)
	}
	return filepath.Join("agents", filepath.Base(found[0]))
}
