package rank

import (
	"strings"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// withoutInterrogatives blanks out the Chinese words by which one asks, as the
// English ones are left out as stop words: they tell nothing of what is asked
// about, but would find everything else that somebody once asked. A text of
// nothing else stays.
func withoutInterrogatives(question string) string {
	if !strings.ContainsFunc(question, text.IsCJK) {
		return question
	}
	left := interrogatives().Replace(strings.Map(simplified, question))
	if len(text.Index(left)) == 0 {
		return question
	}
	return left
}

// simplified folds the characters of East Asian scripts, and no other.
func simplified(r rune) rune {
	if text.IsCJK(r) {
		r, _ = utf8.DecodeRuneInString(text.Fold(string(r)))
	}
	return r
}

// interrogatives replaces each of them by a space, longer ones first. (Of those
// that match at one place, a Replacer takes the one that comes first.)
func interrogatives() *strings.Replacer {
	return strings.NewReplacer(
		"什么时候", " ", "什么时间", " ", "什么地方", " ", "什么原因", " ", "可不可以", " ", "请告诉我", " ", "我想知道", " ", "为什么", " ",
		"干什么", " ", "什么样", " ", "怎么样", " ", "怎么办", " ", "哪一个", " ", "是不是", " ", "有没有", " ", "能不能", " ",
		"要不要", " ", "告诉我", " ", "你知道", " ", "你记得", " ", "还记得", " ", "为何", " ", "干嘛", " ", "怎么", " ",
		"怎样", " ", "如何", " ", "什么", " ", "哪里", " ", "哪儿", " ", "哪些", " ", "哪个", " ", "哪种", " ",
		"哪位", " ", "哪天", " ", "哪年", " ", "哪一", " ", "多少", " ", "多久", " ", "何时", " ", "何处", " ",
		"是否", " ", "请问", " ", "谁", " ", "吗", " ", "呢", " ",
	)
}
