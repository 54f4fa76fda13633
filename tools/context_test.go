package tools_test

import (
	"strings"
	"testing"

	"agentmemory/lifecycle"
	"agentmemory/tools"
)

func TestBootContext(t *testing.T) {
	part := func(name, text string) tools.BootPart { return tools.BootPart{Name: name, Text: text} }
	for _, c := range []struct {
		name   string
		parts  []tools.BootPart
		budget int
		want   string
	}{
		{"nothing", nil, 100, ""},
		{"only headings", []tools.BootPart{part("RECENT.md", "# RECENT.md\n\n## 最近情感\n\n## 最近事件\n")}, 100, ""},
		{"headings with and without text", []tools.BootPart{part("A", "# a\n\n## empty\n\n## full\n- x\n\n### deeper\n\n## last\n")}, 100, "## A\n\n# a\n\n## full\n- x"},
		{"a heading over headings with text stays", []tools.BootPart{part("A", "# a\n## b\n### c\nx")}, 100, "## A\n\n# a\n## b\n### c\nx"},
		{"comments", []tools.BootPart{part("A", "- x <!-- am:1\nn=2 --> <!-- trigger: y -->\n- z")}, 100, "## A\n\n- x\n- z"},
		{"a bullet of two files", []tools.BootPart{part("A", "- x\n- y"), part("B", "## 09:00\n\n- y\n\n## 10:00\n\n- z")}, 100, "## A\n\n- x\n- y\n\n## B\n\n## 10:00\n\n- z"},
		{"twice in one file", []tools.BootPart{part("A", "- x\n- x")}, 100, "## A\n\n- x\n- x"},
		{"the short one is whole", []tools.BootPart{part("A", strings.Repeat("- a long line of a long file\n", 50)), part("B", "- short")}, 60, "## A\n\n- a long line of a long file\n- a long line of a long file\n- a long line of a long file\n…\n\n## B\n\n- short"},
		{"the end of a journal", []tools.BootPart{{Name: "J", Text: "- one\n- two\n- three", Tail: true}}, 20, "## J\n\n…\n- three"},
		{"no budget", []tools.BootPart{part("A", "- x is longer than nothing")}, 0, ""},
	} {
		if got := tools.BootContext(c.parts, c.budget); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func FuzzBootContext(f *testing.F) {
	f.Add("# a\n\n- x <!-- c -->\n", "- x\n- 记忆\n", 40)
	f.Add("<!--", "-->", -3)
	f.Fuzz(func(t *testing.T, one, two string, budget int) {
		budget %= 10_000
		got := tools.BootContext([]tools.BootPart{{Name: "A", Text: one}, {Name: "B", Text: two, Tail: true}}, budget)
		if cost := lifecycle.EstimateTokens(got); cost > max(0, budget)+8 {
			t.Errorf("%d tokens for a budget of %d:\n%s", cost, budget, got)
		}
	})
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "word": 1, "two words here": 4, "记忆": 2, "用 SQLite": 3} {
		if got := lifecycle.EstimateTokens(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
