package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/tools"
)

type extractView struct {
	Extract struct{ Facts, Superseded, Moved int }
	Changed int
}

type entitiesView struct {
	Entities []struct {
		Name, Area, URI, Summary string
		Facts                    int
	}
	Moved *struct{ Area, URI string }
}

// forge is a project as a system of the para kind leaves it, a week before now.
const forge = `[
  {"id":"fact-001","fact":"项目使用 PostgreSQL 作为数据库","status":"active","createdAt":"2026-01-15T10:00:00+08:00","lastAccessed":"2026-03-10T14:30:00+08:00","accessCount":5,"supersededBy":null,"supersededAt":null},
  {"id":"fact-002","fact":"截止日期是 2026-04-30","status":"active","createdAt":"2026-01-15T10:00:00+08:00","lastAccessed":"2026-03-10T14:30:00+08:00","accessCount":2,"supersededBy":null,"supersededAt":null},
  {"id":"fact-003","fact":"旧服务器在法兰克福","status":"active","createdAt":"2025-01-15T10:00:00+08:00","lastAccessed":"2025-05-01T14:30:00+08:00","accessCount":1,"supersededBy":null,"supersededAt":null},
  {"id":"fact-004","fact":"打包脚本是 make release","status":"active","createdAt":"2026-01-15T10:00:00+08:00","lastAccessed":"2026-02-15T14:30:00+08:00","accessCount":1,"supersededBy":null,"supersededAt":null}
]
`

// shadow makes a workspace of that system, and returns its root with the tree.
func shadow(t *testing.T, home string) (dir, life string) {
	t.Helper()
	dir = filepath.Join(home, "shadow")
	tree := filepath.Join(dir, ".shadow")
	life = filepath.Join(tree, "memory", "life")
	writeFile(t, filepath.Join(life, "projects", "forge", "items.json"), forge)
	writeFile(t, filepath.Join(life, "projects", "forge", "summary.md"), "# 锻造炉\n\n**负责人**: Ann\n")
	writeFile(t, filepath.Join(life, "areas", "health", "summary.md"), "# Health\n")
	writeFile(t, filepath.Join(life, "resources", "system", "tacit_knowledge.md"), "# 隐性知识\n\n- 回答要短\n")
	writeFile(t, filepath.Join(tree, "memory", "2026-03-10.md"), "# 2026-03-10\n\n## 10:00\n\n- 锻造炉现在改用 SQLite 作为数据库\n- 今天吃了面\n- The office router uses 10.0.0.1\n")
	rested(t, dir)
	return dir, life
}

// rested dates all files below dir before the clock of the tests: nobody is
// saving them any more.
func rested(t *testing.T, dir string) {
	t.Helper()
	day := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Chtimes(path, day, day)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestExtractPutsFactsIntoTheEntityTheyNameAndTheRestIntoTheInbox(t *testing.T) {
	env, home := surround(t)
	dir, life := shadow(t, home)
	got := answer[extractView](t, env, "--workspace", dir, "extract")
	if got.Extract.Facts != 2 || got.Extract.Superseded != 1 {
		t.Errorf("%+v", got)
	}
	want := "# 锻造炉\n\n- Deadline: 2026-04-30\n\n## 🔥 Hot\n\n- 锻造炉现在改用 SQLite 作为数据库\n\n## ♨️ Warm\n\n- 打包脚本是 make release\n\n**负责人**: Ann\n"
	if diff := cmp.Diff(want, read(t, life, "projects", "forge", "summary.md")); diff != "" {
		t.Errorf("summary.md (-want +got):\n%s", diff)
	}
	var facts []map[string]any
	if err := json.Unmarshal([]byte(read(t, life, "projects", "forge", "items.json")), &facts); err != nil {
		t.Fatal(err)
	}
	if len(facts) != 5 || facts[0]["status"] != "superseded" || facts[0]["supersededBy"] != facts[4]["id"] || facts[2]["fact"] != "旧服务器在法兰克福" {
		t.Errorf("%v", facts)
	}
	if inbox := read(t, life, "resources", "inbox", "items.json"); !strings.Contains(inbox, "The office router uses 10.0.0.1") {
		t.Errorf("the inbox lacks what belongs nowhere:\n%s", inbox)
	}
	if again := answer[extractView](t, env, "--workspace", dir, "extract"); again.Changed != 0 {
		t.Errorf("a second run changed something: %+v", again)
	}
}

func TestLoadingTheContextOfAProject(t *testing.T) {
	env, home := surround(t)
	dir, _ := shadow(t, home)
	answer[extractView](t, env, "--workspace", dir, "extract")
	for _, question := range []string{"加载锻造炉项目的上下文", "load the context of project forge"} {
		got := answer[recallView](t, env, "--workspace", dir, "recall", question)
		if got.Count != 1 || got.Abstained || got.Memories[0].URI != "fact://projects/forge" || got.Memories[0].Path != "memory/life/projects/forge/summary.md" ||
			!strings.Contains(got.Memories[0].Content, "Deadline: 2026-04-30") || strings.Contains(got.Memories[0].Content, "法兰克福") {
			t.Errorf("%s: %+v", question, got)
		}
	}
	items := answer[tools.RecallPathResult](t, env, "--workspace", dir, "recall-path", "fact://projects/forge")
	if items.Count != 4 {
		t.Errorf("the facts in force on demand, cold ones too: %+v", items)
	}
}

func TestMovingAnEntityToTheArchivesAndBack(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	dir, life := shadow(t, home)
	answer[map[string]any](t, env, "--workspace", dir, "sync")
	before := answer[pathView](t, env, "--workspace", dir, "recall-path", "fact://projects/forge/fact-002")
	moved := answer[entitiesView](t, env, "--workspace", dir, "entity", "move", "锻造炉", "archives")
	if moved.Moved == nil || moved.Moved.URI != "fact://archives/forge" {
		t.Fatalf("%+v", moved)
	}
	after := answer[pathView](t, env, "--workspace", dir, "recall-path", "fact://archives/forge/fact-002")
	if after.Memory == nil || after.Memory.ID != before.Memory.ID || after.Memory.Path != "memory/life/archives/forge/items.json" {
		t.Errorf("%+v", after)
	}
	answer[entitiesView](t, env, "--workspace", dir, "entity", "move", "forge", "projects")
	again := answer[pathView](t, env, "--workspace", dir, "recall-path", "fact://projects/forge/fact-002")
	if again.Memory == nil || again.Memory.ID != before.Memory.ID {
		t.Errorf("%+v", again)
	}
	if _, err := os.Stat(filepath.Join(life, "archives", "forge")); !os.IsNotExist(err) {
		t.Errorf("the folder is still in the archives: %v", err)
	}
	if code, _, errs := program(t, env, "--workspace", dir, "entity", "move", "nobody", "archives"); code == 0 || !strings.Contains(errs, "forge") {
		t.Errorf("an unknown name is refused with those that are known: %s", errs)
	}
}

func TestConfiguredNamesLeadToTheirEntity(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	dir, life := shadow(t, home)
	answer[map[string]any](t, env, "--workspace", dir, "status")
	settings := filepath.Join(dir, ".shadow", ".agent-memory", "config.toml")
	writeFile(t, settings, read(t, settings)+"\n[[entities]]\nname = \"office\"\narea = \"areas\"\nnames = [\"the office router\"]\n")
	answer[extractView](t, env, "--workspace", dir, "extract")
	if facts := read(t, life, "areas", "office", "items.json"); !strings.Contains(facts, "10.0.0.1") {
		t.Errorf("%s", facts)
	}
	listed := answer[entitiesView](t, env, "--workspace", dir, "entity")
	if len(listed.Entities) != 3 || listed.Entities[0].Name != "forge" || listed.Entities[0].Facts != 4 {
		t.Errorf("%+v", listed)
	}
}

// What an undone extraction had put into a summary is not taken for a line
// that a person does not want to see.
func TestExtractingAgainAfterAnUndo(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	dir, life := shadow(t, home)
	answer[extractView](t, env, "--workspace", dir, "extract")
	want := read(t, life, "projects", "forge", "summary.md")
	answer[map[string]any](t, env, "--workspace", dir, "reflect", "--undo")
	if text := read(t, life, "projects", "forge", "items.json"); text != forge {
		t.Errorf("the undo left\n%s", text)
	}
	answer[extractView](t, env, "--workspace", dir, "extract")
	if got := read(t, life, "projects", "forge", "summary.md"); got != want {
		t.Errorf("after the undo:\n%s\nwant\n%s", got, want)
	}
}

func TestALabelledLineOfASummaryIsHiddenOnlyByAPerson(t *testing.T) {
	env, home := surround(t)
	dir, life := shadow(t, home)
	summary := filepath.Join(life, "projects", "forge", "summary.md")
	fact := func(uri, text string) {
		answer[tools.RememberResult](t, env, "--workspace", dir, "remember", text, "--form", "fact", "--uri", "fact://projects/forge/"+uri)
	}
	answer[extractView](t, env, "--workspace", dir, "extract")
	for range 2 {
		if got := answer[struct{ Hidden int }](t, env, "--workspace", dir, "sync"); got.Hidden != 0 {
			t.Fatalf("nobody took a line out: %+v", got)
		}
	}
	if fact("owner", "负责人是小雨"); !strings.Contains(read(t, summary), "- Deadline: 2026-04-30\n") {
		t.Errorf("the deadline is gone:\n%s", read(t, summary))
	}
	writeFile(t, summary, strings.Replace(read(t, summary), "- Deadline: 2026-04-30\n", "", 1))
	rested(t, dir)
	if got := answer[struct{ Hidden int }](t, env, "--workspace", dir, "sync"); got.Hidden != 1 {
		t.Errorf("a person took the deadline out: %+v", got)
	}
	if fact("tests", "测试用 make check 运行"); !strings.Contains(read(t, summary), "make check") || strings.Contains(read(t, summary), "Deadline") {
		t.Errorf("the deadline came back, or the new fact is not shown:\n%s", read(t, summary))
	}
}
