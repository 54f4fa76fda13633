package capture

// Further ways of saying each class, as they occur in chat. Like all patterns
// they are matched against folded text.

func rememberPhrases() []string {
	return []string{
		`^[^?？]{0,14}(?:要|得|请|帮我|帮忙|给我|麻烦你?)(?:一下|把.{1,8})?(?:记|存|留)(?:住|牢|好|下来?|着点?|一下|一笔|一条)[了哦啊呀哈]*(?:[,，:。 -]|这|那|我|它)`,
		`^(?:记|存)(?:一笔|一条|牢)[,，: ].{3,}`, `^(?:备忘|备注)(?:一下|下)?[,，: ].{3,}`, `(?:存|加|写|记|放)(?:进|到|入|在)(?:你的?|我的?)?(?:长期)?(?:记忆|备忘|笔记)`, `^(?:别|不要|可别)忘了?[啊哦呀哈]*[,，:].{4,}`,
		`^(?:one |some |two |a few )?(?:thing|detail|fact)s? (?:to|you should) remember\b.*:.{3,}`, `^(?:please |also |and )*(?:add|store|put|keep|write) (?:this |that |it )?(?:in|to|into) (?:your |my |the |long-term )*memory\b.{4,}`,
		`^(?:just )?so (?:that )?you remember\b.{4,}`, `^(?:please |also |and )*(?:take note|bear in mind|keep (?:this|that|it) in mind|make sure you remember)\b.{4,}`, `^(?:can|could|will|would) you (?:please |pls |kindly )?(?:remember|note|keep|make|take|save|store|write)(?: an?| this| down)*(?: note| in mind| memo)?(?: that|:|,)`,
	}
}

// assertion is what a correction must hold after its "no": something that is said to be so.
const assertion = `(?:[^,，还不可要就总老但]是[^不吗否]|^是|[,，。:]是[^不吗否]|应该?[是为写用叫在]|[叫姓][^我你]|改[成为]|[a-z0-9]{2,}|在.{2,})`

func correctionPhrases() []string {
	return []string{
		`^(?:等等|等一下|抱歉|不好意思|对不起|哎呀?|啊|哦|噢|[,， ])*(?:我|你|上一?[条句]|刚才|刚刚|前面|之前|那个|那条|[的数话])*(?:好像)?(?:记|说|写|打|发|搞|弄|看|算|填|念)(?:错|反|混|岔|漏)了?(?:一?[个位点].{0,3})?[,，:。].{0,12}` + assertion,
		`^(?:等等|抱歉|不好意思|哦|啊|[,， ])*(?:你|我|刚才|上面|前面|之前).{0,8}(?:不对|有误|作废|不准)[了的]?[,，:].{0,12}` + assertion, `(?:口误|笔误|手误).{0,3}[,，:].{2,}`, `^(?:我)?(?:更正|纠正)(?:一?下|一点)?[,，: ].{3,}`,
		`(?:^|[^不])是[^,，是不]{1,16}[,，]? ?(?:而)?不是[^,，?是这]{1,16}$`, `^(?:哦|啊|噢)不[,，!].{0,12}` + assertion, `(?:不是|并非).{1,20}[,，] ?.{0,4}(?:用的|指的|写的|说的)?是[^不吗否]`,
		`(?:旧|老|过时|过期)的?[^,，]{1,6}[,，].{0,6}(?:新|现在|应该|改成|改为)`, `^(?:实际|事实)上?(?:应该)?是.{2,}`,
		`^(?:oops|sorry|wait|ah|oh|hm+|no|nope|my (?:mistake|bad|fault)|[ ,!.—-])*(?:i|you|we)(?:'ve| have)? (?:gave you|misspoke|mistyped|misread|misremembered|mixed (?:them|it|that|up|those)|got (?:it|that|them|this)|had (?:it|that)) ?[a-z ]*[,.:;—-]+.*\b(?:is|are|was|were|it's|does|do|should|has|have|calls?|runs?|uses?|owns?|means?|goes|comes|needs?|[a-z]+s)\b`,
		`^(?:oops|sorry|wait|ah|oh|[ ,!.—-])*(?:my mistake|my bad|typo|(?:small|quick|minor|one|slight|little)? ?correction|let me correct (?:that|myself|this)|scratch that)[,.:;! —-]+.{6,}`,
		`^(?:wait, |sorry, |oops, )?i (?:said|wrote|told you|put|typed) .+\b(?:but|though)\b,? (?:it's|it is|it was|i meant|actually|that's|they're|it should)`,
		`\b(?:is|are|was|were|it's|they're|he's|she's|has|have|had|leaves|arrives|runs|uses|lives|starts|ends|opens|closes|costs|takes|needs|called|named|meets)\b .{1,50}, (?:and |but )?not [a-z0-9:' -]{1,24}$`, `\b(?:it's|there are|it was|that's|that makes|we have) .{1,24} (?:and|,) not [a-z0-9' -]{1,20}$`,
		`^(?:oh |no,? )?(?:it's|it is|that's|they're|he's|she's) not (?:an? |the |called |in |on |at )?[a-z0-9'-]+(?: [a-z0-9'-]+)?[,;] ?(?:it's|it is|they're|he's|she's|that's|we (?:use|run|have|chose|are|meet)|the|but)\b`,
		`^(?:that|this|it)(?:'s| is| was)? (?:outdated|obsolete|old|no longer (?:true|correct|valid|right)|(?:the|an) old .{1,20}|has changed)[,.;: —-]+.*\b(?:is|are|was|were|it's|now|should)\b`,
	}
}

func openLoopPhrases() []string {
	return []string{
		`(?:没有?|无|未)(?:一个|最终|明确|定下|形成)?(?:结论|定论|头绪|下文|着落|眉目)`, `(?:没|未)(?:能)?(?:找到|查到|查出来?|搞清楚?|弄清楚?|定位到?|想通|弄明白)(?:.{0,4}(?:原因|根因|问题|为什么)|$)`,
		`(?:还|一直|仍|到现在|至今|目前)[^,，]{0,4}没(?:有)?(?:.{0,2})(?:选|谈|商量|讨论|落实|谈拢|定|修|排|解决|答复|回复|回音|消息|反馈|进展|批|签)`, `没(?:谈拢|谈妥|谈成|定下来|商量好|敲定|选好)(?:$|[,，])`,
		`(?:先|暂时|暂且)(?:搁|挂|压|缓|放)(?:着|置|一?缓|一?放|一边)`, `(?:还|暂时|目前|仍)(?:不|没)(?:太)?(?:确定|清楚|明确|明朗)`,
		`(?:等|待)[^,，]{1,14}(?:给(?:个)?(?:意见|答复|回复|反馈|结论|方案)|回来(?:再)?(?:定|说|决定|讨论)|拍板|答复|回信)`, `(?:还在|正在|仍在|尚在)(?:讨论|商量|谈|评估|争论|排查|调研|走流程|审批|拉扯|协商)`,
		`\b(?:unsolved|unexplained|unanswered|unsettled|undetermined|in limbo|on hold|still outstanding)\b`, `\b(?:hasn't|haven't|has not|have not|isn't|is not|wasn't|weren't)(?: yet)? (?:been )?(?:settled|resolved|replied|answered|responded|gotten back|got back|come back|finali[sz]ed|picked|assigned|picked up|diagnosed|clarified)\b`,
		`^(?:let's |we'll |we )(?:park|table|shelve|postpone|defer)(?:ed)? .{4,}`, `\byet to (?:be )?(?:confirm|decide|determine|hear|choose|find|agree)`, `\bno (?:final )?(?:decision|answer|consensus|agreement|conclusion|reply|word|verdict)s? (?:yet|so far|from|on|about)\b`,
		`\bremains? (?:open|unclear|unresolved|undecided|unknown|to be seen)\b`, `\bstill (?:do not|don't|doesn't|isn't|not) (?:yet )?(?:know|clear|sure|decided|agreed|work out)\b.{4,}`, `\b(?:n't|not) (?:yet )?clear (?:yet )?(?:who|what|why|how|when|where|whether|if)\b`, `\bblocked (?:until|till)\b`,
	}
}

func emotionPhrases() []string {
	const feeling = `(?:开心|高兴|难过|难受|伤心|生气|害怕|担心|焦虑|郁闷|孤独|寂寞|幸福|感动|激动|失望|沮丧|崩溃|委屈|紧张|兴奋|心疼|自豪|骄傲|绝望|后悔|无助|迷茫|愧疚|内疚|舍不得|不舍|欣慰|满足|烦躁|心累|压抑|尴尬|丢脸|嫉妒|恐慌|忐忑)`
	const adjective = `(?:happy|sad|angry|worried|anxious|lonely|scared|terrified|excited|thrilled|depressed|frustrated|proud|grateful|heartbroken|devastated|overwhelmed|exhausted|stressed(?: out)?|burn(?:t|ed) out|upset|nervous|disappointed|relieved|ashamed|embarrassed|humiliated|hurt|jealous|guilty|hopeful|delighted|overjoyed|ecstatic|miserable|homesick|hopeless|furious|touched|moved to tears|drained|discouraged)`
	return []string{
		`(?:我|心里|整个人|自己|晚上|最近|这几天|这阵子|今天|真的)[^,，?我]{0,12}(?:好|很|太|真|特别|非常|挺|超|有点|有些|感到|觉得|都|到|得|十分|极其|无比|其实|快要?)` + feeling, `[,，](?:真的|实在|心里|我)?(?:好|很|太|真|特别|非常|挺|超|有点)+(?:累|怕|烦|` + feeling + `)了?$`, `我(?:真的)?(?:好|很|太|特别|非常|挺|有点|对.{1,12}(?:很|挺|非常|特别))(?:怕|满意|累|烦).{0,}`, `我[^,，他她]{0,4}` + feeling + `(?:得|到|死|坏)`,
		`\bi(?:'m| am|'ve been| have been| feel| felt| was|'ve felt)(?: (?:[a-z]+ly|so|very|feeling|quite|a bit|a little|just|too|also|honestly|still|completely))* ` + adjective + `\b`, `\b(?:really|deeply|still) (?:hurt|hurts|stings|broke me)$`, `\b(?:broke my heart|made me cry|brought me to tears|i (?:cried|couldn't stop crying))\b`,
	}
}
