package markdown_test

import (
	"bytes"
	"testing"

	"agentmemory/markdown"
)

func FuzzParse(f *testing.F) {
	for _, c := range hostileContents() {
		f.Add(c)
	}
	f.Add(string(cards(journal).Bytes()))
	f.Fuzz(func(t *testing.T, s string) {
		if d := markdown.Parse(journal, []byte(s)); string(d.Bytes()) != s {
			t.Fatalf("parsing changed the bytes of %q", s)
		}
		markdown.Passages(journal, []byte(s))
		markdown.ParseOutline([]byte(s), nil)
		markdown.ParseState([]byte(s))
		markdown.ParseSummary([]byte(s))
		if len(s) < 4096 {
			checkFuzzed(t, s)
		}
	})
}

// checkFuzzed is checkRoundTrip without goldmark, whose own slips are not the point.
func checkFuzzed(t *testing.T, content string) {
	doc := markdown.Parse(journal, nil)
	doc.Put(note(firstID, 1, "before"))
	doc.Put(note(thirdID, 3, "after"))
	doc.Put(note(secondID, 2, content))
	got := markdown.Parse(journal, doc.Bytes()).Entries()
	if len(got) != 3 || got[0].Content != "before" || got[2].Content != "after" || got[1].Content != markdown.Sanitise(content) {
		t.Fatalf("content %q gives\n%s", content, doc.Bytes())
	}
}

func FuzzEscape(f *testing.F) {
	for _, c := range hostileContents() {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, s string) {
		escaped := markdown.Escape(s)
		if bytes.Contains([]byte(escaped), []byte("<!--")) || markdown.Unescape(escaped) != s {
			t.Fatalf("%q escapes to %q", s, escaped)
		}
	})
}

func FuzzMerge(f *testing.F) {
	f.Add("", doc(lineA), doc("- human"))
	f.Add(doc(lineA, lineB), doc(lineB), doc(lineA, "human", lineB))
	f.Add(string(cards(journal).Bytes()), doc("## 22:00", "", lineC), doc("```", lineA))
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		if len(base)+len(ours)+len(theirs) > 4096 {
			return
		}
		m := markdown.Merge(journal, []byte(base), []byte(ours), []byte(theirs))
		merged := lineCounts(string(m.Text))
		b := lineCounts(base)
		for line, n := range lineCounts(theirs) {
			if merged[line] < n-b[line] {
				t.Fatalf("human line %q lost from base %q, ours %q, theirs %q: %q", line, base, ours, theirs, m.Text)
			}
		}
	})
}

func FuzzItems(f *testing.F) {
	f.Add(facts().Render())
	f.Add([]byte(`{"version":1,"facts":[{"id":"a","x":{"y":[1,2]}}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		first, err := markdown.ParseFacts(src)
		if err != nil {
			return
		}
		text := first.Render()
		second, err := markdown.ParseFacts(text)
		if err != nil {
			t.Fatalf("%q renders to %q: %v", src, text, err)
		}
		if again := second.Render(); !bytes.Equal(text, again) {
			t.Fatalf("%q renders to %q, then to %q", src, text, again)
		}
	})
}
