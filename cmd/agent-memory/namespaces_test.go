package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

const agentSettings = "time_zone = \"UTC\"\n[[agents]]\nid = \"空\"\n[[agents]]\nid = \"kai\"\naccess = \"private\"\n[[agents]]\nid = \"wei\"\naccess = \"shared\"\n"

// canaries are words that only one memory of one agent holds.
func canaries() map[string]string {
	return map[string]string{"": "zebrafinch", "空": "okapi", "kai": "axolotl"}
}

// agents makes a workspace in which three agents have remembered something.
func agents(t *testing.T) (env surroundings, dir string, ids map[string]string) {
	t.Helper()
	env, home := surround(t)
	dir = filepath.Join(home, "w")
	writeFile(t, filepath.Join(dir, ".agent-memory", "config.toml"), agentSettings)
	ids = map[string]string{}
	for agent, canary := range canaries() {
		got := answer[rememberView](t, env, as(dir, agent, "remember", "the "+canary+" sleeps in the cellar", "--uri", "knowledge://pets/"+canary, "--source", "zoo")...)
		if got.Action != "added" {
			t.Fatalf("%q: %+v", agent, got)
		}
		ids[agent] = got.MemoryID
		answer[rememberView](t, env, as(dir, agent, "remember", "the "+canary+" is fed at noon", "--uri", "fact://projects/"+canary+"/food")...)
		gone := answer[rememberView](t, env, as(dir, agent, "remember", "the "+canary+" was ill", "--source", "vet")...)
		answer[map[string]any](t, env, as(dir, agent, "forget", gone.MemoryID)...)
	}
	return env, dir, ids
}

// as is a command of a process that serves one agent.
func as(dir, agent string, args ...string) []string {
	return append([]string{"--workspace", dir, "--set", "agent=" + agent}, args...)
}

// No call of one agent shows what another one remembers, whatever is asked.
func TestNoAgentSeesAnothersMemory(t *testing.T) {
	t.Parallel()
	env, dir, ids := agents(t)
	for agent, own := range canaries() {
		for other, canary := range canaries() {
			if other == agent || agent == "" {
				continue // the main agent is the curator: it may ask for the others
			}
			for _, call := range [][]string{
				{"recall", canary}, {"recall", "who sleeps in the cellar", "--explain"}, {"recall"}, {"recall", "cellar", "--layer", "all", "--status", "forgotten"},
				{"recall-path", "knowledge://pets/" + canary}, {"recall-path", "knowledge://pets"}, {"recall-path", "fact://projects/" + canary},
				{"recall", "load the context of project " + canary}, {"status", "full"}, {"boot"}, {"sync", "--dry-run"},
				{"forget", ids[other]}, {"forget", "--source", "vet", "--undo"}, {"snapshot", "list", "--memory-id", ids[other]},
				{"link", "query", "--source-id", ids[other]}, {"reflect", "--phase", "all", "--dry-run"}, {"reflect", "--phase", "extract", "--dry-run"},
				{"reflect", "--phase", "surface"}, {"reflect", "--undo"}, {"entity"},
				{"forecast"}, {"export", "--all"}, {"approve"},
			} {
				_, out, errs := program(t, env, as(dir, agent, append(call, "--json")...)...)
				if shown := withoutQuestion(out+errs, call, canary); strings.Contains(shown, canary) {
					t.Errorf("%s, asked %q, shows the memory of %q: %s", agent, call, other, shown)
				}
			}
			got := answer[recallView](t, env, as(dir, agent, "recall", own)...)
			if got.Count == 0 || !strings.Contains(got.Memories[0].Content, own) {
				t.Errorf("%s does not find its own: %+v", agent, got)
			}
		}
	}
}

// withoutQuestion is what an answer says besides repeating what was asked.
func withoutQuestion(answer string, call []string, canary string) string {
	for _, arg := range call {
		if arg != canary {
			answer = strings.ReplaceAll(answer, arg, "")
		}
	}
	return strings.ReplaceAll(answer, `"query": "`+canary+`"`, "")
}

// Each agent has a tree of files of its own, two-way like the main one, from
// which the database can be made again.
func TestAgentsHaveTreesOfTheirOwn(t *testing.T) {
	t.Parallel()
	env, dir, ids := agents(t)
	trees := map[string]string{}
	for agent := range canaries() {
		for name, text := range filesBelow(t, filepath.Join(dir, "agents")) {
			if agent != "" && strings.Contains(text, canaries()[agent]+" sleeps") {
				trees[agent] = strings.SplitN(name, string(filepath.Separator), 2)[0]
			}
		}
	}
	if len(trees) != 2 || trees["kai"] == trees["空"] || !strings.HasPrefix(trees["kai"], "kai-") {
		t.Fatalf("%v", trees)
	}
	for name, text := range filesBelow(t, filepath.Join(dir, "memory")) {
		if !strings.HasPrefix(name, "archive") && (strings.Contains(text, "okapi") || strings.Contains(text, "axolotl")) {
			t.Errorf("%s of the main agent shows a private memory:\n%s", name, text)
		}
	}
	journal := filepath.Join(dir, "agents", trees["kai"], "memory", "2026-03-10.md")
	writeFile(t, journal, "# 2026-03-10\n\n- the axolotl has a name now: Wolfgang\n")
	rested(t, dir)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(filepath.Join(dir, ".agent-memory", "memory.db"+suffix))
	}
	answer[map[string]any](t, env, "--workspace", dir, "sync")
	if got := answer[recallView](t, env, as(dir, "kai", "recall", "Wolfgang")...); got.Count == 0 {
		t.Errorf("what a person wrote into the tree of kai is not recalled: %+v", got)
	}
	for agent, id := range ids {
		got := answer[tools.RecallPathResult](t, env, as(dir, agent, "recall-path", "knowledge://pets/"+canaries()[agent])...)
		if got.Memory == nil || got.Memory.ID != id {
			t.Errorf("%q after the rebuild: %+v", agent, got)
		}
	}
}

func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		out[name] = read(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A server of the main agent serves the others by their agent_id; the main
// agent reads them all, and task cards are handed over to it.
func TestTheMainAgentIsTheCurator(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	call := func(tool, args string) string {
		t.Helper()
		e, err := (&app{streams: streams{Out: &strings.Builder{}, Err: &strings.Builder{}}, env: env, workspaceFlag: dir}).openEngine(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer e.close()
		result, err := e.call(t.Context(), tool, json.RawMessage(args))
		if err != nil {
			return err.Error()
		}
		raw, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, c := range []struct{ agent, has, lacks string }{
		{"", "zebrafinch", "okapi"}, {"kai", "axolotl", "zebrafinch"}, {"空", "okapi", "axolotl"}, {"wei", "zebrafinch", "okapi"}, {"a stranger", "zebrafinch", "axolotl"},
	} {
		got := call("recall", fmt.Sprintf(`{"query":"who sleeps in the cellar","agent_id":%q}`, c.agent))
		if !strings.Contains(got, c.has) || strings.Contains(got, c.lacks) {
			t.Errorf("%q: %s", c.agent, got)
		}
	}
	all := call("recall", `{"query":"who sleeps in the cellar","agent_id":"*"}`)
	for _, canary := range canaries() {
		if !strings.Contains(all, canary) {
			t.Errorf("the curator does not see %s: %s", canary, all)
		}
	}
	card := call("remember", `{"agent_id":"kai","form":"task","title":"Feed","content":"feed the axolotl","fields":{"goal":"feed the axolotl","final_status":"done","next_step":"weigh it"}}`)
	if !strings.Contains(card, `"added"`) {
		t.Fatal(card)
	}
	cards := read(t, dir, "memory", "tasks", "2026-03-11.md")
	if !strings.Contains(cards, "## Task: Feed") || !strings.Contains(cards, "- next step: weigh it") {
		t.Errorf("the card was not handed over:\n%s", cards)
	}
	if got := call("recall", `{"form":["task"],"actor":"kai"}`); !strings.Contains(got, "feed the axolotl") {
		t.Errorf("the main agent does not find the card by its actor: %s", got)
	}
	if got := call("recall", `{"form":["task"],"actor":"wei"}`); strings.Contains(got, "feed the axolotl") {
		t.Errorf("the actor does not narrow the recall down: %s", got)
	}
}

// What is meant for a private agent is not kept where the main agent reads it, and
// what a batch says beside its items holds for them.
func TestABatchIsOfOneMemory(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	e, err := (&app{streams: streams{Out: &strings.Builder{}, Err: &strings.Builder{}}, env: env, workspaceFlag: dir}).openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	call := func(args string) (any, error) { return e.call(t.Context(), "remember", json.RawMessage(args)) }
	_, err = call(`{"items":[{"content":"The cellar is dry"},{"content":"Kai hides a ptarmigan","agentId":"kai"}]}`)
	if memory.CodeOf(err) != memory.InvalidArgument {
		t.Errorf("a batch for two memories: %v", err)
	}
	if _, err = call(`{"items":[{"content":"Wei keeps the spare key","agent_id":"wei"},{"content":"A stranger rang","agent_id":"a stranger"}]}`); err != nil {
		t.Errorf("a batch of agents that share a memory: %v", err)
	}
	if _, err = call(`{"agent_id":"kai","items":[{"content":"Kai hides a ptarmigan"},{"content":"Kai feeds it","agent_id":"kai"}]}`); err != nil {
		t.Errorf("a batch of a private agent: %v", err)
	}
	if _, err = call(`{"agent_id":"kai","form":"task","items":[{"title":"Feed","content":"feed the ptarmigan"}]}`); err != nil {
		t.Errorf("task cards: %v", err)
	}
	if cards := read(t, dir, "memory", "tasks", "2026-03-11.md"); !strings.Contains(cards, "feed the ptarmigan") || strings.Contains(cards, "hides") {
		t.Errorf("the card was not handed over:\n%s", cards)
	}
}

func TestAnAgentWhomNobodyConfiguredIsRefused(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	dir := filepath.Join(home, "w")
	writeFile(t, filepath.Join(dir, ".agent-memory", "config.toml"), agentSettings)
	code, _, errs := program(t, env, as(dir, "nobody", "recall", "x")...)
	if code == 0 || !strings.Contains(errs, "[[agents]]") {
		t.Errorf("status %d: %s", code, errs)
	}
}

// Hooks of an agent's conversation put beside its messages what that agent
// remembers, and nothing of the main one.
func TestHooksOfAnAgentTellOfItsOwnMemory(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	env.Variables = append(env.Variables, "AGENT_MEMORY_WORKSPACE="+dir, "AGENT_MEMORY_AGENT=kai")
	if said, _ := hook(t, env, "user-prompt", prompting("where does the zebrafinch sleep?")); strings.Contains(said, "zebrafinch") {
		t.Errorf("of the main agent's: %s", said)
	}
	if said, errs := hook(t, env, "user-prompt", prompting("where does the axolotl sleep?")); !strings.Contains(said, "axolotl sleeps") {
		t.Errorf("of its own: %s%s", said, errs)
	}
}

// Without a database a private agent writes into its own journal, also when it
// is served by the main agent's process, by whatever name that is told of it.
func TestWithoutADatabaseAgentsStillHaveJournalsOfTheirOwn(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	dir := filepath.Join(home, "w")
	writeFile(t, filepath.Join(dir, ".agent-memory", "config.toml"), agentSettings)
	mkdir(t, dir, ".agent-memory", "memory.db") // nothing can be opened there
	for _, call := range [][]string{
		as(dir, "kai", "remember", "the axolotl moved to the attic"),
		as(dir, "", "remember", "the axolotl moved to the garden", "--agent-id", "kai"),
	} {
		if got := answer[rememberView](t, env, call...); got.Degraded != "index_pending" || !strings.HasPrefix(got.Path, "agents/kai-") {
			t.Errorf("%q: %+v", call, got)
		}
	}
	for name, text := range filesBelow(t, dir) {
		if strings.Contains(text, "axolotl") && strings.HasPrefix(name, "memory") {
			t.Errorf("%s of the main agent:\n%s", name, text)
		}
	}
}

// Without a database RECENT.md is renewed from the journals of the agent that
// asks, in its own tree, and nobody else's.
func TestWithoutADatabaseAgentsStillHaveARecentOfTheirOwn(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	for agent, canary := range canaries() {
		answer[rememberView](t, env, as(dir, agent, "remember", "the "+canary+" sleeps outside from now on")...)
	}
	removeAll(t, dir, ".agent-memory/memory.db*")
	mkdir(t, dir, ".agent-memory", "memory.db") // nothing can be opened there
	for agent, call := range map[string][]string{
		"kai": as(dir, "kai", "reflect", "--phase", "surface"),
		"空":   as(dir, "", "reflect", "--phase", "surface", "--agent-id", "空"),
	} {
		answer[tools.ReflectResult](t, env, call...)
		if raw, err := os.ReadFile(filepath.Join(dir, "RECENT.md")); err == nil {
			t.Errorf("%s renewed RECENT.md of the main agent:\n%s", agent, raw)
		}
		shown := 0
		for name, text := range filesBelow(t, filepath.Join(dir, "agents")) {
			if filepath.Base(name) == "RECENT.md" && strings.Contains(text, canaries()[agent]+" sleeps") {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("the memory of %s stands in %d RECENT.md of agents", agent, shown)
		}
	}
	answer[tools.ReflectResult](t, env, as(dir, "", "reflect", "--phase", "surface")...)
	if raw := read(t, filepath.Join(dir, "RECENT.md")); !strings.Contains(raw, "zebrafinch sleeps") || strings.Contains(raw, "okapi") || strings.Contains(raw, "axolotl") {
		t.Errorf("RECENT.md of the main agent:\n%s", raw)
	}
}

// Clients write names and values of arguments in their own ways; whose memory is
// meant does not depend on that.
func TestAnAgentIsKnownHoweverACallNamesIt(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	dir := filepath.Join(home, ".agent-memory")
	writeFile(t, filepath.Join(dir, ".agent-memory", "config.toml"), agentSettings+"[[agents]]\nid = \"42\"\n")
	answers := conversation(t, env, hello,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"remember","arguments":{"content":"the axolotl has gills","agentId":"kai"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"remember","arguments":{"content":"the answer is known","agent_id":42}}}`)
	for id, tree := range map[float64]string{2: "agents/kai-", 3: "agents/42-"} {
		if path := dig[string](t, answers[id], "result", "structuredContent", "path"); !strings.HasPrefix(path, tree) {
			t.Errorf("call %v went to %s", id, path)
		}
	}
}
