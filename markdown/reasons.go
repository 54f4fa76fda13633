package markdown

import (
	"fmt"
	"strings"
)

// sayReason says the reason of a change in the workspace's language. Reasons
// reach the files in English; one that is not in the list stays so.
func sayReason(reason string, lang Language) string {
	if lang != Chinese {
		return reason
	}
	for _, r := range chineseReasons() {
		if reason == r.en {
			return r.zh
		}
	}
	var n int
	var weight float64
	if _, err := fmt.Sscanf(reason, "used %d times", &n); err == nil {
		return fmt.Sprintf("用过 %d 次", n)
	}
	if _, err := fmt.Sscanf(reason, "important (%f)", &weight); err == nil {
		return fmt.Sprintf("重要（%.2f）", weight)
	}
	if scheme, is := strings.CutPrefix(reason, "named "); is {
		return "有固定地址：" + scheme
	}
	return reason
}

type saidReason struct{ en, zh string }

func chineseReasons() []saidReason {
	return []saidReason{
		{"kept for good", "永久保留"},
		{"decision in force", "有效的决策"},
		{"rule or preference", "规则或偏好"},
		{"fresh knowledge, while there is room", "新的知识，还有空位"},
		{"others are worth more under the cap, or it is no longer valid; it stays in its own file", "上限之内有更值得保留的，或已失效；原文仍在原处"},
		{"the file is over its cap with people's lines alone; moved verbatim", "仅人写的内容就已超过上限；原样移走"},
		{"over the limit of MEMORY.md", "超出 MEMORY.md 的上限"},
	}
}
