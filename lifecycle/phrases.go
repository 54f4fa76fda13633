package lifecycle

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// mentions reports whether a folded text holds a folded phrase: at word
// boundaries when the phrase is Latin, anywhere when it is Chinese.
func mentions(folded, phrase string) bool {
	for at := 0; ; {
		i := strings.Index(folded[at:], phrase)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(phrase)
		if bounded(folded[:start], phrase, folded[end:]) {
			return true
		}
		at = end
	}
}

func bounded(before, phrase, after string) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	left, _ := utf8.DecodeLastRuneInString(before)
	right, _ := utf8.DecodeRuneInString(after)
	return !(latin(first) && before != "" && latin(left)) && !(latin(last) && after != "" && latin(right))
}

func latin(r rune) bool { return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !text.IsCJK(r) }

// mentionsAny returns the first of the phrases that a folded text holds, or "".
func mentionsAny(folded string, phrases []string) string {
	for _, p := range phrases {
		if mentions(folded, p) {
			return p
		}
	}
	return ""
}

// progress is a status that a text reports.
type progress struct {
	word string // as written in the text, folded; "" for none
	kind string // "work" or "switch"
	done bool   // over, or off
}

// statusOf returns the status that a folded text reports, open before over.
func statusOf(folded string) progress {
	for _, group := range []struct {
		progress
		words []string
	}{
		{progress{kind: "work"}, openWords()},
		{progress{kind: "work", done: true}, []string{
			"completed", "finished", "resolved", "cancelled", "canceled", "shipped", "is done", "are done", "is fixed",
			"已完成", "完成了", "已解决", "已取消", "已上线", "做完了", "修好了",
		}},
		{progress{kind: "switch", done: true}, []string{"disabled", "turned off", "is off", "已禁用", "已关闭", "关掉了", "停用"}},
		{progress{kind: "switch"}, []string{"enabled", "turned on", "is on", "已启用", "已开启", "打开了", "启用"}},
	} {
		if w := mentionsAny(folded, group.words); w != "" {
			group.word = w
			return group.progress
		}
	}
	return progress{}
}

func openWords() []string {
	return []string{
		"in progress", "in-progress", "wip", "pending", "blocked", "waiting for", "working on", "not done", "unfinished",
		"not completed", "not finished", "not resolved", "not fixed", "incomplete",
		"进行中", "正在", "待办", "待处理", "未完成", "还没完成", "卡住",
	}
}
