package locale

import "strings"

// findingSentences are what doctor finds.
func findingSentences() []template {
	return []template{
		{"profile {}, time zone {}, language {}", "方案 {1}，时区 {2}，语言 {3}"},
		{"agent-memory {}, {}, {}", "程序 agent-memory {1}，{2}，{3}"},
		{"{} does not name agent-memory ({})", "{1} 的配置中没有 agent-memory（{2}）"},
		{"README.md shows the block for each client", "README.md 中有各客户端的配置片段"},
		{"no client is connected yet", "还没有连接客户端"},
		{"{} reaches agent-memory by URL ({})", "{1} 通过 URL 连接 agent-memory（{2}）"},
		{"{} starts {}, which is not found", "{1} 要启动 {2}，但找不到它"},
		{"give the full path of the program in {}", "请在 {1} 中写程序的完整路径"},
		{"{} starts the program {} ({})", "{1} 启动程序 {2}（{3}）"},
		{"{} does not exist ({})", "{1} 不存在（{2!}）"},
		{"{} (default)", "{1}（默认）"},
		{"{} (flag --workspace)", "{1}（选项 --workspace）"},
		{"flag --workspace, its {}", "选项 --workspace 下的 {1}"},
		{"default, its {}", "默认位置下的 {1}"},
		{"environment {}, its {}", "环境变量 {1} 下的 {2}"},
		{"{} (environment {})", "{1}（环境变量 {2}）"},
		{"{} (OpenClaw's workspace)", "{1}（OpenClaw 的工作区）"},
		{"it is in {}, because {}", "它在 {1}，因为{2!}"},
		{"the setting {} says so", "设置 {1} 这样指定"},
		{"the workspace is on {}", "工作区位于{1!}"},
		{"a network file system", "网络文件系统"},
		{"a {} file system", "{1} 文件系统"},
		{"a network drive", "网络驱动器"},
		{"{} syncs the workspace", "工作区由 {1} 同步"},
		{"remove the setting database", "请去掉设置 database"},
		{"{}, and the database would be damaged there", "{1!}，数据库放在那里会损坏"},
		{"agent-memory sync builds it from the files", "agent-memory sync 会从文件建立"},
		{"there is no database yet", "还没有数据库"},
		{"it cannot be written: {}", "无法写入：{1!}"},
		{"make it and its folder writable for this user; recall answers meanwhile", "请让当前用户能写入它及其文件夹；其间仍可 recall"},
		{"{} may be read by others ({})", "其他人可读取 {1}（{2}）"},
		{"chmod go-rwx {}", "请运行：chmod go-rwx {1}"},
		{"nobody else may read {}", "其他人无法读取 {1}"},
		{"{} is held by a running process", "{1} 由运行中的进程持有"},
		{"none is held", "没有锁被持有"},
		{`Settings of this agent-memory workspace; "agent-memory config" lists all of them.`, `本 agent-memory 工作区的设置；"agent-memory config" 列出全部设置。`},
		{"a folder of extra_paths cannot be read: {}", "extra_paths 中有文件夹无法读取：{1!}"},
		{"see [[extra_paths]] in {}; what was read there before stays known", "请查看 {1} 中的 [[extra_paths]]；以前从那里读到的内容仍然记得"},
		{"see [embedding] in {}; until it answers, memories are found by their words alone", "请查看 {1} 中的 [embedding]；在它能回答之前，只按词查找记忆"},
		{"the folder of the database, {}, does not exist", "数据库所在的文件夹 {1} 不存在"},
		{"make it, or change the setting database", "请新建它，或修改设置 database"},
		{"make the folder {}, or change the setting database", "请新建文件夹 {1}，或修改设置 database"},
		{"records.jsonl cannot be read: {}", "records.jsonl 无法读取：{1!}"},
		{"delete the line; what it said of its memory is taken from the file and the database instead", "请删除该行；它所记的内容会改从文件和数据库取得"},
		{"line {} of {} is damaged", "{2} 的第 {1} 行已损坏"},
		{"records.jsonl cannot be read to its end: {}", "records.jsonl 无法读到结尾：{1!}"},
		{"{} records, all readable", "{1} 条记录，都可读取"},
		{"closing: {}", "关闭时：{1!}"},
		{"checking: {}", "检查时：{1!}"},
		{"and {} more findings", "另有 {1} 处"},
		{"counting: {}", "计数时：{1!}"},
		{"{} memories, {} passages, schema {}, text analysis {}, {} MB; every hash is right", "{1} 条记忆，{2} 个段落，结构版本 {3}，文本分析版本 {4}，{5} MB；散列值全部正确"},
	}
}

// evaluationSentences are what eval says of its data, and above its tables.
func evaluationSentences() []template {
	return []template{
		{"the folder of an evaluation set lacks {}", "评测数据的文件夹中没有 {1}"},
		{"each folder holds memories.jsonl and queries.jsonl; agent-memory eval --help says what is in them", "每个文件夹中应有 memories.jsonl 和 queries.jsonl；内容见 agent-memory eval --help"},
		{"unit: {}; R = recall, A = any gold found, answered = found and not abstained, [95 % bootstrap]",
			"单位：{1}；set 数据集，arm 排序方式，kind 问题类别，n 问题数，R 召回率，A 找到任一答案，answered 找到且未弃答，MRR 首个答案名次倒数的平均；[95 % 自助法区间]"},
		{"false recall", "误答率"},
	}
}

// fileFindings are what doctor finds about files.
func fileFindings() []template {
	return []template{
		{"memories that are {}: {}", "{1!}的记忆：{2} 条"},
		{"quarantined", "隔离"},
		{"missing", "缺失"},
		{"their lines are gone from the files; `agent-memory sync --accept-deletions` if that was meant, `agent-memory forget --undo ID` writes a line again",
			"它们的行已不在文件中；若有意删除，请运行 `agent-memory sync --accept-deletions`；`agent-memory forget --undo 编号` 可重新写入"},
		{"`agent-memory approve` lists them", "`agent-memory approve` 可列出"},
		{"comparing files and database: {}", "比较文件与数据库：{1!}"},
		{"`agent-memory sync` takes them over", "`agent-memory sync` 会读入"},
		{"edits that the index does not hold yet: {} new, {} changed, {} moved, {} removed, {} missing, {} to be written again",
			"索引中还没有的修改：新增 {1}、改动 {2}、移动 {3}、删除 {4}、缺失 {5}、待重新写入 {6}"},
		{"{} files agree with the database, both ways", "{1} 个文件与数据库相互一致"},
		{"compare it with the file it belongs to, keep what is right, delete it", "请与它所属的文件比较，保留正确的内容，然后删除它"},
		{"{} holds what could not be merged", "{1} 中是无法合并的内容"},
		{"`agent-memory sync` writes them", "`agent-memory sync` 会写入"},
		{"{} changes since {} wait to be written into files", "自 {2} 起有 {1} 处改动等待写入文件"},
		{"this file system lacks: {}", "这个文件系统不支持：{1}"},
		{"put the file or folder itself in the place of the link; a folder elsewhere can be read by the setting extra_paths", "请把文件或文件夹本身放到链接处；别处的文件夹可用设置 extra_paths 读取"},
		{"free the place, or make it writable; what waits is written by the next sync", "请空出该处，或使其可写；等待的内容会在下次同步时写入"},
		{"{}; {} changes wait for it", "{1!}；有 {2} 处改动在等它"},
		{"{} at {} is configured; wrap-ups and weekly summaries send it lines to shorten, nothing else does", "已配置 {1}（{2}）；只有日结和周报会把行发给它缩短"},
		{"it is opened for reading only: nothing can be remembered until {} and its folder can be written", "只读打开：在 {1} 及其文件夹可写之前无法记忆"},
		{"works", "正常"},
	}
}

// jobSentences are what the scheduler and the watchdog say of jobs.
func jobSentences() []template {
	return []template{
		{"not due", "没有到期"},
		{"switched off", "由人关闭"},
		{"running since {}", "自 {1} 起在运行"},
		{"due since {}, last done {}", "{1} 就该运行，上次完成：{2!}"},
		{"due after {} of {}, last done {}", "{2} 的 {1} 之后就该运行，上次完成：{3!}"},
		{"never", "从未"},
		{"done {} ({}): {}", "完成于 {1}（{2!}）：{3!}"},
		{"done {} ({})", "完成于 {1}（{2!}）"},
		{"failed {} ({}): {}", "失败于 {1}（{2!}）：{3!}"},
		{"timeout {} ({}): {}", "超时于 {1}（{2!}）：{3!}"},
		{"crashed {} ({}): {}", "中途退出于 {1}（{2!}）：{3!}"},
		{"running since {}; before: {}", "自 {1} 起在运行；此前：{2!}"},
		{"switched off; {}", "已关闭；{1!}"},
		{"called", "手动"},
		{"due", "到期"},
		{"missed", "补跑"},
		{"asked for", "指定运行"},
		{"after {}", "在 {1} 之后"},
		{"{} is running already", "{1} 已在运行"},
		{"{} must not run beside {}, which is running", "{1} 不能与正在运行的 {2} 同时运行"},
		{"another process has run it", "另一个进程已经运行过"},
		{"done at {}: {}", "{1} 完成：{2!}"},
		{"failed at {}: {}", "{1} 失败：{2!}"},
		{"timeout at {}: {}", "{1} 超时：{2!}"},
		{"crashed at {}: {}", "{1} 中途退出：{2!}"},
		{"its process ended before it did", "进程先于任务结束"},
		{"{} jobs looked at, {} alerts stand", "查看了 {1} 个任务，警报 {2} 个"},
		{"nothing new", "没有新内容"},
		{"{} was given up after {}", "{1} 超过 {2} 后被放弃"},
		{"{} panicked: {}", "{1} 异常中止：{2}"},
		{"try again when it has ended; agent-memory schedule list shows what runs", "请等它结束后重试；agent-memory schedule list 显示正在运行的任务"},
		{"{} is running", "{1} 正在运行"},
		{"{} is failing: {} ({})", "{1} 失败：{2!}（{3}）"},
		{"{} is stale: {} ({})", "{1} 逾期：{2!}（{3}）"},
		{"{} is disabled: {} ({})", "{1} 已关闭：{2!}（{3}）"},
	}
}

// Explanation returns why a memory was found, as recall explains it, in a language.
func Explanation(language, english string) []string {
	parts := strings.Split(english, "; ")
	if language != Chinese {
		return parts
	}
	for i, part := range parts {
		parts[i] = explained(part)
	}
	return parts
}

// explained translates one step of an explanation; words of the question in it
// stay as they are.
func explained(part string) string {
	for _, t := range explanationParts() {
		gaps, matches := t.match(part)
		if !matches {
			continue
		}
		if !strings.HasPrefix(t.en, "covers") {
			for i := range gaps {
				gaps[i] = quantityNames().Replace(gaps[i])
			}
		}
		return t.fill(gaps)
	}
	return part
}

func explanationParts() []template {
	return []template{
		{"words: {} (rank {})", "词语：{1}（第 {2} 位）"},
		{"vectors: cosine {} (rank {}) adds {}", "向量：余弦 {1}（第 {2} 位），加 {3}"},
		{"added: {}", "另加：{1}"},
		{"all{}", "整体{1}"},
		{"all of its session: {}", "整个会话：{1}"},
		{"covers {} %: {}", "覆盖问题的 {1} %：{2}"},
		{"before the next: {}", "排在下一条之前：{1}"},
	}
}

func quantityNames() *strings.Replacer {
	return strings.NewReplacer("own text", "本文", "phrases", "词组", "with neighbours", "连同上下文", "speaker", "说话人", "time word", "时间词", "date", "日期", "asking", "疑问句",
		"neighbours", "上下文", "whole session", "整个会话", "session", "会话", "lifecycle", "生命周期", "layer", "层次", "vector", "向量", "nothing", "无", "none", "无",
		" against ", " 对 ", "newer, or first by id", "较新，或编号在前")
}
