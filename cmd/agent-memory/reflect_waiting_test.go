package main

import (
	"strings"
	"testing"

	"agentmemory/tools"

	"github.com/google/go-cmp/cmp"
)

// What was remembered just before a run may not stand in its file when the run
// writes down what can be undone. The undo leaves it, and all else as it was.
func TestARunThatOvertakesTheFilesIsUndoneExactly(t *testing.T) {
	l := lived(t, "openclaw")
	remember, now, dry := l.remember(), l.at, false
	waiting := map[string]string{ // by the file in which it is to stand
		"memory/2026-01-05.md": "TODO look at the crane of the harbour",
		"memory/2026-02-02.md": "TODO ask Kenji for the keys of the boat",
	}
	for _, day := range []int{48, 20} {
		for file, text := range waiting {
			if l.at = now.AddDate(0, 0, -day); strings.Contains(file, l.at.Format("2006-01-02")) {
				if _, err := remember.Run(t.Context(), tools.RememberArgs{RememberItem: tools.RememberItem{Content: text}}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	l.at = now
	files, rows := l.files(), l.rows()
	if strings.Contains(files["memory/2026-02-02.md"], waiting["memory/2026-02-02.md"]) {
		t.Fatal("nothing waits")
	}
	report, err := l.reflect().Run(t.Context(), tools.ReflectArgs{Phase: "all", DryRun: &dry})
	if err != nil || report.Changed < len(waiting) {
		t.Fatalf("%+v, %v", report, err)
	}
	if undone := l.undo(); len(undone.Merged)+len(undone.Kept) > 0 {
		t.Errorf("undo: %+v", undone)
	}
	if diff := cmp.Diff(rows, l.rows()); diff != "" {
		t.Errorf("memories (-before +after):\n%s", diff)
	}
	for file, text := range waiting {
		after := l.files()[file]
		if strings.Count(after, text) != 1 {
			t.Errorf("%s holds %q %d times:\n%s", file, text, strings.Count(after, text), after)
		}
		files[file] = after
	}
	if diff := cmp.Diff(files, l.files()); diff != "" {
		t.Errorf("other files (-before +after):\n%s", diff)
	}
}
