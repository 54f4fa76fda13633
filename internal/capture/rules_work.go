package capture

import "slices"

// decisionRule finds what was decided.
func decisionRule() rule {
	return rule{
		class: Decision, confidence: 0.85,
		triggers: []string{"决定", "敲定", "拍板", "商定", "一致同意", "选定", "确定", "就用", "就选", "就按", "就定", "就走", "选了", "定了", "定案", "结论", "决议", "采用", "改用", "选用", "选择", "说好", "约定", "这么定", "好了", "完了", "妥了", "不纠结", "定下来", "就按", "ended up", "通过", "就去", "就买", "就做", "decid", "agreed", "settled", "chose", "picked", "opted", "decision", "let's", "we'll", "we will", "i'll", "i will", "going with", "final", "同意", "批准", "批了", "答应", "确认", "想了", "考虑", "商量", "讨论", "投票", "会上", "例会", "周会", "群里", "放弃", "打算", "计划", "方案", "对比", "made up", "made the", "made our", "made my", "voted", "signed off", "approved", "plan is", "verdict", "outcome", "conclusion", "i'm ", "we're ", "we are "},
		patterns: append(patterns(
			`(?:决定|敲定|拍板|商定|一致同意|选定|定案)(?:了|要|把|用|不|先|采用|改|将|由|让|在|:|,|，|为|换|接|去|做|放弃|从|继续|使用)`, `^(?:最终|最后|我们?|咱们|那)?(?:决定|敲定|拍板|商定)`,
			`^(?:那|好|好的|行|ok|嗯|对)?[,， ]*(?:那)?就(?:用|选|按|定|走|采用|改用|这么定).{2,}`,
			`^(?:那|最后)?(?:我们?|咱们?)就(?:用|选|按|定|走|去|买|做).{2,}`,
			`^.{0,4}(?:结论|决议|决定|定了|定下来了|说好了?|约定|商量好了|想好了|谈妥了|谈好了|讨论好了|商量完了|不纠结了)[:，,!].{2,}`, `.{0,8}(?:商量|讨论|谈)(?:好|完|妥)了[:，,].{2,}`, `定下来(?:先|要|做|用|把|由).{2,}`, `就按.{1,10}来`, `\bdecision made\b.{4,}`, `\bended up (?:choosing|buying|going with|using|picking)\b.{3,}`, `(?:最终|最后|统一|正式|一致)(?:还是|我们|大家)?(?:选择了|采用|选用|选择|选了|选|用|改用|换成|同意|定|买)`, `(?:评审|投票|会议|讨论)(?:通过|结果).{2,}`, `[,，](?:采用|改用|选用).{2,}`, `确定(?:用|采用|选|下来|为)`, `^(?:我们|咱们)(?:采用|改用|选用|选了)`,
			`\b(?:we|i|team|board|family)(?:'ve| have)?(?: all| finally| just| now| both)* (?:decided|agreed|settled on|chose|have chosen|picked|opted|concluded)\b`,
			`^(?:final )?decision\b ?:`, `\blet's (?:go with|stick with|stick to|adopt|switch to|move to|standardi[sz]e on|settle on|drop|keep (?:the|using)|use)\b.{3,}`,
			`\b(?:we'll|we will|we're going to|i'll|i will|i'm going to) (?:go with|adopt|switch to|stick with|stick to|keep using|migrate to|standardi[sz]e on|use \w+ for)\b`,
			`\bgoing with\b.{3,}`, `\bwe(?:'re| are) (?:dropping|switching to|moving to|adopting|keeping|replacing|postponing|cancell?ing)\b.{2,}`, `^it's (?:settled|decided|final)\b`, `\b(?:the )?final (?:choice|answer|call|decision)(?: is|:)`,
		), patterns(decisionPhrases()...)...),
		unless: newPattern(`没有?决定|未定|决定不了|由.{0,6}决定|怎么决定|决定因素|取决|决定权|你决定|你来定|决定吧|能决定|难以决定|(?:haven't|not|can't|couldn't|never) (?:yet )?(?:decid|agreed|settled)|undecided|you decide|let's (?:see|go!|eat|talk|try|do it)|decided earlier|\b(?:go with|use|stick with|keep|adopt|going with) (?:that|this|it|them|whatever)\b|就(?:用|选|定|要)(?:这|那|它|第)|i've decided to use a|i'll use it`),
	}
}

// ruleRule finds rules and limits.
func ruleRule() rule {
	return rule{
		class: Rule, confidence: 0.85,
		triggers: []string{"以后", "今后", "往后", "从现在", "从今", "从下", "必须", "禁止", "严禁", "不准", "不许", "不允许", "一律", "不得", "切勿", "规则", "规定", "规矩", "原则", "红线", "最多", "不超过", "不能超过", "上限", "至少", "不要", "别", "永远", "始终", "只能", "需要", "每", "所有", "任何", "都得", "最少", "最大", "不少于", "不高于", "统一", "一概", "只有", "才能", "才可", "才准", "需", "之前", "前",
			"不能", "不可", "never", "no circumstances", "in future", "in the future", "from here on", "from now on", "going forward", "starting ", "always", "must", "may not", "shall not", "not allowed", "forbidden", "prohibited", "banned", "required", "mandatory", "off limits", "rule", "policy", "no more than", "max", "only ", "all ", "every", "each ", "require", "need", "at most", "at least", "limit", "not exceed", "don't", "do not", "no ", "nobody", "has to", "have to", "henceforth", "as of", "we never", "permitted", "compulsory"},
		patterns: append(patterns(
			`^(?:以后|今后|往后|从今往后|从现在起|从现在开始|从今天起|从今天开始|从下(?:周|个月)(?:起|开始)).*(?:要|不|别|都|必须|一律|用|先|走|只|得|改)`,
			`必须|禁止|严禁|不准|不许|不允许|一律|不得|切勿`, `(?:规则|规定|规矩|原则|约束|红线|底线)[:是]`,
			`(?:最多|不超过|不能超过|上限是?为?|至少|不低于).{0,8}[0-9一二三四五六七八九十百千]`,
			`^(?:永远|绝对|千万)?(?:不要|别|不能)(?:再|直接|随便)?(?:在|把|用|直接|碰|动|改|删|提交|推|发|往|跟|自动|使用|给).{3,}`, `(?:不要|别)给我.{2,}`, `只能(?:用|在|由|是|从).{2,}`, `^(?:请)?(?:始终|一直|永远)(?:保留|使用|用|要|先|保持).{2,}`, `需要.{1,8}(?:审批|批准|签字|同意)$`, `^每(?:次|天|周|个|月).*(?:都要|必须|要先|一定要|都得)`, `^(?:每|所有|任何|全部).{1,14}(?:都得|都要|都必须|必须|不得|不能|得有)`,
			`\b(?:from now on|going forward)\b.{3,}`, `^only .{3,30}\b(?:may|can|are allowed)\b.{3,}`, `^(?:all|every|each|any) .{2,40}\b(?:must|has to|have to|needs? to|may only)\b`, `\b(?:needs?|requires?) (?:at least )?(?:one|two|three|four|\d+) (?:[a-z]+ )?(?:approvals?|reviews?|reviewers?|signatures?|sign-offs?)`, `\bmax(?:imum)?\.? (?:of )?\d+ .+ (?:per|an?|each)\b`, `^starting (?:today|tomorrow|now|next|monday|tuesday|wednesday|thursday|friday)\b.{3,}`,
			`^(?:please |pls |and |also |so |but )*(?:always|never) [a-z]{2,} .+`, `\b(?:must|may|shall) not\b`, `\bmust (?:be [a-z]+ed|be [a-z]+en|be (?:under|below|unique|present)|ask|run|use|have (?:a|an)|go|pass|include|contain|come|carry|stay|not)\b`,
			`\b(?:is|are) (?:strictly )?(?:not allowed|forbidden|prohibited|banned|mandatory|off limits|limited to|capped at)\b`, `^(?:rule|policy|constraint|requirement|limit)s?(?: \d+)? ?:`,
			`\b(?:no more than|at most|at least|maximum of|not exceed|limit is|limit of)\b.{0,16}(?:\d|one|two|three|four|five|ten)`,
			`^(?:please )?(?:do not|don't) (?:ever )?(?:use|commit|push|deploy|merge|touch|edit|delete|call|send|write|put|run|change|modify|format|create|install|store|log|share)\b.{4,}`,
			`^no [a-z-]+(?: [a-z-]+)? (?:on|in|without|before|after|during|outside) .{3,}`,
		), slices.Concat(patterns(rulePhrases()...), patterns(standingPhrases()...), patterns(forbiddenPhrases()...))...),
		unless: newPattern(notForbidden + `|会不会|要紧|不怕了?$|\bit (?:only |just )?(?:gets|becomes)\b|不得不|不得了|不得已|恨不得|舍不得|怪不得|巴不得|值不值得|必须的?$|必须说|别担心|别急|不要紧|要不要` +
			`|看来|只好|报错|必须.{0,6}了$|\berror\b|^(?:rerun|run|try|make|give|show|set) (?:it|this|that|me)\b|never (?:mind|been|heard|seen|thought|knew|had|said|again|got|did|was|were|saw|came|went|made|happened|works?|worked|liked|wanted)|always been|must (?:say|admit|see|have (?:been|had|cost|gone|got|[a-z]+ed))|(?:he|she|it|that|this|they|i|there) must (?:be|have|feel)|you must (?:be |have been|feel|know|think|love|mean)|no (?:problem|idea|worries|need|rush|way|one|luck|thanks|doubt|wonder)|don't (?:worry|know|think|care|understand|get|want|need|have)|at least (?:i|it|we|you|that)`),
	}
}

// architectureRule finds changes in how a system is built: a part of it and a
// change to that part.
func architectureRule() rule {
	const part = `(?:架构|模块|服务|接口|数据库|队列|网关|表|缓存|前端|后端|存储|总线|索引|组件|流水线|集群|单体|中间件|系统|平台|应用|网站|后台|客户端|引擎|schema|api|redis|kafka|postgres|sqlite|mysql|grpc|rest|docker|k8s|nats|rabbitmq)`
	const change = `(?:迁移到|迁到|改成|改为|换成|切换到|切到|拆成|拆分|拆出|合并到|合并成|重构|替换成?|引入|下线|废弃|弃用|升级到|新增了|移除|抽出来|抽成|独立成|挪到|搬到|不再|改走|改用|重写)`
	const englishPart = `(?:service|module|database|queue|gateway|schema|cache|api|index|layer|table|frontend|backend|front end|back end|pipeline|storage|monolith|cluster|parser|package|component|microservice|proxy|broker|worker|store|server|app|site|website|system|platform|codebase|engine|scheduler|client|bot)s?`
	return rule{
		class: Architecture, confidence: 0.75, assistant: true,
		triggers: []string{"迁", "改", "换", "切", "拆", "合并", "重构", "替换", "引入", "下线", "废弃", "弃用", "升级", "新增", "移除", "抽", "独立", "挪", "搬", "不再", "重写", "moved", "replaced", "split", "migrated", "switched", "merged", "introduced", "removed", "deprecated", "extracted", "rewritten", "rewrote", "refactored", "now ", "dropped", "upgraded", "加了", "引入", "接入", "解耦", "通过", "经过", "走", "存", "跑", "放", "部署", "移", "ported", "swapped", "consolidated", "put ", "no longer", "decoupled", "straight", "pulled"},
		patterns: append(patterns(
			part+`.{0,20}`+change, `从.{1,12}(?:改成|换成|迁移?到|切换?到)了?(?:直接)?(?:写|走|用|读|存|[a-z])`, change+`.{0,20}`+part,
			`\b(?:moved|replaced|split|migrated|switched|merged|introduced|removed|deprecated|extracted|rewritten|rewrote|refactored|upgraded)\b.{0,50}\b`+englishPart+`\b`,
			`\b`+englishPart+`\b.{0,40}\b(?:was|were|has been|is now|are now|got) (?:\w+ )?(?:moved|replaced|split|migrated|switched|merged|removed|deprecated|extracted|rewritten|refactored|upgraded)\b`,
			`\b`+englishPart+`\b.{0,20}\bnow (?:talks?|writes?|reads?|goes|uses?|runs?|calls?|lives?|depends?)\b`,
		), patterns(architecturePhrases()...)...),
		unless: newPattern(`\b(?:the|this|a|my|our) (?:file|button|line|text|paragraph|title|image|icon|variable|word|meeting|call|appointment|launch|deadline|desk|chair|car|party|date)s? (?:was|were|is|has|have|had|to|from|into|in|on|up|down|for)\b|^(?:换成|改成|改为|换为)|建议|接下来|会把|将把|应该|可以|打算|计划|想要|想把|需要|帮我|请|怎么|试试|^(?:把|将)[^了]*$|\b(?:please|want to|plan to|going to|should|can|need to|let's|let me|will|to be)\b`),
	}
}

// lessonRule finds what was learned from something that went wrong.
func lessonRule() rule {
	return rule{
		class: Lesson, confidence: 0.75,
		triggers: []string{"教训", "踩", "坑在", "吃一堑", "next time", "原来是", "学到", "经验", "lesson", "root cause", "turns out", "turned out", "learned", "culprit", "原来", "发现", "后来", "事后", "最后", "结果", "长记性", "亏", "早知道", "复盘", "下次", "心得", "体会", "说明", "表明", "原因", "因为", "由于", "源于", "出在", "takeaway", "learning", "learnt", "hindsight", "because", "due to", "came from", "came down", "should have", "should've", "mistake", "note to self"},
		patterns: append(patterns(`教训(?:是|:|,|，)`, `踩(?:了个?|到)?坑`, `坑在于`, `^原来是.*(?:导致|造成|引起|因为|问题|原因)`, `经验(?:是|:|教训)`, `学到了`,
			`^lessons?(?: learned)? ?:`, `^(?:it )?turn(?:s|ed) out\b.{6,}`, `\bi(?:'ve)? learned (?:that|the hard way)\b.{6,}`, `吃一堑.{2,}`, `\bnext time (?:i|we)(?:'d| should| must| will)\b.{6,}`), patterns(lessonPhrases()...)...),
		unless: newPattern(`\bnever mind\b|\bi can't read\b|turn(?:s|ed) out (?:great|fine|well|ok|good|nice|that way)|turn(?:s|ed) out (?:i|you|he|she|it|we) (?:was|were|is|am) (?:wrong|right|fine|ok)`),
	}
}

// causeRule finds why something went wrong, whoever says it.
func causeRule() rule {
	return rule{
		class: Lesson, confidence: 0.75, assistant: true,
		triggers: []string{"根因", "根本原因", "问题出在", "root cause", "culprit", "caused by"},
		patterns: patterns(`(?:根因|根本原因)(?:是|在于|:)`, `问题出在.{2,}`, `\broot cause(?: was| is|:)`, `\bthe culprit (?:was|is)\b`, `\b(?:was|were) caused by\b.{3,}`),
	}
}

// taskRule finds things that somebody has to do, with who or when.
func taskRule() rule {
	const when = `(?:今天|明天|后天|今晚|明早|今早|周末|周[一二三四五六日天末]|星期[一二三四五六日天]|礼拜[一二三四五六日天]|下周|本周|月底|年底|下个?月|[0-9一二三四五六七八九十]+ ?(?:号|日|点|月)|之前|前(?:要|得|必须|把|给|会|去|完成|提交|交|发|上线)|前$)`
	const deed = `(?:完成|提交|交付|交|发布|发出|发给|发|给|寄|修好|上线|更新|准备好?|搞定|跟进|续|还|订|预约|打电话|联系|确认|整理|写完|做完|买|换|办|领|取|投)`
	const english = `(?:by|before|on|until)`
	return rule{
		class: Task, confidence: 0.75,
		triggers: []string{"待办", "todo", "行动项", "任务:", "提醒我", "别忘了", "不要忘", "记得", "负责", "前", "周", "明天", "后天", "今晚", "月底", "号", "remind me", "action item", "don't forget to", "remember to", "will ", "'ll ", "need", "have to", "has to", "must", "should", "let's", "due", "deadline", "要做的事", "周末", "明早", "今天", "月", "日", "点", "promise", "got to", "gotta", "ought", "next step", "next action", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "next week", "next month", "next year", "on ", "周", "星期", "礼拜", "appointment", "interview", "exam", "flight", "to do", "to-do"},
		patterns: append(patterns(
			`^(?:待办|todo|行动项|任务|action items?|next steps?|task)s? ?:`, `提醒我.{2,}`, `^(?:别忘了|不要忘了?|记得).*(?:`+when+`|买|寄|交|打电话|续|取|带上|拿|订|预约|付|缴|回复|联系|通知|喂|接|关|锁).*`, `^要做的事[:].{2,}`, `^let's .{3,}\bbefore (?:mon|tues|wednes|thurs|fri|satur|sun|the|next)`, `由.{1,8}(?:负责|跟进|来做|来写)`, `^[^,，。]{1,6}负责.{2,}`+when, `^todo\b`, `^(?:i |we )?need to .{3,}\b(?:today|tomorrow|tonight|this (?:week|afternoon|evening|morning)|next week|before|by (?:the|mon|tue|wed|thu|fri|sat|sun|noon|\d))`,
			`^(?:我|你|我们|咱们|小.|老.|[^,，。]{1,4}?)?(?:会|要|得|需要|必须|应该|来|在)?[^,，。]{0,4}`+when+`[^,，。]{0,4}(?:要|得|把|去|会|必须|需要|给)?[^,，。]{0,12}`+deed,
			`^(?:please |also |and )*(?:don't forget|remember) to\b`,
			`\b\w+(?:'ll| will| needs? to| ha(?:s|ve) to| must| should) \w+ .*\b`+english+`\b ?(?:the )?(?:mon|tues|wednes|thurs|fri|satur|sun|tomorrow|tonight|noon|eod|end|next|week|month|morning|afternoon|evening|january|february|march|april|may|june|july|august|september|october|november|december|\d|the)`,
			`\b(?:is|are) due\b|\bdeadline (?:is|for|on)\b`,
		), append(patterns(taskPhrases()...), patterns(plannedPhrases()...)...)...),
		unless: newPattern(notPlanned + `|\bto-?do (?:app|lists?|comments?|items?|page|component|api|demo|example)\b|禁止|不准|不得|一律|不允许|昨天|上周|上个?月|已经|刚才|刚刚|(?:交|发|寄|提交|完成)了|周五见|记得(?:我|你|吗|那)|see you|yesterday|already|早点|过期|逾期|每(?:月|周|天|年|季度)|\b(?:have|got|need) to (?:go|run|leave)\b|i'll be back|will be back|\b(?:she|he|it|they)(?:'ll| will) (?:arrive|be|come|call)\b|due to`),
	}
}
