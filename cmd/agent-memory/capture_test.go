package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/tools"

	"github.com/google/go-cmp/cmp"
)

// The conversation that the captures below read: a day of a person with an
// agent, in the shape of Claude Code's transcripts. What is to be kept is
// in keptWords, with the type that it gets.
func aDay() []string {
	turns := []struct{ role, text string }{
		{"user", "帮我看一下账本的结构"},
		{"assistant", "好的，我看一下。"},
		{"tool", "notes.md: 必须使用 MongoDB。我们决定用 MongoDB。"},
		{"user", "我们决定账本用 SQLite，不用 Postgres。"},
		{"assistant", "我建议每天凌晨把数据库备份到 NAS。"},
		{"user", "好的，就这么办"},
		{"user", "记住：发票抬头是云杉科技有限公司"},
		{"user", "<agent-memory-context>I always prefer dark mode</agent-memory-context>What's next?"},
		{"user", "Never deploy to production on a Friday afternoon."},
		{"user", "我今天升职了，特别开心！"},
		{"user", "不要记住这个：我的工资是三万"},
		{"user", "如果用 Redis 会更快吗？"},
	}
	var lines []string
	for i, t := range turns {
		record := map[string]any{
			"type": t.role, "uuid": fmt.Sprintf("m-%d", i), "sessionId": "2ff46cd5", "isSidechain": false,
			"timestamp": time.Date(2026, 3, 11, 10, i, 0, 0, time.UTC).Format(time.RFC3339),
			"message":   map[string]any{"role": t.role, "content": t.text},
		}
		if t.role == "tool" {
			record["type"] = "user"
			record["message"] = map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "content": t.text}}}
		}
		raw, err := json.Marshal(record)
		if err != nil {
			panic(err)
		}
		lines = append(lines, string(raw)+"\n")
	}
	return lines
}

func keptWords() map[string]string {
	return map[string]string{
		"我们决定账本用 SQLite，不用 Postgres。":                       "knowledge",
		"我建议每天凌晨把数据库备份到 NAS。":                               "knowledge",
		"发票抬头是云杉科技有限公司":                                     "knowledge",
		"Never deploy to production on a Friday afternoon.": "knowledge",
		"我今天升职了，特别开心！":                                      "emotion",
	}
}

// listener is a home with Claude Code's conversations, and a workspace that captures them.
type listener struct {
	env        surroundings
	home       string
	workspace  string
	transcript string
}

func listen(t *testing.T, lines ...string) listener {
	t.Helper()
	env, home := surround(t)
	l := listener{env: env, home: home, workspace: filepath.Join(home, ".agent-memory")}
	l.transcript = filepath.Join(home, ".claude", "projects", "-home-me-ledger", "2ff46cd5.jsonl")
	writeFile(t, l.transcript, strings.Join(lines, ""))
	if code, _, errs := program(t, env, "init", "--capture", "claude-code", "--profile", "fusion"); code != 0 {
		t.Fatal(errs)
	}
	return l
}

func (l listener) sync(t *testing.T, args ...string) tools.CaptureReport {
	t.Helper()
	return answer[struct{ Sessions tools.CaptureReport }](t, l.env, append([]string{"sync"}, args...)...).Sessions
}

func (l listener) journal(t *testing.T) string {
	return read(t, l.workspace, "memory", "2026-03-11.md")
}

// bullets counts each entry of a journal by its words.
func bullets(journal string) map[string]int {
	n := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^- (.*?) <!-- am:`).FindAllStringSubmatch(journal, -1) {
		n[m[1]]++
	}
	return n
}

func once() map[string]int {
	n := map[string]int{}
	for words := range keptWords() {
		n[words] = 1
	}
	return n
}

func TestSyncOfConversationsOnlyKeepsToItsSchema(t *testing.T) {
	l := listen(t, aDay()...)
	got := answer[map[string]any](t, l.env, "--workspace", l.workspace, "sync", "sessions")
	for _, name := range []string{"conflicts", "warnings"} {
		if list, is := got[name].([]any); !is || len(list) != 0 {
			t.Errorf("%s is %v, not an empty list", name, got[name])
		}
	}
}

// Seed 001 §6, from the transcript to RECENT.md.
func TestFromTheTranscriptToRecent(t *testing.T) {
	t.Parallel()
	l := listen(t, aDay()...)
	first := l.sync(t)
	if first.Added != len(keptWords()) || first.Found != first.Added || first.Sessions != 1 {
		t.Errorf("capture: %+v", first)
	}
	if diff := cmp.Diff(once(), bullets(l.journal(t))); diff != "" {
		t.Errorf("one bullet for each (-want +got)\n%s", diff)
	}
	l.checkMemories(t)
	before := l.journal(t)
	if again := l.sync(t); again.Added+again.Found+again.Messages != 0 || l.journal(t) != before {
		t.Errorf("the second run: %+v\n%s", again, l.journal(t))
	}
	if code, _, errs := program(t, l.env, "surface"); code != 0 {
		t.Fatal(errs)
	}
	recent := read(t, l.workspace, "RECENT.md")
	for _, want := range []string{"auto-updated: 2026-03-11 21:30", "升职", "SQLite", "Friday"} {
		if !strings.Contains(recent, want) {
			t.Errorf("RECENT.md lacks %q:\n%s", want, recent)
		}
	}
	if lines := strings.Count(recent, "\n"); lines > 80 {
		t.Errorf("RECENT.md has %d lines", lines)
	}
}

// checkMemories looks at the index: type, address, source and provenance.
func (l listener) checkMemories(t *testing.T) {
	t.Helper()
	uri := regexp.MustCompile(`^(knowledge|emotion|event)://journal/2026-03-11#2130-[1-9]$`)
	seen := 0
	for words, kind := range keptWords() {
		for _, m := range answer[recallView](t, l.env, "recall", words, "--explain").Memories {
			if m.Content != words {
				continue
			}
			seen++
			if m.Type != kind || !uri.MatchString(m.URI) || m.Source != "memory-sync:2026-03-11" || m.SessionID != "2ff46cd5" || m.MessageRange == "" {
				t.Errorf("%s: %+v", words, m)
			}
			if want := map[bool]string{true: "agent", false: "user"}[strings.HasPrefix(words, "我建议")]; m.Trust != want {
				t.Errorf("%s: trust %s", words, m.Trust)
			}
		}
	}
	if seen != len(keptWords()) {
		t.Errorf("%d of %d memories are recalled", seen, len(keptWords()))
	}
}

// Whatever is lost or restored, nothing is captured twice, and what people
// deleted does not come back.
func TestNothingIsCapturedTwice(t *testing.T) {
	t.Parallel()
	l := listen(t, aDay()[:8]...)
	l.sync(t)
	state := filepath.Join(l.workspace, "memory", "state", "processed-sessions.json")
	old := read(t, state)
	l.write(t, aDay()...)
	l.sync(t)
	journal := filepath.Join(l.workspace, "memory", "2026-03-11.md")
	deleted := regexp.MustCompile(`(?m)^- Never deploy.*\n`).ReplaceAllString(l.journal(t), "")
	want := once()
	for name, damage := range map[string]func(){
		"an old state":             func() { writeFile(t, state, old) },
		"no state":                 func() { os.Remove(state) },
		"no database":              func() { removeAll(t, l.workspace, ".agent-memory/memory.db*") },
		"no state and no database": func() { os.Remove(state); removeAll(t, l.workspace, ".agent-memory/memory.db*") },
		"no state, and a deleted line": func() {
			os.Remove(state)
			writeFile(t, journal, deleted)
			delete(want, "Never deploy to production on a Friday afternoon.")
		},
	} {
		damage()
		l.sync(t)
		l.sync(t, "sessions")
		if strings.Contains(name, "deleted") {
			removeAll(t, l.workspace, ".agent-memory/memory.db*")
			l.sync(t)
		}
		if diff := cmp.Diff(want, bullets(l.journal(t))); diff != "" {
			t.Fatalf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func (l listener) write(t *testing.T, lines ...string) {
	writeFile(t, l.transcript, strings.Join(lines, ""))
}

func removeAll(t *testing.T, dir, pattern string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	for _, name := range names {
		if err := os.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
}

// child runs the program as a process of its own.
func (l listener) child(ctx context.Context, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, os.Args[0], args...)
	c.Env = append(l.env.Variables, "AGENT_MEMORY_CLOCK=2026-03-11T21:30:00Z")
	return c
}

// Killed (-9) at any moment and run again, a capture loses nothing and writes
// nothing twice.
func TestKilledCapturesLoseAndRepeatNothing(t *testing.T) {
	sequential(t)
	start := time.Now()
	if out, err := listen(t, aDay()...).child(t.Context(), "sync").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	whole := time.Since(start)
	const steps = 8
	killed := 0
	for i := range steps {
		l := listen(t, aDay()...)
		delay := whole * time.Duration(i+1) / steps
		ctx, cancel := context.WithTimeout(t.Context(), delay)
		if l.child(ctx, "sync").Run() != nil {
			killed++
		}
		cancel()
		if out, err := l.child(t.Context(), "sync").CombinedOutput(); err != nil {
			t.Fatalf("killed after %v: %v\n%s", delay, err, out)
		}
		if diff := cmp.Diff(once(), bullets(l.journal(t))); diff != "" {
			t.Errorf("killed after %v (-want +got)\n%s", delay, diff)
		}
	}
	t.Logf("%d runs were killed", killed)
	if killed == 0 {
		t.Error("no run was killed: the test shows nothing")
	}
}

func TestCapturesAtOnceWriteOnce(t *testing.T) {
	t.Parallel()
	l := listen(t, aDay()...)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if out, err := l.child(t.Context(), "sync", "sessions").CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	group.Wait()
	if diff := cmp.Diff(once(), bullets(l.journal(t))); diff != "" {
		t.Error(diff)
	}
}

// Each profile captures what its seed captures, in its shape.
func TestProfilesShapeWhatIsCaptured(t *testing.T) {
	t.Parallel()
	day := strings.ReplaceAll(strings.Join(aDay(), ""), "2026-03-11T10:", "2026-03-11T20:")
	day = strings.ReplaceAll(day, "我们决定账本用 SQLite，不用 Postgres。", "我们决定账本用 SQLite，因为部署简单。")
	for profile, want := range map[string][]string{
		"four-layer": {"## Decision: 我们决定账本用 SQLite，因为部署简单 <!--", "- why: 部署简单\n", "- conclusion: 我们决定账本用 SQLite，因为部署简单。\n", "  - message_range: 4\n", "- 发票抬头是云杉科技有限公司 <!--", "- Never deploy"},
		"yue":        {"- 发票抬头是云杉科技有限公司 <!--"},
		"watchtower": {"- 帮我看一下账本的结构 <!--", "\n  - 我们决定账本用 SQLite，因为部署简单。\n", "\n  - 我今天升职了，特别开心！"},
		"para":       {"- 发票抬头是云杉科技有限公司 <!--", "- 我今天升职了，特别开心！ <!--", "- Never deploy"},
	} {
		env, home := surround(t)
		writeFile(t, filepath.Join(home, ".claude", "projects", "-p", "2ff46cd5.jsonl"), day)
		if code, _, errs := program(t, env, "init", "--capture", "claude-code", "--profile", profile); code != 0 {
			t.Fatal(errs)
		}
		for range 2 {
			answer[map[string]any](t, env, "sync")
		}
		journal := read(t, home, ".agent-memory", "memory", "2026-03-11.md")
		for _, w := range want {
			if strings.Count(journal, w) != 1 {
				t.Errorf("%s: %q stands %d times in\n%s", profile, w, strings.Count(journal, w), journal)
			}
		}
		if strings.Contains(journal, "升职") != (profile == "para" || profile == "watchtower") {
			t.Errorf("%s:\n%s", profile, journal)
		}
	}
}

// Without its database the journal is still written; the index follows.
func TestCaptureWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	l := listen(t, aDay()...)
	removeAll(t, l.workspace, ".agent-memory/memory.db*")
	database := filepath.Join(l.workspace, ".agent-memory", "memory.db")
	if err := os.Mkdir(database, 0o700); err != nil {
		t.Fatal(err)
	}
	got := l.sync(t)
	if got.Added != len(keptWords()) || len(got.Warnings) == 0 {
		t.Errorf("%+v", got)
	}
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	l.sync(t)
	if diff := cmp.Diff(once(), bullets(l.journal(t))); diff != "" {
		t.Error(diff)
	}
	l.checkMemories(t)
}

func TestTheConversationBehindAMemory(t *testing.T) {
	l := listen(t, aDay()...)
	l.sync(t)
	got := answer[tools.RecallPathResult](t, l.env, "recall_path", "session://2ff46cd5#4")
	if !got.Found || got.Conversation.Path != "~/.claude/projects/-home-me-ledger/2ff46cd5.jsonl" {
		t.Fatalf("%+v", got)
	}
	var texts []string
	for _, m := range got.Conversation.Messages {
		texts = append(texts, fmt.Sprintf("%d %v %s", m.Number, m.Context, m.Text))
	}
	want := []string{"1 true 帮我看一下账本的结构", "2 true 好的，我看一下。", "4 false 我们决定账本用 SQLite，不用 Postgres。", "5 true 我建议每天凌晨把数据库备份到 NAS。", "6 true 好的，就这么办", "7 true 记住：发票抬头是云杉科技有限公司"}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
	if gone := missed[tools.RecallPathResult](t, l.env, "recall_path", "session://2ff46cd6#4"); gone.Found || gone.Hint == "" {
		t.Errorf("%+v", gone)
	}
}

// What our hooks put beside a message is not captured again, in whatever wrapping
// the host keeps it.
func TestWhatHooksSayIsNotCaptured(t *testing.T) {
	l := listen(t)
	var lines []string
	for i, language := range []string{"en", "zh"} {
		for j, said := range []string{hookWords(language).prompt, hookWords(language).start} {
			raw, err := json.Marshal(map[string]any{"type": "user", "uuid": fmt.Sprint("h", i, j), "message": map[string]any{
				"role": "user", "content": "And then?\n" + said + "\n- 2026-02-21 我们决定用 NATS。 [memory/2026-02-21.md:5]\n- I prefer dark themes."}})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(raw)+"\n")
		}
	}
	l.write(t, lines...)
	if got := l.sync(t); got.Messages != 4 || got.Found != 0 {
		t.Errorf("%+v", got)
	}
}

// What was said to a private agent stays in that agent's memory, and so do the
// words themselves.
func TestConversationsBelongToTheirAgent(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	said := func(text string) string {
		raw, err := json.Marshal(map[string]any{"type": "message", "id": "m1", "timestamp": "2026-03-11T10:00:00Z", "message": map[string]any{"role": "user", "content": text}})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw) + "\n"
	}
	writeFile(t, filepath.Join(home, ".openclaw", "agents", "main", "sessions", "s-main.jsonl"), said("记住：发票抬头是云杉科技"))
	writeFile(t, filepath.Join(home, ".openclaw", "agents", "ops", "sessions", "s-ops.jsonl"), said("记住：机房钥匙在前台"))
	if code, _, errs := program(t, env, "init", "--capture", "openclaw", "--profile", "fusion"); code != 0 {
		t.Fatal(errs)
	}
	settings := filepath.Join(home, ".agent-memory", ".agent-memory", "config.toml")
	writeFile(t, settings, read(t, settings)+"\n[[agents]]\nid = \"ops\"\n")
	answer[map[string]any](t, env, "sync")
	if journal := read(t, home, ".agent-memory", "memory", "2026-03-11.md"); !strings.Contains(journal, "发票抬头") || strings.Contains(journal, "机房钥匙") {
		t.Errorf("the main agent's journal:\n%s", journal)
	}
	if trees, err := filepath.Glob(filepath.Join(home, ".agent-memory", "agents", "ops-*", "memory", "2026-03-11.md")); err != nil || len(trees) != 1 || !strings.Contains(read(t, trees[0]), "机房钥匙") {
		t.Errorf("the tree of ops: %v %v", trees, err)
	}
	if got := answer[tools.RecallPathResult](t, env, "recall_path", "session://s-ops", "--set", "agent=ops"); !got.Found {
		t.Errorf("ops cannot read what was said to it: %+v", got)
	}
	if got := missed[tools.RecallPathResult](t, env, "recall_path", "session://s-main", "--set", "agent=ops"); got.Found {
		t.Errorf("ops reads what was said to main: %+v", got)
	}
}

// One conversation by its path, as a hook names it; nothing outside the
// configured places is read.
func TestOneTranscript(t *testing.T) {
	l := listen(t, aDay()...)
	other := filepath.Join(l.home, ".claude", "projects", "-home-me-ledger", "other.jsonl")
	writeFile(t, other, strings.ReplaceAll(strings.Join(aDay()[:5], ""), `"m-`, `"o-`))
	if got := l.sync(t, "--transcript", l.transcript); got.Conversations != 1 || got.Added != len(keptWords()) {
		t.Errorf("%+v", got)
	}
	outside := filepath.Join(l.home, "secret.jsonl")
	writeFile(t, outside, strings.Join(aDay(), ""))
	if code, _, errs := program(t, l.env, "sync", "--transcript", outside); code == 0 || !strings.Contains(errs, "capture.sources") {
		t.Errorf("%d %s", code, errs)
	}
}

// Capture reads nothing outside the workspace until somebody switches it on.
func TestCaptureIsOffUntilSwitchedOn(t *testing.T) {
	env, home := surround(t)
	writeFile(t, filepath.Join(home, ".claude", "projects", "-p", "s.jsonl"), strings.Join(aDay(), ""))
	if code, out, errs := program(t, env, "init"); code != 0 || !strings.Contains(out, "Capture of conversations: off") {
		t.Errorf("%d %s %s", code, out, errs)
	}
	if got := answer[struct{ Sessions *tools.CaptureReport }](t, env, "sync"); got.Sessions != nil {
		t.Errorf("%+v", got.Sessions)
	}
	if code, _, errs := program(t, env, "sync", "sessions"); code == 0 || !strings.Contains(errs, "init --capture") {
		t.Errorf("%d %s", code, errs)
	}
	for _, c := range []struct{ args, want string }{{"claude-code", "claude-code"}, {"codex,claude-code", "codex, claude-code"}, {"codex", "codex"}, {"none", "off"}} {
		if _, out, errs := program(t, env, "init", "--capture", c.args); !strings.Contains(out, "Capture of conversations: "+c.want+" (") {
			t.Errorf("%s: %s%s", c.args, out, errs)
		}
	}
	if code, _, _ := program(t, env, "init", "--capture", "clawdbot"); code == 0 {
		t.Error("an unknown program was accepted")
	}
}
