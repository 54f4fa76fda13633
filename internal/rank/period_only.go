package rank

import (
	"regexp"
	"strings"
	"time"
	"unicode"

	"agentmemory/internal/text"
)

// OnlyPeriod reports whether a question asks for all of a time rather than for
// something in it, such as "what did we decide last week" or "上周做了什么":
// besides the time it names, it holds no word that a memory could be found by.
func OnlyPeriod(question string, now time.Time) (Period, bool) {
	p := FindPeriod(question, now)
	if p.Zero() || len(question) > maxPeriodQuestion {
		return Period{}, false
	}
	rest := chineseFrame().ReplaceAllString(text.Fold(question), " ")
	frame := englishFrame()
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if !frame[word] {
			return Period{}, false
		}
	}
	return p.Latest(now), true
}

// maxPeriodQuestion is the greatest length, in bytes, of such a question.
const maxPeriodQuestion = 120

// chineseFrame matches what is said around a time in Chinese, longest first.
func chineseFrame() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		"上个?(?:星期|礼拜|周|月)[一二三四五六日天末]?", "[这本下]个?(?:星期|礼拜|周|月)[一二三四五六日天末]?", "星期[一二三四五六日天]", "周[一二三四五六日末]",
		"大?[昨今前明]天", "[昨今前去]年", "今[早晚日]", "昨[晚日]", "过去", "最近", "以来", "[0-9一二三四五六七八九十两几]+个?(?:年|月|日|号|天|周|星期|小时)",
		"什么", "哪些", "哪个", "哪几", "多少", "怎么样", "我们", "咱们", "大家", "决定", "决策", "定下来?", "发生", "进行", "完成", "做", "干", "聊", "谈", "说", "讨论", "学到", "记",
		"事情", "工作", "事儿?", "内容", "东西", "一下", "总结", "回顾", "列出", "告诉", "[了过的都有在是我你他她它们和吧吗呢里那这些个请给]",
	}, "|"))
}

// englishFrame holds the words said around a time in English.
func englishFrame() map[string]bool {
	frame := map[string]bool{}
	for word := range strings.FieldsSeq(`what which all everything anything did do does done doing we i you us our my me the a an of in on at for from to and or was were is are be been
		have has had there any that it happen happened happening decide decided decision decisions make made take taken learn learned remember remembered discuss discussed talk
		talked about say said go went work worked get got things thing stuff notes summary summarise summarize list tell show give recap review up s
		last this past previous current week weeks month months year years day days today yesterday tonight morning afternoon evening weekend ago since during
		monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
		jan feb mar apr jun jul aug sep sept oct nov dec st nd rd th one two three four five six seven couple few recently`) {
		frame[word] = true
	}
	return frame
}
