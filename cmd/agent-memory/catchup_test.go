package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
)

// A command without a server beside it answers from the files as they are now.
func TestAQuestionSeesWhatWasEditedWithoutAServer(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	workspace := filepath.Join(home, ".agent-memory")
	journal := filepath.Join(workspace, "memory", "2026-03-11.md")
	ask := func(args ...string) (out, errs string) {
		t.Helper()
		code, out, errs := program(t, env, args...)
		if code != 0 {
			t.Fatalf("%q: exit status %d: %s", args, code, errs)
		}
		return out, errs
	}
	ask("remember", "The staging server listens on port 8080")
	ask("remember", "咖啡机在三楼")
	if _, errs := ask("recall", "staging server"); errs != "" {
		t.Errorf("nothing was edited, and yet: %s", errs)
	}

	writeFile(t, journal, strings.Replace(read(t, journal), "port 8080", "port 9090", 1))
	out, errs := ask("recall", "staging server")
	if !strings.Contains(out, "port 9090") || strings.Contains(out, "8080") || !strings.Contains(errs, "1 changed") {
		t.Errorf("after an edit: %s%s", out, errs)
	}
	if _, errs := ask("recall", "staging server"); errs != "" {
		t.Errorf("taken over twice: %s", errs)
	}

	writeFile(t, filepath.Join(workspace, "memory", "2026-03-10.md"), "# 2026-03-10\n\n## 09:00\n\n- 新来的同事叫周岚\n")
	if out, errs := ask("recall", "新同事"); !strings.Contains(out, "周岚") || !strings.Contains(errs, "1 new") {
		t.Errorf("after a new file: %s%s", out, errs)
	}
	if err := os.Remove(filepath.Join(workspace, "memory", "2026-03-10.md")); err != nil {
		t.Fatal(err)
	}
	if out, errs := ask("status"); !strings.Contains(errs, "1 missing") {
		t.Errorf("after a file was deleted: %s%s", out, errs)
	}
	if out, _ := ask("export", "--format", "jsonl"); !strings.Contains(out, "port 9090") {
		t.Errorf("the export is of before the edit: %s", out)
	}
}

// Somebody who holds the files is reading them, and is not waited for.
func TestAQuestionDoesNotWaitForWhoHoldsTheFiles(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	program(t, env, "remember", "The staging server listens on port 8080")
	journal := filepath.Join(home, ".agent-memory", "memory", "2026-03-11.md")
	writeFile(t, journal, strings.Replace(read(t, journal), "port 8080", "port 9090", 1))
	held := flock.New(filepath.Join(home, ".agent-memory", ".agent-memory", "drain.lock"))
	if err := held.Lock(); err != nil {
		t.Fatal(err)
	}
	code, out, errs := program(t, env, "recall", "staging")
	if err := held.Unlock(); err != nil {
		t.Error(err)
	}
	if code != 0 || !strings.Contains(out, "port 8080") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}
