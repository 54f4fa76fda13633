package redact

func phraseRules() []phraseRule {
	var rules []phraseRule
	for _, part := range [][]phraseRule{overrideRules(), personaRules(), disclosureRules(), deliveryRules(), actionRules(), forgeryRules(), otherLanguageRules()} {
		rules = append(rules, part...)
	}
	return rules
}

func overrideRules() []phraseRule {
	drop := []string{"ignor", "disregard", "forget", "overrid", "bypass", "discard", "neglect", "dismiss", "pay no attention to",
		"do not follow", "don't follow", "stop following", "stop obeying", "do not obey", "set aside", "throw away", "abandon"}
	earlier := []string{"previous", "prior", "above", "earlier", "preceding", "foregoing", "your", "the system", "existing", "initial",
		"original", "developer", "safety", "given before", "you were given", "you have been given"}
	dropZh := []string{"忽略", "无视", "無視", "忘记", "忘記", "忘掉", "不要理会", "不要理會", "不必理会", "别管", "別管", "抛弃", "拋棄", "丢弃", "丟棄",
		"跳过", "跳過", "不要遵守", "不用遵守", "无需遵守", "不再遵守", "不再遵循", "停止遵守", "停止遵循", "推翻", "绕过", "繞過", "作废"}
	earlierZh := []string{"之前", "以前", "先前", "前面", "以上", "上面", "上述", "此前", "所有", "一切", "全部", "任何", "你的", "您的", "系统", "系統", "原有", "原先", "原来", "既有", "开发者", "開發者"}
	return []phraseRule{
		{name: "override", plain: true, steps: [][]string{drop, earlier, {"instruct", "prompt", "directive", "guideline", "rules", "command", "polic", "constraint", "restriction", "programming", "training"}}},
		{name: "override", plain: true, steps: [][]string{drop, {"all ", "any ", "every "}, {"instruct", "directive", "system prompt", "programming"}}},
		{name: "override", plain: true, steps: [][]string{drop, {"everything above", "everything before", "everything prior", "everything you were told", "everything you have been told", "everything you know", "all of the above", "the above", "what you were told", "all that came before"},
			{" and ", "instead", "; ", ", you", ", now", " now"}}},
		{name: "override", plain: true, steps: [][]string{dropZh, earlierZh, {"指令", "指示", "提示词", "提示詞", "提示语", "提示語", "系统提示", "系統提示", "设定", "設定", "规则", "規則", "命令", "约束", "約束", "限制", "安全策略", "训练"}}},
		{name: "override", steps: [][]string{{"system override", "admin override", "instruction override", "priority override:", "new system prompt", "new system instruct", "your new instructions are", "your new goal is to", "your real task is", "your actual task is",
			"your true purpose", "end of system prompt", "[end of instructions", "end of instructions ---", "end of instructions]", "updated system instruct", "新的系统指令", "新的系統指令", "系统指令更新", "你真正的任务", "你的真实任务", "你的真正任务", "最高优先级指令", "最高優先級指令"}}},
		{name: "safety_off", plain: true, steps: [][]string{{"disable", "turn off", "deactivat", "bypass", "circumvent", "switch off", "remove"},
			{"your safety", "your guardrail", "your content", "your ethic", "your filter", "your restrict", "your moderation", "all safety guideline", "safety guidelines", "ethical guideline"}}},
		{name: "safety_off", plain: true, steps: [][]string{{"关闭", "關閉", "解除", "禁用", "绕过", "繞過", "突破", "取消"}, {"你的安全", "你的限制", "你的过滤", "安全护栏", "安全護欄", "道德限制", "伦理限制", "倫理限制", "内容审查机制", "所有安全限制", "一切限制"}}},
	}
}

func personaRules() []phraseRule {
	return []phraseRule{
		{name: "persona", steps: [][]string{{"you are now", "you're now", "from now on you", "from now on, you", "you will now act", "you must now act", "you are no longer", "henceforth you", "pretend to be", "pretend you are", "pretend that you are", "act as ", "roleplay as", "role-play as", "simulate being", "imagine you are", "behave as", "you shall be"},
			{"dan ", "dan,", "dan.", "unrestricted", "unfiltered", "uncensored", "jailbr", "no restrict", "without restrict", "without any restrict", "no rules", "no limit", "no ethical", "no moral", "evil", "developer mode", "god mode", "free from", "not bound", "bound by", "root access", "a different ai", "another ai", "an ai that", "an ai without", "an ai with no", "ai assistant that", "assistant named", "not an ai", "an assistant with", "hacker"}}},
		{name: "persona", steps: [][]string{{"do anything now", "dan mode", "jailbreak mode", "god mode enabled", "越狱模式", "越獄模式", "无限制模式", "無限制模式"}}},
		{name: "persona", steps: [][]string{{"developer mode", "debug mode", "maintenance mode", "sudo mode", "admin mode"}, {"respond", "answer", "no restrict", "unfiltered", "bypass", "ignor", "without restrict", "without filter", "comply"}}},
		{name: "persona", steps: [][]string{{"你现在是", "你現在是", "现在你是", "現在你是", "从现在开始你", "从现在开始，你", "从现在起你", "从现在起，你", "從現在開始你", "從現在開始，你", "從現在起，你", "你不再是", "你将扮演", "你將扮演", "请扮演", "請扮演", "请你扮演", "請你扮演", "假装你是", "假裝你是", "假设你是", "假設你是"},
			{"不受", "没有任何限制", "沒有任何限制", "没有限制", "沒有限制", "无限制", "無限制", "无任何限制", "越狱", "越獄", "开发者模式", "開發者模式", "dan", "黑客", "駭客", "另一个ai", "另一個ai", "必须服从", "必須服從", "没有道德", "沒有道德", "不再遵守", "不再受", "无需遵守", "超级管理员"}}},
		{name: "authority", steps: [][]string{{"this is", "message from", "i am", "i'm", "speaking as", "on behalf of"}, {"your developer", "your creator", "openai", "anthropic", "the system administrator", "your administrator", "your system admin", "the ai safety team", "the security team"},
			{"you must", "you are authoriz", "you are to ", "override", "comply", "i authoriz", "disable", "requires you", "grant me", "i order you", "i command you"}}},
		{name: "authority", steps: [][]string{{"我是", "这是", "這是", "来自", "來自"}, {"你的开发者", "你的開發者", "你的创造者", "你的創造者", "openai", "anthropic", "系统管理员", "系統管理員"}, {"必须", "必須", "授权你", "授權你", "命令你", "解除", "服从", "服從", "要求你"}}},
		{name: "addressed_to_ai", steps: [][]string{{"note to ai", "attention ai", "dear ai", "instructions for the ai", "instructions for ai", "instruction to the assistant", "message to the assistant", "message for the ai", "if you are an ai", "if you are an llm", "if you are a language model", "if an ai is reading", "ai assistants reading", "ai agents reading", "any ai reading", "llms reading this", "ai models reading", "hey assistant, ",
			"致ai", "给ai的", "給ai的", "如果你是ai", "如果你是一个ai", "如果你是一個ai", "如果你是大模型", "如果你是语言模型", "阅读本文的ai", "ai助手请注意", "ai助手請注意", "ai请注意", "ai請注意", "对ai的指令"}}},
	}
}

func disclosureRules() []phraseRule {
	return []phraseRule{
		{name: "prompt_leak", plain: true, steps: [][]string{{"reveal", "show", "print", "repeat", "output", "display", "disclose", "leak", "dump", "tell me", "give me", "write out", "write down", "expose", "recite", "what is", "what are", "what were", "summarize", "summarise", "translate"},
			{"your system prompt", "your system message", "your initial prompt", "your initial instruct", "your hidden", "your instructions", "your original prompt", "your original instruct", "your prompt", "your full prompt", "your entire prompt", "your secret instruct", "the words above", "the text above", "everything above", "your developer message", "the system prompt verbatim", "the system prompt word for word"}}},
		{name: "prompt_leak", plain: true, steps: [][]string{{"输出", "輸出", "显示", "顯示", "告诉我", "告訴我", "打印", "重复", "重複", "复述", "複述", "泄露", "洩露", "透露", "展示", "说出", "說出", "列出", "翻译", "总结"},
			{"你的系统提示", "你的系統提示", "你的提示词", "你的提示詞", "你的初始指令", "你的初始提示", "你的隐藏", "你的隱藏", "你的指令", "你的原始指令", "你的内部指令", "你的全部指令", "上面的全部内容", "以上全部内容", "完整的系统提示", "完整的系統提示", "系统提示词原文"}}},
		{name: "secrecy", steps: [][]string{{"do not tell", "don't tell", "never tell", "without telling", "hide this from", "keep this secret from", "keep this hidden from", "conceal this from", "not to tell", "do not let"},
			{"the user about", "the user that", "the user.", "the user of", "the user know", "the user,", "the human", "the operator", "your user", "your owner", "the owner", "the user"}}},
		{name: "secrecy", steps: [][]string{{"do not mention", "don't mention", "never mention", "do not disclose", "do not reveal", "don't reveal", "never reveal", "do not acknowledge"}, {"this instruct", "these instruct", "this prompt", "this message", "this to the user", "that you received", "that you were", "to the user that", "this injection"}}},
		{name: "secrecy", steps: [][]string{{"不要告诉", "不要告訴", "别告诉", "別告訴", "不得告知", "不能告诉", "不能告訴", "瞒着", "瞞著", "瞞着", "切勿告诉", "切勿告知"}, {"用户", "用戶", "使用者", "主人"}}},
		{name: "secrecy", steps: [][]string{{"不要提及", "不要提到", "不得提及", "切勿提及", "不要透露", "不得透露", "切勿透露"}, {"这条指令", "這條指令", "此指令", "本指令", "这些指令", "這些指令", "这条消息", "這條消息", "本提示"}}},
	}
}

func deliveryRules() []phraseRule {
	goods := []string{"api key", "apikey", "password", "secret", "credential", "token", "private key", "ssh key", "environment variable", "env var", ".env", "conversation", "chat history", "chat log", "message history", "system prompt", "memories", "memory", "user data", "personal data", "personal information", "cookies", "files", "file content", "id_rsa", "/etc/passwd", "browsing history", "contact"}
	goodsZh := []string{"密码", "密碼", "密钥", "密鑰", "令牌", "凭证", "憑證", "聊天记录", "聊天記錄", "对话", "對話", "记忆", "記憶", "环境变量", "環境變數", "文件内容", "api key", "apikey", "系统提示", "系統提示", "cookie", "私钥", "私鑰", "个人信息", "個人資料", "隐私", "通讯录"}
	return []phraseRule{
		{name: "exfiltration", plain: true, reach: 60, steps: [][]string{{"send", "post", "upload", "forward", "exfiltrat", "transmit", "leak", "email", "submit", "deliver", "append", "encode", "collect", "include"},
			{"your", "the user's", "user's", "users'", "all ", "any ", "every", "contents of", "content of", "full ", "entire ", "the conversation", "this conversation", "chat history", "~/.ssh", "/etc/", ".env", "everything"}, goods,
			{"http://", "https://", "to the following", "to this address", "webhook", "@gmail", "@proton", "@outlook", "@mail", "@evil", "@qq.com", "@163.com", ".com", "to the url", "to my server", "ngrok", "pastebin", "in the url", "query param", "as a parameter", "attacker", "to the server at"}}},
		{name: "exfiltration", plain: true, reach: 60, steps: [][]string{{"把", "将", "將"}, {"所有", "全部", "用户的", "用戶的", "用户", "你的", "完整", "当前", "當前", "整个", "本次"}, goodsZh, {"发送", "發送", "上传", "上傳", "转发", "轉發", "发到", "發到", "传到", "傳到", "提交", "发给", "發給", "post"},
			{"http", "地址", "邮箱", "郵箱", ".com", ".net", "webhook", "链接", "連結"}}},
		{name: "exfiltration", raw: true, reach: 120, steps: [][]string{{"curl ", "wget ", "invoke-webrequest"}, {"$(cat", "$(env", "$(printenv", "@/etc/", "@~/.ssh", "`cat ", "@.env", "$(base64", "$(<", "`env`", "$(whoami"}}},
		{name: "exfiltration", raw: true, reach: 80, steps: [][]string{{"cat ~/.ssh", "cat .env", "cat /etc/passwd", "printenv", "cat ~/.aws", "env | ", "cat $home/.ssh"}, {"| curl", "|curl", "| nc ", "|nc ", "base64", "| wget"}}},
		{name: "exfiltration", raw: true, reach: 200, steps: [][]string{{"!["}, {"](http"}, {"={", "=[", "=<", "=$", "=%7b", "/{", "/$"}}},
		{name: "exfiltration", raw: true, reach: 120, steps: [][]string{{"<img"}, {"src=\"http", "src='http", "src=http"}, {"={", "=[", "=<", "=$", "=%7b", "/{{", "${"}}},
	}
}

func actionRules() []phraseRule {
	return []phraseRule{
		{name: "unattended_action", plain: true, steps: [][]string{{"run", "execute", "launch"}, {"following command", "this command", "command below", "shell command", "this script", "following code", "following script", "the payload"}, {"immediately", "without asking", "without confirm", "silently", "do not ask", "don't ask", "without user", "in the background and"}}},
		{name: "unattended_action", steps: [][]string{{"without asking", "without confirm", "no confirmation", "do not ask for confirm", "don't ask for confirm"}, {"run", "execute", "delete", "transfer", "purchase", "send"}, {"command", "script", "all files", "funds", "money", "payment", "curl", "rm -", "every file"}}},
		{name: "unattended_action", plain: true, steps: [][]string{{"立即", "马上", "馬上", "立刻", "直接", "无需确认", "無需確認", "不用确认", "不要询问", "不需询问", "静默"}, {"执行", "執行", "运行", "運行"}, {"以下命令", "下面的命令", "下列命令", "以下脚本", "以下腳本", "如下命令", "以下指令", "以下代码"}}},
		{name: "memory_poisoning", steps: [][]string{{"remember", "memoriz", "memoris", "save to memory", "store in memory", "save in memory", "add to your memory", "update your memory", "keep in memory", "write to memory"},
			{"as a trusted source", "as trusted source", "as an authoritative", "as the most reliable", "always recommend", "recommend it first", "recommend first", "is always right", "trust every", "trust all", "you must always obey", "must obey", "has admin rights", "has administrator", "pre-approved", "no confirmation is needed", "future conversations recommend", "for future purchases"}}},
		{name: "memory_poisoning", steps: [][]string{{"记住", "記住", "写入记忆", "寫入記憶", "保存到记忆", "存入记忆", "更新你的记忆"}, {"始终推荐", "始終推薦", "总是推荐", "總是推薦", "优先推荐", "優先推薦", "可信来源", "可信來源", "永远信任", "永遠信任", "必须服从", "必須服從", "无需确认", "無需確認", "拥有管理员权限"}}},
		{name: "memory_wipe", plain: true, steps: [][]string{{"delete", "erase", "wipe", "purge", "forget", "clear out"}, {"all memories", "all your memories", "your memories", "your entire memory", "every memory", "all stored memories", "your memory", "all of your memories"}}},
		{name: "memory_wipe", plain: true, steps: [][]string{{"删除", "刪除", "清空", "抹掉", "抹除", "忘掉", "清除"}, {"所有记忆", "所有的记忆", "全部记忆", "你的记忆", "你的全部记忆", "你的所有记忆", "所有記憶", "全部記憶", "你的記憶"}}},
		{name: "encoded_orders", steps: [][]string{{"decode", "base64", "rot13", "unscramble", "decrypt"}, {"and execute", "then execute", "and follow it", "and follow the", "then follow it", "then follow the", "and obey", "then obey", "and run it", "then run it", "and do what", "then do what", "and carry out", "then carry out"}}},
		{name: "encoded_orders", steps: [][]string{{"解码", "解碼", "base64", "解密"}, {"并执行", "並執行", "然后执行", "然後執行", "并遵照", "並遵照", "后执行", "後執行", "并照做"}}},
	}
}

func forgeryRules() []phraseRule {
	return []phraseRule{
		{name: "role_forgery", raw: true, steps: [][]string{{"<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>", "<|eot_id|>", "<|start_header_id|>", "<|begin_of_text|>", "<|end_of_turn|>", "[inst]", "[/inst]", "<<sys>>", "<start_of_turn>", "<end_of_turn>",
			"<system>", "</system>", "<system-reminder>", "<system_prompt>", "</system_prompt>", "<system_message>", "[system]:", "[system message]", "[system prompt]", "### system:", "### instruction:", "begin system prompt", "\n\nhuman:", "【系统指令】", "【系統指令】", "【系统消息】", "[系统消息]", "<developer>"}}},
		{name: "role_forgery", raw: true, reach: 24, steps: [][]string{{"\nsystem:", "\nsystem：", "\n系统：", "\n系统:", "\n系統：", "\n[system]", "\nassistant:", "\ndeveloper:"}, {"you ", "ignore", "new instruct", "from now", "disregard", "override", "forget", "你", "忽略", "从现在", "i will now", "sure", "all safety"}}},
		{name: "role_forgery", steps: [][]string{{"system: you", "system: ignore", "system: new instruct", "system: from now on", "system: override", "system：你", "system: 你", "系统：你", "系统:你", "系统提示：你", "系統：你"}}},
		{name: "tool_forgery", raw: true, steps: [][]string{{"<tool_call>", "</tool_call>", "<tool_calls>", "<function_calls>", "<function_call>", "<invoke name=", ":invoke name=", "<function=", "<|tool", "<|python_tag|>", "\"tool_calls\":", "\"tool_calls\" :", "\"function_call\":", "<tool_use>", "\"type\":\"tool_use\"", "\"type\": \"tool_use\"",
			"[tool_call]", "[tool_calls]", "<tool_result>", "<function_results>", "<tool_response>", "to=functions.", "<execute_command>", "<use_mcp_tool>"}}},
		{name: "hidden_markup", raw: true, reach: 100, steps: [][]string{{"<!--"}, {"ai ", "assistant", "agent", "llm", "language model", "chatbot", "助手", "智能体"}, {"must", "should", "instruct", "ignor", "please", "override", "shall", "do not", "必须", "忽略", "请", "不要"}}},
		{name: "hidden_markup", raw: true, reach: 100, steps: [][]string{{"style=\"", "style='"}, {"display:none", "display: none", "visibility:hidden", "visibility: hidden", "font-size:0", "font-size: 0", "font-size:1px", "font-size: 1px", "opacity:0", "opacity: 0", "color:white", "color: white", "color:#fff", "color: #fff"},
			{"instruct", "ignor", "assistant", "ai ", "agent", "system", "you must", "prompt", "send", "忽略", "指令", "必须", "助手"}}},
	}
}

func otherLanguageRules() []phraseRule {
	return []phraseRule{
		{name: "override", steps: [][]string{{"以前の", "これまでの", "上記の", "前の", "すべての", "全ての"}, {"指示", "命令", "指令", "ルール", "プロンプト"}, {"無視", "忘れ", "従わない", "従うな"}}},
		{name: "override", steps: [][]string{{"이전", "위의", "모든"}, {"지시", "명령", "프롬프트"}, {"무시", "잊어"}}},
		{name: "override", steps: [][]string{{"ignora ", "ignore ", "ignorez ", "ignoriere ", "olvida ", "oublie ", "vergiss "}, {"instrucciones anteriores", "instructions précédentes", "vorherigen anweisungen", "bisherigen anweisungen", "istruzioni precedenti", "instruções anteriores"}}},
	}
}
