package markdown_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

const (
	journal  = "memory/2026-02-21.md"
	firstID  = "06g3zk9w2r4tq8m1c5xd7hj0nb"
	secondID = "06g3zkb0h7n2v5s8e4yf9pm3qa"
	thirdID  = "06g3zkc0h7n2v5s8e4yf9pm3qb"
)

func note(id string, n int, content string) markdown.Entry {
	return markdown.Entry{
		ID: id, Annotated: true, Number: n, Type: memory.Event, Form: memory.Note, Status: memory.Active,
		URI: fmt.Sprintf("event://journal/2026-02-21#2200-%d", n), Section: "22:00", Content: content,
	}
}

// topItems counts the depth-1 list items that a CommonMark parser with GFM tables sees.
func topItems(src []byte) int {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	md := goldmark.New(goldmark.WithExtensions(extension.GFM))
	doc := md.Parser().Parse(text.NewReader(src))
	count := 0
	for block := doc.FirstChild(); block != nil; block = block.NextSibling() {
		if block.Kind() == ast.KindList {
			count += block.ChildCount()
		}
	}
	return count
}

func hostileContents() []string {
	return []string{
		"", "plain", "账本用 SQLite，不用 Postgres", "two\nlines", "a\n\n\nb", "```sh\nmake release\n```", "```\nnever closed",
		"~~~\n```\n~~~", "# heading", "a\n# heading", "- list\n- list", "1. one\n2. two", "- a\n  - b\n\n- c", "> quote", "---", "***", "* * *",
		"text\n---", "text\n===", "| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n--|--\n1 | 2", "<div>\n\n</div>", "<script>\nalert(1)", "<details>",
		"    indented code", "\ttab code", " one space", "a\n    code", "a\n\ttab", "a\n\n\tcode after blank", "[ref]: /url 'title'", "[ ] task", "[x] done",
		"text <!-- open", "text <!-- am:" + secondID + " n=9 -->", "<!-- am:" + secondID + " -->", "text\n<!-- am:" + secondID + " -->",
		"x <!-- am:" + secondID + " --> <!-- trigger: forged -->", `<\!-- escaped -->`, `<\\!-- twice -->`, "-->", "ends with -->", "<!--> <!--->",
		"- fake <!-- am:" + secondID + " n=1 -->\n\n## 23:00\n\n- more", "## 23:00", "## Decision: forged\n- id: DECISION-1", "- id: x", "text\r\nwith crlf\rand cr",
		"nul \x00 byte", "bad \xff utf8", "trailing spaces   ", "hard  \nbreak", `back\`, "`code", "**bold", "\u202ebidi\u2066", "\U000e0041tag", "\f", "\v", "a\n\f\nb",
		"1234567890. not a list", "+ plus", "+", "-", "*", "1)", "0. zero", "a\n-", "a\n- ", "[a](b)\n: definition", "<a href='x'>", "</div>", "<?php", "<![CDATA[", "<!DOCTYPE",
		"\u00a0nbsp", "\u2028line sep", "\ufeffbom", "emoji 👩‍👩‍👧", "&lt;!-- entity", "a\n  \n b", strings.Repeat("深", 3000), strings.Repeat("> ", 500) + "deep",
	}
}

func TestHostileContentRoundTripsBetweenNeighbours(t *testing.T) {
	for i, content := range hostileContents() {
		t.Run(fmt.Sprint(i), func(t *testing.T) { checkRoundTrip(t, content) })
	}
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkRoundTrip puts content between two entries and reads everything back.
func checkRoundTrip(t failer, content string) {
	t.Helper()
	doc := markdown.Parse(journal, nil)
	doc.Put(note(firstID, 1, "before"))
	doc.Put(note(thirdID, 3, "after"))
	doc.Put(note(secondID, 2, content))
	src := doc.Bytes()
	got := markdown.Parse(journal, src).Entries()
	if len(got) != 3 {
		t.Fatalf("%d entries for %q in\n%s", len(got), content, src)
	}
	if got[0].Content != "before" || got[2].Content != "after" || got[0].ID != firstID || got[2].ID != thirdID {
		t.Fatalf("neighbours changed for %q in\n%s", content, src)
	}
	if want := markdown.Sanitise(content); got[1].Content != want || got[1].ID != secondID {
		t.Fatalf("content %q came back as %q (id %s) from\n%s", want, got[1].Content, got[1].ID, src)
	}
	if n := topItems(src); n != 3 && !emptyNestedItem(content) {
		t.Fatalf("goldmark sees %d items for %q in\n%s", n, content, src)
	}
	if diff := cmp.Diff(string(src), string(markdown.Parse(journal, src).Bytes())); diff != "" {
		t.Fatalf("parsing changed bytes: %s", diff)
	}
}

// emptyNestedItem recognises the one construct where goldmark 1.8 leaves CommonMark
// (§5.2): after an empty nested item and a blank line it closes the outer list too.
func emptyNestedItem(content string) bool {
	lines := strings.Split(markdown.Sanitise(content), "\n")
	for i, l := range lines[:len(lines)-1] {
		if strings.Trim(l, "> \t\f\v0123456789-*+.)") == "" && strings.TrimSpace(lines[i+1]) == "" && l != "" {
			return true
		}
	}
	return false
}

// markdownText generates text rich in what Markdown takes for structure.
func markdownText() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"a", "word", " ", "  ", "    ", "\t", "\n", "\n", "\n\n", "- ", "* ", "+ ", "1. ", "2) ", "#", "## ", "> ", "```", "~~~", "`", "---", "***", "===",
		"<!--", "-->", "<\\!--", "\\", "<!-- am:" + secondID + " -->", "<!-- trigger: x -->", "<div>", "</div>", "<pre>", "<a>", "|", "|---|---|", ":", "[x]: y", "\r\n", "\r",
		"中文", "日本", "\x00", "\xff", "\u202e", "👩‍👧", "## 22:00", "## Decision: x", "- id: y", "\f", "\v", "<script>", "</script>", "<?", "=", "-", "\u00a0",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(pieces, 0, 24).Draw(t, "pieces"), "")
	})
}

func TestAnyContentRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, markdownText().Draw(t, "content")) })
}

func TestEscapeIsLossless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := markdownText().Draw(t, "text")
		escaped := markdown.Escape(s)
		if strings.Contains(escaped, "<!--") {
			t.Fatalf("%q still opens a comment", escaped)
		}
		if got := markdown.Unescape(escaped); got != s {
			t.Fatalf("%q became %q", s, got)
		}
	})
}
