package markdown_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with testdata/golden/name.
func golden(t *testing.T, name string, text []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(text)); diff != "" {
		t.Errorf("%s:\n%s", name, diff)
	}
}

func evening() time.Time {
	return time.Date(2026, 2, 21, 22, 5, 0, 0, time.FixedZone("CST", 8*3600))
}

func languages() map[string]markdown.Language {
	return map[string]markdown.Language{"zh": markdown.Chinese, "en": markdown.English}
}

// mixed is a projection with bilingual, long and hostile lines.
func mixed() memory.Projection {
	return memory.Projection{Sections: []memory.Section{
		{Name: "emotion", Entries: []memory.ProjectedLine{{MemoryID: "e1", Text: "昨晚聊完很安心", Link: "memory/2026-02-20.md#2310-1", Importance: .72}}},
		{Name: "knowledge", Entries: []memory.ProjectedLine{
			{MemoryID: "k1", Text: "账本用 SQLite，不用 Postgres", Link: "memory/topics/knowledge.md", Importance: .95, Reason: "recalled five times"},
			{MemoryID: "k2", Text: "# not a heading\nsecond line <!-- hidden -->", Link: "memory/a (b).md", Reason: "同一结论"},
			{MemoryID: "k3", Text: strings.Repeat("很长的一句话，", 60), Link: "memory/2026-02-19.md#0900-2"},
		}},
		{Name: "event", Entries: []memory.ProjectedLine{{MemoryID: "v1", Text: "Deployed v2 to staging", Link: "memory/2026-02-21.md#1830-1"}}},
	}}
}

// because gives one line for each reason.
func because(reasons ...string) []memory.ProjectedLine {
	var lines []memory.ProjectedLine
	for _, r := range reasons {
		lines = append(lines, memory.ProjectedLine{MemoryID: "r", Text: r, Link: "memory/2026-02-19.md", Reason: r})
	}
	return lines
}

func TestGoldenFiles(t *testing.T) {
	for code, lang := range languages() {
		golden(t, "recent."+code+".md", markdown.RenderRecent(mixed(), lang, evening()))
		golden(t, "recent-empty."+code+".md", markdown.RenderRecent(memory.Projection{}, lang, evening()))
		outline, _ := markdown.EditOutline(nil, markdown.OutlineEdit{Projection: mixed(), Language: lang})
		golden(t, "memory."+code+".md", outline)
		golden(t, "weekly."+code+".md", markdown.RenderWeekly(evening(), mixed(), lang))
		golden(t, "weeklylog."+code+".md", markdown.RenderWeeklyLog(evening(), memory.Projection{Sections: []memory.Section{
			{Name: "promoted", Entries: append(because("decision in force", "used 7 times", "important (0.90)", "named knowledge"), mixed().Sections[1].Entries[0])}, {Name: "superseded", Entries: mixed().Sections[1].Entries[1:2]}, {Name: "demoted"},
		}}, lang))
		golden(t, "wrapup."+code+".md", markdown.RenderWrapup(evening(), memory.Projection{Sections: []memory.Section{
			{Name: "loops", Entries: mixed().Sections[0].Entries}, {Name: "decisions", Entries: mixed().Sections[1].Entries[:1]},
		}}, lang)[0])
		golden(t, "index."+code+".md", markdown.RenderIndex([]string{
			"MEMORY.md", "RECENT.md", "memory/CURRENT_STATE.md", "memory/2026-02-21.md", "memory/2026-02-20.md", "memory/tasks/2026-02-21.md",
			"memory/topics/knowledge.md", "memory/weekly/2026-02-16.md", "memory/life/projects/shadow-legion/summary.md", "memory/archive/weekly-2026-W08.md", "second-brain/research/x.md",
		}, lang))
		golden(t, "state."+code+".md", markdown.RenderState(state(), lang, evening()))
		golden(t, "summary."+code+".md", summary().Render(lang))
	}
	golden(t, "journal.md", cards(journal).Bytes())
	golden(t, "tasks.md", cards("memory/tasks/2026-02-21.md").Bytes())
	golden(t, "items.json", facts().Render())
}

func state() memory.Memory {
	return memory.Memory{ID: firstID, Form: memory.State, Type: memory.Event, Status: memory.Active, URI: "state://current", Fields: []memory.Field{
		{Name: "goals", Value: "发布 v2\nwrite the changelog"}, {Name: "in_progress", Value: "迁移账本"}, {Name: "blockers", Value: ""},
		{Name: "next", Value: "one\ntwo\nthree\nfour is too many"}, {Name: "mood", Value: "calm"},
	}}
}

func summary() markdown.Summary {
	return markdown.Summary{
		Name: "shadow-legion", Status: "active", Deadline: "2026-03-01", Focus: "铸造",
		Hot: []string{"项目使用 PostgreSQL 作为数据库"}, Warm: []string{"# hash", "owner is <!-- Ann -->"}, Notes: []string{"A person's line.", "", "- and a bullet"},
	}
}

func decision() memory.Memory {
	return memory.Memory{
		ID: secondID, URI: "decision://20260221-ledger-sqlite", Namespace: "main", Type: memory.Knowledge, Form: memory.Decision, Title: "账本用 SQLite",
		Content: "Use SQLite for the ledger", Status: memory.Active, Confidence: .9, SessionID: "s-42", SessionPath: "sessions/s-42.jsonl", MessageRange: "12-18",
		ObservedAt: evening(), CreatedAt: evening(), Trust: memory.TrustUser, Source: "microSync", Home: memory.Place{File: journal, Line: 4},
		Fields: []memory.Field{
			{Name: "why", Value: "one file is easier to copy\n- no server\n- no password"}, {Name: "finding", Value: "Postgres took 40 minutes to set up"},
			{Name: "conclusion", Value: "Use SQLite for the ledger"}, {Name: "impact", Value: "deployment"}, {Name: "refs", Value: "memory/2026-02-20.md"}, {Name: "reviewer", Value: "阿明"},
		},
	}
}

func task() memory.Memory {
	return memory.Memory{
		ID: thirdID, URI: "task://2026-02-21/migrate", Type: memory.Event, Form: memory.Task, Title: "Migrate the ledger", Content: "Ledger migrated without loss", Status: memory.Active, CreatedAt: evening(),
		Fields: []memory.Field{{Name: "goal", Value: "迁移账本"}, {Name: "key_actions", Value: "1. export\n2. import"}, {Name: "artifacts", Value: "ledger.db"}, {Name: "final_status", Value: "done"}},
	}
}

func cards(path string) *markdown.Document {
	d := markdown.Parse(path, nil)
	if path == journal {
		d.Put(note(firstID, 1, "账本用 SQLite，不用 Postgres"))
		d.Put(note("06g3zkd0h7n2v5s8e4yf9pm3qd", 2, "Deploy like this:\n```sh\nmake release\n```"))
		d.Put(markdown.FromMemory(decision()))
	}
	d.Put(markdown.FromMemory(task()))
	return d
}

func facts() markdown.Facts {
	var f markdown.Facts
	f.Put(markdown.Fact{ID: "fact-001", Fact: "项目使用 PostgreSQL 作为数据库", Status: "active", CreatedAt: evening(), LastAccessed: evening(), AccessCount: 5,
		Meta: markdown.FactMeta{ID: firstID, Trust: memory.TrustUser, Source: "extract", Links: []memory.Link{{Target: secondID, Relation: "related"}}}})
	f.Put(markdown.Fact{ID: "fact-002", Fact: "Uses <b>SQLite</b>", Status: "active", CreatedAt: evening()})
	f.Supersede("fact-001", "fact-002", evening())
	return f
}

func TestRecentKeepsItsLimits(t *testing.T) {
	var p memory.Projection
	for _, name := range []string{"emotion", "knowledge", "event", "identity"} {
		s := memory.Section{Name: name}
		for range 40 {
			s.Entries = append(s.Entries, memory.ProjectedLine{Text: strings.Repeat("长", 300)})
		}
		p.Sections = append(p.Sections, s)
	}
	lines := strings.Split(strings.TrimSuffix(string(markdown.RenderRecent(p, markdown.Chinese, evening())), "\n"), "\n")
	count := map[string]int{}
	section := ""
	for _, l := range lines {
		if strings.HasPrefix(l, "## ") {
			section = l
		}
		if strings.HasPrefix(l, "- ") {
			count[section]++
		}
		if utf8.RuneCountInString(l) > 200 {
			t.Errorf("line of %d characters", utf8.RuneCountInString(l))
		}
	}
	want := map[string]int{"## 最近情感": 8, "## 最近决策/知识": 15, "## 最近事件": 15}
	if diff := cmp.Diff(want, count); diff != "" || len(lines) > 80 {
		t.Errorf("%d lines, %s", len(lines), diff)
	}
}

func TestRecentTellsForeignLines(t *testing.T) {
	published := markdown.RenderRecent(mixed(), markdown.Chinese, evening())
	later := markdown.RenderRecent(mixed(), markdown.Chinese, evening().Add(time.Hour))
	if !markdown.SameRecent(published, later) || markdown.SameRecent(published, markdown.RenderRecent(memory.Projection{}, markdown.Chinese, evening())) {
		t.Error("only the stamp may differ")
	}
	disk := strings.Replace(string(published), "- Deployed v2 to staging\n", "- 明天买牛奶\nplain human line\n", 1)
	if diff := cmp.Diff([]string{"明天买牛奶", "plain human line"}, markdown.ForeignRecent(published, []byte(disk))); diff != "" {
		t.Errorf("foreign: %s", diff)
	}
	if got := markdown.ForeignRecent(published, later); got != nil {
		t.Errorf("our own lines are foreign: %q", got)
	}
}

func TestCardsReadBackAsTheMemoriesTheyShow(t *testing.T) {
	for _, want := range []memory.Memory{decision(), task()} {
		path := journal
		if want.Form == memory.Task {
			path = "memory/tasks/2026-02-21.md"
		}
		got, ok := cards(path).ByID(want.ID)
		if !ok {
			t.Fatal("card not found")
		}
		m := got.Memory()
		if m.Title != want.Title || m.Content != want.Content || m.URI != want.URI || m.Status != want.Status || m.Type != want.Type ||
			m.Confidence != want.Confidence || m.SessionID != want.SessionID || m.SessionPath != want.SessionPath || m.MessageRange != want.MessageRange {
			t.Errorf("read back %+v", m)
		}
		for _, f := range want.Fields {
			if m.Field(f.Name) != f.Value {
				t.Errorf("field %s is %q, wanted %q", f.Name, m.Field(f.Name), f.Value)
			}
		}
	}
}

func TestAnyFieldOfACardRoundTrips(t *testing.T) {
	names := rapid.SampledFrom([]string{"why", "finding", "conclusion", "impact", "refs", "goal", "next_step", "Extra", "备注"})
	rapid.Check(t, func(t *rapid.T) {
		m := memory.Memory{ID: secondID, Type: memory.Knowledge, Form: rapid.SampledFrom([]memory.Form{memory.Decision, memory.Task}).Draw(t, "form"), Status: memory.Active, Title: markdownText().Draw(t, "title"), Content: markdownText().Draw(t, "content")}
		want := map[string]string{}
		for range rapid.IntRange(0, 4).Draw(t, "count") {
			name := names.Draw(t, "name")
			if _, dup := want[name]; !dup {
				want[name] = markdownText().Draw(t, "value")
				m.Fields = append(m.Fields, memory.Field{Name: name, Value: want[name]})
			}
		}
		d := markdown.Parse(journal, []byte(doc("## 09:00", "", lineA, "prose", "", "## 23:00", "", lineC)))
		e := markdown.FromMemory(m)
		e.Section = "22:00"
		d.Put(e)
		again := markdown.Parse(journal, d.Bytes())
		if n := len(again.Entries()); n != 3 {
			t.Fatalf("%d entries in\n%s", n, d.Bytes())
		}
		got, _ := again.ByID(secondID)
		if got.Title != strings.Join(strings.Fields(markdown.Sanitise(m.Title)), " ") {
			t.Fatalf("title %q became %q in\n%s", m.Title, got.Title, d.Bytes())
		}
		for name, value := range want {
			if got := got.Memory().Field(name); got != markdown.Sanitise(value) {
				t.Fatalf("field %s %q became %q in\n%s", name, value, got, d.Bytes())
			}
		}
		if content := markdown.Sanitise(m.Content); content != "" && got.Content != content {
			t.Fatalf("content %q became %q in\n%s", content, got.Content, d.Bytes())
		}
	})
}

func TestStateReadsBack(t *testing.T) {
	for _, lang := range languages() {
		m, ok := markdown.ParseState(markdown.RenderState(state(), lang, evening()))
		if !ok || m.ID != firstID || m.URI != "state://current" {
			t.Fatalf("%+v", m)
		}
		for name, want := range map[string]string{"goals": "发布 v2\nwrite the changelog", "in_progress": "迁移账本", "next": "one\ntwo\nthree", "mood": "calm"} {
			if got := m.Field(name); got != want {
				t.Errorf("%s is %q", name, got)
			}
		}
	}
}

func TestSummaryReadsBack(t *testing.T) {
	for _, lang := range languages() {
		if diff := cmp.Diff(summary(), markdown.ParseSummary(summary().Render(lang))); diff != "" {
			t.Errorf("%s: %s", lang, diff)
		}
	}
}

func TestFactsKeepWhatTheyDoNotKnow(t *testing.T) {
	src := `{"version": 3, "items": [{"id":"fact-001","fact":"x","status":"active","createdAt":"2026-01-15T10:00:00+08:00","lastAccessed":null,"accessCount":2,"supersededBy":null,"supersededAt":null,"category":"tech"}]}`
	f, err := markdown.ParseFacts([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	again := string(f.Render())
	for _, want := range []string{`"version": 3`, `"category": "tech"`, `"createdAt": "2026-01-15T10:00:00+08:00"`, `"supersededBy": null`} {
		if !strings.Contains(again, want) {
			t.Errorf("%s is missing in\n%s", want, again)
		}
	}
	for _, bad := range []string{"{", "[1]", `{"a":1}`, `[{"createdAt":"yesterday"}]`, `[{"accessCount":"many"}]`} {
		if _, err := markdown.ParseFacts([]byte(bad)); memory.CodeOf(err) != memory.InvalidArgument {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestMergeFactsKeepsAPersonsFact(t *testing.T) {
	base := facts()
	ours, theirs := facts(), facts()
	ours.List[0].AccessCount = 6
	ours.List[1].Fact = "ours"
	ours.Put(markdown.Fact{ID: "fact-003", Fact: "new"})
	theirs.List[1].Fact = "person's"
	m, err := markdown.MergeFacts(base.Render(), ours.Render(), theirs.Render())
	if err != nil {
		t.Fatal(err)
	}
	got, _ := markdown.ParseFacts(m.Text)
	if len(got.List) != 3 || got.List[0].AccessCount != 6 || got.List[1].Fact != "person's" || len(m.Conflicts) != 1 {
		t.Errorf("%+v, conflicts %+v", got.List, m.Conflicts)
	}
}
