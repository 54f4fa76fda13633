package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Links in a workspace may lead anywhere: no command follows them out of it.
func TestCommandsReadNothingOutside(t *testing.T) {
	t.Parallel()
	link := func(t *testing.T, home, name, text string) {
		outside := filepath.Join(home, "outside", filepath.Base(name))
		writeFile(t, outside, text)
		path := filepath.Join(home, "w", name)
		mkdir(t, filepath.Dir(path))
		_ = os.Remove(path)
		if err := os.Symlink(outside, path); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	t.Run("doctor and the records", func(t *testing.T) {
		env, home := surround(t)
		ws := filepath.Join(home, "w")
		program(t, env, "remember", "部署在第七号机器", "--workspace", ws)
		link(t, home, ".agent-memory/records.jsonl", "not a record, but somebody's text\n")
		_, out, _ := program(t, env, "doctor", "--workspace", ws)
		if strings.Contains(out, "is damaged") || !strings.Contains(out, "records.jsonl cannot be read") {
			t.Errorf("doctor read a file outside:\n%s", out)
		}
	})
	t.Run("init and the language", func(t *testing.T) {
		env, home := surround(t)
		ws := filepath.Join(home, "w")
		link(t, home, "USER.md", "# 记忆\n\n- 用户喜欢喝绿茶，住在里斯本\n")
		if code, _, errs := program(t, env, "init", "--workspace", ws); code != 0 {
			t.Fatal(errs)
		}
		if config := read(t, ws, ".agent-memory", "config.toml"); strings.Contains(config, `"zh"`) {
			t.Errorf("the language is that of a file outside:\n%s", config)
		}
	})
}
