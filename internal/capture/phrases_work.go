package capture

func decisionPhrases() []string {
	return []string{
		`(?:想了|考虑|商量|讨论|权衡|对比|比较|评估|斟酌|确认|开会|开完会|碰了?|问了?|谈了?)[^,，?]{0,8}[,，之后 ]+(?:我们?|咱们?|大家|最后|最终|还是|先|就|都)*(?:还是|先|确定|决定|选择|同意|由|定|打算|用|选|继续|保留|砍掉|改|做)(?:用|做|选|把|由|定|了|.{2,})`,
		`(?:投票|表决|讨论|评审|商量|评估|开会|会议|例会)(?:的)?(?:结果|结论)(?:就?是|:|为)`, `^(?:所以|最后|最终)?结论(?:就?是|:).{2,}`, `(?:会上|会议上|例会|周会|群里)[^,，]{0,4}(?:定的?|决定|通过|同意|拍板|说好)`,
		`(?:领导|老板|甲方|客户|董事会|委员会|团队|大家|全员|双方|主管|总监|经理|家里人?|全家|组里|部门)[^,，]{0,6}(?:最后|最终|都|一致|已经?)?(?:同意|批准|批了|答应|拍板|决定)了?.{2,}`, `(?:方案|提案|提议|计划|预算|申请)[^,，?]{0,6}(?:通过|批下来|批准|敲定)了?`,
		`确定(?:了|由|把|让|要|改|不).{2,}`, `(?:已经|都|就)定(?:下来?|好|死)了$`, `^(?:那|行|好的?|嗯|可以|[,，吧 ])+(?:我们|咱们?)就?(?:走|用|选|按|做|采用|去|改).{3,}`, `^就(?:选|定|用|要)[^这那它第你].{2,}(?:不再?改|不变|就这样)了?$`, `^(?:我们|我)?(?:打算|计划)?正式(?:放弃|停止|启用|采用|废除|取消).{2,}`,
		`\b(?:it's|it is|that's|that is|all|we're|everything's) (?:now |all |been |officially )?(?:decided|settled|agreed)\b[,.:; —-]*`, `^(?:ok|okay|alright|right|so|good|[ ,])*(?:decided|agreed|settled)(?: with .{2,20})?[:,—-]+.{4,}`, `\b(?:made up (?:my|our) minds?|made (?:the|our|my) (?:decision|choice|call) to)\b.{4,}`,
		`\b(?:the|our) (?:committee|board|council|management|leadership|team|family|boss|company|directors?|client|partners|group|jury|department)\b(?: [a-z]+)? (?:voted|signed off|approved|green-?lit|agreed|opted)\b.{3,}`, `^(?:we|management|leadership|everyone)(?:'ve| have)?(?: all| both| finally)? (?:voted (?:to|for)|signed off on|approved|agreed (?:that|to|on))\b.{3,}`,
		`^(?:so |ok |and )*the (?:final |new )?(?:plan|verdict|outcome|conclusion|agreement) is\b.{4,}`, `^decisions? (?:from|of|after|in|at|for) .{2,30}: ?.{4,}`, `\bi'm (?:taking|accepting|turning down|quitting|resigning from) (?:the|my|that|this) (?:job|offer|role|position)\b`,
	}
}

func rulePhrases() []string {
	return []string{
		`(?:至少|最多|最少|最大|不少于|不超过|不得超过|不低于|不高于|不得少于|上限|下限|限制在)[^,，]{0,6}(?:[0-9一二两三四五六七八九十百千]+ ?(?:个|人|次|位|天|小时|分钟|秒|条|行|张|份|元|块|%|字|[kmgt]b?\b))`, `只有.{1,12}才(?:能|可以|允许|有权|准).{2,}`, `需要?.{1,10}(?:批准|审批|复核|同意|签字|review|授权)才?(?:$|能|可以)`,
		`(?:统一|一律|一概|全部)(?:都)?(?:用|使用|采用|写|放|走|按|存|要|叫).{1,}`, `(?:往后|今后|以后|从今|从此).{2,}(?:都|得|要|不能|不要|必须|一律)`, `(?:之前|前)(?:交|提交|报|申请|填).{0,6}[,，](?:过期|逾期|否则|超时)`, `(?:才能|才可以|才准|方可)(?:合并|发布|上线|提交|报销|进|用|开|合|部署|删除).{0,}`,
		`^(?:nobody|no one|no-one) .{4,}`, `\bonly .{2,40}\b(?:may|can|are allowed to|is allowed to|must)\b .{3,}`, `^(?:every|each|all|any) [a-z].{2,40} (?:needs?|must|requires?|has to|have to|should|are to|is to|gets?)\b .{2,}`,
		`\b(?:requires?|needs?) (?:the |an? |prior |written |explicit )*(?:approval|sign-?off|permission|authori[sz]ation|consent)\b`, `\b(?:has|have|must) (?:to )?be (?:[a-z]+ed|made|sent|done|at (?:least|most)|no|under|below|above|in)\b.{4,}`, `^(?:from now on|going forward|from here on(?: out)?|henceforth|as of (?:today|now|next))\b.{6,}`,
		`^we never [a-z]+ .{4,}`, `\b(?:is|are) (?:strictly )?(?:not permitted|compulsory|obligatory)\b`, `\b(?:company|team|house|our|office) (?:policy|rule)s?$`,
	}
}

func architecturePhrases() []string {
	return []string{
		`把.{1,14}(?:挪|搬|移|迁|拆|抽|独立|剥离)(?:到|去|出|成|进|给)了?.{2,}`, `(?:加|引入|接入|前面套|上|挂)了(?:一[个层套])?.{0,10}(?:中间件|缓存|队列|网关|代理|cdn|索引|总线|集群|读写分离)`, `用.{1,12}把.{1,16}(?:解耦|串起来|连起来|隔开)了?`, `(?:通过|经过|走)(?:网关|队列|代理|总线|消息).{0,8}(?:访问|调用|通信|转发).{0,}[,，]`,
		`(?:登录|鉴权|认证|权限|支付|会话|数据|日志|搜索|推荐|报表|图片|消息|定时|后台|文件|订单|库存|用户|配置|监控|通知|通信|部署|worker|session|sso|ci).{0,14}(?:迁|换|改|切|拆|移|挪|搬|重写|合并|存)(?:到|成|走|为|在|了).{1,}(?:[a-z]{2,}|服务|存储|集群|库|实例|模块|接口|队列|网关|进程|平台|系统)`, `(?:现在|已经)(?:都|全)?(?:存|跑|放|部署)(?:在|到|进).{1,16}(?:[,，](?:不再|而不是|不用).{2,}|[a-z]{3,})`,
		`\bwe(?:'ve| have)?(?: just| finally| recently| now| already)? (?:replaced|dropped|migrated|ported|swapped|switched|moved|rewrote|rewritten|extracted|consolidated|split|merged|put|decoupled)\b .{2,40}\b(?:with|to|from|into|onto|for|in front of|behind|out of)\b.{2,}`, `\bwe (?:replaced|dropped|ditched|swapped) .{3,40}\binstead$`,
		`\b(?:was|were|has been|have been|got) (?:[a-z]+ )?(?:rewritten|ported|moved|migrated|replaced|split|merged|extracted|consolidated|containeri[sz]ed|dockeri[sz]ed|decoupled)\b (?:as|to|into|in|from|with|onto|by|out of) .{2,}`,
		`\b(?:is|are) now (?:stored|served|handled|hosted|run|kept|cached|queued|routed|written|generated)\b.{3,}`, `\b(?:no longer|now) (?:runs?|lives?|talks?|goes?|go|stored|served|uses?|writes?|reads?|calls?)\b.{3,}\b(?:on|in|to|from|over|through|via|by|instead|its)\b.{2,}`, `\b(?:go|goes|run|runs|is|are) (?:straight |directly )(?:to|into|from|on) .{2,} now\b`, `\bi (?:moved|extracted|split|pulled) .{3,40}\b(?:into|out of|to) (?:an? |its |their )?.{3,}`,
	}
}

func lessonPhrases() []string {
	return []string{
		`(?:查了|折腾|排查|搞了|弄了|研究|调试|忙活|debug)[^,，]{0,8}[,，].{0,4}(?:原来|结果|才|竟然|居然|最后|其实|是)`, `(?:后来|最后|事后|回头)(?:才|来)?(?:发现|知道|明白|想|看)[,，]?(?:是|原来)?.{4,}`, `(?:事故|故障|问题|bug|宕机|报错|延期|投诉)[^,，?]{0,4}(?:说明|表明|告诉我们|(?:的)?(?:根本)?原因(?:是|在于)|是因为|是由于|源于|出在).{2,}`,
		`长记性|吃了.{1,14}的亏|早知道(?:就|该|要|应该).{2,}|血的教训|复盘(?:下来|发现|后|:|,|，).{3,}`, `^(?:一个|最大的)?(?:经验|心得|体会)(?:是|:|,|，|就是).{3,}`, `^下次(?:一定|应该|得|必须|务必)(?:要|先)?.{4,}`, `^原来是.{3,}(?:没|错|少|多|满|忘|反)`,
		`^(?:the |my |our |a |key |main |big |biggest |hard )*(?:lessons?|takeaways?|learnings?)\b[^.:?]{0,40}(?::| is| was)`, `\bwhat (?:we|i)(?:'ve)? learn(?:ed|t)\b.{0,30}[:,].{4,}`, `\b(?:in|with) hindsight\b.{4,}`, `\b(?:outage|incident|bug|crash|failure|problem|issue|delay|leak|downtime|regression)s?\b.{0,20}\b(?:happened because|occurred because|was (?:because|due to)|came (?:from|down to)|was down to)\b.{4,}`,
		`\b(?:we|i)(?:'ve)? learn(?:ed|t) (?:that |the hard way |from )`, `\b(?:we|i) should(?:'ve| have) [a-z]+ .{3,}`, `\b(?:our mistake|mistake (?:on|from) (?:our|my) (?:side|part|end))\b.{4,}`, `\bnote to self\b.{6,}`, `^next time (?:we|i)(?:'ll| should| must| will| need)\b.{6,}`,
	}
}

func taskPhrases() []string {
	const day = `(?:今天|明天|后天|大后天|今晚|明早|周[一二三四五六日天末]|星期[一二三四五六日天]|这周|本周|下周|月底|年底|本月|这个月|下个?月|[0-9一二三四五六七八九十]+ ?[号日月点])`
	const time = `(?:today|tomorrow|tonight|this (?:week|weekend|month|morning|afternoon|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|next (?:week|month|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:by|before|on|until) (?:noon|midnight|eod|the|next|mon|tues|wednes|thurs|fri|satur|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\d))`
	return []string{
		`^(?:我们?|咱们?)?[^,，?他她]{0,2}` + day + `[^,，?他她不别以]{0,8}(?:我们?|咱们?)?(?:要|得|必须|需要|需|该)(?:把|去|给|将)?[^,，?吗]{2,}$`, `^(?:我们?|咱们?)(?:要|得|必须|需要|需)在?[^,，?]{0,4}` + day + `[^,，?]{0,4}(?:之前|以前|前|内|里)?.{2,}`, `^待办(?:事项|清单)?[:：].{2,}`, `^(?:记得|别忘了)?提醒我.{2,}`,
		`\b(?:i|we)(?:'ve| have)?(?: still| really| also| just| both)* (?:need to|have to|must|should|got to|gotta|ought to) .{3,}\b` + time, `^(?:my |our |the )?next (?:step|action)s?(?: for .{2,16})?(?::| is)`, `\bi promised .{3,}\b` + time, `\bdeadline (?:for .{2,40} )?is\b.{2,}`, `^to[- ]?do ?[:：].{3,}`,
		`\bmy .{2,24} (?:appointment|interview|exam|flight|surgery|deadline|check-up) is (?:on|next|at|this|tomorrow|due|\d)`, `\bremind me (?:to|about|on|in|at|tomorrow|tonight|next|before|every)\b.{3,}`,
	}
}
