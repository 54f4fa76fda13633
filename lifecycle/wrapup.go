package lifecycle

import (
	"strings"
	"time"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// The six fixed sections of a wrap-up, in order; headings are the writer's.
const (
	WrapDecisions     = "decisions"
	WrapActions       = "actions"
	WrapConversations = "conversations"
	WrapTechnical     = "notes"
	WrapLoops         = "loops"
	WrapNext          = "next"
)

// WrapupSections lists the sections in their fixed order.
func WrapupSections() []string {
	return []string{WrapDecisions, WrapActions, WrapConversations, WrapTechnical, WrapLoops, WrapNext}
}

// WrapupLineChars bounds one line of a wrap-up.
const WrapupLineChars = 400

// Wrapup sorts the memories of one local day, given by any time in it, into the
// six fixed sections; a section without entries is still there. What recall
// does not show, and what strangers wrote, is left out.
func Wrapup(memories []memory.Memory, date time.Time) memory.Projection {
	sections := map[string][]memory.ProjectedLine{}
	for _, m := range dayOf(memories, date) {
		line := memory.ProjectedLine{MemoryID: m.ID, Text: OneLine(m, WrapupLineChars), Link: linkTo(m), Importance: min(1, Importance(m, date))}
		name := wrapSection(m)
		sections[name] = append(sections[name], line)
		if next := m.Field("next_step"); next != "" {
			line.Text = clip(flat(next), WrapupLineChars)
			sections[WrapNext] = append(sections[WrapNext], line)
		}
	}
	var p memory.Projection
	for _, name := range WrapupSections() {
		p.Sections = append(p.Sections, memory.Section{Name: name, Entries: sections[name]})
	}
	return p
}

// dayOf returns the memories of a local day in the order of their time.
func dayOf(memories []memory.Memory, date time.Time) []memory.Memory {
	var day []memory.Memory
	for _, m := range memories {
		recalled := presentable(m) || m.Status == memory.Proposed && m.Trust.Rank() >= memory.TrustAgent.Rank()
		if recalled && says(m) && !m.Observed().IsZero() && civilDay(m.Observed().In(date.Location())) == civilDay(date) {
			day = append(day, m)
		}
	}
	sortByTime(day)
	return day
}

func wrapSection(m memory.Memory) string {
	folded := text.Fold(strings.TrimSpace(m.Title + "\n" + m.Content))
	switch {
	case m.Status == memory.Proposed:
		return WrapLoops
	case m.Form == memory.Decision:
		return WrapDecisions
	case m.Form == memory.Task:
		return taskSection(m)
	case opensAny(folded, "todo", "to-do", "to do:", "task:", "action item", "待办", "任务:", "行动项") || mentionsAny(folded, actionWords()) != "":
		return WrapActions
	case mentionsAny(folded, nextWords()) != "":
		return WrapNext
	case mentionsAny(folded, openWords()) != "" || mentionsAny(folded, loopWords()) != "":
		return WrapLoops
	case tellsDecision(folded):
		return WrapDecisions
	case technical(m, folded):
		return WrapTechnical
	}
	return WrapConversations
}

// TellsDecision reports whether a memory is a decision, or a note that says that
// something was decided.
func TellsDecision(m memory.Memory) bool {
	return m.Form == memory.Decision || m.Form != memory.Passage && tellsDecision(text.Fold(m.Content))
}

func tellsDecision(folded string) bool {
	return mentionsAny(folded, []string{
		"decided", "decision:", "final decision", "we chose", "agreed to", "agreed on", "agreed with", "settled on", "we'll go with", "we will go with", "we are going with",
		"决定", "选择了", "定下来", "拍板", "敲定", "商定", "谈妥", "谈好了", "说好了", "一致同意",
	}) != ""
}

// technical reports whether a memory is a note about technical matters or a
// lesson. What somebody merely said, whatever its type, belongs to what was
// talked about.
func technical(m memory.Memory, folded string) bool {
	return strings.HasPrefix(m.URI, "knowledge://lessons/") || mentionsAny(folded, technicalWords()) != "" ||
		strings.Contains(folded, "`") || strings.Contains(folded, "()") || holdsIdentifier(folded)
}

// holdsIdentifier reports whether a text holds a name of several words as
// programs write it, such as max_open.
func holdsIdentifier(folded string) bool {
	for before, after, found := strings.Cut(folded, "_"); found; before, after, found = strings.Cut(after, "_") {
		left, _ := utf8.DecodeLastRuneInString(before)
		right, _ := utf8.DecodeRuneInString(after)
		if latin(left) && latin(right) {
			return true
		}
	}
	return false
}

func taskSection(m memory.Memory) string {
	status := statusOf(text.Fold(m.Field("final_status")))
	if status.done || m.Field("final_status") == "" {
		return WrapActions
	}
	return WrapLoops
}

func actionWords() []string {
	return []string{"need to", "needs to", "have to", "must send", "remind", "follow up", "due by", "需要", "记得", "得去", "跟进", "提醒"}
}

func nextWords() []string {
	return []string{"tomorrow", "next step", "next steps", "next week", "明天", "下一步", "下周", "接下来"}
}

func loopWords() []string {
	return []string{"open question", "unclear", "undecided", "not sure", "to be decided", "tbd", "待定", "没想好", "还不确定", "未定", "等回复", "悬而未决"}
}

func technicalWords() []string {
	return []string{
		"bug", "bugs", "fix", "fixed", "error", "errors", "crash", "crashed", "debug", "debugging", "deploy", "deployed", "config", "build", "test", "tests",
		"api", "database", "regression", "timeout", "root cause", "workaround", "server", "servers", "port", "sql", "sqlite", "postgres", "postgresql", "mysql",
		"redis", "docker", "kubernetes", "linux", "git", "github", "commit", "script", "compiler", "cache", "latency", "backup", "backups", "lesson", "lessons learned", "turned out that",
		"报错", "错误", "修复", "调试", "部署", "配置", "崩溃", "编译", "测试", "数据库", "超时", "根因", "服务器", "端口", "接口", "脚本", "代码", "缓存",
		"延迟", "日志", "备份", "回滚", "依赖库", "教训", "踩坑", "經驗教訓", "教訓", "錯誤", "修復", "調試", "資料庫", "伺服器", "逾時", "備份", "腳本",
	}
}
