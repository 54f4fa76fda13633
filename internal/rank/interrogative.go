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
	folded := strings.Map(simplified, question)
	var left strings.Builder
	for i := 0; i < len(folded); {
		if n := interrogative(folded[i:]); n > 0 {
			left.WriteByte(' ')
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(folded[i:])
		left.WriteString(folded[i : i+n])
		i += n
	}
	if left.Len() < len(folded) && len(text.Index(left.String())) == 0 {
		return question
	}
	return left.String()
}

// simplified folds the characters of East Asian scripts, and no other.
func simplified(r rune) rune {
	if text.IsCJK(r) {
		r, _ = utf8.DecodeRuneInString(text.Fold(string(r)))
	}
	return r
}

// interrogative returns the length of the word by which one asks that s begins with, or 0.
func interrogative(s string) int {
	first, _ := utf8.DecodeRuneInString(s)
	if !strings.ContainsRune("什可请我为干怎哪是有能要告你还如多何谁吗呢", first) {
		return 0
	}
	for _, word := range [...]string{ // longer ones first
		"什么时候", "什么时间", "什么地方", "什么原因", "可不可以", "请告诉我", "我想知道", "为什么", "干什么", "什么样", "怎么样", "怎么办",
		"哪一个", "是不是", "有没有", "能不能", "要不要", "告诉我", "你知道", "你记得", "还记得", "为何", "干嘛", "怎么",
		"怎样", "如何", "什么", "哪里", "哪儿", "哪些", "哪个", "哪种", "哪位", "哪天", "哪年", "哪一",
		"多少", "多久", "何时", "何处", "是否", "请问", "谁", "吗", "呢",
	} {
		if strings.HasPrefix(s, word) {
			return len(word)
		}
	}
	return 0
}
