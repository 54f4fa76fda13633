package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/store"
)

// TestMain lets the test binary stand in for the program, for the commands
// that start it as a child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "sync") {
		main()
	}
	if len(os.Args) > 2 && os.Args[1] == hostCommand {
		host(os.Args[2])
	}
	os.Exit(m.Run())
}

// answer runs a command with --json and decodes what it prints.
func answer[V any](t *testing.T, env surroundings, args ...string) V {
	t.Helper()
	code, out, errs := program(t, env, append(args, "--json")...)
	if code != 0 {
		t.Fatalf("%q: exit status %d: %s%s", args, code, out, errs)
	}
	var v V
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("%q: %v in %s", args, err, out)
	}
	return v
}

// missed is answer for what is answered, with exit status 3, by nothing at all.
func missed[V any](t *testing.T, env surroundings, args ...string) V {
	t.Helper()
	code, out, errs := program(t, env, append(args, "--json")...)
	var v V
	if err := json.Unmarshal([]byte(out), &v); err != nil || code != exitCodes()[memory.NotFound] {
		t.Fatalf("%q: exit status %d, %v: %s%s", args, code, err, out, errs)
	}
	return v
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRememberThenRecall(t *testing.T) {
	env, home := surround(t)
	got := answer[rememberView](t, env, "remember", "账本用 SQLite，不用 Postgres", "--type", "knowledge", "--source", "chat")
	if got.Action != "added" || got.MemoryID == "" || got.URI != "knowledge://journal/2026-03-11#2130-1" || got.Reason == "" {
		t.Fatalf("%+v", got)
	}
	journal := read(t, home, ".agent-memory", "memory", "2026-03-11.md")
	if !strings.Contains(journal, "- 账本用 SQLite，不用 Postgres <!-- am:"+got.MemoryID) {
		t.Errorf("the journal does not show it:\n%s", journal)
	}
	recalled := answer[recallView](t, env, "recall", "账本", "SQLite")
	if recalled.Count != 1 || recalled.Abstained || recalled.Memories[0].ID != got.MemoryID {
		t.Fatalf("%+v", recalled)
	}
	m := recalled.Memories[0]
	if m.Path != "memory/2026-03-11.md" || m.Source != "chat" || m.Trust != "agent" || m.CreatedAt != "2026-03-11T21:30:00Z" {
		t.Errorf("%+v", m)
	}
}

func TestPeopleSeeDatePlaceSourceAndTrust(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	answer[rememberView](t, env, "remember", "Marta wants CSV\nwith semicolons", "--source", "chat", "--confidence", "0.3")
	code, out, errs := program(t, env, "recall", "semicolons")
	if code != 0 {
		t.Fatal(errs)
	}
	for _, want := range []string{"1. Marta wants CSV\n    with semicolons\n", "2026-03-11 21:30", "memory/2026-03-11.md:", "from chat", "trust agent", "UNCERTAIN"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%s", want, out)
		}
	}
}

func TestEveryToolIsACommand(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	first := answer[rememberView](t, env, "remember", "Prefers vim", "--uri", "knowledge://preferences/editor")
	path := answer[pathView](t, env, "recall-path", "knowledge://preferences/editor")
	if !path.Found || path.Memory.ID != first.MemoryID {
		t.Errorf("recall-path: %+v", path)
	}
	forgotten := answer[map[string]any](t, env, "forget", "knowledge://preferences/editor")
	if forgotten["action"] != "forgotten" {
		t.Errorf("forget: %v", forgotten)
	}
	if restored := answer[map[string]any](t, env, "forget", first.MemoryID, "--undo"); restored["action"] != "restored" {
		t.Errorf("undo: %v", restored)
	}
	if status := answer[map[string]any](t, env, "status", "light"); status["total"] != 1.0 {
		t.Errorf("status: %v", status)
	}
	journal := filepath.Join(home, ".agent-memory", "memory", "2026-03-10.md")
	writeFile(t, journal, "# 2026-03-10\n\n- 手写的一行\n")
	if synced := answer[map[string]any](t, env, "sync"); synced["added"] != 1.0 {
		t.Errorf("sync: %v", synced)
	}
	if reflected := answer[map[string]any](t, env, "reflect", "--phase", "all", "--dry-run"); reflected["dry_run"] != true {
		t.Errorf("reflect: %v", reflected)
	}
	if surfaced := answer[map[string]any](t, env, "surface"); surfaced["phase"] != "surface" {
		t.Errorf("surface: %v", surfaced)
	}
	if recent := read(t, home, ".agent-memory", "RECENT.md"); !strings.Contains(recent, "手写的一行") {
		t.Errorf("RECENT.md:\n%s", recent)
	}
	if boot := answer[map[string]any](t, env, "boot"); boot["count"] == nil {
		t.Errorf("boot: %v", boot)
	}
}

func TestFlagsFollowTheSchema(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	answer[rememberView](t, env, "remember", "A decision", "--form", "decision", "--fields", `{"why":"cheap","impact":"none"}`,
		"--links", "knowledge://a", "--links", "caused=knowledge://b", "--emotion-val", "-0.5", "--title", "Hidden flags work")
	exported, _ := export(t, env)
	for _, want := range []string{`"name":"why"`, `"target":"knowledge://b","relation":"caused"`, `"emotion_val":-0.5`, `"title":"Hidden flags work"`} {
		if !strings.Contains(exported, want) {
			t.Errorf("%s is missing in %s", want, exported)
		}
	}
	for _, args := range [][]string{
		{"remember", "x", "--importance", "7"}, {"remember", "x", "--type", "thought"}, {"remember", "x", "--fields", "no JSON"},
		{"remember", "x", "--content", "y"}, {"remember"}, {"reflect", "everything"}, {"forget"},
	} {
		if code, _, errs := program(t, env, args...); code != 2 {
			t.Errorf("%q: exit status %d, %s", args, code, errs)
		}
	}
	if code, _, _ := program(t, env, "forget", "no-such-id"); code != 3 {
		t.Errorf("an unknown id: exit status %d, want 3", code)
	}
}

func export(t *testing.T, env surroundings) (string, []map[string]any) {
	t.Helper()
	code, out, errs := program(t, env, "export", "--format", "jsonl")
	if code != 0 {
		t.Fatal(errs)
	}
	var list []map[string]any
	scanner := bufio.NewScanner(strings.NewReader(out))
	for scanner.Scan() {
		var m map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return out, list
}

func TestExportNamesWhatOthersRelyOn(t *testing.T) {
	env, _ := surround(t)
	answer[rememberView](t, env, "remember", "The tea house pays yearly", "--session-id", "s1", "--source", "chat", "--observed-at", "2026-02-21T14:00:00+08:00")
	_, list := export(t, env)
	if len(list) != 1 {
		t.Fatal(list)
	}
	for _, name := range []string{"id", "uri", "content", "type", "status", "created_at", "observed_at", "source", "trust", "session_id"} {
		if list[0][name] == nil {
			t.Errorf("%s is missing in %v", name, list[0])
		}
	}
	code, out, _ := program(t, env, "export")
	if code != 0 || !strings.Contains(out, "- The tea house pays yearly\n") || !strings.Contains(out, "from chat") {
		t.Errorf("markdown: %d\n%s", code, out)
	}
}

func TestImportOfAnOldDatabaseReachesTheFiles(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("AGENT_MEMORY_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	raw, err := os.ReadFile(filepath.Join(shared, "golden", "agent-memory-v2.1.0-sample.db"))
	if err != nil {
		t.Skipf("the recorded databases are not here (set AGENT_MEMORY_SHARED): %v", err)
	}
	env, home := surround(t)
	old := filepath.Join(t.TempDir(), "agent-memory.db")
	if err := os.WriteFile(old, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := answer[map[string]any](t, env, "import", old); got["added"] != 5.0 {
		t.Fatalf("%v", got)
	}
	imported := read(t, home, ".agent-memory", "memory", "imported", "agent-memory-20260311-2130-p1.md")
	if !strings.Contains(imported, "用户喜欢 TypeScript，讨厌 Java <!-- am:26b1140c-fc05-412e-a084-fa69d1e4b310") {
		t.Errorf("%s", imported)
	}
	if got := answer[map[string]any](t, env, "import", old); got["added"] != 0.0 || got["present"] != 5.0 {
		t.Errorf("again: %v", got)
	}
	if got := answer[recallView](t, env, "recall", "TypeScript"); got.Count == 0 || got.Memories[0].URI != "knowledge://journal/2026-02-21#2200-1" {
		t.Errorf("%+v", got)
	}
	if after := read(t, old); after != string(raw) {
		t.Error("the old database was changed")
	}
}

func TestImportReadsStandardInput(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	var out, errs bytes.Buffer
	in := strings.NewReader(`{"content":"hello from a pipe","id":"p1"}` + "\n")
	if code := run(t.Context(), []string{"agent-memory", "import", "-", "--json"}, streams{In: in, Out: &out, Err: &errs}, env); code != 0 {
		t.Fatal(errs.String())
	}
	if !strings.Contains(out.String(), `"added": 1`) {
		t.Error(out.String())
	}
}

func TestAnImportOfNothingUsableFails(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"agent-memory", "import", "-"}, streams{In: strings.NewReader("{\"x\":1}\n"), Out: &out, Err: &errs}, env)
	if code != 2 || !strings.Contains(errs.String(), "none of the 1 lines") {
		t.Errorf("exit status %d: %s%s", code, out.String(), errs.String())
	}
}

// conversation runs a server in this process and returns what it answers to
// the lines, in any order, by id.
func conversation(t *testing.T, env surroundings, lines ...string) map[float64]map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"agent-memory", "serve"}, streams{In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &out, Err: &errs}, env)
	if code != 0 {
		t.Fatalf("exit status %d: %s", code, errs.String())
	}
	answers := map[float64]map[string]any{}
	decoder := json.NewDecoder(&out)
	for {
		var m map[string]any
		if err := decoder.Decode(&m); err == io.EOF {
			return answers
		} else if err != nil {
			t.Fatalf("what is not JSON is on standard output: %v", err)
		}
		if id, ok := m["id"].(float64); ok {
			answers[id] = m
		}
	}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

func TestServeAnswersOverStandardInput(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	answers := conversation(t, env, hello,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"remember","arguments":{"content":"Friday is no day for a deploy"}}}`,
		`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"recall","arguments":{"query":"deploy Friday"}}}`,
		`{"jsonrpc":"2.0","id":5,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":6,"method":"prompts/list"}`)
	var tools []string
	for _, tool := range dig[[]any](t, answers[2], "result", "tools") {
		tools = append(tools, tool.(map[string]any)["name"].(string))
	}
	want := []string{"forget", "recall", "recall_path", "reflect", "remember", "status", "sync"}
	if diff := cmp.Diff(want, tools); diff != "" {
		t.Error(diff)
	}
	if n := dig[float64](t, answers[4], "result", "structuredContent", "count"); n != 1 {
		t.Errorf("recall finds %v memories", n)
	}
	if n := len(dig[[]any](t, answers[5], "result", "resources")); n != 5 {
		t.Errorf("%d resources", n)
	}
	if n := len(dig[[]any](t, answers[6], "result", "prompts")); n != 3 {
		t.Errorf("%d prompts", n)
	}
	if journal := read(t, home, ".agent-memory", "memory", "2026-03-11.md"); !strings.Contains(journal, "Friday is no day for a deploy") {
		t.Errorf("at the end of input the journal holds\n%s", journal)
	}
}

func dig[V any](t *testing.T, tree map[string]any, path ...string) V {
	t.Helper()
	var v any = tree
	for _, name := range path {
		object, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("no %q in %v", name, v)
		}
		v = object[name]
	}
	typed, ok := v.(V)
	if !ok {
		t.Fatalf("%v is %T in %v", path, v, tree)
	}
	return typed
}

func TestLineageToolsOnDemand(t *testing.T) {
	env, _ := surround(t, "AGENT_MEMORY_TOOLSET=lineage")
	answers := conversation(t, env, hello, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	if n := len(dig[[]any](t, answers[2], "result", "tools")); n != 10 {
		t.Errorf("%d tools, want 10", n)
	}
}

func TestDemoShowsTheProgramInOneScreen(t *testing.T) {
	sequential(t)
	env, _ := surround(t)
	t.Setenv("TMPDIR", t.TempDir()) // others may run demos at the same time
	env.Variables = append(env.Variables, "TMPDIR="+os.TempDir())
	before := leftovers(t)
	code, out, errs := program(t, env, "demo")
	if code != 0 {
		t.Fatalf("exit status %d: %s\n%s", code, errs, out)
	}
	if n := strings.Count(out, "\n"); n > 60 {
		t.Errorf("%d lines do not fit on a screen", n)
	}
	for _, want := range []string{"make backup", "2026-03-09", "nothing relevant", "RECENT", "forgotten", "restored"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if diff := cmp.Diff(before, leftovers(t)); diff != "" {
		t.Errorf("something is left behind: %s", diff)
	}
	if t.Failed() {
		t.Log(out)
	}
}

func leftovers(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.TempDir(), "agent-memory-demo-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestWithoutADatabaseTheFilesAreIndexedFirst(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	answer[rememberView](t, env, "remember", "The tea house pays yearly")
	databases, err := filepath.Glob(filepath.Join(home, ".agent-memory", ".agent-memory", "memory.db*"))
	if err != nil || len(databases) == 0 {
		t.Fatalf("databases %v, %v", databases, err)
	}
	for _, file := range databases {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := program(t, env, "recall", "how often does the tea house pay")
	if code != 0 || !strings.Contains(out, "The tea house pays yearly") || !strings.Contains(errs, "indexed 1 memories") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
}

func TestWithoutADatabaseTheJournalStillTakesMemories(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	workspace := filepath.Join(home, ".agent-memory")
	if code, _, errs := program(t, env, "init"); code != 0 {
		t.Fatal(errs)
	}
	database := filepath.Join(workspace, ".agent-memory", "memory.db")
	if err := os.Rename(database, database+".away"); err != nil {
		t.Fatal(err)
	}
	mkdir(t, database) // nothing can be opened there
	got := answer[rememberView](t, env, "remember", "Kept although the database is away", "--type", "knowledge")
	if got.Action != "added" || got.Degraded != "index_pending" {
		t.Fatalf("%+v", got)
	}
	answers := conversation(t, env, hello,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"remember","arguments":{"content":"served without a database","type":"knowledge"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"recall","arguments":{"query":"served"}}}`)
	if degraded := dig[string](t, answers[2], "result", "structuredContent", "degraded"); degraded != "index_pending" {
		t.Errorf("remember: %v", answers[2])
	}
	if failed := dig[bool](t, answers[3], "result", "isError"); !failed {
		t.Errorf("recall: %v", answers[3])
	}
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(database+".away", database); err != nil {
		t.Fatal(err)
	}
	answer[map[string]any](t, env, "sync")
	for _, query := range []string{"Kept although away", "served without"} {
		if found := answer[recallView](t, env, "recall", query); found.Count == 0 || !strings.Contains(found.Memories[0].Content, strings.Fields(query)[0]) {
			t.Errorf("%q: %+v", query, found)
		}
	}
	if kept := answer[pathView](t, env, "recall-path", got.URI); !kept.Found || kept.Memory.ID != got.MemoryID {
		t.Errorf("%+v", kept)
	}
}

func TestChangesAreAuditedWithoutTheirContent(t *testing.T) {
	env, home := surround(t)
	got := answer[rememberView](t, env, "remember", "Nobody audits what this sentence says", "--type", "knowledge")
	answer[map[string]any](t, env, "forget", got.MemoryID)
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(home, ".agent-memory", ".agent-memory", "memory.db"), Now: env.Now, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	entries, err := s.AuditLog(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.AuditEntry{{At: env.Now(), Tool: "forget", ID: got.MemoryID}, {At: env.Now(), Tool: "remember", ID: got.MemoryID}}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Error(diff)
	}
}
