package main

import "maps"

// helpTexts are the descriptions of commands and flags in Chinese, by their
// English form.
func helpTexts() map[string]string {
	all := map[string]string{}
	for _, texts := range []map[string]string{commandTexts(), longTexts(), flagTexts(), toolFlagTexts()} {
		maps.Copy(all, texts)
	}
	return all
}

func commandTexts() map[string]string {
	return map[string]string{
		"Long-term memory for agents that people can read, edit and trust": "给智能体的长期记忆，人看得懂、改得了、信得过",
		"Help about any command": "查看任一命令的说明",
		"Vouch for quarantined or untrusted memories; without ids, list what waits":                   "为被隔离或不受信任的记忆作保；不给编号时列出待批准的",
		"Load identity and boot memories at the start of a conversation":                              "对话开始时读取身份与启动记忆",
		"Review and rewrite MEMORY.md":                                                                "审阅并重写 MEMORY.md",
		"Print the effective settings and where each came from":                                       "列出生效的设置及各自的来源",
		"Show in one screen what the program does, in a temporary workspace":                          "用一个临时工作区，在一屏之内演示程序的功能",
		"Check workspace, database, embedder, locks, file modes and clients; repairs nothing":         "检查工作区、数据库、向量、锁、文件权限和客户端；不作任何修复",
		"List projects, areas and resources, or move one, such as a finished project to the archives": "列出项目、领域和资源，或移动其中一个，例如把完成的项目移入归档",
		"Move an entity to projects, areas, resources or archives; moving it back undoes it":          "把一个实体移到 projects、areas、resources 或 archives；移回即撤销",
		"Measure retrieval on data of your own, in temporary workspaces":                              "用自己的数据、在临时工作区中衡量检索效果",
		"Write every memory to standard output, as Markdown or JSON lines":                            "把所有记忆写到标准输出，Markdown 或 JSON 行",
		"Turn what notes say for good into facts of projects and areas, and rewrite their summaries":  "把笔记中长期有效的内容提取为项目和领域的事实，并重写其摘要",
		"Tell what will fade when, if nothing is used meanwhile":                                      "预告哪些记忆会在何时淡忘（假定其间都不再使用）",
		"Forget by id, uri or source glob (memory-sync:2026-02-*)":                                    "按编号、地址或来源通配（memory-sync:2026-02-*）遗忘",
		"Collect what has faded for long; only shows the plan unless --dry-run=false":                 "回收早已淡忘的记忆；除非 --dry-run=false，否则只显示计划",
		"Answer a hook of Claude Code or Codex; `agent-memory install` sets them up":                  "应答 Claude Code 或 Codex 的钩子；由 `agent-memory install` 配置",
		"Capture one conversation": "捕获一段对话",
		"Take over memories of an old agent-memory database or of JSON lines":                       "导入旧版 agent-memory 数据库或 JSON 行中的记忆",
		"Make a workspace, or prepare an existing one, and say what was made":                       "新建工作区或准备已有的工作区，并说明做了什么",
		"Set a host up: MCP server, hooks, capture of its conversations":                            "配置宿主程序：MCP 服务器、钩子、对话捕获",
		"Create, list or follow links between memories":                                             "建立、列出或沿着记忆之间的链接查找",
		"Search memory by words, names or dates, in any language; no query: the latest":             "按词语、名称或日期检索记忆，不限语言；不给问题时列出最新的",
		"Read the memory at a uri (knowledge://preferences/editor), or list what is below a prefix": "读取某个地址（knowledge://preferences/editor）的记忆，或列出某个前缀之下的",
		"Maintain; all = decay, tidy, govern; surface: RECENT.md; compound: MEMORY.md":              "维护记忆；all 指 decay、tidy、govern；surface 写 RECENT.md，compound 写 MEMORY.md",
		"Keep a durable statement (decision, preference, rule, correction, task)":                   "记住一条长期有效的内容（决策、偏好、规则、更正、任务）",
		"Show, run and print the jobs of the profile":                                               "查看、运行、输出方案的任务",
		"Switch a job off; the watchdog says so":                                                    "停用一个任务；看门狗会指出",
		"Switch a job on again; it owes nothing of the time when it was off":                        "重新启用一个任务；停用期间的不补跑",
		"List the jobs: when they are due, how they went last":                                      "列出任务：何时到期，上次结果如何",
		"Print the schedule for crontab, systemd, launchd or OpenClaw":                              "输出 crontab、systemd、launchd 或 OpenClaw 所用的时间表",
		"Run what is due; with names, run these now; then what follows them":                        "运行到期的任务；给出名称则立即运行这些；然后运行排在其后的",
		"Serve MCP over standard input and output, or over HTTP":                                    "通过标准输入输出或 HTTP 提供 MCP 服务",
		"List a memory's earlier contents, or roll back to one":                                     "列出一条记忆的历史版本，或回退到其中一个",
		"Counts and health of the memory":                                                           "记忆的数量与健康状况",
		"Write RECENT.md":                                                                           "写 RECENT.md",
		"Take over edits of the files, capture new conversations":                                   "读入对文件的修改，捕获新的对话",
		"Print the version": "显示版本",
		"Look after the other jobs: which are switched off, stale or failing": "照看其他任务：哪些被停用、过期未运行或失败",
		"Write the summary of a day":                                          "写一天的日结",
	}
}

// longTexts are the descriptions above the flags; those of several lines by their
// first.
func longTexts() map[string]string {
	return map[string]string{
		"agent-memory gives agents a long-term memory which a person can read, edit and trust:": `agent-memory 给智能体长期记忆，人看得懂、改得了、信得过：
Markdown 文件是事实，SQLite 是它们的索引，MCP 服务器提供工具。

先运行 "agent-memory demo"，再运行 "agent-memory init" 和 "agent-memory serve"。

退出状态：0 完成，1 内部错误，2 参数无效，3 未找到，4 冲突，
5 需要确认，6 过大，7 只读，8 不可用，9 数据库版本较新，
10 没有权限，11 超时，12 doctor 或 watchdog 发现问题，
130 被中断。`,
		"Eval runs questions against the real program and prints recall@k, any@k, MRR and the rate of false answers.": `eval 用真正的程序回答问题，给出 recall@k、any@k、MRR 和误答率。
每个 DIR 中有 memories.jsonl（store、id、content、actor、session_id、seq、observed_at）
和 queries.jsonl（store、id、query、gold：记忆编号、kind、answerable）。`,
		"Hook reads the host's JSON from standard input and prints what the conversation should know, or nothing:": `hook 从标准输入读取宿主程序的 JSON，输出对话应当知道的内容，或什么都不输出：

  session-start  方案启动顺序中的文件，不超过 hook.start_tokens
  user-prompt    与这条消息有关的记忆，不超过 hook.prompt_tokens；多数时候没有
  pre-compact    不输出；捕获到目前为止的对话
  stop           不输出；捕获到目前为止的对话
  session-end    不输出；捕获对话并更新 RECENT.md

它从不失败：无论如何退出状态都是 0，问题写到标准错误。`,
		"Import takes over the memories of a database of the original agent-memory (versions 2 to 5),": `import 导入以下来源的记忆：原版 agent-memory（版本 2 到 5）的数据库、
"agent-memory export --format jsonl" 的输出、memory/index.json 及其归档（玥），或这样的行：
  {"content":"…","actor":"…","session_id":"…","seq":1,"observed_at":"2026-02-21T14:00:00+08:00","id":"…"}
FILE 可以是 -，表示标准输入。编号保持不变，来源只读，重复导入不会增加任何内容。
已有的 OpenClaw 工作区不必导入：用 --workspace 指向它并运行 "agent-memory sync"。`,
		"Install adds what is missing to the configuration of a host and leaves all the rest as it stands, comments included.": `install 在宿主程序的配置中补上缺少的部分，其余一律保持原样，包括注释。
第一次修改文件之前会保存其原内容，--uninstall 可恢复；若文件此后又被改过，
则只去掉 install 加入的部分。重复运行不会改变任何内容。`,
		"The profile says which jobs run when, and [schedule] in the settings may say otherwise, for example": `方案规定各任务何时运行，设置中的 [schedule] 可以另作规定，例如
reflect = "30 5 * * *" 或 compound = "off"。` + "`agent-memory serve --schedule`" + ` 会自行运行它们；
"schedule print" 则输出系统调度程序所需的条目。`,
		"Print writes what another scheduler needs to run the jobs of the profile. Nothing is installed.": `print 输出其他调度程序运行方案任务所需的内容，不会安装任何东西。
用它代替 serve --schedule；两者并用也无妨，每个周期只处理一次。`,
		"Without names everything that is due runs, each job once, however many of its times were missed.": `不给名称时运行所有到期的任务，每个一次，无论错过了多少次。
给出名称时立即运行这些任务，以及排在其后的；"conversation" 运行一段对话结束之后的任务。
--due 只在本周期还没有人运行过时才运行指定的任务：供 crontab 和定时器使用。

退出状态：0 一切正常或无事可做，12 看门狗的警报仍在，否则为第一个失败的状态。`,
		"Serve speaks MCP to one client over standard input and output until its input ends.": `serve 通过标准输入输出为一个客户端提供 MCP 服务，直到输入结束。
加 --http 可同时服务多个客户端：Streamable HTTP 在 /mcp，较旧的 HTTP+SSE 在 /sse，另有 /healthz。`,
		"Watchdog looks at every job of the profile. An anomaly that it sees twice in a row is an alert: it is written to": `watchdog 检查方案的每个任务。连续两次看到的异常成为警报：写入
memory/failure-reports/，直到任务恢复正常。过期未运行的任务会自动补跑一次。

退出状态：0 没有警报，12 有警报。`,
		"Help provides help for any command in the application.": `help 显示任一命令的说明：
输入 agent-memory help 及命令的名称。`,
		"Load identity and boot memories at the start of a conversation.":                                                                                                "对话开始时读取身份与启动记忆。",
		"Forget by id, uri or source glob (memory-sync:2026-02-*). Default: archived, undo brings it back; hard drops history and vectors too; purge erases every copy.": "按编号、地址或来源通配（memory-sync:2026-02-*）遗忘。默认：归档，undo 可恢复；hard 同时删除历史与向量；purge 抹去每一份副本。",
		"Create, list or follow links between memories.":                                                                                                                 "建立、列出或沿着记忆之间的链接查找。",
		"Search memory by words, names or dates, in any language; no query: the latest. abstained = memory does not hold the answer.":                                    "按词语、名称或日期检索记忆，不限语言；不给问题时列出最新的。abstained 表示记忆中没有答案。",
		"Read the memory at a uri (knowledge://preferences/editor), or list what is below a prefix.":                                                                     "读取某个地址（knowledge://preferences/editor）的记忆，或列出某个前缀之下的。",
		"Keep a durable statement (decision, preference, rule, correction, task). Duplicates merge; contradictions supersede.":                                           "记住一条长期有效的内容（决策、偏好、规则、更正、任务）。重复的会合并，矛盾的会取代旧的。",
		"List a memory's earlier contents, or roll back to one.":                                                                                                         "列出一条记忆的历史版本，或回退到其中一个。",
		"Counts and health of the memory.":                         "记忆的数量与健康状况。",
		"Take over edits of the files, capture new conversations.": "读入对文件的修改，捕获新的对话。",
	}
}

func flagTexts() map[string]string {
	return map[string]string{
		"print JSON instead of text":                                                                 "输出 JSON 而不是文字",
		"override a setting, `NAME=VALUE`; may be repeated":                                          "改用某个设置，`NAME=VALUE`；可重复使用",
		"workspace `DIR` (default: see `agent-memory config`)":                                       "工作区 `DIR`（默认值见 agent-memory config）",
		"leave the temporary workspace behind":                                                       "保留临时工作区",
		"compare ways of ranking: words only, vectors only, without each boost":                      "比较各种排序方式：只用词语、只用向量、去掉每一项加权",
		"print 95 % bootstrap intervals":                                                             "给出 95 % 自助法置信区间",
		"draw recall by rank into `FILE.svg`":                                                        "把各名次的召回率画入 `FILE.svg`",
		"also ask all stores of a set at once":                                                       "另把一组的所有库合在一起提问",
		"what counts as found: `UNIT` memory or session":                                             "怎样算找到：`UNIT` 为 memory（记忆）或 session（对话）",
		"also what was forgotten, archived, superseded or quarantined, and (jsonl) earlier versions": "包括已遗忘、归档、被取代或隔离的，以及（jsonl）历史版本",
		"`FORMAT` markdown or jsonl (one memory a line)":                                             "`FORMAT` 为 markdown 或 jsonl（每行一条记忆）",
		"also the prose of people's files":                                                           "包括人所写文件中的段落",
		"how far to look (default 365)":                                                              "向前看多少天（默认 365）",
		"how many memories to list (default 20)":                                                     "列出多少条记忆（默认 20）",
		"draw the curves into `FILE.svg`":                                                            "把曲线画入 `FILE.svg`",
		"run what follows a sync, too":                                                               "同时运行排在 sync 之后的任务",
		"`PATH` of the conversation":                                                                 "对话文件的 `PATH`",
		"only say what would be imported":                                                            "只说明会导入什么",
		"`NAME` of the source, part of ids that are taken already (default: the file's name)":        "来源的 `NAME`，编号已被占用时作为其一部分（默认：文件名）",
		"highest `TRUST` of what is imported: user, agent or external":                               "导入内容的最高 `TRUST`：user、agent 或 external",
		"capture conversations of these `SOURCES` and no others: openclaw, claude-code, codex, jsonl:FOLDER; none switches it off": "捕获且仅捕获这些 `SOURCES` 的对话：openclaw、claude-code、codex、jsonl:文件夹；none 表示关闭",
		"policies, `NAME` one of openclaw, four-layer, fusion, yue, watchtower, para":                                              "策略方案，`NAME` 可选：openclaw、four-layer、fusion、yue、watchtower、para",
		"only say what would be changed":                                 "只说明会改动什么",
		"`PATH` of the program that the host starts (default: this one)": "宿主程序所启动程序的 `PATH`（默认：本程序）",
		"take out again what install put in":                             "去掉 install 加入的内容",
		"`SCHEDULER` one of crontab, systemd, launchd, openclaw":         "`SCHEDULER` 可选：crontab、systemd、launchd、openclaw",
		"`PATH` of the program that is started (default: this one)":      "所启动程序的 `PATH`（默认：本程序）",
		"write the files into `DIR` instead of printing them":            "把文件写入 `DIR`，而不是输出",
		"only what is due": "只运行到期的",
		"allow an address that other machines reach; needs a token":                        "允许其他机器能访问的地址；需要令牌",
		"serve HTTP at `ADDR`, such as 127.0.0.1:8765":                                     "在 `ADDR` 提供 HTTP 服务，例如 127.0.0.1:8765",
		"run the jobs of the profile when they are due (agent-memory schedule lists them)": "任务到期时运行方案的任务（agent-memory schedule 可列出）",
		"`FILE` with the bearer token that HTTP clients must send":                         "HTTP 客户端须发送的令牌所在的 `FILE`",
		"`SET` standard, or lineage for boot, link and snapshot too":                       "`SET` 为 standard，或 lineage（另含 boot、link、snapshot）",
	}
}

func toolFlagTexts() map[string]string {
	return map[string]string{
		"budget of the text; 0: 12000":                           "文字的限额；0 表示 12000",
		"only plan; gc: default":                                 "只作计划；gc 默认如此",
		"take back the last run (of the phase, if one is given)": "撤销上一次运行（若指定阶段，则为该阶段的）",
		"needed above 20 matches":                                "超过 20 条相符时须给出",
		"date, or words like last week":                          "日期，或 last week（上周）这样的词语",
		"prefix":                                                 "前缀",
		"0: all levels":                                          "0 表示所有层级",
		"follow links":                                           "沿链接查找的步数",
		"exact uri, prefix, or session://ID#RANGE":               "完整地址、前缀，或 session://编号#范围",
		"named parts of decision, task, state":                   "决策、任务、状态的各个字段",
		"many at once, same arguments":                           "一次多条，参数相同",
		"who said or did it":                                     "谁说的或做的", "whom or what it is about": "关于谁或什么", "what to remember": "要记住的内容",
		"what to look for": "要找什么", "date; nothing from then on": "日期；不含当天及以后", "show what matched, and why": "说明匹配了什么、为什么",
		"id of the conversation": "对话的编号", "file of the conversation": "对话的文件",
		"messages of the conversation, such as 4-9": "对话中的消息，例如 4-9", "where it is from, such as memory-sync:2026-02-21": "来源，例如 memory-sync:2026-02-21",
		"id or uri of what this replaces": "所取代记忆的编号或地址", "such as archived or superseded": "例如 archived（归档）或 superseded（被取代）",
		"id of the memory": "记忆的编号", "address of the memory": "记忆的地址", "drop history and vectors, too": "同时删除历史与向量",
		"erase every copy": "抹去每一份副本", "bring it back": "恢复", "only say what would be done": "只说明会做什么",
		"id of the memory that links": "链接出发的记忆编号", "id of the memory that is linked to": "链接指向的记忆编号",
		"missing entries are deleted":                "缺失的条目视为删除",
		"ids or uris":                                "编号或地址",
		"when it was true, RFC 3339":                 "何时成立，RFC 3339 格式",
		"stable address; same uri = new content":     "固定地址；同一地址即更新内容",
		"wrapup: the day that it covers, YYYY-MM-DD": "wrapup：所涵盖的日期，YYYY-MM-DD",
		"note, decision, task, fact, state, passage": "note 笔记、decision 决策、task 任务、fact 事实、state 状态、passage 段落",
		"identity, emotion, knowledge, event":        "identity 身份、emotion 情感、knowledge 知识、event 事件",
		"<memory id>@<revision>":                     "<记忆编号>@<版本>",
	}
}
