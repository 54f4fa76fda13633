package lifecycle

import (
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// negligibleAt returns how many tokens a run begins with that only choose, deny
// or mark the moment.
func negligibleAt(run []token) int {
	if run[0].kind == negator || run[0].kind == breaks {
		return 1
	}
	if run[0].kind != character {
		if functionWord(run[0].text) || choiceWord(run[0].text) {
			return 1
		}
		return 0
	}
	for n := min(3, len(run)); n > 0; n-- {
		if choicePhrase(join(run[:n])) {
			return n
		}
	}
	return 0
}

func choiceWord(w string) bool {
	switch w {
	case "use", "used", "uses", "using", "go", "going", "went", "switch", "switched", "decided", "meant", "mean", "said", "actually", "instead", "rather",
		"than", "choose", "chose", "chosen", "pick", "picked", "want", "wanted", "let's", "keep", "now", "it's", "that's", "we'll", "i'll", "not", "wait", "correction", "anymore", "called", "named":
		return true
	}
	return false
}

func choicePhrase(s string) bool {
	switch s {
	case "应该", "我们", "咱们", "决定", "选择", "采用", "使用", "改用", "改成", "改为", "换成", "最终", "最后", "还是", "已经", "现在", "后来", "那个", "这个", "应当", "指的",
		"是", "用", "要", "了", "的", "就", "都", "还", "再", "请", "把", "它", "吧", "啊", "呢", "哦", "我", "选", "才", "叫", "会", "该", "做", "作", "来", "说":
		return true
	}
	return false
}

// carrying appends to a correction the statement that it sets right, so that
// it says what it is about wherever it is read.
func carrying(correction, old string) string {
	said, root := cutCarried(old)
	if root == "" {
		root = said
	}
	root = OneLine(memory.Memory{Content: root}, quotedRunes)
	if strings.ContainsFunc(correction, text.IsCJK) {
		return bareEnd(correction) + "（更正：" + root + "）"
	}
	return bareEnd(correction) + " (corrects: " + root + ")"
}

// cutCarried takes the statement that a correction carries along off it.
func cutCarried(content string) (said, carried string) {
	for _, marks := range [][2]string{{"（更正：", "）"}, {" (corrects: ", ")"}} {
		before, after, found := strings.Cut(content, marks[0])
		if inner, ended := strings.CutSuffix(after, marks[1]); found && ended {
			return before, inner
		}
	}
	return content, ""
}
