package markdown_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentmemory/markdown"
)

// What a person writes over a list says what its items are about; the day of the
// journal and times of day say nothing of that kind.
func TestANoteKnowsTheHeadingsAboveIt(t *testing.T) {
	src := doc("# Log of Saturday", "- alone", "## Project Falcon", "- budget", "### 人员", "- Ann", "## 09:30", "- lunch", "## 14:00 – Cache meeting", "- Valkey",
		"# 2026-02-21 周六", "- rest", "## 决定：换房间", "- 时间：周五", "", "text", "", "- after a card")
	var got []string
	for _, e := range parsed("memory/2026-02-21.md", src) {
		got = append(got, e.Heading)
	}
	want := []string{"", "Project Falcon", "Project Falcon › 人员", "", "Cache meeting", "周六", "", "周六 › 决定：换房间"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, e := range parsed("memory/topics/knowledge.md", "# knowledge\n\n## 2026-02-21\n\n- one\n") {
		if e.Heading != "" {
			t.Errorf("an entry of a topic file has the heading %q beside its address", e.Heading)
		}
	}
}

func TestCodeBlocks(t *testing.T) {
	src := "a\n```sh\n# no heading\n\n- no item\n```\n- item\n  ~~~\n  ```\n  ~~~\n\n```\nnever closed\n"
	if diff := cmp.Diff(map[int]int{2: 6, 8: 10}, markdown.CodeBlocks(src)); diff != "" {
		t.Error(diff)
	}
	if n := strings.Count(src, "\n"); n != 13 {
		t.Fatal(n)
	}
}
