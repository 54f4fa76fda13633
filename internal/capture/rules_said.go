package capture

// rememberRule finds what the user explicitly asks to be remembered.
func rememberRule() rule {
	return rule{
		class: Remember, confidence: 0.95, evenAsked: true, evenUnsure: true,
		triggers: []string{"记住", "记下", "记一下", "记录", "记好", "记着", "存进", "写进", "记到", "切记", "记得", "remember", "note", "keep in mind", "memori", "save th", "jot", "记", "存", "备忘", "备注", "忘", "memory", "bear in mind", "keep a", "store th", "for the record", "future reference", "don't forget"},
		patterns: append(patterns(
			`^.{0,8}(?:记住|记下来?|记录一下|记一下|记好|记着|切记)[了哦啊呀哈]*(?:[,，:。 ]|这|那|我|你|它|他|她|[a-z0-9]|.{4,})`,
			`^(?:请|你|也)?(?:要|一定要?|务必|千万要?)记得[,，: ]?.{4,}`,
			`^.{0,8}(?:存进|写进|加到|记到|保存到|写入)(?:你的)?(?:记忆|备忘)`,
			`记(?:住|下|一下)(?:这个|这一点|这点|它|哦|啊)?$`,
			`^(?:[^,]{0,20}, )?(?:(?:please|pls|hey|ok|okay|so|and|also|just|,)[ ,]*)*(?:remember|keep in mind|memori[sz]e|for the record|for future reference|don't forget)(?: that| this| down)?(?:[ ,:—-]|$)`,
			`^(?:[^,]{0,20}, )?(?:(?:please|pls|hey|ok|okay|so|and|also|just|,)[ ,]*)*(?:note(?: down)?|make a note|jot down|save (?:this|that)(?: for later)?)(?: that| this| down)?(?:[,:—-]| that | this|$)`,
			`^(?:can|could|will|would) you (?:please )?(?:remember|note|keep in mind|make a note|save)(?: that| this|:|,)`,
			`^(?:i want you to|i'd like you to|you should|you need to|make sure (?:to|you)) (?:remember|note|keep in mind)\b`,
		), patterns(rememberPhrases()...)...),
		unless: newPattern(`我(?:已经|都|会)?记(?:住|下|着)了?[。!]?$|记住密码|记住(?:我|登录)["'”」]|记住(?:我|登录)(?:的?(?:勾选|选项|功能|按钮)|$)|记得吗|记不住|没记住|记.{0,14}吗$|你记住的|记住什么|你能记|怎么记|(?:什么|怎么|怎样|如何|哪些?).{0,10}[?？]?$|(?:怎么|怎样|如何|才能).{0,6}记|记住.{0,6}功能` +
			`|^(?:remember|do you|what).*\?$|\bi (?:remember|note)|\bdo you remember|remember (?:when|to|the time|me\b|how|all these|about me|our conversation)|can't remember|how do i|note(?:book|pad)|don't forget to`),
	}
}

// correctionRule finds where the user sets something right.
func correctionRule() rule {
	return rule{
		class: Correction, confidence: 0.85,
		triggers: []string{"不对", "不是", "不不", "等等", "错", "更正", "纠正", "应该", "其实", "准确", "确切", "正确", "姓", "叫", "不在", "不住", "no,", "nope", "wrong", "correct", "actually", "meant", "not ", "n't", "instead", "should be", "should say", "是", "反", "误", "旧", "过时", "作废", "mistake", "my bad", "typo", "scratch", "misspoke", "mixed", "mis", "it's", "that's", "but ", "outdated", "backwards"},
		patterns: append(patterns(
			`^(?:不对|不是的|错了|你?(?:搞|弄|说|写|记)错了|更正(?:一下)?|纠正(?:一下)?|不不|等等,? ?不)[吧啊呀]?[,，:。! ]+.*(?:[^还不可要就总老但]是[^不吗否这]|应该|叫|改成|改为|指的)`, `^(?:准确地说|确切地说|准确来说|正确的是)[,，:]?.{3,}`, `(?:姓|叫).{1,8}[,，] ?不(?:姓|叫)`, `不(?:姓|叫|住|在).{1,10}[,，].{0,4}(?:姓|叫|住|在).{1,}`, `^(?:更正|纠正)(?:一下|一点)?[,，:。 ]+.{4,}`,
			`不是.{1,20}[,，] ?(?:而)?(?:是|应该是|我们|我|用|叫)`,
			`应该(?:是|用|叫|写成|改成|放在|写|在).{1,30}[,，] ?(?:而?不是|别用|不要用|不用)`,
			`其实(?:是|应该是|叫|用的是|我们).{2,}`,
			`^correction ?[,:] ?.{4,}`, `\bis(?:n't| not) .{1,30}[,;] ?(?:it's|it is|but)\b`,
			`^(?:wait|oh|ah)?[, ]*(?:no|nope|wrong|incorrect|not quite|that(?:'s| is) (?:wrong|not right|incorrect|not correct)|you(?:'re| got it| have it) wrong)[,.:;! —-]+.*\b(?:is|are|was|were|it's|should|use|uses|meant|not|called|named|lives?|runs?|ha(?:s|ve))\b`,
			`^actually,? .*\b(?:it's|is|are|should|use|uses|called|meant|not|was|needs?|runs?|lives?)\b`,
			`\bi meant\b.{3,}`, `^sorry,? (?:it|that|this) should (?:be|say|read)\b`, `^sorry,? (?:it's|that's|it is)\b.+`,
			`^(?:it's|it is|that's) .+, not .+`, `^not .{2,40}[,;] ?(?:but|it's|use|rather|the)\b`,
			`^(?:please )?use .+ instead of .{2,}`, `\bshould (?:be|say|read|point to) .+,? (?:not|instead of|rather than)\b`,
		), patterns(correctionPhrases()...)...),
		unless: newPattern(`是不是|要不是|不是吗|不是很|不是说|不应该$|not (?:only|just|sure|bad|yet)|no (?:problem|idea|worries|way|rush|need|thanks)|what i meant|\bi asked\b|it's (?:fine|ok|okay|good|great|right|all right|correct|working)\b|i meant to\b|^(?:that|this) should|\bthe other one\b|not what i asked|that's fine|没什么不对|that's not (?:it|what)\b|\btry again\b|\bagain$|turn(?:s|ed) out|还是(?:报错|不行|一样)|哪里(?:有|不|错)`),
	}
}

// openLoopRule finds what is left undecided or is waited for.
func openLoopRule() rule {
	return rule{
		class: OpenLoop, confidence: 0.75, evenAsked: true, evenUnsure: true,
		triggers: []string{"还没", "还未", "尚未", "待定", "待确认", "未解决", "悬而", "卡在", "阻塞", "先放", "再说", "再议", "再看", "再定", "等", "tbd", "open question", "waiting", "blocked", "haven't", "hasn't", "have not", "has not", "pending", "unresolved", "undecided", "unclear", "revisit", "come back to", "still ", "to be de", "not ", "没", "无", "未", "不确定", "不清楚", "不明", "搁", "挂着", "压着", "讨论", "商量", "谈", "评估", "n't ", "unsolved", "unsettled", "unanswered", "limbo", "on hold", "park ", "table ", "shelve", "defer", "postpone", "yet", "no ", "remain", "outstanding", "up in the air"},
		patterns: append(patterns(
			`(?:还没有?|还未|尚未)(?:完全|最终|正式|彻底)?(?:给.{0,2}(?:答复|回复)|决定|定下?|确定|想好|想清楚|找到|搞懂|解决|搞清楚?|弄清楚?|回复|确认|落实|谈妥|敲定|查清)`, `待定|待确认|待讨论|未解决|悬而未决|尚无结论`,
			`(?:目前|现在|还|一直|暂时)?(?:卡在|阻塞在|卡住)`, `先放一?放|(?:之后|以后|下次|回头|下周|下个?月|有空|到时候?).{0,4}再(?:说|议|定|讨论|决定|改|弄|处理|优化|补)`,
			`(?:还|正|一直)在等`, `^.{0,6}等.{1,14}(?:确认|回复|审批|批准|结果|通知|反馈|到位|签字|上线|定了)`,
			`\b(?:tbd|to be decided|open question|unresolved|undecided|still (?:open|unclear|pending)|not (?:yet )?(?:decided|clear|finali[sz]ed|settled)|to be determined|up in the air)\b`,
			`\b(?:still )?waiting (?:for|on)\b.{3,}`, `\bblocked (?:by|on)\b`, `\b(?:haven't|hasn't|have not|has not) (?:yet )?(?:been )?(?:decided|figured|heard|solved|settled|agreed|chosen|found|confirmed|signed|approved|fixed)\b`, `\bstill don't know\b.{4,}`, `\bunclear (?:who|what|why|how|when|where|whether|if)\b`, `\bwaiting to hear\b`, `\b(?:let's |we'll |i'll )?(?:revisit|come back to)\b.{3,}`, `\bstill need to (?:decide|figure|find out|clarify)`, `\bis (?:still )?pending\b`,
		), patterns(openLoopPhrases()...)...),
		unless: newPattern(`[吗呢][?？]?$|什么意思|的话|可能|也许|不一定|\b(?:maybe|might)\b|等一下|等等|等会|稍等|等于|高等|wait(?:ing)? a (?:moment|second|minute)|waiting for (?:the )?(?:build|tests?|compil|ci|it|you|your|download|pipeline)|pending tests|还没(?:吃|睡|起|看|听|试)|^(?:这个|那个|这|那|先|就|以后|之后|下次|回头|到时候?|有空|有机会|[,，])*再(?:说|看|议|定|改|弄)(?:吧|了|啦|看)?$|^(?:你|can|could|are|do|have|is|any|what|does|did)\b`),
	}
}

// emotionRule finds what the user feels.
func emotionRule() rule {
	return rule{
		class: Emotion, confidence: 0.6,
		triggers: []string{"开心", "高兴", "难过", "难受", "激动", "郁闷", "伤心", "生气", "害怕", "担心", "焦虑", "孤独", "寂寞", "幸福", "感动", "失望", "沮丧", "崩溃", "委屈", "紧张", "兴奋", "想你", "想念", "想家", "心疼", "压力", "i'm", "i am", "i feel", "i felt", "i miss", "i was", "feeling ", "makes me", "我", "真的", "心", "好", "太", "i've", "hurt", "heart", "cry", "tears"},
		patterns: append(patterns(
			`^.{0,6}我(?:今天|现在|最近|这两天|真的?|好|很|太|特别|非常|有点|有些|超|挺|感到|觉得|心里|都|又|快|也)*(?:开心|高兴|难过|难受|伤心|生气|害怕|担心|焦虑|郁闷|孤独|寂寞|幸福|感动|激动|失望|沮丧|崩溃|委屈|紧张|兴奋|想你|想念|想家|心疼)`,
			`^(?:心里|真的?|今天|好|太|很|特别|超)+(?:难受|激动|郁闷|开心|高兴|难过|伤心|生气|害怕|焦虑|孤独|寂寞|幸福|感动|失望|沮丧|委屈|紧张|兴奋)`,
			`我.{1,16}[,，](?:我|心里|现在|真的?|好|很|太|特别|非常|有点|有些|超|挺|感到|觉得|都)+(?:开心|高兴|难过|难受|伤心|生气|害怕|担心|焦虑|郁闷|孤独|寂寞|幸福|感动|激动|失望|沮丧|委屈|紧张|兴奋|心疼)`,
			`压力.{0,3}(?:好|很|太|非常|特别)?大`,
			`\bi(?:'m| am| feel| felt| was)(?: so| really| very| feeling| quite| a bit| a little| pretty| just| too| also)* (?:happy|sad|angry|worried|anxious|lonely|scared|afraid|excited|depressed|frustrated|proud|grateful|heartbroken|overwhelmed|exhausted|stressed|upset|nervous|disappointed|relieved)\b`,
			`^feeling (?:so |really |very |pretty )*(?:down|sad|happy|anxious|lonely|low|depressed|excited|stressed)\b`, `\bmakes me (?:so )?(?:sad|happy|angry|anxious)\b`, `\bi miss (?:you|my|our|home|her|him|them)\b`,
		), patterns(emotionPhrases()...)...),
		unless: newPattern(`^(?:他|她|小[^时心]|老[^婆公])|i'm (?:happy|glad) to|happy to help|不担心|(?:happy|fine|proud|afraid|excited) (?:with|of|about) (?:that|this|it)|别担心|i'm afraid (?:i|that|not|the|this|it|we|you|there|so)\b|\bto see what\b|帮我|给我|请|笑死|很高兴(?:为|认识)`),
	}
}
