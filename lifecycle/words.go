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
	first, _ := utf8.DecodeRuneInString(s)
	for _, idiom := range idiomsFrom(first) {
		if strings.HasPrefix(s, idiom) {
			return len(idiom)
		}
	}
	return 0
}

// idiomsFrom returns the idioms by their first character: every character of a
// text is asked about, and nearly none begins one.
func idiomsFrom(first rune) []string {
	switch first {
	case '不':
		return []string{"不错", "不錯", "不过", "不過", "不同", "不但", "不仅", "不僅", "不论", "不論", "不管", "不断", "不斷", "不久", "不少", "不好意思"}
	case '别', '別':
		return []string{"别人", "别的", "別人", "別的"}
	case '无', '無':
		return []string{"无论", "无所谓", "無論", "無所謂"}
	case '未':
		return []string{"未来", "未來"}
	case '非':
		return []string{"非常"}
	case '没', '沒':
		return []string{"没关系", "沒關係"}
	case '特':
		return []string{"特别", "特別"}
	case '分':
		return []string{"分别", "分別"}
	case '区', '區':
		return []string{"区别", "區別"}
	case '类', '類':
		return []string{"类别", "類別"}
	case '级', '級':
		return []string{"级别", "級別"}
	case '性':
		return []string{"性别", "性別"}
	case '个', '個':
		return []string{"个别", "個別"}
	case '差':
		return []string{"差不多"}
	case '对', '對':
		return []string{"对不起", "對不起"}
	case '是':
		return []string{"是不是", "是非"}
	case '能':
		return []string{"能不能"}
	case '要':
		return []string{"要不要"}
	case '除':
		return []string{"除非"}
	case '莫':
		return []string{"莫名"}
	}
	return nil
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
	first, n := utf8.DecodeRuneInString(term)
	second, m := utf8.DecodeRuneInString(term[n:])
	return n > 0 && m > 0 && n+m == len(term) && text.IsCJK(first) && (sentenceParticle(first) || sentenceParticle(second))
}

func sentenceParticle(r rune) bool {
	switch r {
	case '了', '的', '吗', '呢', '吧', '啊', '呀', '哦', '嘛':
		return true
	}
	return false
}
