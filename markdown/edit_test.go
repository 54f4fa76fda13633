package markdown_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// humanDocument generates a file as people leave them: headings, bullets of any
// style, code, annotated entries, half-typed constructs.
func humanDocument() *rapid.Generator[string] {
	lines := rapid.SampledFrom([]string{
		"", "", "# 2026-02-21", "## 21:00", "## 22:00", "## 23:30", "## Notes", "### sub", "prose", "more prose", "- bullet", "* star", "+ plus", "1. one", "2. two",
		"  continued", "    code", "\tcode", "   - nested", "  - indented bullet", "---", "===", "```", "```sh", "~~~", "> quote", "<!-- note -->", "<!-- open", "-->", "<div>", "</div>",
		"- kept <!-- am:" + thirdID + " n=7 -->", "- other <!-- am:06g3zkd0h7n2v5s8e4yf9pm3qd t=knowledge --> <!-- importance: 9 -->", "| a | b |", "|---|---|",
		"-   wide", "10. ten", "- ", "-", "## Decision: choose", "- why: because", "- id: DECISION-20260221-x", "<pre>", "</pre>", "lazy", "Setext", "- [ ] task",
	})
	ending := rapid.SampledFrom([]string{"\n", "\r\n"})
	return rapid.Custom(func(t *rapid.T) string {
		eol := ending.Draw(t, "eol")
		text := strings.Join(rapid.SliceOfN(lines, 0, 14).Draw(t, "lines"), eol)
		if rapid.Bool().Draw(t, "bom") {
			text = "\ufeff" + text
		}
		if rapid.Bool().Draw(t, "newline") {
			text += eol
		}
		return text
	})
}

type shown struct {
	ID, Content, Raw string
	Fields           []memory.Field
}

// show lists the entries of a document except one; a terminator that the last
// line gains is not a change.
func show(d *markdown.Document, except string) []shown {
	out := []shown{}
	for _, e := range d.Entries() {
		if e.ID != except {
			out = append(out, shown{e.ID, e.Content, strings.TrimRight(e.Raw(), "\r\n"), e.Fields})
		}
	}
	return out
}

func TestPutKeepsEveryOtherByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := humanDocument().Draw(t, "document")
		doc := markdown.Parse(journal, []byte(src))
		before := show(doc, "")
		entry := note(firstID, rapid.IntRange(1, 9).Draw(t, "n"), markdownText().Draw(t, "content"))
		entry.Section = rapid.SampledFrom([]string{"", "09:00", "21:00", "22:00", "22:30"}).Draw(t, "section")
		doc.Put(entry)
		result := string(doc.Bytes())
		if lost := missingLine(src, result); lost != "" {
			t.Fatalf("line %q lost in\n%s", lost, result)
		}
		again := markdown.Parse(journal, []byte(result))
		if diff := cmp.Diff(before, show(again, firstID)); diff != "" {
			t.Fatalf("other entries changed in\n%s\n%s", result, diff)
		}
		got, ok := again.ByID(firstID)
		if !ok || got.Content != markdown.Sanitise(entry.Content) {
			t.Fatalf("put %q, found %q (%v) in\n%s", entry.Content, got.Content, ok, result)
		}
		if diff := cmp.Diff(doc.Entries(), again.Entries(), cmp.AllowUnexported(markdown.Entry{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the edited document differs from a fresh one:\n%s", diff)
		}
		if entry.Section != "" && got.Section != entry.Section {
			t.Fatalf("stands in %q, not %q, in\n%s", got.Section, entry.Section, result)
		}
	})
}

// missingLine returns the first line of before that is not, in order, in after.
func missingLine(before, after string) string {
	rest := strings.Split(strings.TrimPrefix(after, "\ufeff"), "\n")
	for _, line := range strings.Split(before, "\n") {
		line = strings.TrimPrefix(strings.TrimSuffix(line, "\r"), "\ufeff")
		for len(rest) > 0 && strings.TrimSuffix(rest[0], "\r") != line {
			rest = rest[1:]
		}
		if len(rest) == 0 && line != "" {
			return line
		}
		if len(rest) > 0 {
			rest = rest[1:]
		}
	}
	return ""
}

func TestRemoveKeepsEveryOtherEntry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := humanDocument().Draw(t, "document")
		doc := markdown.Parse(journal, []byte(src))
		if len(doc.Entries()) == 0 {
			return
		}
		victim := rapid.SampledFrom(doc.Entries()).Draw(t, "victim")
		if strings.Contains(src, "```") || strings.Contains(src, "~~~") || strings.Contains(src, "<pre>") || strings.Contains(src, "open") || strings.Contains(src, "Decision") {
			return // what a half-open block covers or a card owns changes with the entries that end it
		}
		if len(doc.Duplicates()) > 0 || !victim.Annotated && occursTwice(doc, victim) {
			return
		}
		before := show(doc, victim.ID)
		doc.Remove(victim.ID)
		if diff := cmp.Diff(doc.Entries(), markdown.Parse(journal, doc.Bytes()).Entries(), cmp.AllowUnexported(markdown.Entry{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the edited document differs from a fresh one:\n%s", diff)
		}
		if diff := cmp.Diff(before, show(markdown.Parse(journal, doc.Bytes()), "")); diff != "" {
			t.Fatalf("removing %q changed other entries of\n%s\nto\n%s\n%s", victim.Raw(), src, doc.Bytes(), diff)
		}
	})
}

// occursTwice: the derived ids of later equal lines shift when one goes.
func occursTwice(d *markdown.Document, e markdown.Entry) bool {
	n := 0
	for _, o := range d.Entries() {
		if o.Content == e.Content || o.Title == e.Title {
			n++
		}
	}
	return n > 1
}

// What is taken out of a section and put back leaves the file as it was.
func TestASectionThatWasEmptiedAndFilledIsAsItWas(t *testing.T) {
	for _, src := range []string{
		doc("# 2026-02-21", "", "## 22:00", "", lineA),
		doc("# 2026-02-21", "", "## 22:00", "", lineA, "", "## 23:00", "", lineC),
	} {
		d := markdown.Parse(journal, []byte(src))
		e, _ := d.ByID(firstID)
		d.Remove(firstID)
		d.Put(e)
		if got := string(d.Bytes()); got != src {
			t.Errorf("%q became %q", src, got)
		}
	}
}
