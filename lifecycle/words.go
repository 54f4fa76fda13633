package lifecycle

import (
	"strings"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// negativeWord reports whether a folded Latin word turns a clause around.
func negativeWord(w string) bool {
	switch w {
	case "not", "no", "never", "none", "nothing", "nobody", "neither", "nor", "without", "cannot", "cant",
		"dont", "doesnt", "didnt", "wont", "isnt", "arent", "stopped", "quit":
		return true
	}
	return strings.HasSuffix(w, "n't")
}

// negationAt returns the size of the Chinese negation that s begins with, 0
// when there is none or the character belongs to a word that denies nothing.
func negationAt(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	switch r {
	case '不', '没', '沒', '别', '別', '勿', '未', '莫', '非', '无', '無':
		if idiomAt(s) > 0 {
			return 0
		}
		return n
	case '禁':
		if strings.HasPrefix(s, "禁止") {
			return len("禁止")
		}
	}
	return 0
}

// idiomAt returns the size of a word that s begins with and that holds a
// negating character without denying anything.
func idiomAt(s string) int {
	for _, idiom := range []string{
		"不错", "不錯", "不过", "不過", "不同", "不但", "不仅", "不僅", "不论", "不論", "不管", "不断", "不斷", "不久",
		"不少", "不好意思", "别人", "別人", "别的", "別的", "无论", "無論", "无所谓", "無所謂", "未来", "未來", "非常",
		"没关系", "沒關係", "特别", "特別", "分别", "分別", "区别", "區別", "类别", "類別", "级别", "級別", "性别", "性別",
		"个别", "個別", "差不多", "对不起", "對不起", "是不是", "能不能", "要不要", "除非", "是非", "莫名",
	} {
		if strings.HasPrefix(s, idiom) {
			return len(idiom)
		}
	}
	return 0
}

// numberWord reports whether a folded word stands for a number or a date.
func numberWord(w string) bool {
	switch w {
	case "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
		"twenty", "thirty", "forty", "fifty", "hundred", "thousand", "million", "half", "dozen",
		"first", "second", "third", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays",
		"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
		"december", "today", "tomorrow", "yesterday", "noon", "midnight":
		return true
	}
	return false
}

// functionWord reports whether a folded word carries grammar rather than meaning.
func functionWord(w string) bool {
	switch w {
	case "a", "an", "the", "i", "we", "you", "he", "she", "it", "they", "me", "us", "him", "her", "them", "my", "our",
		"your", "his", "its", "their", "this", "that", "these", "those", "is", "are", "was", "were", "be", "been", "am",
		"do", "does", "did", "has", "have", "had", "will", "would", "shall", "should", "can", "could", "and", "or", "but",
		"if", "so", "as", "of", "in", "on", "at", "to", "for", "from", "by", "with", "about", "into", "over", "then",
		"there", "here", "when", "while", "because", "also", "too", "very", "just", "please", "i'm", "it's", "we're":
		return true
	}
	return false
}

// negligible reports whether a term of the analysis says so little that a text
// with it and one without it say the same.
func negligible(term string) bool {
	if functionWord(term) {
		return true
	}
	switch term {
	case "了", "的", "地", "得", "吗", "呢", "吧", "啊", "呀", "哦", "嘛", "也", "就", "都", "还", "又", "很", "这", "那":
		return true
	}
	return particlePair(term)
}

// particlePair reports whether a pair of characters holds a particle: it then
// only says beside which word the particle stands.
func particlePair(term string) bool {
	if utf8.RuneCountInString(term) != 2 {
		return false
	}
	first, n := utf8.DecodeRuneInString(term)
	if !text.IsCJK(first) {
		return false
	}
	return strings.ContainsAny(term[:n], "了的吗呢吧啊呀哦嘛") || strings.ContainsAny(term[n:], "了的吗呢吧啊呀哦嘛")
}
