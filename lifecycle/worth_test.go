package lifecycle

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// A stop that belongs to a word ends no sentence, and a row of a table is none.
func TestExtractKeepsSentencesWhole(t *testing.T) {
	note := stored("note", "The offer went to Mrs. Okafor, 86,000 in all. 合同由 Dr. Chen 审核，编号 No. 7 存档。\n| room | price |\n|---|---|\n| 101 | 288 |")
	var got []string
	for _, c := range Extract([]memory.Memory{note}, nil, today(), time.Time{}, profileNamed(t, "para")).Changes {
		got = append(got, c.Memory.Content)
	}
	want := []string{"The offer went to Mrs. Okafor, 86,000 in all.", "合同由 Dr. Chen 审核，编号 No. 7 存档。"}
	if !slices.Equal(got, want) {
		t.Errorf("facts:\n%q\nwant\n%q", got, want)
	}
}

// Reviews by the dozen push nobody's allergy out of MEMORY.md, whatever is newer.
func TestASeriesLeavesRoomForWhatMatters(t *testing.T) {
	p := profileNamed(t, "openclaw")
	lasting := []string{"The user is allergic to shellfish", "女儿对花生过敏", "回答请用中文，代码注释用英文"}
	var memories []memory.Memory
	for i, s := range lasting {
		m := stored(fmt.Sprint("lasting", i), s)
		m.CreatedAt = today().AddDate(0, 0, -20)
		memories = append(memories, m)
	}
	for i := range 40 {
		memories = append(memories, stored(fmt.Sprint("series", i), fmt.Sprintf("Reviewed PR #%d from Chen", 100+i)))
	}
	got := ranked(memories, today(), p, nil)
	if len(got) != len(lasting)+1 {
		t.Errorf("%d lines, want %d and one of the series", len(got), len(lasting))
	}
	for _, s := range lasting {
		if !slices.ContainsFunc(got, func(m memory.Memory) bool { return m.Content == s }) {
			t.Errorf("%q is missing", s)
		}
	}
}
