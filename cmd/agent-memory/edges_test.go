package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What a newcomer gets wrong is answered with what is wrong and what to do.
func TestMistakesAreAnsweredWithAHint(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	program(t, env, "remember", "The coffee machine is on the third floor")
	for _, tt := range []struct {
		args []string
		code int
		says []string
		not  string
	}{
		{[]string{"recall_path", "knowledge://nope"}, 3, []string{"Nothing is remembered at knowledge://nope"}, ""},
		{[]string{"recall_path", "knowledge://nope", "--json"}, 3, []string{`"found": false`}, "error"},
		{[]string{"init", "--profile", "bogus"}, 2, []string{`profile cannot be "bogus"`, "one of openclaw"}, "--set"},
		{[]string{"forget", "--source", "zzz*"}, 3, []string{"no memory has a source", "hint: ", "recall"}, ""},
		{[]string{"wrapup", "--date", "bad"}, 2, []string{`date cannot be "bad"`, "hint: a day such as 2026-02-21"}, "parsing time"},
		{[]string{"export", "--format", "xml"}, 2, []string{`format cannot be "xml"`, "hint: one of markdown, jsonl"}, ""},
		{[]string{"export", "extra"}, 2, []string{`unknown command "extra" for "agent-memory export"`, "add --help"}, "lists the commands"},
		{[]string{"eval", "."}, 3, []string{"lacks memories.jsonl", "hint: each folder holds"}, "no such file"},
		{[]string{"exprot"}, 2, []string{`unknown command "exprot"`, "did you mean `agent-memory export`?", "lists the commands"}, ""},
		{[]string{"search", "coffee"}, 2, []string{"did you mean `agent-memory recall`?"}, ""},
		{[]string{"uninstall", "codex"}, 2, []string{"did you mean `agent-memory install HOST --uninstall`?"}, ""},
		{[]string{"frobnicate"}, 2, []string{"hint: agent-memory --help lists the commands"}, "did you mean"},
		{[]string{"remember", "caf\xe9 at nine"}, 2, []string{"not valid UTF-8", "hint: ", "iconv"}, ""},
		{[]string{"remember", "--content", "\xc4\xe3\xba\xc3"}, 2, []string{"not valid UTF-8"}, ""},
		{[]string{"recall", "\xc4\xe3"}, 2, []string{"not valid UTF-8"}, ""},
	} {
		code, out, errs := program(t, env, tt.args...)
		if code != tt.code || tt.not != "" && strings.Contains(out+errs, tt.not) {
			t.Errorf("%q: exit status %d, want %d, without %q:\n%s%s", tt.args, code, tt.code, tt.not, out, errs)
		}
		for _, say := range tt.says {
			if !strings.Contains(out+errs, say) {
				t.Errorf("%q does not say %q:\n%s%s", tt.args, say, out, errs)
			}
		}
	}
}

// --capture names all that is captured from then on, and says what is not there.
func TestCaptureIsOfTheSourcesNamed(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	for _, tt := range []struct{ sources, says, warns string }{
		{"jsonl:/nosuch", "Capture of conversations: jsonl:/nosuch (", "jsonl:/nosuch: there is no folder /nosuch yet"},
		{"jsonl:" + home, "Capture of conversations: jsonl:" + home + " (", ""},
		{"claude-code,codex", "Capture of conversations: claude-code, codex (", "codex: there is no folder " + filepath.Join(home, ".codex", "sessions") + " yet"},
	} {
		code, out, errs := program(t, env, "init", "--capture", tt.sources)
		if code != 0 || !strings.Contains(out, tt.says) || !strings.Contains(out, tt.warns) || tt.warns == "" && strings.Contains(out, "no folder") {
			t.Errorf("%s: exit status %d\n%s%s", tt.sources, code, out, errs)
		}
	}
}

// A text that came through JSON with broken characters is kept, and that is said.
func TestUnreadableCharactersAreSaid(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	got := answer[rememberView](t, env, "remember", "The caf\uFFFD opens at nine \uFFFD\uFFFD")
	if got.Action != "added" || !strings.HasSuffix(got.Reason, "; 3 characters could not be read and stand as \uFFFD") {
		t.Errorf("%+v", got)
	}
	if got := answer[rememberView](t, env, "remember", "The bakery opens at six"); strings.Contains(got.Reason, "could not be read") {
		t.Errorf("%+v", got)
	}
}

// The language of a workspace without a locale does not change with every line.
func TestTheLanguageStays(t *testing.T) {
	t.Parallel()
	env, _ := surround(t, "LANG=C.UTF-8")
	if _, out, _ := program(t, env, "remember", "书房的硬盘每天凌晨备份一次，周末再备份到银行的保险箱里"); !strings.HasPrefix(out, "新增") {
		t.Errorf("the first text does not tell the language: %s", out)
	}
	for _, text := range []string{"我们决定账本用 SQLite 存储，每天凌晨备份到书房的硬盘", "We decided to keep the ledger in SQLite and to write backups every night", "The staging server listens on port 8080 behind the proxy", "Deploys happen on Tuesdays, never on Fridays or before holidays"} {
		if _, out, errs := program(t, env, "remember", text); !strings.HasPrefix(out, "新增") {
			t.Errorf("after %q: %s%s", text, out, errs)
		}
	}
}

// A second init fixes the language that the first could not tell, and no third one
// changes it; what a person set stays.
func TestInitFixesTheLanguageWhenItIsKnown(t *testing.T) {
	t.Parallel()
	env, _ := surround(t, "LANG=C.UTF-8")
	dir := filepath.Join(t.TempDir(), "memory")
	for i, tt := range []struct{ remember, says string }{
		{"书房的硬盘每天凌晨备份一次，周末再备份到银行的保险箱里", `language = "auto"`},
		{"The staging server listens on port 8080 behind the proxy, and only there", `language = "zh"`},
		{"", `language = "zh"`},
	} {
		if code, _, errs := program(t, env, "init", "--workspace", dir); code != 0 {
			t.Fatal(errs)
		}
		if settings := read(t, dir, filepath.Join(stateFolder, configFile)); !strings.Contains(settings, tt.says) {
			t.Errorf("after init %d: %s", i+1, settings)
		}
		if tt.remember != "" {
			program(t, env, "remember", tt.remember, "--workspace", dir)
		}
	}
}

// When OpenClaw arrives later, its workspace is taken: whoever had one before is told.
func TestTheWorkspaceOfBeforeIsNotForgotten(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	env.Variables = append(env.Variables, workspaceVariable+"=")
	program(t, env, "remember", "The coffee machine is on the third floor")
	if _, out, errs := program(t, env, "doctor"); strings.Contains(out+errs, "passed over") {
		t.Errorf("%s%s", out, errs)
	}
	mkdir(t, filepath.Join(home, ".openclaw", "workspace"))
	said := filepath.Join(home, ".agent-memory") + " holds memories, too"
	for _, args := range [][]string{{"recall", "coffee"}, {"doctor"}, {"config"}} {
		if _, out, errs := program(t, env, args...); !strings.Contains(out+errs, said) {
			t.Errorf("%v does not say %q:\n%s%s", args, said, out, errs)
		}
	}
	if _, out, _ := program(t, env, "recall", "coffee", "--workspace", filepath.Join(home, ".agent-memory")); !strings.Contains(out, "third floor") {
		t.Error(out)
	}
}
