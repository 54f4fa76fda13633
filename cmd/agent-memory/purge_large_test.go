package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is too large to be read keeps a purge from nothing else: it is
// named, and purged as soon as it can be read.
func TestAPurgeBesideAFileThatIsTooLargeIsEndedWhenItIsSmaller(t *testing.T) {
	t.Parallel()
	for language, says := range map[string]string{"en_US.UTF-8": "was not purged: the words may still stand in it", "zh_CN.UTF-8": "未能清除"} {
		env, home := surround(t, "LANG="+language)
		ws := filepath.Join(home, "ws")
		run := runsIn(t, env, ws)
		run("remember", "We decided that the key of Zanzibarquux lies in the vault", "--uri", "knowledge://secrets/vault")
		run("remember", "北京机房周五断电，备用机已经接管", "--uri", "knowledge://sites/beijing")
		run("reflect", "compound")
		const large = "memory/2026-01-02.md"
		small := "# 2026-01-02\n\n- We decided that the key of Zanzibarquux lies in the vault\n- a line that stays\n"
		if err := os.WriteFile(filepath.Join(ws, large), []byte(small+strings.Repeat("- a line that somebody has pasted\n", 17<<20/33)), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out, errs := program(t, env, "forget", "--uri", "knowledge://secrets/vault", "--purge", "--workspace", ws)
		if code != 0 || !strings.Contains(out, says) || !strings.Contains(out, large) {
			t.Errorf("exit %d: %s%s", code, out, errs)
		}
		run("sync")
		notes := filepath.Join(ws, ".agent-memory", "purging")
		for _, file := range filesWith(t, ws, "Zanzibarquux") {
			if file != filepath.Join(ws, large) && filepath.Dir(file) != notes {
				t.Errorf("%s still holds what was purged", file)
			}
		}
		if len(filesWith(t, notes, "Zanzibarquux")) != 1 {
			t.Error("nothing tells what is still to be purged")
		}
		writeFile(t, filepath.Join(ws, large), small)
		run("sync")
		for _, file := range filesWith(t, ws, "Zanzibarquux") {
			if filepath.Base(file) != "memory.db" { // which had taken the person's line for theirs before it went
				t.Errorf("%s holds what was purged", file)
			}
		}
		if len(filesWith(t, ws, "a line that stays")) == 0 || len(filesWith(t, filepath.Join(ws, "memory"), "备用机")) == 0 {
			t.Error("more is gone than was purged")
		}
	}
}
