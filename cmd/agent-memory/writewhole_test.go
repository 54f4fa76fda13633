package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A disk that is full when settings are changed leaves those that stood.
func TestSettingsOutliveAFullDisk(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh, whose ulimit is the full disk")
	}
	env, home := surround(t)
	if code, _, errs := program(t, env, "init"); code != 0 {
		t.Fatal(errs)
	}
	path := filepath.Join(home, ".agent-memory", ".agent-memory", "config.toml")
	text := read(t, path) + "\n[[agents]]\nid = \"helper\"\nnamespace = \"helper\"\naccess = \"private\"\n"
	writeFile(t, path, text)
	for _, args := range []string{"init --profile four-layer", "init --capture codex"} {
		cmd := exec.CommandContext(t.Context(), shell, "-c", `ulimit -f 0; exec "$0" `+args, os.Args[0])
		cmd.Env = env.Variables
		out, err := cmd.CombinedOutput()
		if got := read(t, path); err == nil || got != text {
			t.Errorf("%s: %v, %s; the settings are now\n%s", args, err, out, got)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// What is written through a link, or over a file, stays a link, and keeps its mode.
func TestSettingsKeepTheirLinkAndMode(t *testing.T) {
	env, home := surround(t)
	if code, _, errs := program(t, env, "init"); code != 0 {
		t.Fatal(errs)
	}
	path, elsewhere := filepath.Join(home, ".agent-memory", ".agent-memory", "config.toml"), filepath.Join(home, "dotfiles.toml")
	if err := os.Rename(path, elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(elsewhere, 0o664); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if code, _, errs := program(t, env, "init", "--profile", "four-layer"); code != 0 {
		t.Fatal(errs)
	}
	info, err := os.Stat(elsewhere)
	if err != nil || info.Mode().Perm() != 0o664 || !strings.Contains(read(t, elsewhere), `profile = "four-layer"`) {
		t.Errorf("%v, %v:\n%s", info, err, read(t, elsewhere))
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
}
