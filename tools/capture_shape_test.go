package tools

import (
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/memory"
)

// A digest is headed by how the conversation began, or where that is what was
// found in it, by what was found first.
func TestTheHeadOfADigest(t *testing.T) {
	for _, c := range []struct {
		name, title string
		found       []string
		want        string
	}{
		{"how it began", "Is the fan replaced?", []string{"We change the filter each quarter."}, "Is the fan replaced?\n- We change the filter each quarter."},
		{"what was found first", "我不喜欢深色主题", []string{"我不喜欢深色主题"}, "我不喜欢深色主题"},
		{"with the word that asked for it", "记住：周报周五发。", []string{"周报周五发。", "用 SQLite。"}, "周报周五发。\n- 用 SQLite。"},
		{"cut", "We moved the ledger to…", []string{"We moved the ledger to SQLite because one machine is enough."}, "We moved the ledger to SQLite because one machine is enough."},
		{"nothing", "", []string{"one", "two"}, "one\n- two"},
	} {
		facts := make([]Fact, len(c.found))
		for i, content := range c.found {
			facts[i] = Fact{Memory: memory.Memory{Content: content, MessageRange: "1"}}
		}
		got := (&Capture{}).digest(Heard{Title: c.title}, facts)
		if len(got) != 1 || got[0].Memory.Content != c.want {
			t.Errorf("%s: %q, want %q", c.name, got[0].Memory.Content, c.want)
		}
	}
}

// All that was found in a long conversation is kept: a digest is no longer than
// a memory may be.
func TestALongConversationGetsSeveralDigests(t *testing.T) {
	var facts []Fact
	for i := range 200 {
		content := fmt.Sprintf("第%d条：%s", i+1, strings.Repeat("周报每周五发给王敏。", 15))
		facts = append(facts, Fact{Memory: memory.Memory{Content: content, MessageRange: fmt.Sprint(min(i/3, 30))}})
	}
	facts[7].Memory.Status = memory.Quarantined
	digests := (&Capture{}).digest(Heard{SessionID: "s", Title: "把规矩说清楚", Fingerprint: "f"}, facts)
	all, ids := "", map[string]bool{}
	for _, d := range digests {
		if len(d.Memory.Content) > memory.MaxContent || ids[d.Memory.ID] {
			t.Errorf("a digest of %d bytes, id %s", len(d.Memory.Content), d.Memory.ID)
		}
		ids[d.Memory.ID] = true
		all += d.Memory.Content + "\n"
	}
	for i, f := range facts {
		if strings.Count(all, f.Memory.Content+"\n") != 1 {
			t.Fatalf("what was found as number %d stands %d times", i, strings.Count(all, f.Memory.Content+"\n"))
		}
	}
}
