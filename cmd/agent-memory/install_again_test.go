package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// Who moved the program, or remembers elsewhere from now on, installs again: the
// server follows as the hooks do. Hooks of one workspace beside a server of
// another would show what nobody remembers there.
func TestInstallingAgainMovesTheServerToo(t *testing.T) {
	t.Parallel()
	for _, host := range hosts() {
		env, home := surround(t)
		before := hostFiles(t, home)
		answer[installReport](t, env, "install", host, "--program", "/opt/agent-memory")
		elsewhere := filepath.Join(home, "另一处 memory")
		answer[installReport](t, env, "install", host, "--program", "/usr/bin/agent-memory", "--workspace", elsewhere)
		for _, name := range []string{".claude.json", ".claude/settings.json", ".codex/config.toml", ".codex/hooks.json", ".openclaw/openclaw.json"} {
			if text := readIfThere(home, name); strings.Contains(text, "/opt/agent-memory") || strings.Contains(text, "agent-memory") && !strings.Contains(text, elsewhere) {
				t.Errorf("%s: %s still has what was installed first:\n%s", host, name, text)
			}
		}
		for _, f := range answer[installReport](t, env, "install", host, "--program", "/usr/bin/agent-memory", "--workspace", elsewhere).Files {
			if f.Done != "unchanged" {
				t.Errorf("%s once more: %+v", host, f)
			}
		}
		answer[installReport](t, env, "install", host, "--uninstall")
		for name, text := range before {
			if now := read(t, home, name); now != text {
				t.Errorf("%s: %s is now\n%s", host, name, now)
			}
		}
	}
}

// Editors write carriage returns, and Codex adds tables of its own below ours.
func TestTOMLThatWasWrittenAgainIsCleaned(t *testing.T) {
	edit := tomlEdit("config.toml", "/opt/agent-memory", []string{"serve"})
	added, err := edit.Add("model = \"x\"\n\n[mcp_servers.docs]\ncommand = \"docs\"\n")
	if err != nil {
		t.Fatal(err)
	}
	const tools = "\n[mcp_servers.agent-memory.tools.recall]\napproval_mode = \"approve\"\n\n[mcp_servers.agent-memory.env]\nA = \"b\"\n"
	for name, text := range map[string]string{
		"carriage returns":          strings.ReplaceAll(added, "\n", "\r\n"),
		"tables below it":           added + tools + "\n[tui]\ntheme = \"dark\" # later\n",
		"both":                      strings.ReplaceAll(added+tools+"\n[tui]\ntheme = \"dark\" # later\n", "\n", "\r\n"),
		"a list of several lines":   strings.Replace(added, `["serve"]`, "[\n  \"serve\",\n\n  # how\n  \"--schedule\",\n]", 1) + "\n[tui]\ntheme = \"dark\" # later\n",
		"the comment was taken out": strings.Replace(added, tomlMark+"\n", "", 1),
	} {
		removed, err := edit.Remove(text)
		var tree map[string]any
		if err != nil || toml.Unmarshal([]byte(removed), &tree) != nil {
			t.Errorf("%s: %v\n%s", name, err, removed)
			continue
		}
		servers, _ := tree["mcp_servers"].(map[string]any)
		if _, ours := servers[serverName]; ours != (name == "the comment was taken out") || servers["docs"] == nil || tree["model"] != "x" {
			t.Errorf("%s:\n%s", name, removed)
		}
		if strings.Contains(text, "# later") && !strings.Contains(removed, "theme = \"dark\" # later") {
			t.Errorf("%s: what stands below is gone:\n%s", name, removed)
		}
	}
}

func TestSourcesInAFileWithCarriageReturns(t *testing.T) {
	for _, text := range []string{
		"zone = \"UTC\"\r\n\r\n[capture]\r\nsources = [] # none\r\n\r\n[hook]\r\nstart_tokens = 100\r\n",
		"[capture]\r\nsources = [\r\n  \"claude-code\",\r\n]\r\n", "[capture]\r\nsources = []\r\n", "zone = \"UTC\"\r\n",
	} {
		if after, err := withSources(text, []string{"codex"}); err != nil || !strings.Contains(after, `sources = ["codex"]`) {
			t.Errorf("%q: %v\n%q", text, err, after)
		}
	}
}

func readIfThere(path ...string) string {
	text, _ := os.ReadFile(filepath.Join(path...))
	return string(text)
}
