package tools

import (
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// cardFields are the fields that the card of a form has, besides its title; nil
// for forms without a card.
func cardFields(f memory.Form) []string {
	switch f {
	case memory.Decision:
		return []string{"date", "why", "finding", "conclusion", "impact", "refs"}
	case memory.Task:
		return []string{"goal", "boundary", "acceptance", "key_actions", "artifacts", "final_status", "next_step"}
	}
	return nil
}

// stateFields are those of CURRENT_STATE.md; it keeps others under headings of their own.
func stateFields() []string {
	return []string{"goals", "in_progress", "blockers", "next", memory.StateNotes}
}

// fieldOf returns the field of a card that a caller means by another word.
func fieldOf(form memory.Form, word string) string {
	names := map[memory.Form]func(string) string{memory.Decision: decisionField, memory.Task: taskField, memory.State: stateField}
	word = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.TrimSpace(text.Fold(word)))
	if name, is := names[form]; is {
		return name(word)
	}
	return word
}

func decisionField(word string) string {
	switch word {
	case "reason", "reasons", "rationale", "because", "原因", "理由", "为什么":
		return "why"
	case "decision", "result", "outcome", "结论", "决定":
		return "conclusion"
	case "findings", "发现":
		return "finding"
	case "consequence", "consequences", "影响":
		return "impact"
	case "references", "links", "参考":
		return "refs"
	case "日期":
		return "date"
	}
	return word
}

func taskField(word string) string {
	switch word {
	case "目标", "目的", "goals":
		return "goal"
	case "边界", "范围", "boundaries", "scope":
		return "boundary"
	case "验收", "验收标准", "acceptance_criteria", "criteria":
		return "acceptance"
	case "关键动作", "关键操作", "动作", "actions", "key_action":
		return "key_actions"
	case "产物", "产物路径", "artifact", "artifact_path", "artifact_paths":
		return "artifacts"
	case "最终状态", "状态", "status":
		return "final_status"
	case "下一步", "next", "next_steps":
		return "next_step"
	}
	return word
}

func stateField(word string) string {
	switch word {
	case "今日目标", "今天的目标", "目标", "goal", "today_goals", "today's_goals":
		return "goals"
	case "进行中", "正在进行", "doing":
		return "in_progress"
	case "阻碍", "阻塞", "障碍", "卡点", "blocker", "blocked":
		return "blockers"
	case "下一步", "next_step", "next_steps":
		return "next"
	case "备注", "说明", "note":
		return memory.StateNotes
	}
	return word
}

// nameFields gives the fields of a card the names that the card has, where the
// caller used another word and the field itself is free.
func nameFields(m *memory.Memory) {
	known := cardFields(m.Form)
	if m.Form == memory.State {
		known = stateFields()
	}
	for i, f := range m.Fields {
		name := fieldOf(m.Form, f.Name)
		if slices.Contains(known, name) && m.Field(name) == "" {
			m.Fields[i].Name = name
		}
	}
}

// strangeFields tells which fields a card keeps without knowing them, and which
// ones it has; "" when there are none.
func strangeFields(m memory.Memory) string {
	known := cardFields(m.Form)
	if known == nil {
		return ""
	}
	var strange []string
	for _, f := range m.Fields {
		if f.Name != "id" && f.Name != "source" && !slices.Contains(known, f.Name) {
			strange = append(strange, quoteShort(f.Name))
		}
	}
	if len(strange) == 0 {
		return ""
	}
	return fmt.Sprintf("kept as given, but no field of a %s: %s; its fields are %s", m.Form, strings.Join(strange, ", "), strings.Join(known, ", "))
}
