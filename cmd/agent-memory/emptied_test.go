package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// An emptied journal is neither believed at once nor passed over in silence.
func TestDoctorAndSyncTellOfAnEmptiedJournal(t *testing.T) {
	env, home := surround(t)
	journal := filepath.Join(home, ".agent-memory", "memory", "2026-03-11.md")
	answer[rememberView](t, env, "remember", "The tea house pays yearly")
	for _, step := range []struct{ command, says string }{
		{"doctor", "files agree with the database"},
		{"doctor", "memory/2026-03-11.md was emptied"},
		{"sync", "memory/2026-03-11.md was emptied"},
	} {
		if code, out, errs := program(t, env, step.command); code != 0 || !strings.Contains(out, step.says) {
			t.Errorf("%s: exit status %d, does not say %q\n%s%s", step.command, code, step.says, out, errs)
		}
		writeFile(t, journal, "")
	}
	if _, out, _ := program(t, env, "recall", "tea house"); !strings.Contains(out, "pays yearly") {
		t.Errorf("what stood in the journal is not recalled:\n%s", out)
	}
}
