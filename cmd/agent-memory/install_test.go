package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

func TestEditingJSONLeavesTheRestAlone(t *testing.T) {
	for _, c := range []struct{ name, before, path, after string }{
		{"an empty object", `{}`, "a", "{\n  \"a\": 1\n}"},
		{"a compact one", `{"b":{"c":2}}`, "a", `{"b":{"c":2}, "a": 1}`},
		{"a comment behind the last", "{\n\t\"b\": 2 // two\n}", "a", "{\n\t\"b\": 2, // two\n\t\"a\": 1\n}"},
		{"a trailing comma", "{\n    b: 'x', // 注\n}", "a", "{\n    b: 'x', // 注\n    \"a\": 1,\n}"},
		{"missing objects", "{\n  // 网关\n  x: [1, 2,],\n}", "m.s.a", "{\n  // 网关\n  x: [1, 2,],\n  \"m\": {\n    \"s\": {\n      \"a\": 1\n    }\n  },\n}"},
		{"inside an inline object", "{\n  m: { s: { d: {} } },\n}", "m.s.a", "{\n  m: { s: { d: {}, \"a\": 1 } },\n}"},
		{"already there", `{"a": 7}`, "a", `{"a": 7}`},
		{"a key that needs no more than quotes", `{'a': 7}`, "a", `{'a': 7}`},
		{"braces in strings and comments", "{ // {\n  \"b\": \"}{\", /* } */\n}", "a", "{ // {\n  \"b\": \"}{\", /* } */\n  \"a\": 1,\n}"},
		{"carriage returns", "{\r\n  \"b\": 2\r\n}\r\n", "a", "{\r\n  \"b\": 2,\r\n  \"a\": 1\r\n}\r\n"},
	} {
		path := strings.Split(c.path, ".")
		got, _, err := setMember(c.before, 1, path...)
		if c.name == "carriage returns" {
			c.after, got = strings.ReplaceAll(c.after, "\r", ""), strings.ReplaceAll(got, "\r", "")
		}
		if err != nil || got != c.after {
			t.Errorf("%s: %v\n%s", c.name, err, cmp.Diff(c.after, got))
		}
		var before, without any
		if c.before == c.after {
			continue
		}
		removed, err := dropMember(got, path...)
		if err != nil || decodeJSON5([]byte(c.before), &before) != nil || decodeJSON5([]byte(removed), &without) != nil || !cmp.Equal(before, without) {
			t.Errorf("%s, taken out again: %v\n%s", c.name, err, removed)
		}
	}
	for _, text := range []string{"", "{", `{"a"}`, "[1", `{"b": }`, "nonsense here"} {
		if got, _, err := setMember(text, 1, "a"); err == nil {
			t.Errorf("%q became %q", text, got)
		}
	}
	if _, _, err := setMember(`{"m": 3}`, 1, "m", "a"); err == nil {
		t.Error("a number took a member")
	}
}

func FuzzJSONEdit(f *testing.F) {
	for _, text := range []string{`{}`, "{\n  b: 'x', // 注\n}", `{"m":{"a":[1,{"b":null}]}}`, "{ /* } */ m: { s: +1, t: -Infinity } }", "\ufeff{\"a\":1,}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var before map[string]any
		if decodeJSON5([]byte(text), &before) != nil || before == nil {
			return
		}
		got, done, err := setMember(text, 1, "m", "added")
		if err != nil || !done {
			return // not an object, or there already
		}
		var after map[string]any
		if err := decodeJSON5([]byte(got), &after); err != nil {
			t.Fatalf("%q became %q: %v", text, got, err)
		}
		removed, err := dropMember(got, "m", "added")
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		var without map[string]any
		if err := decodeJSON5([]byte(removed), &without); err != nil {
			t.Fatalf("%q became %q: %v", got, removed, err)
		}
	})
}

// hostFiles are configurations as people have them.
func hostFiles(t *testing.T, home string) map[string]string {
	t.Helper()
	files := map[string]string{
		".claude/settings.json":   "{\n  // my own\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      { \"matcher\": \"\", \"hooks\": [{ \"type\": \"command\", \"command\": \"notify-send done\" }] }, // keep\n    ],\n  },\n}\n",
		".claude.json":            `{"numStartups":3,"mcpServers":{"other":{"command":"x"}},"projects":{}}`,
		".codex/config.toml":      "model = \"gpt-5-codex\" # mine\n\n[mcp_servers.docs]\ncommand = \"docs\"",
		".openclaw/openclaw.json": "{\n  // 网关\n  agents: { defaults: { workspace: '~/claw' } },\n  mcp: { servers: { docs: { command: 'docs' } } },\n}\n",
	}
	for name, text := range files {
		writeFile(t, filepath.Join(home, name), text)
	}
	return files
}

func TestInstallAndUninstall(t *testing.T) {
	t.Parallel()
	for _, host := range hosts() {
		env, home := surround(t)
		program(t, env, "init")
		before := hostFiles(t, home)
		config := read(t, home, ".agent-memory", ".agent-memory", "config.toml")
		dry := answer[installReport](t, env, "install", host, "--program", "/opt/agent-memory", "--dry-run")
		for name, text := range before {
			if read(t, home, name) != text {
				t.Errorf("%s: a dry run changed %s", host, name)
			}
		}
		done := answer[installReport](t, env, "install", host, "--program", "/opt/agent-memory")
		if len(done.Files) != len(dry.Files) {
			t.Errorf("%s: the dry run said %+v, it became %+v", host, dry, done)
		}
		for _, f := range done.Files {
			if f.Done == "unchanged" {
				t.Errorf("%s: %+v", host, f)
			}
			if raw := read(t, f.Path); !strings.Contains(raw, map[bool]string{true: host, false: "/opt/agent-memory"}[f.What == "capture of conversations"]) {
				t.Errorf("%s is now\n%s", f.Path, raw)
			}
		}
		for _, f := range answer[installReport](t, env, "install", host, "--program", "/opt/agent-memory").Files {
			if f.Done != "unchanged" {
				t.Errorf("%s again: %+v", host, f)
			}
		}
		answer[installReport](t, env, "install", host, "--uninstall")
		for name, text := range before {
			if diff := cmp.Diff(text, read(t, home, name)); diff != "" {
				t.Errorf("%s: %s is not as it was:\n%s", host, name, diff)
			}
		}
		if now := read(t, home, ".agent-memory", ".agent-memory", "config.toml"); now != config {
			t.Errorf("%s: settings are now\n%s", host, now)
		}
		for _, left := range []string{".codex/hooks.json", ".local/state/agent-memory/install/" + host} {
			if _, err := os.Stat(filepath.Join(home, left)); err == nil {
				t.Errorf("%s: %s is left", host, left)
			}
		}
	}
}

// What was changed since stays; only our entries go.
func TestUninstallAfterOtherChanges(t *testing.T) {
	for _, host := range hosts() {
		env, home := surround(t)
		before := hostFiles(t, home)
		answer[installReport](t, env, "install", host)
		for name, text := range before {
			now := read(t, home, name)
			if strings.HasSuffix(name, ".toml") {
				writeFile(t, filepath.Join(home, name), now+"\n[tui]\ntheme = \"dark\" # later\n")
			} else if now != text {
				later, _, err := setMember(now, "dark", "theme")
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(home, name), later)
			}
		}
		answer[installReport](t, env, "install", host, "--uninstall")
		for name, text := range before {
			now := read(t, home, name)
			if strings.Contains(now, "--workspace") || strings.Contains(now, "agent-memory") {
				t.Errorf("%s: %s still names us:\n%s", host, name, now)
			}
			var was, is map[string]any
			decode := func(text string, v *map[string]any) error { return decodeJSON5([]byte(text), v) }
			if strings.HasSuffix(name, ".toml") {
				decode = func(text string, v *map[string]any) error { return toml.Unmarshal([]byte(text), v) }
			}
			if decode(text, &was) != nil || decode(now, &is) != nil {
				t.Fatalf("%s: %s is not valid any more:\n%s", host, name, now)
			}
			delete(is, "theme")
			delete(is, "tui")
			if diff := cmp.Diff(was, is); diff != "" {
				t.Errorf("%s: %s (-before +after):\n%s", host, name, diff)
			}
			for _, comment := range []string{"// my own", "// keep", "// 网关", "# mine"} {
				if strings.Contains(text, comment) && !strings.Contains(now, comment) {
					t.Errorf("%s: %s lost %q", host, name, comment)
				}
			}
		}
	}
}

func TestInstallKeepsWhatIsTheUsersOwn(t *testing.T) {
	env, home := surround(t)
	own := `{"mcpServers":{"agent-memory":{"command":"/my/wrapper","env":{"X":"1"}}}}`
	writeFile(t, filepath.Join(home, ".claude.json"), own)
	answer[installReport](t, env, "install", "claude-code")
	answer[installReport](t, env, "install", "claude-code", "--uninstall")
	if now := read(t, home, ".claude.json"); now != own {
		t.Errorf("now %s", now)
	}
}

func TestInstallRefusesWhatItCannotRead(t *testing.T) {
	env, home := surround(t)
	before := hostFiles(t, home)
	broken := "{ hooks: [ }"
	writeFile(t, filepath.Join(home, ".claude", "settings.json"), broken)
	code, _, errs := program(t, env, "install", "claude-code")
	if code != 2 || !strings.Contains(errs, "settings.json") || !strings.Contains(errs, "nothing was changed") {
		t.Errorf("%d %s", code, errs)
	}
	if read(t, home, ".claude.json") != before[".claude.json"] || read(t, home, ".claude", "settings.json") != broken {
		t.Error("something was changed")
	}
	if code, _, _ := program(t, env, "install", "emacs"); code != 2 {
		t.Errorf("an unknown host: %d", code)
	}
}

// A configuration that is kept elsewhere and linked stays a link.
func TestInstallFollowsLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	env, home := surround(t)
	real := filepath.Join(home, "dotfiles", "settings.json")
	writeFile(t, real, "{}\n")
	mkdir(t, home, ".claude")
	if err := os.Symlink(real, filepath.Join(home, ".claude", "settings.json")); err != nil {
		t.Fatal(err)
	}
	answer[installReport](t, env, "install", "claude-code")
	if !strings.Contains(read(t, real), "hook session-start") {
		t.Error("the linked file was not changed")
	}
	answer[installReport](t, env, "install", "claude-code", "--uninstall")
	if info, err := os.Lstat(filepath.Join(home, ".claude", "settings.json")); err != nil || info.Mode()&os.ModeSymlink == 0 || read(t, real) != "{}\n" {
		t.Errorf("%v %v %q", info, err, read(t, real))
	}
}

// Where the copy of what was there before is lost, only our own entries are taken out.
func TestUninstallWithoutItsCopiesLosesNothing(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} {
		env, home := surround(t)
		program(t, env, "init")
		hostFiles(t, home)
		done := answer[installReport](t, env, "install", "claude-code", "--program", "/opt/agent-memory")
		for _, f := range done.Files {
			if f.Backup != "" {
				if err := os.Remove(f.Backup); err != nil {
					t.Fatal(err)
				}
			}
		}
		if again { // another program: the entries change
			answer[installReport](t, env, "install", "claude-code", "--program", "/usr/bin/agent-memory")
		}
		answer[installReport](t, env, "install", "claude-code", "--uninstall")
		for name, own := range map[string]string{".claude/settings.json": "notify-send", ".claude.json": "numStartups"} {
			if text, err := os.ReadFile(filepath.Join(home, name)); err != nil || !strings.Contains(string(text), own) || strings.Contains(string(text), "agent-memory") {
				t.Errorf("%s (installed again: %t) is now %q, %v", name, again, text, err)
			}
		}
	}
}

// A table that is written in another way than ours is not extended: the file
// would be none that its program can read.
func TestTOMLThatCannotBeExtendedIsLeftAlone(t *testing.T) {
	for _, text := range []string{"mcp_servers = { docs = { command = \"docs\" } }\n", "mcp_servers.docs.command = \"docs\"\n"} {
		added, err := tomlEdit("config.toml", "/opt/agent-memory", []string{"serve"}).Add(text)
		var tree map[string]any
		if broken := toml.Unmarshal([]byte(added), &tree); broken != nil || err == nil && added == text {
			t.Errorf("%q became %q: %v, %v", text, added, err, broken)
		}
	}
}
