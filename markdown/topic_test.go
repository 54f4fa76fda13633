package markdown

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// A topic file says what it is, and under each day what was learned then.
func TestATopicFileHasATitleAndDays(t *testing.T) {
	at := func(day, hour int) time.Time { return time.Date(2026, 2, day, hour, 0, 0, 0, time.UTC) }
	d := Parse("memory/topics/knowledge.md", nil)
	for _, m := range []memory.Memory{
		{ID: "06g3zk9w2r4tq8m1c5xd7hj0nb", URI: "knowledge://preferences/editor", Type: memory.Knowledge, Content: "Uses vim", CreatedAt: at(20, 9)},
		{ID: "06g3zk9w2r4tq8m1c5xd7hj0nc", URI: "knowledge://preferences/shell", Type: memory.Knowledge, Content: "Uses fish", CreatedAt: at(21, 9)},
		{ID: "06g3zk9w2r4tq8m1c5xd7hj0nd", URI: "knowledge://preferences/tea", Type: memory.Knowledge, Content: "Green tea", CreatedAt: at(20, 17)},
	} {
		d.Put(FromMemory(m))
	}
	want := `# knowledge

## 2026-02-20

- Uses vim <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nb t=knowledge u=knowledge://preferences/editor -->
- Green tea <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nd t=knowledge u=knowledge://preferences/tea -->

## 2026-02-21

- Uses fish <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nc t=knowledge u=knowledge://preferences/shell -->
`
	if got := string(d.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, e := range Parse("memory/topics/knowledge.md", d.Bytes()).Entries() {
		if e.Section != "2026-02-20" && e.Section != "2026-02-21" {
			t.Errorf("%s stands under %q", e.Content, e.Section)
		}
	}
}
