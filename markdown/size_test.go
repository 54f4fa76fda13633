package markdown_test

import (
	"strings"
	"testing"
	"time"

	"agentmemory/markdown"
)

// Whatever costs most must not cost much more than plain text: the bound is far
// above linear and far below quadratic time.
func TestHostileSizesAreReadInBoundedTime(t *testing.T) {
	const size = 1 << 15
	for name, unit := range map[string]string{
		"open fences": "```a\n", "open tags": "<pre>\n", "open comments": "<!-- a\n", "ever longer fences": "", "one line of markers": "- ", "one line of quotes": "> ",
		"one line of comments": "<!-- a -->", "one line of closers": "--> ", "one line of angles": `<\\\`, "equal bullets": "- a\n", "equal entries": lineA + "\n",
		"headings": "# a\n", "underlines": "a\n===\n", "lazy lines": "- a\nb\n", "blank lines": "\n", "processing": "<?\n", "declarations": "<!A\n", "rules": "* * *\n", "spaces": " ",
	} {
		src := strings.Repeat(unit, size/max(1, len(unit)))
		if unit == "" {
			var b strings.Builder
			for n := 3; b.Len() < size; n++ {
				b.WriteString(strings.Repeat("~", n) + "\n")
			}
			src = b.String()
		}
		start := time.Now()
		d := markdown.Parse(journal, []byte(src))
		d.Passages()
		d.Put(note(firstID, 1, "x"))
		markdown.Merge(journal, []byte(src), d.Bytes(), []byte("human\n"+src))
		markdown.ParseOutline([]byte(src), nil)
		markdown.EditOutline([]byte(src), markdown.OutlineEdit{Projection: mixed(), Limits: markdown.OutlineLimits{Lines: 200, Characters: 20000}, Overflow: "x.md"})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
