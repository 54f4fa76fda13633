package capture

// What is asked for from now on, what must never be done, and what is planned for
// a day: said in many ways, and close to what nobody means to be kept.

// standingPhrases are wishes for all that comes; one for the answer at hand names no such time.
func standingPhrases() []string {
	const begin = `^(?:以后|今后|往后|从今往后|从现在起|从现在开始|从今天起|从今天开始)[,，]?(?:你的?|您的?|大家|我们|所有的?|每次的?|给我的?|对我的?|跟我|的)*` +
		`(?:回答|回复|答复|输出|解释|总结|说话|讲话|说明|写(?:代码|文档|邮件|注释|总结|报告)?|代码|注释|文档|提交|邮件|周报|日报|报告|命名|变量名?|格式|语气|称呼)[^,，?他她]{0,6}`
	const later = `(?:from now on|in (?:the )?future|going forward|from here on(?: out)?)`
	const ask = `(?:keep|make|write|give|use|answer|reply|respond|explain|stop|avoid|start|speak|format|put|add|skip|leave out|call|begin|end|be (?:more|less|brief|concise|direct|precise|formal|informal))`
	return []string{
		begin + `(?:请|尽量|务必|最好|麻烦).{2,}`,
		begin + `(?:简短|简洁|简单|精简|精炼|详细|具体|直接|短|口语|正式|直白|通俗|慢|轻松|温和|客气|严谨)(?:一?些|一?点儿?)`,
		`^(?:please |pls )?` + ask + `\b.{3,60}\b` + later + `(?:,? please)?$`, `^` + later + `,? please ` + ask + `\b.{3,}`,
		`^i(?:'d| would)? (?:want|need|like) .{3,40}\b(?:answers|replies|explanations|summaries)\b.{0,20}\b` + later + `$`,
	}
}

// askedOfAnswers are wishes for every answer that name no time.
func askedOfAnswers() []string {
	return []string{`^please (?:always )?(?:use|stop using|avoid|don't use|do not use|add|put|include|leave out|skip) .{3,40}\b(?:in|from) your (?:answers|replies|responses|explanations|summaries|messages)$`}
}

// forbiddenPhrases say of a thing what must never be done with it.
func forbiddenPhrases() []string {
	const thing = `^[^,，?我你他她它这那谁]{1,14}(?:都|也)?`
	const place = `(?:代码|源码|仓库|日志|git|公网|外网|网上|群|聊天|邮件|主分支|生产|线上|配置文件|前端|客户端|明文|外部)`
	const deed = `(?:logged|committed|pushed|force-pushed|shared|stored|hard-?coded|printed|exposed|edited|deleted|merged|deployed|disabled|skipped|bypassed|sent|emailed|posted|checked in|reused|cached|written|published|uploaded|overwritten|used|touched|changed|modified|renamed|restarted|copied|given|kept|put|saved|leaked|disclosed)`
	const goes = `(?:leave|enter|reach|contain|include|touch|appear|end up|hold|depend|import|skip|bypass|expose|go (?:to|into|on|out|live|over)) .{3,}`
	return []string{
		thing + `(?:绝对?|决|千万|永远|一定|万万)不(?:能|可以?|得|准|允许|应该?)(?:再|被|直接|随便|明文|用明文)*(?:写|存|放|传|提交|推|强推|发|泄露|暴露|出现|硬编码|进|上传|改|删|用(?:在|于|到|明文|作)|动|给|共享|分享|合并|部署|上线|跳过|绕过|省略|打印|记录|外传|公开|交给|中断|重启|关闭|入库|落盘)`,
		thing + `不(?:能|可以?|得|准|允许)(?:再|被|直接|随便|明文|用明文)*(?:写死|写|存|放|传|提交|推送?|发|上传|出现|硬编码|打印)(?:进|入|到|在|给|至|往)?` + place,
		`^(?:[a-z'-]+ ){1,5}(?:must|shall|should) never (?:ever )?be ` + deed + `\b`, `^(?:[a-z'-]+ ){1,5}(?:must|shall|may) never (?:ever )?` + goes,
		`^(?:[a-z'-]+ ){1,5}(?:can|may) never (?:ever )?be ` + deed + ` (?:to|in|into|on|with|by|outside) .{3,}`,
		`^(?:[a-z'-]+ ){1,5}(?:is|are) never to be ` + deed + `\b`, `\b(?:must|may|should|shall) under no circumstances\b.{4,}`, `^under no circumstances (?:may|must|should|can|shall) (?:[a-z'-]+ ){1,4}(?:be|leave|go)\b.{3,}`,
	}
}

// notForbidden: what is said of somebody, or of what happens.
const notForbidden = `^(?:i|he|she|it|that|they|there|you|this(?: [a-z]+)?) (?:must|shall|should|can|may) never\b|never have\b|\bfrom now on,? (?:i|we|you|he|she|they) (?:am|are|is)\b`

// plannedPhrases say what the user does on a day to come. Habits ("on Mondays"),
// what others do and what is only feared or offered are none.
func plannedPhrases() []string {
	const weekday = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)`
	const month = `(?:january|february|march|april|may|june|july|august|september|october|november|december)`
	const when = `(?:(?:on|next|this|this coming|coming) ` + weekday + `|tomorrow|next (?:week|month|year)|on (?:the )?\d{1,2}(?:st|nd|rd|th)?(?: (?:of )?` + month + `)?|on ` + month + ` \d{1,2}(?:st|nd|rd|th)?)`
	const hour = `(?: (?:morning|afternoon|evening|night|noon))?(?: at [^,]{1,12})?`
	const event = `(?:appointment|interview|exam|meeting|flight|check-?up|surgery|viewing|lesson|presentation|audition|hearing)`
	const day = `(?:明天|后天|大后天|明早|明晚|今晚|周末|(?:这|本|下|下下)?个?(?:周|星期|礼拜)[一二三四五六日天末]|下周|下个?月|月底|[0-9一二三四五六七八九十]{1,3}月[0-9一二三四五六七八九十]{1,3}[号日]|[0-9]{1,2}[号日])`
	const clock = `(?:早上|上午|中午|下午|晚上|傍晚|一早)?(?:[0-9一二三四五六七八九十两]{1,3}点半?)?`
	return []string{
		`^` + when + hour + `,? (?:i|we)(?:'ll| will)? (?:take|bring|drop off|pick up|fly|drive|travel|move|meet|visit|start|leave for|give|present|host|collect|return|see (?:the|my|our|dr)|have (?:an?|my|our|the) (?:[a-z]+ ){0,2}` + event + `)\b.{0,}`,
		`^` + when + hour + `,? (?:i'm|i am|we're|we are) (?:taking|bringing|dropping off|picking up|flying|driving|travell?ing|moving|visiting|presenting|hosting) .{3,}`,
		`^(?:i'm|i am|we're|we are) (?:taking|bringing|dropping off|picking up|flying|driving|travell?ing|moving|meeting|visiting|seeing|presenting|hosting|leaving for) .{2,50}\b` + when + hour + `$`,
		`\b(?:i|we)(?:'ve| have)(?: got)? an? (?:[a-z]+ ){0,2}` + event + ` .{0,20}` + when + hour + `$`,
		`^` + day + clock + `(?:我们?|咱们?)(?:要|得|会|将)?(?:带|接|送|陪|去|飞|回|搬|约了|见|有一?[个场次]|有(?:体检|面试|考试|手术|约)|把.{1,12}送|面试|出差|参加|拜访|体检|看房|看牙|看医生).{0,24}$`,
	}
}

// notPlanned: proposals, and what was done already.
const notPlanned = `\btak(?:e|ing) (?:my|our) time\b|\busually$|要(?:疯|死|哭|吐|崩溃|累死|炸)了|(?:怎么样|好不好|行不行|如何|可好)[?？]?$|要(?:涨|跌|下雨|下雪|降温|变天|过年|放假|结束|过去|到期?)了|我们?[^,，]{0,10}(?:去|看|做|见|交|接|送|飞|回|搬|到|完)了`
