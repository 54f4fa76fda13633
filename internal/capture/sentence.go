package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// The lengths between which a sentence is looked at, in characters.
const (
	minSentence = 3
	maxSentence = 400
)

// sentence is one sentence of a message.
type sentence struct {
	text     string // as written
	folded   string // for matching: see text.Fold
	letters  letters
	language *language
}

// question reports whether a sentence asks. Like technical it costs more than
// the rules' triggers, and is asked of few sentences.
func (s sentence) question() bool {
	return s.language.asks.MatchString(s.folded) && !s.language.tells.MatchString(s.folded)
}

// technical reports whether a sentence is a line of a log or of code.
func (s sentence) technical() bool { return s.language.code.MatchString(s.folded) }

// language holds what is needed to cut and judge sentences.
type language struct {
	fence    *pattern
	marker   *pattern // of a list item or a heading
	asks     *pattern // begins or ends like a question
	tells    *pattern // begins like a question and tells something
	doubts   *pattern // hypothetical
	quote    *pattern // words between quotation marks, longer than a name
	reports  *pattern // somebody else's words
	retracts *pattern // takes the whole message back
	commands *pattern // about a text, such as translating it: what follows is material
	local    *pattern // about the piece of work at hand
	code     *pattern // and logs
}

func newLanguage() *language {
	return &language{
		marker: newPattern(`^(?:[-*•·#]+\s+|\d{1,2}(?:[.)）]\s+|、))+`),
		fence:  newPattern("(?s)(```|~~~).*?(?:```|~~~|$)"),
		asks: newPattern(`[?][)"'”」]*$|(?:吗|么|呢)[)"'”」。!]*$|^(?:[a-z\p{Han}]{1,8}[,，] ?)?(?:请问|为什么|为何|怎么|怎样|如何|什么|谁|哪|多少|几点|是不是|能不能|可不可以|要不要|有没有|该不该)` +
			`|^(?:[a-z\p{Han}]{1,8}[,，] ?)?(?:what|why|how|when|where|who|whose|which|should|is|are|am|do|does|did|was|were|has|have|can|could|would|will|shall|may) (?:we|i|you|it|there|this|that|the|they|he|she|my|your|our|a|an|any)\b`),
		tells: newPattern(`^what (?:we|i)(?:'ve| have)? (?:learn(?:ed|t)|decided|agreed)\b[^?]*$`),
		quote: newPattern(`“[^”]{6,}”|「[^」]{6,}」|『[^』]{6,}』|"[^"]{12,}"`),
		doubts: newPattern(`如果|要是|假如|假设|万一|倘若|也许|或许|可能|大概|说不定|是不是|要不要|能不能|可不可以|是否|该不该|(?:在|正|还|我们?|也|再)考虑|考虑(?:一下|是否|要不要|用|换|把|中)|犹豫|(?:很|还在|有点|好)纠结|不确定|不知道|好像|似乎|想象|假装|^(?:举个例子|举例|比如|例如|譬如|打个比方|假想)|哈哈|嘿嘿|想要?不要|愿望清单` +
			`|\b(?:if|suppose|maybe|perhaps|might|could|would|should (?:we|i)|what about|how about|wonder|considering|thinking (?:about|of)|not sure|possibly|probably|i guess|imagine|pretend|unless|whether|hypothetically|had we)\b|^(?:say|for example|for instance|e\.g\.),? |\b(?:lol|haha+|lmao|rofl|jk)\b|\bin my dreams\b`),
		reports: newPattern(`(?:他|她|它|他们|她们|对方|老师|老板|医生|朋友|同事|有人|别人|大家都|专家|新闻|文章|文档|书|网上|视频|电影|小说|作者|教程)(?:们|里|上|中)?(?:的?主角|们)?(?:总是|都|也|曾经?|还)?(?:说|写|讲|认为|觉得|提到|喜欢|决定|要求|最终|约定|选)` +
			`|据说|听说|传闻|^[^,，我你咱说]{0,5}[^,，我你咱说地来实话听据](?:说|表示|觉得|认为|透露|通知说?)[:,，“"他她]?[^明服不]|^(?:我|俺)?(?:同事|朋友|邻居|室友|老公|老婆|男朋友|女朋友|领导|老板)(?:喜欢|讨厌|决定|想|要|爱)|^(?:隔壁|别的|人家|其他)(?:的)?(?:公司|团队|组|家)|的意思是|(?:客户|老板|他|她|对方|有人)(?:问|让我问)|^(?:那|这)(?:部|本|篇)|他们|她们` +
			`|\b(?:he|she|they|articles?|docs?|documentation|books?|tutorial|authors?|people|someone|somebody|everyone|friend|brother|sister|colleague|teacher|doctor|hero|heroine|character|movie|film|paper|blog|website) (?:of the book |always |also |never )*(?:says?|said|writes|wrote|thinks?|thought|claims?|suggests?|wants?|likes?|prefers?|hates?|loves?|decided|decides|forgets|told|insists?)\b` +
			`|^(?:[a-z'-]+ ){1,4}(?:says|told (?:me|us)|thinks|tells me)\b|^(?:apparently|supposedly|allegedly|rumou?r)\b|\b(?:neighbou?r|roommate|flatmate|boss|mom|dad|wife|husband|uncle|aunt|cousin|friend)(?:'s [a-z]+)? (?:is|was|decided|prefers|likes|wants|loves|hates|thinks|asked)\b.{0,6}\b(?:decided|prefers|likes|wants|loves|hates|allergic)?\b$|\basked (?:me )?(?:whether|if|about|how|why)\b|\b(?:terms|law|rfc|standard|poster|notice|contract|licen[cs]e|rules?|guidelines?|policy|manual|sign|spec) (?:of \w+ )?(?:says?|states?)\b|\baccording to\b|\bin the (?:game|series|show)\b|\bi (?:read|heard) (?:that|about|somewhere)\b|\bin the (?:book|movie|film|novel|story)\b`),
		retracts: newPattern(`(?:不用|不要|别|无需|不必|甭|勿)(?:再|帮我|去|把[^,，。忘]{1,10})?(?:记(?:$|[,，。!这那它我了住下着]|一下|录?(?:$|[,，。!这那它我了])|进|到)|保存(?:$|[,，。!这那它我了])|存(?:进|下来?|起来)|写(?:进|入|到)(?:你的?)?(?:长期)?(?:记忆|备忘|笔记))|忘掉|忘了我|当我没说|随便说说|开玩笑|玩笑[:,，]|^(?:段子|笑话|愚人节)|逗你|测试一下|只是测试` +
			`|\b(?:don't|do not|no need to|never) (?:(?:remember|save|store|note|record|memori[sz]e)(?: (?:this|that|it|any|these|those|what|me)\b| the (?:details?|last|conversation)|$|[.,!])|write (?:this|that|it) down)|(?:^|[.,;!?\n] ?|\b(?:please|just|ok|okay|actually|so|and|can you|you can) )forget (?:it|that|what i|about (?:it|that))\b|\b(?:don't|do not|no need to|don't have to) (?:keep|remember|save|store) (?:this|that|it|any of|the)\b|\bhypothetically\b|^(?:joke|parody|satire):|\bthinking out loud\b|\boff the record\b|\b(?:just )?(?:kidding|joking)\b|\bjust a (?:test|joke)\b|\bonly a test\b`),
		commands: newPattern(`翻译|解释 ?[a-z"]{3,}|翻成|译成|怎么翻|润色|(?:改|换|写|说|调)得?(?:更)?(?:委婉|正式|口语|礼貌|客气|简洁|通顺|书面)|写(?:个|一个)?(?:小说|故事|剧本|段子|作文|短文|文案)|以.{2,20}为题|(?:考试|考|测试|练习|选择)题[:：]|当成一?个|你(?:现在)?(?:是|就是)(?:一?[个名位]).{1,10}[,，]|(?:这|下面)(?:种|句|段|句话).{0,8}(?:怎么|语气|中文|英文|标注|翻)|改写|改成(?:英文|中文)|写(?:一)?(?:首|篇|段|个故事)|续写|解释(?:一下)?["“「]|造句|模仿|扮演|总结一下|根据(?:以下|下面|这)|(?:以下|下面|原文|如下)[^记]{0,20}[:]` +
			`|(?:帮我|给我|请|替我)(?:写|起草|拟|编|生成)一?(?:条|份|封|个|段|篇|首|句)` +
			`|(?:^|[.!?;:\n] ?)(?:(?:please|pls|now|then|and|can you|could you|would you|help me) )*(?:(?:(?:translate|rephrase|rewrite|paraphrase|proofread|summari[sz]e)\b(?: (?:this|that|the|into|it|following)\b|.{0,24}[:"“])|(?:act as|pretend (?:to be|you|that)|role-?play|imagine (?:you|we|that))\b)|(?:write|draft|compose|generate) (?:me |us )?(?:a|an|some) )|\bwrite (?:me )?(?:a|an) (?:\w+ )?(?:story|poem|essay|song|email|letter|novel|dialogue)\b|^explain what\b|\b(?:here is|here's|below is|the following|this (?:text|email|log|sentence))\b.{0,30}:|\bfix the (?:grammar|spelling)\b|\b(?:comment|message|line|label|text) that says\b|\broleplay\b|\b(?:exam|quiz|test|interview) question\b|^(?:test|example|sample)s?: |\b(?:tweet|headline|slogan|caption|blurb|memo) (?:that|announcing|saying|about)\b`),
		local: newPattern(`\b(?:here|in this (?:line|file|function|case|paragraph)|line \d+|for this)$|\b(?:for|in|on|to|of|before|after|inside|outside) (?:this|that|the) (?:page|query|component|function|file|class|method|script|list|button|header|loop|test|line|string|output|paragraph|sentence|diff|example)(?:$|[,.;:!?)])|\b(?:in|of) (?:the )?(?:paragraph|sentence|column|line|row|section) (?:one|two|three|four|\d)|\bin (?:this|the|that) example\b|\b(?:shorter|longer|simpler) (?:one|version|sentence|title|text)\b` +
			`|\b(?:the )?(?:first|second|third|last|other|previous) (?:version|one|option|file|paragraph|question|line|draft|picture)\b` +
			`|\b(?:option|approach|variant|solution|plan|number) (?:[a-e]\b|\d|one\b|two\b|three\b)|\b(?:yet|for now|right now|for the moment|this time)$` +
			`|\b(?:do not|don't|never|always|only) [a-z]+ (?:it|this|that|these|those|them|anything|(?:the )?(?:tests?|code|function|method|comments?|diff|output))\b` +
			`|\bthe existing (?:one|function|helper|method|class|code|file|variable|type)\b` +
			`|^先?(?:别|不要|不)(?:动|改|删|管|碰)(?:这|那|它|测试|代码|其他|别的|函数|注释|任何东西)|第[一二三四五六七八九十0-9]+[种套条]` +
			`|这里|[这那]个?(?:颜色|按钮|函数|文件|变量|字体|页面|图|词|句子|版本|标题|组件|脚本)|[这那](?:段|行|句|页)|第[一二三四五六七八九十0-9]+个?(?:段|行|页|句|版本|标题|方案|选项)|^[^叫跟和]*(?:就行|就好|就可以了?|即可)$` +
			`|^(?:change|rename|add|undo|rerun|make|fix|remove|replace|move|show|sort|print)\b|^(?:把|将|给)(?:上面|下面|这|那|标题|按钮|函数|表格|代码)`),
		code: newPattern(`^\d{4}-\d{2}-\d{2}[t ]\d{2}:|^(?:panic|error|warn|warning|fatal|traceback|exception|info|debug|trace|notice)\b.*[:\[]|^\[(?:panic|error|warn|warning|fatal|info|debug|trace)\]|^(?:http \d{3}\b|(?:grep|curl|git|docker|kubectl|npm|go|make|assert) (?:[a-z]+ )?(?:-|vet:|x |[<>=]))|^(?:日志|报错|测试输出|输出|堆栈|错误(?:信息)?)[:：]|^\s*(?:\$|#!|//|/\*|<|\{|\}|\|)|^(?:import|func|def|class|const|return|select|insert|update) .*[;({=]|=>|\bnil pointer\b`),
	}
}

// void reports whether a message takes itself back, or hands over material to
// work on: nothing of it is meant.
func (l *language) void(message string) bool {
	folded := text.Fold(l.prose(message))
	return l.retracts.MatchString(folded) || l.commands.MatchString(folded)
}

// sentences cuts a message: code and quotations are left out.
func (l *language) sentences(message string) []sentence {
	plain := l.prose(message)
	var all []sentence
	for _, row := range strings.Split(plain, "\n") {
		row = strings.TrimSpace(row)
		if row == "" || row[0] == '>' || row[0] == '|' {
			continue
		}
		if strings.ContainsAny(row[:1], "-*#0123456789") || row[0] >= utf8.RuneSelf {
			row = l.marker.ReplaceAllString(row, "")
		}
		for _, s := range split(row) {
			all = append(all, l.judge(s)...)
		}
	}
	return all
}

// prose is a message without its code.
func (l *language) prose(message string) string {
	if !strings.Contains(message, "```") && !strings.Contains(message, "~~~") {
		return message
	}
	return l.fence.ReplaceAllString(message, "\n")
}

// judge folds a sentence; none if it is too short or too long.
func (l *language) judge(s string) []sentence {
	n := utf8.RuneCountInString(s)
	if n < minSentence || n > maxSentence {
		return nil
	}
	folded := strings.TrimRight(text.Fold(s), " .。!;；~")
	if strings.ContainsAny(s, "“「『\"") {
		folded = l.quote.ReplaceAllString(folded, "“…”") // what is quoted is not said
	}
	return []sentence{{text: s, folded: folded, letters: lettersOf(folded), language: l}}
}

// uncertain reports whether a sentence does not say what is, but what could
// be, or what somebody else said.
func (l *language) uncertain(s sentence) bool {
	return l.doubts.MatchString(s.folded) || l.reports.MatchString(s.folded) || l.local.MatchString(s.folded)
}

// split cuts a line after its sentences: at 。！？；and at . ! ? ; before a blank, the
// last three before a Chinese character, too.
func split(row string) []string {
	var all []string
	start := 0
	for i, r := range row {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？', '；':
		case '.', '!', '?', ';':
			if end < len(row) && row[end] != ' ' && (r == '.' || !beforeHan(row, end)) || r == '.' && text.Abbreviated(row[start:i]) {
				continue
			}
		default:
			continue
		}
		all = append(all, strings.TrimSpace(row[start:end]))
		start = end
	}
	if rest := strings.TrimSpace(row[start:]); rest != "" {
		all = append(all, rest)
	}
	return all
}

// beforeHan reports whether a Chinese character stands at a place that is no part
// of an address.
func beforeHan(row string, at int) bool {
	next, _ := utf8.DecodeRuneInString(row[at:])
	word := row[strings.LastIndexByte(row[:at], ' ')+1 : at]
	return unicode.Is(unicode.Han, next) && !strings.Contains(word, "://")
}

// clip cuts s to at most n bytes at a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
