package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// People write what a list is about above it, once. Whoever asks for that finds
// the list, in either language, also after the loss of the database.
func TestNotesAreFoundByTheHeadingsAboveThem(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "w")
	journal := filepath.Join(ws, "memory", "2026-02-20.md")
	writeFile(t, journal, "# 2026-02-20\n\n## 冷链预算会议\n- 总额三十万，老马同意\n\n## Incident INC-0417\n- lag of nine minutes, one node out of disk\n")
	find := func(question, answer, heading string) {
		t.Helper()
		_, out, errs := program(t, env, "recall", question, "--workspace", ws)
		if !strings.Contains(out, answer) || !strings.Contains(out, heading) || strings.Contains(out, "Nothing relevant") {
			t.Errorf("%q:\n%s%s", question, out, errs)
		}
	}
	find("冷链预算是多少", "总额三十万", "冷链预算会议")
	find("INC-0417", "lag of nine minutes", "Incident INC-0417")

	writeFile(t, journal, strings.Replace(read(t, journal), "INC-0417", "INC-0500", 1))
	program(t, env, "sync", "--workspace", ws)
	find("INC-0500", "lag of nine minutes", "Incident INC-0500")

	removeAll(t, filepath.Join(ws, ".agent-memory"), "memory.db*")
	find("INC-0500", "lag of nine minutes", "Incident INC-0500")
}

// A block of code in MEMORY.md is one passage: a comment in it is no heading.
func TestCodeInMemoryStaysWhole(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "w")
	writeFile(t, filepath.Join(ws, "MEMORY.md"), "# MEMORY\n\n## Deploy\n\n```bash\n# production, from main only\n\nmake image\nkubectl rollout status deploy/ingest\n```\n\n#ops is the channel\n")
	_, out, errs := program(t, env, "recall", "kubectl rollout production", "--workspace", ws)
	if !strings.Contains(out, " 1. ```bash\n    # production, from main only\n") || !strings.Contains(out, "under Deploy") {
		t.Errorf("%s%s", out, errs)
	}
	if _, out, errs = program(t, env, "recall", "ops channel", "--workspace", ws); !strings.Contains(out, "#ops is the channel") {
		t.Errorf("%s%s", out, errs)
	}
}
