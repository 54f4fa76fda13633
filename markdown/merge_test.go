package markdown_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

func doc(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

const (
	lineA = "- alpha <!-- am:" + firstID + " n=1 -->"
	lineB = "- beta <!-- am:" + secondID + " n=2 -->"
	lineC = "- gamma <!-- am:" + thirdID + " n=3 -->"
)

type mergeCase struct {
	base, ours, theirs, want string
	conflicts                []markdown.Conflict
}

func TestMerge(t *testing.T) {
	for name, c := range mergeCases() {
		t.Run(name, func(t *testing.T) {
			got := markdown.Merge(journal, []byte(c.base), []byte(c.ours), []byte(c.theirs))
			if diff := cmp.Diff(c.want, string(got.Text)); diff != "" {
				t.Errorf("text:\n%s", diff)
			}
			if diff := cmp.Diff(c.conflicts, got.Conflicts); diff != "" {
				t.Errorf("conflicts:\n%s", diff)
			}
		})
	}
}

func mergeCases() map[string]mergeCase {
	cases := mergedEntries()
	maps.Copy(cases, mergedProse())
	return cases
}

// mergedEntries are edits of a journal's entries.
func mergedEntries() map[string]mergeCase {
	base := doc("## 22:00", "", lineA, lineB)
	return map[string]mergeCase{
		"nothing of ours":   {base, base, doc("human"), doc("human"), nil},
		"nothing of theirs": {base, doc("## 22:00", "", lineA), base, doc("## 22:00", "", lineA), nil},
		"both added to a section": {
			base, doc("## 22:00", "", lineA, lineB, lineC), doc("## 22:00", "", lineA, lineB, "- human"),
			doc("## 22:00", "", lineA, lineB, "- human", lineC), nil,
		},
		"both added the same minute": {
			"", doc("## 22:00", "", lineA), doc("## 22:00", "", "- human"),
			doc("## 22:00", "", "- human", lineA), nil,
		},
		"they added another minute": {
			"", doc("## 22:00", "", lineA), doc("## 21:30", "", "- human"),
			doc("## 21:30", "", "- human", "", "## 22:00", "", lineA), nil,
		},
		"they moved what we changed": {
			base, doc("## 22:00", "", strings.Replace(lineA, "alpha", "ALPHA", 1), lineB), doc("# Pinned", "", lineA, "", "## 22:00", "", lineB),
			doc("# Pinned", "", "- ALPHA <!-- am:"+firstID+" n=1 u=event://journal/2026-02-21#2200-1 -->", "", "## 22:00", "", lineB), nil,
		},
		"they deleted what we changed": {
			base, doc("## 22:00", "", strings.Replace(lineA, "alpha", "ALPHA", 1), lineB), doc("## 22:00", "", lineB),
			doc("## 22:00", "", lineB), []markdown.Conflict{{ID: firstID, Ours: strings.Replace(lineA, "alpha", "ALPHA", 1) + "\n"}},
		},
		"they changed what we removed": {
			base, doc("## 22:00", "", lineB), doc("## 22:00", "", strings.Replace(lineA, "alpha", "edited", 1), lineB),
			doc("## 22:00", "", strings.Replace(lineA, "alpha", "edited", 1), lineB), []markdown.Conflict{{ID: firstID}},
		},
		"both changed an entry": {
			base, doc("## 22:00", "", strings.Replace(lineA, "alpha", "ours", 1), lineB), doc("## 22:00", "", strings.Replace(lineA, "alpha", "theirs", 1), lineB),
			doc("## 22:00", "", strings.Replace(lineA, "alpha", "theirs", 1), lineB),
			[]markdown.Conflict{{ID: firstID, Ours: strings.Replace(lineA, "alpha", "ours", 1) + "\n"}},
		},
		"they changed the text, we the status": {
			base, doc("## 22:00", "", strings.Replace(lineA, " -->", " s=superseded -->", 1), lineB), doc("## 22:00", "", strings.Replace(lineA, "alpha", "theirs", 1), lineB),
			doc("## 22:00", "", "- theirs <!-- am:"+firstID+" n=1 s=superseded -->", lineB), nil,
		},
		"we wrote out a person's line, they added one": {
			doc("- mine"), doc("- mine <!-- am:" + firstID + " -->"), doc("- first", "- mine"),
			doc("- first", "- mine <!-- am:"+firstID+" -->"), nil,
		},
		"they copied an entry, we changed it": {
			base, doc("## 22:00", "", strings.Replace(lineA, "alpha", "ALPHA", 1), lineB), doc("## 22:00", "", lineA, lineB, "", "## Pinned", "", lineA),
			doc("## 22:00", "", strings.Replace(lineA, "alpha", "ALPHA", 1), lineB, "", "## Pinned", "", lineA), nil,
		},
	}
}

// mergedProse are edits of what a person writes and of projections.
func mergedProse() map[string]mergeCase {
	return map[string]mergeCase{
		"prose on both sides": {
			doc("intro", "", lineA), doc("intro", "", "ours", "", lineA), doc("intro", "", lineA, "", "theirs"),
			doc("intro", "", "ours", "", lineA, "", "theirs"), nil,
		},
		"prose replaced on both sides": {
			doc("one", "", "two"), doc("one", "", "ours"), doc("one", "", "theirs"),
			doc("one", "", "theirs"), []markdown.Conflict{{Ours: "ours\n"}},
		},
		"a projection's line removed by us, a human line next to it": {
			doc("# M", "", "- [a](x.md)", "- [b](y.md)"), doc("# M", "", "- [b](y.md)"), doc("# M", "", "- [a](x.md)", "- human", "- [b](y.md)"),
			doc("# M", "", "- human", "- [b](y.md)"), nil,
		},
		"both added to the end of a projection's list": {
			doc("# M", "", "- [a](x.md)", "", "## N"), doc("# M", "", "- [a](x.md)", "- [b](y.md)", "- [c](z.md)", "", "## N"), doc("# M", "", "- [a](x.md)", "- human", "", "## N"),
			doc("# M", "", "- [a](x.md)", "- human", "- [b](y.md)", "- [c](z.md)", "", "## N"), nil,
		},
		"both filled an empty section of a projection": {
			doc("# M", "", "## N"), doc("# M", "", "- [b](y.md)", "", "## N"), doc("# M", "", "- human", "", "## N"),
			doc("# M", "", "- human", "- [b](y.md)", "", "## N"), nil,
		},
	}
}

// ourEdit changes a document as the mirror does: entries added, changed, removed.
func ourEdit(t *rapid.T, src string) string {
	d := markdown.Parse(journal, []byte(src))
	for i := range rapid.IntRange(0, 3).Draw(t, "edits") {
		entries := d.Entries()
		switch {
		case len(entries) > 0 && rapid.Bool().Draw(t, "remove"):
			e := rapid.SampledFrom(entries).Draw(t, "victim")
			if e.Annotated {
				d.RemoveLine(e.Line)
			}
		case len(entries) > 0 && rapid.Bool().Draw(t, "change"):
			e := rapid.SampledFrom(entries).Draw(t, "changed")
			if e.Annotated {
				e.Content, e.Status = markdownText().Draw(t, "content"), memory.Superseded
				d.ReplaceLine(e.Line, e)
			}
		default:
			d.Put(note([]string{firstID, secondID, "06g3zke0h7n2v5s8e4yf9pm3qe"}[i], i+1, rapid.SampledFrom([]string{"new", "```\nfenced", "two\n\nparagraphs"}).Draw(t, "new")))
		}
	}
	return string(d.Bytes())
}

// theirEdit changes a document as a person does: lines deleted, added, moved.
func theirEdit(t *rapid.T, src string) string {
	lines := strings.SplitAfter(src, "\n")
	for range rapid.IntRange(0, 4).Draw(t, "edits") {
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			lines = append(lines[:at:at], lines[at+1:]...)
		case 1:
			text := rapid.SampledFrom([]string{"human\n", "- human bullet\n", "\n", "    human code\n", "## 22:15\n", "```\n"}).Draw(t, "line")
			lines = append(lines[:at:at], append([]string{text}, lines[at:]...)...)
		case 2:
			to := rapid.IntRange(0, len(lines)-1).Draw(t, "to")
			lines[at], lines[to] = lines[to], lines[at]
		}
		if len(lines) == 0 {
			return ""
		}
	}
	return strings.Join(lines, "")
}

func TestMergeLosesNoHumanLineAndDuplicatesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := humanDocument().Draw(t, "base")
		ours, theirs := ourEdit(t, base), theirEdit(t, base)
		got := markdown.Merge(journal, []byte(base), []byte(ours), []byte(theirs))
		merged := lineCounts(string(got.Text))
		b, o, h := lineCounts(base), lineCounts(ours), lineCounts(theirs)
		for line, n := range h {
			if n > b[line] && merged[line] < n-b[line] {
				t.Fatalf("human line %q lost: base\n%s\nours\n%s\ntheirs\n%s\nmerged\n%s", line, base, ours, theirs, got.Text)
			}
		}
		for line, n := range merged {
			if n > max(h[line], o[line], h[line]+o[line]-b[line]) && !strings.HasPrefix(line, "# 2026") && !strings.HasPrefix(line, "## 22:") {
				t.Fatalf("line %q duplicated: base\n%s\nours\n%s\ntheirs\n%s\nmerged\n%s", line, base, ours, theirs, got.Text)
			}
		}
		for id, n := range idCounts(got.Text) {
			if n > max(idCounts([]byte(theirs))[id], idCounts([]byte(ours))[id]) {
				t.Fatalf("entry %s duplicated: base\n%s\nours\n%s\ntheirs\n%s\nmerged\n%s", id, base, ours, theirs, got.Text)
			}
		}
	})
}

func TestMergeKeepsOurNewEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := humanDocument().Draw(t, "base")
		theirs := theirEdit(t, base)
		d := markdown.Parse(journal, []byte(base))
		d.Put(note(firstID, 1, markdownText().Draw(t, "content")))
		want, _ := d.ByID(firstID)
		merged := markdown.Merge(journal, []byte(base), d.Bytes(), []byte(theirs))
		got, ok := markdown.Parse(journal, merged.Text).ByID(firstID)
		if !ok || got.Content != want.Content {
			t.Fatalf("our entry is %q, wanted %q: ours\n%s\ntheirs\n%s\nmerged\n%s", got.Content, want.Content, d.Bytes(), theirs, merged.Text)
		}
	})
}

// lineCounts counts lines by their text without our comment.
func lineCounts(text string) map[string]int {
	n := map[string]int{}
	for _, l := range strings.Split(strings.ReplaceAll(text, "\ufeff", ""), "\n") {
		l, _, _ = strings.Cut(l, "<!-- am:")
		l = strings.TrimPrefix(strings.TrimSpace(l)+" ", "- ") // the mark may stand alone, before a block
		if l = strings.TrimSpace(l); l != "" && l != "<!-- -->" {
			n[l]++
		}
	}
	return n
}

func idCounts(text []byte) map[string]int {
	n := map[string]int{}
	for _, e := range markdown.Parse(journal, text).Entries() {
		if e.Annotated {
			n[e.ID]++
		}
	}
	return n
}
