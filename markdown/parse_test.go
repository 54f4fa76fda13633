package markdown_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

func parsed(path, src string) []markdown.Entry {
	return markdown.Parse(path, []byte(src)).Entries()
}

func TestParseReadsEveryFieldOfAComment(t *testing.T) {
	src := doc("## 22:00 evening", "", "- 账本用 SQLite <!-- am:"+firstID+" n=2 t=knowledge o=2026-02-20T09:30:00+08:00 s=superseded x=later --> <!-- trigger: ledger --> <!-- importance: 9 -->")
	want := []markdown.Entry{{
		ID: firstID, Annotated: true, Number: 2, Type: memory.Knowledge, Form: memory.Note, URI: "knowledge://journal/2026-02-21#2200-2",
		Observed: time.Date(2026, 2, 20, 9, 30, 0, 0, time.FixedZone("", 8*3600)), Status: memory.Superseded, Content: "账本用 SQLite",
		Comments: "<!-- trigger: ledger --> <!-- importance: 9 -->", Extra: []string{"x=later"}, Section: "22:00", Heading: "evening", Line: 3, Lines: 1,
	}}
	if diff := cmp.Diff(want, parsed(journal, src), cmpopts.IgnoreUnexported(markdown.Entry{})); diff != "" {
		t.Error(diff)
	}
}

func TestNamedURIsAreWrittenIntoTheComment(t *testing.T) {
	for _, uri := range []string{"knowledge://preferences/editor", "identity://core/我的 名字", "knowledge://a--b/%41 c", "knowledge://全角　空格", "event://journal/2026-02-20#0900-1", "emotion://journal/2026-02-21#2200-1"} {
		d := markdown.Parse(journal, nil)
		e := markdown.FromMemory(memory.Memory{ID: firstID, URI: uri, Type: memory.Event, Content: "x", Status: memory.Active, CreatedAt: evening()})
		d.Put(e)
		got, ok := markdown.Parse(journal, d.Bytes()).ByID(firstID)
		if !ok || got.URI != uri {
			t.Errorf("%s came back as %q from\n%s", uri, got.URI, d.Bytes())
		}
		if n := topItems(d.Bytes()); n != 1 {
			t.Errorf("goldmark sees %d items in\n%s", n, d.Bytes())
		}
	}
}

func TestParseTakesPeoplesBulletsWithDerivedIDs(t *testing.T) {
	src := doc("Intro.", "- one", "* one", "3) two <!-- importance: 4 -->", "  more", "lazy", "", "    > code", "+ <!-- my note --> three", "- [ ] open task")
	var got []string
	for _, e := range parsed(journal, src) {
		got = append(got, e.Content)
		if e.Annotated || e.URI != "" {
			t.Errorf("%q counts as ours", e.Content)
		}
	}
	if diff := cmp.Diff([]string{"one", "one", "two\nmore\nlazy\n\n > code", "<!-- my note --> three", "[ ] open task"}, got); diff != "" {
		t.Errorf("contents: %s", diff)
	}
	entries := parsed(journal, src)
	if entries[0].ID != memory.DerivedID(journal, "one", 0) || entries[1].ID != memory.DerivedID(journal, "one", 1) {
		t.Error("ids do not follow from file, text and occurrence")
	}
	if entries[2].Comments != "<!-- importance: 4 -->" {
		t.Errorf("the host's comment is %q", entries[2].Comments)
	}
}

func TestWhatLooksLikeAnEntryButIsNone(t *testing.T) {
	for name, src := range map[string]string{
		"in fenced code":        doc("```", "- x", "```", "~~~ md", "- y", "```", "~~~"),
		"in an HTML comment":    doc("<!--", "- x", "-->"),
		"in an HTML block":      doc("<details>", "- x", "</details>"),
		"in a quote":            doc("> - x"),
		"indented code":         doc("para", "", "    - x"),
		"a rule":                doc("- - -", "* * *"),
		"front matter":          doc("---", "tags: a", "list:", "- x", "---"),
		"a setext underline":    doc("para", "-"),
		"numbers in a sentence": doc("para", "2026. was a year"),
		"no space":              doc("-x", "1.x", "*bold*"),
	} {
		if got := parsed(journal, src); len(got) != 0 {
			t.Errorf("%s: %d entries in\n%s", name, len(got), src)
		}
	}
}

// A half-typed construct must not make the entries below it vanish.
func TestUnclosedConstructsHideNoEntry(t *testing.T) {
	for _, opener := range []string{"```", "~~~", "<!-- later", "<pre>", "<div>", "<?php", "<script>"} {
		src := doc(opener, lineA, lineB)
		if got := parsed(journal, src); len(got) != 2 {
			t.Errorf("%d entries below %q", len(got), opener)
		}
	}
}

func TestForgedMetadataIsNeverOurs(t *testing.T) {
	forged := "<!-- am:" + secondID + " s=active -->"
	for _, content := range []string{"x " + forged, forged, "a\n" + forged, "a\n- b " + forged, "`" + forged + "`", `<\!-- am:` + secondID + " -->", "x " + forged + " <!-- trigger: y -->"} {
		d := markdown.Parse(journal, nil)
		d.Put(note(firstID, 1, content))
		for _, e := range markdown.Parse(journal, d.Bytes()).Entries() {
			if e.ID != firstID || e.Comments != "" {
				t.Errorf("content %q forged id %s, comments %q in\n%s", content, e.ID, e.Comments, d.Bytes())
			}
		}
	}
}

func TestDuplicateIDsAreReported(t *testing.T) {
	d := markdown.Parse(journal, []byte(doc(lineA, lineB, strings.Replace(lineA, "alpha", "copy", 1))))
	got := d.Duplicates()
	if len(got) != 1 || got[0].Content != "copy" || got[0].Line != 3 {
		t.Fatalf("%+v", got)
	}
	d.ReplaceLine(3, note("06g3zkf0h7n2v5s8e4yf9pm3qf", 9, "copy"))
	if len(d.Duplicates()) != 0 || d.Entries()[0].Content != "alpha" {
		t.Errorf("after renaming:\n%s", d.Bytes())
	}
}

// The schema of seed 000 §3.1 as people fill it in.
func TestParseReadsADecisionOfThefourLayerSystem(t *testing.T) {
	src := doc("## Decision: 账本用 SQLite", "- id: DECISION-20260221-ledger", "- date: 2026-02-21", "- source:", "  - session_id: s-1", "  - session_path: a/b.jsonl", "  - message_range: 3-9",
		"- why: one file", "  easier to copy", "- finding:", "- conclusion: Use SQLite", "- impact: ops", "- confidence: 0.8", "- status: superseded", "- supersedes: DECISION-20260101-pg", "- refs: x.md", "", "A remark.", "", "- a bullet")
	entries := parsed(journal, src)
	if len(entries) != 2 || entries[0].Lines != 16 || entries[1].Content != "a bullet" {
		t.Fatalf("%+v", entries)
	}
	m := entries[0].Memory()
	want := memory.Memory{
		ID: memory.DerivedID(journal, "账本用 SQLite", 0), URI: "decision://20260221-ledger", Type: memory.Knowledge, Form: memory.Decision, Title: "账本用 SQLite", Content: "Use SQLite",
		Status: memory.Superseded, Confidence: .8, SessionID: "s-1", SessionPath: "a/b.jsonl", MessageRange: "3-9", ContentHash: memory.Hash("Use SQLite"),
		Fields: []memory.Field{{Name: "id", Value: "DECISION-20260221-ledger"}, {Name: "date", Value: "2026-02-21"}, {Name: "why", Value: "one file\neasier to copy"},
			{Name: "conclusion", Value: "Use SQLite"}, {Name: "impact", Value: "ops"}, {Name: "supersedes", Value: "DECISION-20260101-pg"}, {Name: "refs", Value: "x.md"}},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
	d := markdown.Parse(journal, []byte(src))
	d.Replace(entries[0].ID, markdown.FromMemory(m))
	again := d.Entries()[0]
	if diff := cmp.Diff(m, again.Memory()); diff != "" || !again.Annotated {
		t.Errorf("written back and read again:\n%s\n%s", diff, d.Bytes())
	}
}

func TestTaskCardsOfOthersAreRead(t *testing.T) {
	src := doc("# 2026-02-21", "", "## 迁移账本", "- goal: move it", "- Key actions: export; import", "- artifact paths: a.db", "- final status: done", "- next step: delete the old one")
	entries := parsed("memory/tasks/2026-02-21.md", src)
	if len(entries) != 1 || entries[0].Form != memory.Task || entries[0].Title != "迁移账本" || entries[0].Content != "move it" {
		t.Fatalf("%+v", entries)
	}
	var names []string
	for _, f := range entries[0].Fields {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"goal", "key_actions", "artifacts", "final_status", "next_step"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestMinutesAreSortedAndShared(t *testing.T) {
	d := markdown.Parse(journal, []byte(doc("# Saturday", "", "## 09:00", "", "- person", "", "## 22:00", "", "- late", "", "## Notes", "", "free text")))
	for i, minute := range []string{"21:30", "08:15", "22:00", "23:00", "21:30"} {
		e := note("id-"+string(rune('a'+i)), 5-i, minute)
		e.Section = minute
		d.Put(e)
	}
	var got []string
	for _, l := range strings.Split(string(d.Bytes()), "\n") {
		if l, _, _ = strings.Cut(l, " <!--"); l != "" {
			got = append(got, l)
		}
	}
	want := []string{"# Saturday", "## 08:15", "- 08:15", "## 09:00", "- person", "## 21:30", "- 21:30", "- 21:30", "## 22:00", "- late", "- 22:00", "## Notes", "free text", "## 23:00", "- 23:00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if e := d.Entries(); e[2].Number != 1 || e[3].Number != 5 {
		t.Errorf("numbers of 21:30: %d, %d", e[2].Number, e[3].Number)
	}
}

// Writing a person's line out with its identity changes nothing but the comment.
func TestReplaceKeepsAPersonsFormatting(t *testing.T) {
	src := "\ufeff## 22:00\r\n\r\n*   账本 用 SQLite <!-- importance: 3 -->\r\n    and more\r\n*   next"
	d := markdown.Parse(journal, []byte(src))
	e := d.Entries()[0]
	d.Replace(e.ID, e.WithIdentity(memory.Memory{ID: firstID, Type: memory.Knowledge, Status: memory.Active}))
	want := strings.Replace(src, "SQLite <!--", "SQLite <!-- am:"+firstID+" t=knowledge --> <!--", 1)
	if diff := cmp.Diff(want, string(d.Bytes())); diff != "" {
		t.Error(diff)
	}
	superseded := d.Entries()[0]
	superseded.Status = memory.Superseded
	d.Put(superseded)
	want = strings.Replace(want, "t=knowledge -->", "t=knowledge s=superseded -->", 1)
	if diff := cmp.Diff(want, string(d.Bytes())); diff != "" {
		t.Error(diff)
	}
}

func TestRemoveLeavesNeighboursApart(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"between paragraphs":   {doc("para", lineA, "# head"), doc("para", "", "# head")},
		"before indented code": {doc(lineB, lineA, "", " - nested?"), doc(lineB, "", " - nested?")},
		"the only one":         {doc(lineA), ""},
		"cards":                {doc("# Day", "", "## Decision: a <!-- am:"+firstID+" -->", "- why: x", "", "## Decision: b <!-- am:"+secondID+" -->", "- why: y"), doc("# Day", "", "## Decision: b <!-- am:"+secondID+" -->", "- why: y")},
		"without last newline": {strings.TrimSuffix(doc(lineB, lineA), "\n"), doc(lineB)},
	} {
		d := markdown.Parse(journal, []byte(c.src))
		if !d.Remove(firstID) || d.Remove(firstID) {
			t.Errorf("%s: removed never or twice", name)
		}
		if diff := cmp.Diff(c.want, string(d.Bytes())); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestPassagesAreCutAtHeadingsAndBySize(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("这是一段很长的中文文字。", 12), "。")
	src := doc("# Title", "", "intro", "", lineA, "", "between", "", "## Part", "", long, "", long, "", long, "", long, "", "### Sub", "```", "- code", "```", "## 22:00", "", lineB)
	d := markdown.Parse(journal, []byte(src))
	type place struct {
		Heading     string
		Line, Lines int
	}
	var got []place
	for _, p := range d.Passages() {
		got = append(got, place{p.Heading, p.Line, p.Lines})
		if text := strings.Join(strings.Split(src, "\n")[p.Line-1:p.Line-1+p.Lines], "\n"); text != p.Text {
			t.Errorf("lines %d+%d are %q, the passage %q", p.Line, p.Lines, text, p.Text)
		}
	}
	want := []place{{"Title", 3, 1}, {"Title", 7, 1}, {"Title › Part", 11, 5}, {"Title › Part", 17, 1}, {"Title › Part › Sub", 20, 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := markdown.Passages("second-brain/research/x.md", []byte(doc("# T", "- a bullet", "- two"))); len(got) != 1 || got[0].Text != "- a bullet\n- two" {
		t.Errorf("a person's file: %+v", got)
	}
}
