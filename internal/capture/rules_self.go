package capture

// preferenceRule finds what the user likes, dislikes and is used to.
func preferenceRule() rule {
	return rule{
		class: Preference, confidence: 0.85,
		triggers: []string{"喜欢", "偏好", "偏爱", "愿", "一般", "通常", "平时", "向来", "语气", "讨厌", "习惯", "倾向", "受不了", "爱吃", "爱喝", "爱看", "爱用", "爱听", "爱玩", "不吃", "不喝", "吃不了", "忌口", "过敏", "反感", "只吃", "只喝", "只用", "只看", "只听", "只买", "只穿", "只坐", "只认", "叫我", "称呼我", "回答", "回复", "说话", "解释", "输出", "最爱",
			"prefer", "like", "love", "hate", "dislike", "enjoy", "favo", "avoid", "can't stand", "don't eat", "don't drink", "never eat", "never drink", "only eat", "only drink", "allergic", "vegetarian", "vegan", "left-handed", "i'd rather", "fan of", "best for me", "call me", "address me", "answer", "reply", "replies", "respon", "summar", "message", "write", "speak", "explain", "explan", "keep", "跟我", "和我", "对我", "我", "比起", "输出", "i'm ", "i am ", " i ", "i usually", "i always", "i never", "i normally", "i typically", "i generally", "i tend", "i rarely", "i mostly", " over "},
		patterns: append(patterns(
			`我(?:们)?(?:还是|一直|更|比较|最|很|特别|真的?|实在|超|其实|平时|一般|通常|都|不太|不怎么|不|非常|向来|从来|从不|从小|也)*(?:喜欢|偏好|偏爱|讨厌|习惯|倾向于?|受不了|爱(?:吃|喝|看|用|听|玩)|不?吃不了|不吃|不喝|忌口|反感|热爱)`,
			`我.{0,3}对.{1,10}过敏`, `(?:^|[,，:])(?:你|以后|可以|请|就|直接)*(?:叫|称呼)我[^怎去来做改写不别帮,，]{1,8}?(?:就行|就好|吧|即可)?$`, `(?:更|宁)(?:愿意?|可).{2,}`, `^(?:买.{0,2}|出门|上班)?我?(?:一般|通常|平时|向来)都?(?:去|用|吃|喝|看|听|坐|走).{1,}`, `语气.{0,6}(?:一点|一些|点)`, `我就(?:喜欢|爱(?:吃|喝|看|用|听|玩)|讨厌)`, `我的?最?(?:爱|喜欢)的`, `我.{0,6}只(?:吃|喝|用|看|听|买|穿|坐|认).{1,}`,
			`^(?:请|麻烦)?(?:以后|尽量|平时|都)*(?:用|说|讲|写)(?:中文|英文|英语|日语|德语|简体|繁体|markdown|表格).{0,6}(?:回答|回复|说|写|交流|解释)`,
			`^(?:你的?|请)?(?:回答|回复|说话|解释|输出)(?:我)?(?:时|的时候)?(?:请|要|尽量|都|能)*(?:再)?(?:简短|简洁|详细|直接|用|别|不要|少|短)`,
			`\bi (?:really |much |always |usually |generally |still |do |also |personally |strongly |absolutely |mostly |tend to )*(?:prefer|like|love|hate|dislike|enjoy|favou?r|avoid|can't stand|don't (?:like|eat|drink)|never (?:eat|drink)|only (?:eat|drink|use))\b`,
			`\bmy (?:favou?rite|preferred)\b`, `\bi(?:'m| am) (?:allergic|vegetarian|vegan|left-handed|colou?r-?blind|lactose|gluten|a (?:vegetarian|vegan|morning person|night owl))`, `\bi'd rather\b`, `\bi'm not a (?:big )?fan of\b`, `\bworks? best for me\b`, `^(?:please |just |you can )*(?:call me|address me as)\b`,
			`^(?:please )?(?:always )?(?:answer|reply|respond|write|speak|explain|keep (?:your )?(?:answers|replies|explanations)|talk to me)\b.{0,30}\b(?:in (?:english|chinese|german|french|spanish|japanese|italian|dutch|short|bullet|plain|simple)|short|brief|concise|without)\b`,
		), append(patterns(preferencePhrases()...), patterns(askedOfAnswers()...)...)...),
		unless: newPattern(`喜欢(?:这|那|你|它|他|她|上了)|喜欢$|(?:我)?也喜欢$|习惯了$|\bi never want\b|\bi (?:never|always|usually|normally) (?:understood|understand|got|get|see|saw|have|had|forget|thought|knew|wondered|been|end up|struggle|run into|wanted|liked|notice|confuse)\b|(?:like|love|hate|enjoy|prefer) (?:it|that|this|these|those|your|you|how|when|where|the (?:idea|way|look|sound|new|first|second|third|last|other)|what)\b|^(?:answer|write|explain|speak) (?:it|this|that|them)\b|(?:i'd|would|to) (?:like|love)\b|i'd (?:like|love|hate) to|feel like|looks? like|sounds? like|something like`),
	}
}

// identityRule finds who the user is.
func identityRule() rule {
	return rule{
		class: Identity, confidence: 0.85,
		triggers: []string{"我叫", "我是", "我住", "我家在", "我在", "工作", "上班", "上学", "读书", "我的", "我老", "我妻", "我丈", "我儿", "我女", "我妈", "我爸", "我家", "my ", "i'm a", "i am a", "我今年", "i live", "we live", "i work", "i was born", "i'm from", "i come from", "i'm the", "i am the", "i grew up", "我", "i've", "i have", "we're a", "we are a", "we have", "i teach", "i stud", "i coach", "i'm ", "i am ", "i run", "i own", "i manage", "i lead", "i founded", "i co-"},
		patterns: append(patterns(
			`^.{0,4}我叫[^我你他她它了车不人外,，。]{1,12}$|^.{0,4}我叫[^我你他她它了车不人外,，。]{1,12}[,，]`, `我是(?:一?[个名位])?.{0,12}(?:工程师|老师|教师|医生|学生|律师|设计师|程序员|经理|人|护士|司机|作家|研究员|会计|厨师)$`, `我(?:现在)?(?:住在|家在|来自|在.{1,12}(?:工作|上班|上学|读书|做[^了过完好]{2,8}$|当[^了时]{2,8}$))`,
			`我的?(?:生日|邮箱|电话|手机号|血型|老家|家乡|名字|职业|公司|年龄|时区|鞋码)(?:是|在|:|叫|为)`, `我(?:家)?的?(?:老婆|老公|妻子|丈夫|儿子|女儿|妈妈|爸爸|女朋友|男朋友|猫|狗)(?:叫|是|的名字|今年|生日|住)`, `我是(?:做|搞|学|教).{1,12}的$`, `我(?:儿子|女儿|孩子)(?:上|读|在读).{1,8}`, `我老家在`, `\bi(?:'m| am) the [a-z]+ (?:of|at)\b`, `\bi grew up in\b`, `^.{0,4}我今年[0-9一二三四五六七八九十]+`,
			`\bmy name is\b`, `\bi(?:'m| am) an? (?:[a-z-]+ ){0,3}(?:engineer|teacher|doctor|nurse|student|lawyer|designer|developer|programmer|manager|writer|researcher|accountant|chef|pilot|architect|scientist|baker|musician|artist|freelancer|carpenter|[a-z]{3,}(?:ist|ator|eer|ician|apher|ologist))\b`,
			`\b(?:i|we) live (?:in|near|with|on)\b`, `\bi work (?:at|for|as)\b`, `\bi was born\b`, `\bi(?:'m| am| come) from\b`,
			`\bmy (?:birthday|email|phone number|hometown|wife|husband|partner|son|daughter|mother|father|mum|mom|dad|dog|cat|time ?zone|job|employer|shoe size|girlfriend|boyfriend|sister|brother)(?:'s name)?(?: [a-z]+)? (?:is|are|was|lives|works|called|named|turns)\b`,
		), patterns(identityPhrases()...)...),
		unless: newPattern(`我是(?:说|想|不是|觉得|这么)|i'm an? (?:bit|little|lot)|my (?:machine|code|build)|i'm from the`),
	}
}
