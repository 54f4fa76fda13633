package capture

import (
	"regexp"
	"strings"
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
	language *language
}

// question reports whether a sentence asks. Like technical it costs more than
// the rules' triggers, and is asked of few sentences.
func (s sentence) question() bool { return s.language.asks.MatchString(s.folded) }

// technical reports whether a sentence is a line of a log or of code.
func (s sentence) technical() bool { return s.language.code.MatchString(s.folded) }

// language holds what is needed to cut and judge sentences.
type language struct {
	fence    *regexp.Regexp
	marker   *regexp.Regexp // of a list item or a heading
	asks     *regexp.Regexp // begins or ends like a question
	doubts   *regexp.Regexp // hypothetical
	reports  *regexp.Regexp // somebody else's words
	retracts *regexp.Regexp // takes the whole message back
	commands *regexp.Regexp // about a text, such as translating it: what follows is material
	local    *regexp.Regexp // about the piece of work at hand
	code     *regexp.Regexp // and logs
}

func newLanguage() *language {
	return &language{
		marker: regexp.MustCompile(`^(?:[-*•·#]+\s+|\d{1,2}(?:[.)）]\s+|、))+`),
		fence:  regexp.MustCompile("(?s)(```|~~~).*?(?:```|~~~|$)"),
		asks: regexp.MustCompile(`[?][)"'”」]*$|(?:吗|么|呢)[)"'”」。!]*$|^(?:[a-z\p{Han}]{1,8}[,，] ?)?(?:请问|为什么|为何|怎么|怎样|如何|什么|谁|哪|多少|几点|是不是|能不能|可不可以|要不要|有没有|该不该)` +
			`|^(?:[a-z\p{Han}]{1,8}[,，] ?)?(?:what|why|how|when|where|who|whose|which|should|is|are|am|do|does|did|was|were|has|have|can|could|would|will|shall|may) (?:we|i|you|it|there|this|that|the|they|he|she|my|your|our|a|an|any)\b`),
		doubts: regexp.MustCompile(`如果|要是|假如|假设|万一|倘若|也许|或许|可能|大概|说不定|是不是|要不要|能不能|可不可以|是否|该不该|考虑|犹豫|(?:很|还在|有点|好)纠结|不确定|不知道|好像|似乎|想象|假装` +
			`|\b(?:if|suppose|maybe|perhaps|might|could|would|should (?:we|i)|what about|how about|wonder|considering|thinking (?:about|of)|not sure|possibly|probably|i guess|imagine|pretend|unless|whether|hypothetically)\b`),
		reports: regexp.MustCompile(`(?:他|她|它|他们|她们|对方|老师|老板|医生|朋友|同事|有人|别人|大家都|专家|新闻|文章|文档|书|网上|视频|电影|小说|作者|教程)(?:们|里|上|中)?(?:的?主角|们)?(?:总是|都|也|曾经?|还)?(?:说|写|讲|认为|觉得|提到|喜欢|决定|要求|最终|约定|选)` +
			`|据说|听说|传闻|^(?:那|这)(?:部|本|篇)|他们|她们` +
			`|\b(?:he|she|they|articles?|docs?|documentation|books?|tutorial|authors?|people|someone|somebody|everyone|friend|brother|sister|colleague|teacher|doctor|hero|heroine|character|movie|film|paper|blog|website) (?:of the book |always |also |never )*(?:says?|said|writes|wrote|thinks?|thought|claims?|suggests?|wants?|likes?|prefers?|hates?|loves?|decided|decides|forgets|told|insists?)\b` +
			`|\b(?:terms|law|contract|licen[cs]e|rules?|guidelines?|policy|manual|sign|spec) (?:of \w+ )?(?:says?|states?)\b|\baccording to\b|\bin the (?:game|series|show)\b|\bi (?:read|heard) (?:that|about|somewhere)\b|\bin the (?:book|movie|film|novel|story)\b`),
		retracts: regexp.MustCompile(`(?:不用|不要|别|无需|不必|甭|勿)(?:再|帮我|去)?(?:记|保存|存进|写进|存下)|忘掉|忘了我|当我没说|随便说说|开玩笑|逗你|测试一下|只是测试` +
			`|\b(?:don't|do not|no need to|never) (?:remember|save|store|note|record|write (?:this|that|it) down|memori[sz]e)\b|\bforget (?:it|that|what i|about (?:it|that))\b|\boff the record\b|\b(?:just )?(?:kidding|joking)\b|\bjust a (?:test|joke)\b|\bonly a test\b`),
		commands: regexp.MustCompile(`翻译|润色|改写|改成(?:英文|中文)|写(?:一)?(?:首|篇|段|个故事)|续写|解释(?:一下)?["“「]|造句|模仿|扮演|总结一下|根据(?:以下|下面|这)|(?:以下|下面|原文|如下).{0,20}[:]` +
			`|(?:帮我|给我|请|替我)(?:写|起草|拟|编|生成)一?(?:条|份|封|个|段|篇|首|句)` +
			`|(?:^|[.!?;:\n] ?)(?:(?:please|pls|now|then|and|can you|could you|would you|help me) )*(?:(?:translate|rephrase|rewrite|paraphrase|proofread|summari[sz]e) (?:this|that|the|into|it|following)\b|(?:write|draft|compose|generate) (?:me |us )?(?:a|an|some) )|\bwrite (?:me )?(?:a|an) (?:\w+ )?(?:story|poem|essay|song|email|letter|novel|dialogue)\b|^explain what\b|\b(?:here is|here's|below is|the following|this (?:text|email|log|sentence))\b.{0,30}:|\bfix the (?:grammar|spelling)\b|\b(?:comment|message|line|label|text) that says\b|\broleplay\b`),
		local: regexp.MustCompile(`\b(?:here|in this (?:line|file|function|case|paragraph)|line \d+|for this)$|\b(?:for|in|on|to|of) (?:this|that|the) (?:page|query|component|function|file|class|method|script|list|button|header|loop|test|line|string|output)\b` +
			`|\b(?:the )?(?:first|second|third|last|other|previous) (?:version|one|option|file|paragraph|question|line|draft|picture)\b` +
			`|\b(?:option|approach|variant|solution|plan|number) (?:[a-e]\b|\d|one\b|two\b|three\b)|\b(?:yet|for now|right now|for the moment|this time)$` +
			`|\b(?:do not|don't|never|always|only) [a-z]+ (?:it|this|that|these|those|them|anything|(?:the )?(?:tests?|code|function|method|comments?|diff|output))\b` +
			`|\bthe existing (?:one|function|helper|method|class|code|file|variable|type)\b` +
			`|^先?(?:别|不要|不)(?:动|改|删|管|碰)(?:这|那|它|测试|代码|其他|别的|函数|注释|任何东西)|第[一二三四五六七八九十0-9]+[种套条]` +
			`|这里|[这那]个?(?:颜色|按钮|函数|文件|变量|字体|页面|图|词|句子|版本|标题|组件|脚本)|[这那](?:段|行|句|页)|第[一二三四五六七八九十0-9]+个?(?:段|行|页|句|版本|标题|方案|选项)|^[^叫]*(?:就行|就好|就可以了?|即可)$` +
			`|^(?:change|rename|add|undo|rerun|make|fix|remove|replace|move|show|sort|print)\b|^(?:把|将|给)(?:上面|下面|这|那|标题|按钮|函数|表格|代码)`),
		code: regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[t ]\d{2}:|^(?:panic|error|warning|fatal|traceback|exception|info|debug)\b.*[:\[]|^\s*(?:\$|#!|//|/\*|<|\{|\}|\|)|^(?:import|func|def|class|const|return|select|insert|update) .*[;({=]|=>|\bnil pointer\b`),
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
	return []sentence{{text: s, folded: strings.TrimRight(text.Fold(s), " .。!;；~"), language: l}}
}

// uncertain reports whether a sentence does not say what is, but what could
// be, or what somebody else said.
func (l *language) uncertain(s sentence) bool {
	return l.doubts.MatchString(s.folded) || l.reports.MatchString(s.folded) || l.local.MatchString(s.folded)
}

// split cuts a line after its sentences: at 。！？；and at . ! ? ; before a blank.
func split(row string) []string {
	var all []string
	start := 0
	for i, r := range row {
		end := i + utf8.RuneLen(r)
		switch r {
		case '。', '！', '？', '；':
		case '.', '!', '?', ';':
			if end < len(row) && row[end] != ' ' || r == '.' && abbreviated(row[start:i]) {
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

// abbreviated reports whether a full stop after s belongs to a word: Mrs., e.g., A.
func abbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " (")+1:]
	switch strings.ToLower(word) {
	case "mr", "mrs", "ms", "dr", "st", "vs", "e.g", "i.e", "etc", "prof", "approx":
		return true
	}
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
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
