package markdown

import "testing"

func TestAJournalLeadsToItsTopics(t *testing.T) {
	journal := "# 2026-03-10\n\n## 09:00\n\n- Rule 1 <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nb n=1 -->\n"
	d := Parse("memory/2026-03-10.md", []byte(journal))
	for _, topic := range []string{"memory/recent/parser.md", "memory/recent/进口.md", "memory/recent/parser.md"} {
		d.LinkTo(topic)
	}
	want := "# 2026-03-10\n\n→ [parser](recent/parser.md) · [进口](recent/进口.md)\n\n## 09:00\n\n- Rule 1 <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nb n=1 -->\n"
	if got := string(d.Bytes()); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	again := Parse("memory/2026-03-10.md", d.Bytes())
	if len(again.Entries()) != 1 || len(again.Passages()) != 0 {
		t.Errorf("the line is read as something said: %+v %+v", again.Entries(), again.Passages())
	}
	archived := "# 2026-03-10\n\n→ [parser](../../recent/parser.md) · [进口](../../recent/进口.md)\n\n## 09:00\n\n- Rule 1 <!-- am:06g3zk9w2r4tq8m1c5xd7hj0nb n=1 -->\n"
	if got := Relinked(want); got != archived {
		t.Errorf("in the archive:\n%s", got)
	}
	if got := Relinked(archived); got != archived {
		t.Errorf("moved again:\n%s", got)
	}
}

func TestOnlyJournalsLeadToTopics(t *testing.T) {
	for _, c := range []struct {
		from, to string
		leads    bool
	}{
		{"memory/2026-03-10.md", "memory/recent/parser.md", true},
		{"memory/2026-03-10-p2.md", "memory/recent/parser.md", true},
		{"agents/ops-1a2b3c4d/memory/2026-03-10.md", "agents/ops-1a2b3c4d/memory/recent/parser.md", true},
		{"memory/2026-03-10.md", "memory/2026-03-10-p2.md", false},
		{"memory/topics/knowledge.md", "memory/recent/parser.md", false},
		{"memory/2026-03-10.md", "memory/life/projects/x/items.json", false},
	} {
		if got := Leads(c.from, c.to); got != c.leads {
			t.Errorf("from %s to %s: %v", c.from, c.to, got)
		}
	}
}
