package tools

import (
	"strings"
	"testing"

	"agentmemory/internal/memory"
)

// What a caller writes under another word reaches the field that is meant; what
// no card has is kept, and the caller is told which fields there are.
func TestFieldsOfCards(t *testing.T) {
	for _, c := range []struct {
		name  string
		form  memory.Form
		given []memory.Field
		want  string // "name=value" of each, in order
		told  string // part of the warning, "" for none
	}{
		{"a reason is the why", memory.Decision, []memory.Field{{Name: "reason", Value: "many writers"}}, "why=many writers", ""},
		{"in Chinese too", memory.Decision, []memory.Field{{Name: "理由", Value: "并发写"}, {Name: "影响", Value: "运维"}}, "why=并发写 impact=运维", ""},
		{"a why that is given stays", memory.Decision, []memory.Field{{Name: "why", Value: "a"}, {Name: "reason", Value: "b"}}, "why=a reason=b", `"reason"`},
		{"an unknown field is kept and named", memory.Decision, []memory.Field{{Name: "budget", Value: "3"}}, "budget=3", "its fields are date, why, finding, conclusion, impact, refs"},
		{"the words of a task card", memory.Task, []memory.Field{{Name: "Next step", Value: "ship"}, {Name: "owner", Value: "Dana"}}, "next_step=ship owner=Dana", `"owner"`},
		{"in Chinese", memory.Task, []memory.Field{{Name: "目标", Value: "备份"}, {Name: "产物路径", Value: "a.sh"}, {Name: "最终状态", Value: "进行中"}, {Name: "下一步", Value: "观察"}}, "goal=备份 artifacts=a.sh final_status=进行中 next_step=观察", ""},
		{"in traditional characters", memory.Task, []memory.Field{{Name: "邊界", Value: "b"}, {Name: "驗收", Value: "v"}, {Name: "關鍵動作", Value: "k"}}, "boundary=b acceptance=v key_actions=k", ""},
		{"as seed 003 calls them", memory.Task, []memory.Field{{Name: "artifact paths", Value: "a"}, {Name: "key actions", Value: "k"}}, "artifacts=a key_actions=k", ""},
		{"the words of the current state", memory.State, []memory.Field{{Name: "Today goals", Value: "g"}, {Name: "in-progress", Value: "p"}, {Name: "mood", Value: "m"}}, "goals=g in_progress=p mood=m", ""},
		{"its headings in Chinese", memory.State, []memory.Field{{Name: "今日目标", Value: "g"}, {Name: "進行中", Value: "p"}, {Name: "阻塞", Value: "b"}, {Name: "下一步", Value: "n"}}, "goals=g in_progress=p blockers=b next=n", ""},
		{"a note has no card", memory.Note, []memory.Field{{Name: "reason", Value: "x"}}, "reason=x", ""},
	} {
		m := memory.Memory{Form: c.form, Fields: append([]memory.Field{}, c.given...)}
		nameFields(&m)
		var got []string
		for _, f := range m.Fields {
			got = append(got, f.Name+"="+f.Value)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
		if told := strangeFields(m); (told == "") != (c.told == "") || !strings.Contains(told, c.told) {
			t.Errorf("%s: told %q", c.name, told)
		}
	}
}
