package capture

import "regexp"

// rememberRule finds what the user explicitly asks to be remembered.
func rememberRule() rule {
	return rule{
		class: Remember, confidence: 0.95, evenAsked: true, evenUnsure: true,
		triggers: []string{"记住", "记下", "记一下", "记录", "记好", "记着", "存进", "写进", "记到", "切记", "remember", "note", "keep in mind", "memori", "save th", "jot", "for the record", "future reference", "don't forget"},
		patterns: patterns(
			`^.{0,8}(?:记住|记下来?|记录一下|记一下|记好|记着|切记)[了哦啊呀哈]*(?:[,，:。 ]|这|那|我|你|它|他|她|[a-z0-9]|.{4,})`,
			`^.{0,8}(?:存进|写进|加到|记到|保存到|写入)(?:你的)?(?:记忆|备忘)`,
			`记(?:住|下|一下)(?:这个|这一点|这点|它|哦|啊)?$`,
			`^(?:(?:please|pls|hey|ok|okay|so|and|also|just|can you|could you|will you|you should|,)[ ,]*)*(?:remember|note|make a note|keep in mind|memori[sz]e|save|jot down|for the record|for future reference|don't forget)(?: that| this| down)?(?:[ ,:—-]|$)`,
		),
		unless: regexp.MustCompile(`我(?:已经|都|会)?记(?:住|下|着)了?[。!]?$|记住密码|记住(?:我|登录)["'”」]|记住(?:我|登录)(?:的?(?:勾选|选项|功能|按钮)|$)|记得吗|记不住|没记住|记(?:住|下)了吗|怎么记|记住.{0,6}功能` +
			`|\bi (?:remember|note)|\bdo you remember|remember (?:when|to|the time|me\b|how|all these)|can't remember|how do i|note(?:book|pad)|^save (?:the|it|as|all|changes|file)|don't forget to`),
	}
}

// correctionRule finds where the user sets something right.
func correctionRule() rule {
	return rule{
		class: Correction, confidence: 0.85,
		triggers: []string{"不对", "不是", "错", "更正", "纠正", "应该", "其实", "no,", "nope", "wrong", "correct", "actually", "meant", "not ", "instead", "should be", "should say"},
		patterns: patterns(
			`^(?:不对|不是的|错了|你?(?:搞|弄|说|写|记)错了|更正(?:一下)?|纠正(?:一下)?|不不|等等,? ?不)[,，:。! ]+.*(?:是|应该|用|叫|在|改|有)`,
			`不是.{1,20}[,，] ?(?:而)?(?:是|应该是|我们|我|用|叫)`,
			`应该(?:是|用|叫|写成|改成|放在|写|在).{1,30}[,，] ?(?:而?不是|别用|不要用|不用)`,
			`其实(?:是|应该是|叫|用的是|我们).{2,}`,
			`^(?:no|nope|wrong|incorrect|not quite|correction|that's (?:wrong|not right|incorrect|not correct)|you're wrong)[,.:;! —-]+.*\b(?:is|are|was|were|it's|should|use|uses|meant|not|called|named|lives?|runs?)\b`,
			`^actually,? .*\b(?:it's|is|are|should|use|uses|called|meant|not|was|needs?|runs?|lives?)\b`,
			`\bi meant\b.{3,}`, `^(?:sorry,? )?(?:it|that|this) should (?:be|say|read)\b`, `^sorry,? (?:it's|that's|it is)\b.+`,
			`^(?:it's|it is|that's) .+, not .+`, `^not .{2,40}[,;] ?(?:but|it's|use|rather|the)\b`,
			`^(?:please )?use .+ instead\b`, `\bshould (?:be|say|read|point to) .+,? (?:not|instead of|rather than)\b`,
		),
		unless: regexp.MustCompile(`是不是|要不是|不是吗|不是很|不是说|不应该$|not (?:only|just|sure|bad|yet)|no (?:problem|idea|worries|way|rush|need|thanks)|what i meant|没什么不对|哪里(?:有|不|错)`),
	}
}

// openLoopRule finds what is left undecided or is waited for.
func openLoopRule() rule {
	return rule{
		class: OpenLoop, confidence: 0.75, evenAsked: true, evenUnsure: true,
		triggers: []string{"还没", "还未", "尚未", "待定", "待确认", "未解决", "悬而", "卡在", "阻塞", "先放", "再说", "再议", "再看", "再定", "等", "tbd", "open question", "waiting", "blocked", "haven't", "pending", "unresolved", "undecided", "unclear", "revisit", "come back to", "still need", "to be decided", "not decided"},
		patterns: patterns(
			`(?:还没有?|还未|尚未)(?:完全)?(?:决定|定下?|确定|想好|解决|搞清楚?|弄清楚?|回复|确认|落实|谈妥|敲定|查清)`, `待定|待确认|待讨论|未解决|悬而未决|尚无结论`,
			`(?:目前|现在|还|一直|暂时)?(?:卡在|阻塞在|卡住)`, `先放一?放|(?:之后|以后|下次|回头|下周|下个?月|有空|到时候?).{0,4}再(?:说|议|定|讨论|决定)`,
			`^.{0,6}等.{1,14}(?:确认|回复|审批|批准|结果|通知|反馈|到位|签字|上线|定了)`,
			`\b(?:tbd|to be decided|open question|unresolved|undecided|still (?:open|unclear|pending)|not (?:yet )?decided)\b`,
			`\b(?:still )?waiting (?:for|on)\b.{3,}`, `\bblocked (?:by|on)\b`, `\bhaven't (?:yet )?(?:decided|figured|heard|solved|settled|agreed|chosen|found)\b`, `\b(?:let's |we'll |i'll )?(?:revisit|come back to)\b.{3,}`, `\bstill need to (?:decide|figure|find out|clarify)`, `\bis (?:still )?pending\b`,
		),
		unless: regexp.MustCompile(`等一下|等等|等会|稍等|等于|高等|wait(?:ing)? a (?:moment|second|minute)|pending tests|还没(?:吃|睡|起|看|听|试)|^(?:你|can|could|are you|do you|have you)`),
	}
}

// emotionRule finds what the user feels.
func emotionRule() rule {
	return rule{
		class: Emotion, confidence: 0.6,
		triggers: []string{"开心", "高兴", "难过", "伤心", "生气", "害怕", "担心", "焦虑", "孤独", "寂寞", "幸福", "感动", "失望", "沮丧", "崩溃", "委屈", "紧张", "兴奋", "想你", "想念", "想家", "心疼", "压力", "i'm", "i am", "i feel", "i felt", "i miss", "i was"},
		patterns: patterns(
			`^.{0,6}我(?:今天|现在|最近|这两天|真的?|好|很|太|特别|非常|有点|有些|超|挺|感到|觉得|心里|都|又|快|也)*(?:开心|高兴|难过|伤心|生气|害怕|担心|焦虑|孤独|寂寞|幸福|感动|失望|沮丧|崩溃|委屈|紧张|兴奋|想你|想念|想家|心疼)`,
			`压力.{0,3}(?:好|很|太|非常|特别)?大`,
			`\bi(?:'m| am| feel| felt| was)(?: so| really| very| feeling| quite| a bit| a little| pretty| just| too| also)* (?:happy|sad|angry|worried|anxious|lonely|scared|afraid|excited|depressed|frustrated|proud|grateful|heartbroken|overwhelmed|exhausted|stressed|upset|nervous|disappointed|relieved)\b`,
			`\bi miss (?:you|my|our|home|her|him|them)\b`,
		),
		unless: regexp.MustCompile(`i'm (?:happy|glad) to|happy to help|不担心|别担心|i'm afraid (?:i|that|not)|很高兴(?:为|认识)`),
	}
}
