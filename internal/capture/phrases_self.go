package capture

func preferencePhrases() []string {
	return []string{
		`^(?:你)?(?:跟|和|对)我(?:说话|聊天|沟通|讲话?|解释)(?:的时候|时)?.{2,}`, `^我(?:一般|通常|平时|总是|从来不?|向来|每次都|每天都?|习惯(?:在|于|了)?)[^,，?]{2,}`, `比起.{1,12}[,，]?我?(?:还是)?更`, `^(?:你)?(?:回答|回复|输出|解释)(?:问题)?(?:的时候|时)?[,，]?(?:请|要|先|都|尽量|别|不要|最好).{2,}`, `我.{1,6}只(?:吃|喝|用|看|听|买|穿|坐|认).{1,}`, `我(?:从来|一直|基本)?不(?:吃|喝|抽|碰|用|坐|看).{1,8}$`, `我.{0,10}不(?:放|加|要)(?:糖|香菜|葱|蒜|辣|冰|奶|盐|味精|姜)`,
		`\bi(?:'m| am) (?:more of |really |totally |very much |definitely )*an? (?:[a-z]+ )?(?:person|lover|fan|guy|girl|purist|minimalist|early bird|introvert|extrovert)\b`, `^(?:for|with|in|on) .{2,24},? i (?:always|usually|prefer|like|only|never|tend to) .{3,}`, `^i (?:usually|normally|typically|generally|tend to|rarely|mostly|always|never) [a-z]+ .{3,}`,
		`^(?:please )?keep (?:your |the |all )?(?:answers|replies|responses|explanations|messages)\b.{4,}`, `^[a-z]+ over [a-z]+\b.*\b(?:for me|any day|always|every time)\b`, `\b(?:i|me),? i(?:'d| would) rather\b`, `\bi (?:can't|cannot) (?:stand|bear|eat|drink)\b.{3,}`,
	}
}

func identityPhrases() []string {
	const family = `(?:老婆|老公|妻子|丈夫|先生|太太|爱人|对象|儿子|女儿|孩子|妈妈?|爸爸?|父亲|母亲|哥哥?|姐姐?|弟弟?|妹妹?|女朋友|男朋友|爷爷|奶奶|外公|外婆)`
	return []string{
		`^[^,，]{0,4}我是(?:一?[个名位]|[两二三四]个)?[^,，?说想在]{0,12}(?:[师员家医生]|经理|总监|主管|顾问|老板|护士|程序员|客服|销售|运营|产品|测试|前端|后端|司机|警察|军人|博士|硕士|研究生|创业者|志愿者|翻译|编辑|记者|妈妈|爸爸|独生子女|单身|[京沪粤川湘鄂]?人)$`, `我(?:今年|刚满|刚过)?(?:已经)? ?[0-9]{2} ?(?:多)?岁`, `我(?:大学|本科|研究生|硕士|博士|高中)?(?:学|读|念)的?是`, `我.{0,6}毕业于|我(?:是)?.{2,12}毕业的?$`,
		`我们?(?:团队|公司|组|部门|家|工作室)(?:一共|总共|现在)?(?:就|有)?[0-9一二两三四五六七八九十几]+个?(?:人|口)`, `^我(?:主要|目前|现在)?(?:在.{1,10})?负责[^,，?一]{2,12}$`, `^我(?:免贵)?姓[^,，?]{1,3}(?:$|[,，])`, `我和我?(?:的)?(?:` + family + `|家人).{0,4}(?:现在)?(?:住|定居|生活)`, `我(?:家)?(?:的)?` + family + `(?:今年|现在|在|上|叫|是|也是|名叫)[^,，?不说]{2,}`, `我(?:现在|目前)?在.{1,12}(?:做|当|干|搞|从事|担任)[^了过完好个一]{1,8}(?:$|[,，])`,
		`\bi(?:'ve| have) been (?:working (?:as|at|in)|living in|an? [a-z -]{3,30} for|teaching|coding for)\b.{2,}`, `\bi(?:'ve| have) (?:worked|lived) (?:at|in|for|as|here)\b.{2,}`, `\bwe(?:'re| are) an? (?:small |tiny |young |[a-z]+-person )?(?:team|company|family|startup|crew|firm|studio|agency|non-?profit)\b`, `\bi (?:teach|study|studied|coach) [a-z]+ ?(?:and [a-z]+ )?(?:at|in|$|for a living)`,
		`\bi(?:'m| am) \d{2}(?: and\b| years old|,|$)`, `\bi (?:run|own|manage|lead|founded|co-founded) (?:an?|my own|our|the) .{0,30}(?:company|bakery|shop|store|studio|team|business|startup|agency|firm|clinic|farm|school|restaurant|caf[eé]|practice|department|channel|blog|charity|hotel)\b`, `\bi(?:'m| am) (?:an? )?(?:retired|former|self-employed|unemployed|married|divorced|single)\b`, `\bi(?:'m| am) originally from\b`,
		`\b(?:i|we) have (?:[a-z]+ )?(?:kids?|child|children|sons?|daughters?|cats?|dogs?|siblings|brothers?|sisters?|twins)\b`, `\bmy (?:name's|wife|husband|partner|son|daughter|boyfriend|girlfriend)(?: [a-z]+)? (?:is|are|works|teaches|runs|studies|goes to)\b.{3,}`,
	}
}
