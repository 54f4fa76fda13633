package markdown_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

func TestWrapupsAreCutIntoParts(t *testing.T) {
	s := memory.Section{Name: "actions"}
	for i := range 3200 {
		s.Entries = append(s.Entries, memory.ProjectedLine{Text: fmt.Sprint("1. action ", i)})
	}
	parts := markdown.RenderWrapup(evening(), memory.Projection{Sections: []memory.Section{s}}, markdown.English)
	whole := bytes.Join(parts, nil)
	if len(parts) != 3 || bytes.Count(whole, []byte(`- 1\. action `)) != 3200 {
		t.Errorf("%d parts, %d lines", len(parts), bytes.Count(whole, []byte("action ")))
	}
	for i, p := range parts {
		if bytes.Count(p, []byte("\n")) >= 1500 {
			t.Errorf("part %d has %d lines", i, bytes.Count(p, []byte("\n")))
		}
	}
}

// A later part says which section goes on in it.
func TestAPartOfAWrapupNamesTheSectionThatGoesOn(t *testing.T) {
	s := memory.Section{Name: "actions"}
	for i := range 1600 {
		s.Entries = append(s.Entries, memory.ProjectedLine{Text: fmt.Sprintf("gateway %d", i)})
	}
	for lang, want := range map[markdown.Language]string{markdown.English: "## Action items", markdown.Chinese: "## 行动项"} {
		parts := markdown.RenderWrapup(evening(), memory.Projection{Sections: []memory.Section{s}}, lang)
		if len(parts) != 2 {
			t.Fatalf("%d parts", len(parts))
		}
		if lines := strings.Split(string(parts[1]), "\n"); len(lines) < 5 || !strings.HasPrefix(lines[2], want) || !strings.HasPrefix(lines[4], "- gateway") {
			t.Errorf("%s: the second part begins\n%.200s", lang, parts[1])
		}
		for _, p := range parts {
			if n := strings.Count(string(p), "\n"); n >= 1500 {
				t.Errorf("a part has %d lines", n)
			}
		}
	}
}
