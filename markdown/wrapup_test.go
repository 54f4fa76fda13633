package markdown_test

import (
	"bytes"
	"fmt"
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
