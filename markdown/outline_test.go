package markdown_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// resolveMemory knows the links below memory/ that carry an anchor.
func resolveMemory(link string) string {
	if strings.HasPrefix(link, "memory/") && strings.Contains(link, "#") {
		return "id of " + link
	}
	return ""
}

func line(text, link string) memory.ProjectedLine {
	return memory.ProjectedLine{Text: text, Link: link}
}

func knowledge(lines ...memory.ProjectedLine) memory.Projection {
	return memory.Projection{Sections: []memory.Section{{Name: "knowledge", Entries: lines}}}
}

const host = `# My memory

A person's introduction.

## Knowledge

- old summary [→](memory/a.md#1) <!-- trigger: ledger, books -->
- a person's bullet
  with a second line
- gone [→](memory/b.md#1)

## Rules

* never push on Fridays [why](second-brain/x.md)
`

func TestEditOutlineKeepsPeoplesLines(t *testing.T) {
	got, overflow := markdown.EditOutline([]byte(host), markdown.OutlineEdit{
		Projection: knowledge(line("new summary", "memory/a.md#1"), line("fresh", "memory/c.md#1")), Resolve: resolveMemory, Language: markdown.English,
	})
	want := strings.Replace(host, "old summary", "new summary", 1)
	want = strings.Replace(want, "- gone [→](memory/b.md#1)", "- fresh [→](memory/c.md#1)", 1)
	if diff := cmp.Diff(want, string(got)); diff != "" || overflow != nil {
		t.Errorf("overflow %v\n%s", overflow, diff)
	}
}

func TestEditOutlineLeavesALineThatAPersonRewrote(t *testing.T) {
	published := strings.Replace(host, "old summary", "what we wrote", 1)
	got, _ := markdown.EditOutline([]byte(host), markdown.OutlineEdit{
		Projection: knowledge(line("new summary", "memory/a.md#1"), line("kept", "memory/b.md#1")), Published: []byte(published), Resolve: resolveMemory,
	})
	if !strings.Contains(string(got), "- old summary [→](memory/a.md#1) <!-- trigger: ledger, books -->\n") || strings.Contains(string(got), "new summary") {
		t.Errorf("the person's wording is gone:\n%s", got)
	}
}

func TestEditOutlineIsIdempotentAndParsesBack(t *testing.T) {
	edit := markdown.OutlineEdit{Projection: mixed(), Resolve: resolveMemory, Language: markdown.Chinese}
	once, _ := markdown.EditOutline([]byte(host), edit)
	edit.Resolve = func(link string) string { return "id of " + link }
	twice, _ := markdown.EditOutline(once, edit)
	again, _ := markdown.EditOutline(twice, edit)
	if diff := cmp.Diff(string(twice), string(again)); diff != "" {
		t.Errorf("a second run changes the text:\n%s", diff)
	}
	links := map[string]bool{}
	for _, l := range markdown.ParseOutline(once, edit.Resolve).Lines {
		links[l.Link] = true
	}
	for _, s := range mixed().Sections {
		for _, l := range s.Entries {
			if !links[l.Link] {
				t.Errorf("link %q is not read back", l.Link)
			}
		}
	}
}

func TestEditOutlineTakesOutDemotedLines(t *testing.T) {
	lines := markdown.ParseOutline([]byte(host), resolveMemory).Lines
	var demoted []memory.Demotion
	for _, l := range lines {
		if strings.Contains(l.Text, "Fridays") {
			demoted = append(demoted, memory.Demotion{Line: l, Reason: "not read for 90 days"})
		}
	}
	got, _ := markdown.EditOutline([]byte(host), markdown.OutlineEdit{Demoted: demoted, Resolve: resolveMemory})
	if strings.Contains(string(got), "Fridays") || !strings.Contains(string(got), "a person's bullet") {
		t.Errorf("left\n%s", got)
	}
	want := "\n## 2026-02-21\n\n_not read for 90 days_\n\n* never push on Fridays [why](second-brain/x.md)\n"
	if diff := cmp.Diff(want, string(markdown.RenderDemoted("2026-02-21", demoted))); diff != "" {
		t.Error(diff)
	}
}

func TestEditOutlineKeepsItsLimitsAndLosesNoLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := "# M\n\n"
		for i := range rapid.IntRange(0, 30).Draw(t, "people") {
			src += rapid.SampledFrom([]string{"- bullet %d\n", "prose %d\n\n", "## head %d\n\n", "- two %d\n  lines\n"}).Draw(t, "line")
			src = fmt.Sprintf(strings.ReplaceAll(src, "%d", "%[1]d"), i)
		}
		var ours []memory.ProjectedLine
		for i := range rapid.IntRange(0, 20).Draw(t, "ours") {
			ours = append(ours, memory.ProjectedLine{Text: fmt.Sprint("summary ", i), Link: fmt.Sprintf("memory/x.md#%d", i), Importance: .5})
		}
		limits := markdown.OutlineLimits{Lines: rapid.IntRange(10, 60).Draw(t, "lines"), Characters: rapid.IntRange(400, 4000).Draw(t, "characters")}
		got, overflow := markdown.EditOutline([]byte(src), markdown.OutlineEdit{
			Projection: knowledge(ours...), Resolve: resolveMemory, Language: markdown.English, Limits: limits, Overflow: "memory/archive/demoted-2026-02.md",
		})
		text := string(got)
		if len(overflow) > 0 && !strings.Contains(text, "](memory/archive/demoted-2026-02.md)") {
			t.Fatalf("no link to the lines moved out in\n%s", text)
		}
		for _, d := range overflow {
			text += d.Line.Text + "\n"
		}
		for _, l := range strings.Split(src, "\n") {
			if l != "" && strings.Count(text, l+"\n") < 1 {
				t.Fatalf("line %q is lost in\n%s", l, text)
			}
		}
		heads := strings.Count(src, "## ")
		fits := strings.Count(string(got), "\n") <= limits.Lines && utf8.RuneCountInString(string(got)) <= limits.Characters
		if !fits && strings.Count(string(got), "\n") > 2*heads+8 {
			t.Fatalf("limits %+v: %d lines, %d characters in\n%s", limits, strings.Count(string(got), "\n"), utf8.RuneCountInString(string(got)), got)
		}
	})
}
