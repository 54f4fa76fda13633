package markdown_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Each line of testdata/foreign marked "refused" names a file through an owner
// that is not its own: the compiler must reject exactly these.
func TestWritingAnothersFileDoesNotCompile(t *testing.T) {
	source := filepath.Join("testdata", "foreign", "main.go")
	src, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "build", "-gcflags=-e", "-o", os.DevNull, "./testdata/foreign").CombinedOutput()
	if err == nil {
		t.Fatal("it compiles")
	}
	for i, line := range strings.Split(string(src), "\n") {
		refused := strings.Contains(string(out), fmt.Sprintf("main.go:%d:", i+1))
		if want := strings.Contains(line, "// refused"); refused != want {
			t.Errorf("line %d refused %v, wanted %v: %s\n%s", i+1, refused, want, line, out)
		}
	}
}

func TestOwnersNameTheirFiles(t *testing.T) {
	w := markdown.NewWorkspace(nil)
	day := time.Date(2026, 2, 22, 23, 0, 0, 0, time.FixedZone("", 8*3600)) // a Sunday
	for want, got := range map[string]markdown.File{
		"memory/weekly/2026-02-16.md":                 w.Compound().Weekly(day),
		"memory/archive/weekly-2026-W08.md":           w.Compound().Log(day),
		"second-brain/summaries/2026-02-22-wrapup.md": w.Wrapups().Day(day, 1),
	} {
		if got.Path() != want {
			t.Errorf("%s, wanted %s", got.Path(), want)
		}
	}
}

func TestClassify(t *testing.T) {
	for name, want := range map[string]markdown.Class{
		"MEMORY.md":                                         {Kind: markdown.KindMemory, Host: "agent"},
		"RECENT.md":                                         {Kind: markdown.KindRecent, Host: "agent"},
		"DREAMS.md":                                         {Kind: markdown.KindExternal, Host: "external"},
		"USER.md":                                           {Kind: markdown.KindPeople, Host: "agent"},
		"README.md":                                         {Kind: markdown.KindOther, Host: "agent"},
		"memory/2026-02-21.md":                              {Kind: markdown.KindJournal, Day: "2026-02-21", Host: "agent"},
		"memory/2026-02-21-p2.md":                           {Kind: markdown.KindJournal, Day: "2026-02-21", Host: "agent"},
		"memory/2026-02-21-p1.md":                           {Kind: markdown.KindExternal, Day: "2026-02-21", Host: "external"},
		"memory/2026-02-21-1530.md":                         {Kind: markdown.KindExternal, Day: "2026-02-21", Host: "external"},
		"memory/2026-02-21-vendor-call.md":                  {Kind: markdown.KindExternal, Day: "2026-02-21", Host: "external"},
		"memory/dreaming/deep/2026-02-21.md":                {Kind: markdown.KindExternal, Day: "2026-02-21", Host: "external"},
		"memory/imports/codex/a.md":                         {Kind: markdown.KindExternal, Host: "external"},
		"memory/imported/old-p1.md":                         {Kind: markdown.KindImported, Host: "agent"},
		"memory/topics/knowledge.md":                        {Kind: markdown.KindTopic, Host: "agent"},
		"memory/recent/arch.md":                             {Kind: markdown.KindOverflow, Host: "agent"},
		"memory/projects/x.md":                              {Kind: markdown.KindPeople, Host: "agent"},
		"memory/notes.md":                                   {Kind: markdown.KindPeople, Host: "agent"},
		"memory/CURRENT_STATE.md":                           {Kind: markdown.KindState, Host: "agent"},
		"memory/INDEX.md":                                   {Kind: markdown.KindIndex, Host: "agent"},
		"memory/tasks/2026-02-21.md":                        {Kind: markdown.KindTasks, Day: "2026-02-21", Host: "agent"},
		"memory/weekly/2026-02-16.md":                       {Kind: markdown.KindWeekly, Day: "2026-02-16", Host: "agent"},
		"memory/archive/weekly-2026-W08.md":                 {Kind: markdown.KindArchiveLog, Cold: true, Host: "agent"},
		"memory/archive/demoted-2026-02.md":                 {Kind: markdown.KindArchiveLog, Cold: true, Host: "agent"},
		"memory/archive/2026/2026-02-21.md":                 {Kind: markdown.KindArchivedJournal, Cold: true, Day: "2026-02-21", Host: "agent"},
		"memory/archive/2026-02-21.jsonl":                   {Kind: markdown.KindArchive, Cold: true, Day: "2026-02-21", Host: "agent"},
		"memory/life/projects/x/items.json":                 {Kind: markdown.KindFacts, Host: "agent"},
		"memory/life/projects/x/summary.md":                 {Kind: markdown.KindSummary, Host: "agent"},
		markdown.TacitPath:                                  {Kind: markdown.KindPeople, Host: "agent"},
		"second-brain/summaries/2026-02-21-wrapup.md":       {Kind: markdown.KindWrapup, Cold: true, Day: "2026-02-21", Host: "agent"},
		"second-brain/research/x.md":                        {Kind: markdown.KindPeople, Cold: true, Host: "agent"},
		"memory/state/processed-sessions.json":              {Kind: markdown.KindJobs, Host: "agent"},
		"memory/.locks/sync.lock":                           {Kind: markdown.KindJobs, Host: "agent"},
		"memory/.dreams/x.md":                               {Kind: markdown.KindOther, Host: "agent"},
		"memory/retrieval-audit.json":                       {Kind: markdown.KindJobs, Host: "agent"},
		".agent-memory/records.jsonl":                       {Kind: markdown.KindPrivate, Host: "agent"},
		".agent-memory/untrusted/2026-02-21.md":             {Kind: markdown.KindUntrusted, Day: "2026-02-21", Host: "external"},
		"memory/2026-02-21.md.conflict-20260221T220000Z.md": {Kind: markdown.KindConflict, Host: "agent", Day: "2026-02-21"},
		"src/main.go":                                       {Kind: markdown.KindOther, Host: "agent"},
	} {
		if got := markdown.Classify(name, memory.TrustAgent); got != want {
			t.Errorf("%s: %+v, wanted %+v", name, got, want)
		}
	}
}

func TestSlugsAreSafeAndDistinct(t *testing.T) {
	seen := map[string]string{}
	for _, text := range []string{"project", "Project", "PROJECT", "con", "", ".", "..", "../x", "a/b", "a b", "a-b", "a--b", "架构", "架構", "が", "か\u3099", "é", "e\u0301", strings.Repeat("长", 200), "\x00", "com1", "x."} {
		slug := markdown.Slug(text)
		if slug == "" || strings.ContainsAny(slug, "./\\ \x00") || len(slug) > 200 || slug == "con" || slug == "com1" {
			t.Errorf("%q has the slug %q", text, slug)
		}
		if other, taken := seen[strings.ToLower(slug)]; taken {
			t.Errorf("%q and %q share the slug %q", text, other, slug)
		}
		seen[strings.ToLower(slug)] = text
	}
}
