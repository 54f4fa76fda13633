package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A link or a label is enough to make an entity: its facts have a folder, its
// context can be loaded by name, and the undo of the extract takes it away again.
func TestAnEntityThatANoteNamesOnPurpose(t *testing.T) {
	for _, c := range []struct{ name, project, person, folder, personFolder, question string }{
		{"English", "Project Apollo: the ledger uses SQLite. The deadline is 2026-12-24.", "[[Maria]] is responsible for the audit",
			"projects/apollo", "areas/maria", "load the context of project Apollo"},
		{"Chinese", "项目阿波罗：账本使用 SQLite。截止日期是 2026-12-24。", "[[玛丽亚]]负责审计，住在里斯本",
			"projects/阿波罗", "areas/玛丽亚", "加载阿波罗项目的上下文"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env, home := surround(t)
			dir := filepath.Join(home, "named")
			for _, text := range []string{c.project, c.person} {
				answer[map[string]any](t, env, "--workspace", dir, "remember", text)
			}
			answer[extractView](t, env, "--workspace", dir, "extract")
			for _, folder := range []string{c.folder, c.personFolder} {
				if items := read(t, dir, "memory", "life", filepath.FromSlash(folder), "items.json"); !strings.Contains(items, `"status": "active"`) {
					t.Errorf("%s:\n%s", folder, items)
				}
			}
			got := answer[recallView](t, env, "--workspace", dir, "recall", c.question)
			if got.Count != 1 || got.Memories[0].URI != "fact://"+c.folder || !strings.Contains(got.Memories[0].Content, "2026-12-24") {
				t.Errorf("%s: %+v", c.question, got)
			}
			rested(t, dir)
			answer[map[string]any](t, env, "--workspace", dir, "reflect", "--undo")
			for _, folder := range []string{c.folder, c.personFolder} {
				for _, name := range []string{"items.json", "summary.md"} {
					if _, err := os.Stat(filepath.Join(dir, "memory", "life", filepath.FromSlash(folder), name)); !os.IsNotExist(err) {
						t.Errorf("%s/%s after the undo: %v", folder, name, err)
					}
				}
			}
			if left := answer[entitiesView](t, env, "--workspace", dir, "entity"); len(left.Entities) != 0 {
				t.Errorf("after the undo: %+v", left)
			}
		})
	}
}
