package rank

import (
	"strings"

	"agentmemory/internal/text"
)

// asksWhen reports whether a question asks for a time.
func asksWhen(question string) bool {
	s := " " + strings.Join(strings.Fields(text.Fold(question)), " ")
	for _, phrase := range []string{" when ", " what date", " which date", " what day", " which day", " what month", " which month",
		" what year", " which year", " how long", " how often", " what time",
		"什么时候", "何时", "几月", "几号", "哪天", "哪一天", "哪年", "哪一年", "哪个月", "多久", "多长时间", "日期", "いつ", "언제"} {
		if strings.Contains(s, phrase) {
			return true
		}
	}
	return false
}

// timeWord reports whether an analysed term tells a time relative to when it
// was said. Dates do not count: every memory is indexed with its own.
func timeWord(term string) bool {
	switch term {
	case "yesterday", "today", "tomorrow", "tonight", "ago", "week", "weekend", "month", "year", "day", "morn", "night", "last", "next",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "recent", "sinc", "summer", "winter", "spring", "autumn",
		"昨天", "今天", "明天", "前天", "上周", "下周", "周末", "星期", "上个", "去年", "今年", "明年", "刚才", "最近", "天前", "年前", "月前", "周前":
		return true
	}
	return false
}

// framing reports whether an analysed term belongs to how one asks rather than
// to what one asks about: such words need not stand in the answer.
func framing(term string) bool {
	switch term {
	case "kind", "type", "sort", "mani", "much", "often", "long", "describ", "mention", "say", "said", "tell", "told", "talk", "call", "name",
		"think", "thought", "consid", "recent", "current", "ever", "usual", "especi", "specif", "exact", "exampl", "reason", "accord", "dure",
		"happen", "occur", "receiv", "use", "make", "made", "done", "go", "went", "take", "give", "given", "know", "known", "find", "found", "rememb", "memori",
		"recal", "show", "shown", "plan", "like", "feel", "differ", "question", "answer", "thing", "someth", "anyth", "way", "person", "peopl", "main", "part":
		return true
	case "什", "么", "什么", "怎", "怎么", "哪", "哪些", "哪个", "哪里", "谁", "吗", "呢", "的", "了", "是", "有", "在", "多少", "几", "为什么", "为什", "说", "说过", "提", "提到", "告诉", "觉得", "认为", "如何", "请", "请问", "过", "我", "我们", "你", "他", "她", "关于", "记得", "知道":
		return true
	}
	return false
}

// calendar reports whether an analysed term may be part of a date, spelled or relative.
func calendar(term string) bool {
	if timeWord(term) || strings.Trim(term, "0123456789-/") == "" || month(term) != 0 {
		return true
	}
	switch term {
	case "this", "previous", "past", "may", "上", "下", "周", "上周", "下周", "月", "年", "日", "天", "号", "前", "个月", "上个", "个", "月的", "年的", "周的", "天的",
		"一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "昨", "今", "明", "去", "晚", "星", "期", "星期", "礼拜", "本", "这":
		return true
	}
	return false
}
