package main

import "maps"

// chineseTexts are the texts of the command line in Chinese, by their English
// form. Reasons, notes and failures are in internal/locale.
func chineseTexts() map[string]string {
	all := map[string]string{}
	for _, texts := range textTables() {
		maps.Copy(all, texts)
	}
	return all
}

func textTables() []map[string]string {
	return []map[string]string{
		recallTexts(), programTexts(), reportTexts(), valueTexts(), fieldTexts(),
		setupTexts(), watchTexts(), settingTexts(), demoTexts(),
	}
}

// recallTexts are lines about memories and conversations.
func recallTexts() map[string]string {
	return map[string]string{
		"Nothing relevant is remembered.":   "没有相关的记忆。",
		"Nearest, but probably not meant:":  "最接近的几条，但多半不是你要找的：",
		"Nothing is remembered at %s%s.":    "%s%s 处没有记忆。",
		"agent-memory: %s":                  "agent-memory：%s",
		"  hint: %s":                        "  提示：%s",
		"  cause: %s":                       "  原因：%s",
		"  while: %s":                       "  经过：%s",
		"degraded: %s":                      "降级：%s",
		"    why: %s":                       "    依据：%s",
		"  redacted: %s; the rest was kept": "  已隐去：%s；其余内容已保存",
		"from %s":                           "来源 %s",
		"under %s":                          "标题 %s",
		"by %s":                             "由 %s",
		"session %s":                        "会话 %s",
		"trust %s":                          "信任 %s",
		"UNCERTAIN (confidence %.2f)":       "不确定（置信度 %.2f）",
		"    before (%s): %s (%s)":          "    此前（%s）：%s（%s）",
		"    CONTRADICTED by a note of %s: %s (%s)": "    与 %s 的一条笔记矛盾：%s（%s）",
		"score %.2f": "相关度 %.2f",
		"vitality %.2f, importance %s, temperature %s": "活力 %.2f，重要度 %s，温度 %s",
		"superseded by %s": "已被 %s 取代",
		"%s: %s":           "%s：%s",
		"%s%s: %s":         "%s%s：%s",
		"%s%s:":            "%s%s：",
		"Nothing was said there: only tools, injected text, or nothing at all.":                 "那里没有对话：只有工具输出、注入的文本，或什么都没有。",
		"… more was said; --limit shows up to 200 messages":                                     "……后面还有；--limit 最多显示 200 条",
		"Conversations: %d, %d of them with something new (%d messages)":                        "对话：%d 个，其中 %d 个有新内容（%d 条消息）",
		"  worth keeping: %d (%s)":                                                              "  值得记住：%d 条（%s）",
		"  language model: %d calls, %d reworded, %d joined, %d left out, %d proposals refused": "  语言模型：调用 %d 次，改写 %d 条，合并 %d 条，略去 %d 条，拒绝提议 %d 条",
		"  passed over: %s":       "  略过：%s",
		"  warning: %s":           "  警告：%s",
		"%d remembered":           "记住 %d 条",
		"%d said again or merged": "重复或合并 %d 条",
		"%d captured before":      "此前已捕获 %d 条",
		"%d skipped":              "跳过 %d 条",
		"%d quarantined":          "隔离 %d 条",
	}
}

// programTexts are lines about the workspace, its future and its jobs.
func programTexts() map[string]string {
	return map[string]string{
		"about %d tokens (files: %d, identity memories: %d)": "约 %d 个 token，来自 %d 个文件，另有 %d 条身份记忆",
		"cut to the budget: %s":                              "按预算截短：%s",
		"Nothing waits for approval.":                        "没有待批准的记忆。",
		"Workspace %s (%s)":                                  "工作区 %s（%s）",
		"  made   %s":                                        "  新建   %s",
		"  changed %s":                                       "  已改   %s",
		"  kept   %s":                                        "  保留   %s",
		"Profile %s, time zone %s, language %s":              "方案 %s，时区 %s，语言 %s",
		"Database %s":                                        "数据库 %s",
		"Capture of conversations: %s (off: agent-memory init --capture none)":                       "对话捕获：%s（关闭：agent-memory init --capture none）",
		"Capture of conversations: off (on: agent-memory init --capture openclaw,claude-code,codex)": "对话捕获：关（开启：agent-memory init --capture openclaw,claude-code,codex）",
		"Next: agent-memory remember \"…\"   agent-memory recall \"…\"":                              "接下来：agent-memory remember \"……\"   agent-memory recall \"……\"",
		"      connect a client with: agent-memory serve --workspace %s":                             "        连接客户端：agent-memory serve --workspace %s",
		"No project, area or resource is known yet. Remember one fact of it:":                        "还没有项目、领域或资源。先记住它的一条事实：",
		"moved to %s: %s (facts: %d)":                                                                "已移到 %s：%s（事实 %d 条）",
		"%-10s %-24s facts: %-4d %s":                                                                 "%-10s %-24s 事实 %-4d  %s",
		"undo: agent-memory %s":                                                                      "撤销：agent-memory %s",
		"Memories: %d, profile %s; faded means vitality below %.2f, if nothing is used meanwhile.":   "%d 条记忆，方案 %s；“淡忘”指活力低于 %.2f，假定其间都不再使用。",
		"faded already %d · within a week %d · a month %d · a year %d · never %d":                    "已淡忘 %d · 一周内 %d · 一月内 %d · 一年内 %d · 永不 %d",
		"next to fade:": "最先淡忘的：",
		"  %s  in %4d days  vitality %.2f, importance %s, temperature %s  %s":                              "  %s  %4d 天后  活力 %.2f，重要度 %s，温度 %s  %s",
		"Memories: %d, profile %s; faded means Dust, importance below %.2f, if nothing is used meanwhile.": "%d 条记忆，方案 %s；“淡忘”指成为尘（重要度低于 %.2f），假定其间都不再使用。",
		"mean importance (█) and memories that are not Dust:":                                              "平均重要度（█）与尚未成为尘的条数：",
		"mean vitality (█) and memories that have not faded:":                                              "平均活力（█）与尚未淡忘的条数：",
		"  day %4d  %s%s %.2f  %d":             "  第 %4d 天  %s%s %.2f  %d",
		"all %d memories":                      "全部 %d 条记忆",
		"share that has not faded":             "尚未淡忘的比例",
		"Profile %s, times in %s":              "方案 %s，时间按 %s",
		"This profile runs nothing by itself.": "这个方案不自动运行任何任务。",
		"after %s":                             "在 %s 之后",
		", dry run":                            "，试运行",
		", next %s":                            "，下次 %s",
		"nothing is due":                       "没有到期的任务",
		"no alert stands":                      "没有警报",
	}
}

// reportTexts are lines about what status, reflect and sync found.
func reportTexts() map[string]string {
	return map[string]string{
		"Memories: %d, profile %s, agent %s":                   "%d 条记忆，方案 %s，代理 %s",
		"nothing is degraded":                                  "没有降级",
		"undone: %s, memories as before: %d":                   "已撤销：%s，恢复原状的记忆 %d 条",
		"%s: nothing would change (dry run)":                   "%s：没有要改动的（试运行）",
		"%s: this would change (dry run; nothing was written)": "%s：将作以下改动（试运行，什么都没写）",
		"%s: no memory had to change":                          "%s：没有记忆需要改动",
		", ":                                                   "，",
		"; ":                                                   "；",
		"%s is written anew (lines: %d)":                       "已重写 %s：%d 行",
		"%s would be written (lines: %d)":                      "%s 将有 %d 行",
		"%s stays as it is (lines: %d)":                        "%s 保持不变：%d 行",
		"Wrap-up of %s (lines: %d)":                            "%s 的日结：%d 行",
		"%s: %d changed":                                       "%s：改动 %d 条",
		"added %d":                                             "新增 %d 条",
		"updated %d":                                           "更新 %d 条",
		"moved %d":                                             "移动 %d 条",
		"deleted %d":                                           "删除 %d 条",
		"missing %d":                                           "缺失 %d 条",
		"restored %d":                                          "恢复 %d 条",
		"hidden %d":                                            "隐藏 %d 条",
		"passages read %d":                                     "读入段落 %d 个",
		"files written %d":                                     "写入文件 %d 个",
		"nothing new":                                          "没有新内容",
		"%s (memories: %d)":                                    "%s（%d 条）",
		"  bring back: %s":                                     "  找回：%s",
		"to vouch for one: agent-memory approve ID":            "批准一条：agent-memory approve 编号",
		"First: agent-memory sync   (takes over the files that are here, before the first question)": "首先：agent-memory sync   （先读入已有的文件，再提问）",
		"Files: %s (looked at: %d, changed: %d)":                                                     "文件：%s（查看 %d 个，有变化 %d 个）",
		"  dry run: nothing was written":                                                             "  试运行：什么都没写",
		"  conflict: %s":                                                                             "  冲突：%s",
		"  missing entries are kept; if they were meant to go: agent-memory sync --accept-deletions": "  缺失的条目仍保留；若确要删除：agent-memory sync --accept-deletions",
	}
}

// valueTexts are values from closed lists.
func valueTexts() map[string]string {
	return map[string]string{
		"batch":       "合计",
		"added":       "新增",
		"updated":     "更新",
		"merged":      "合并",
		"reinforced":  "强化",
		"superseded":  "取代",
		"skipped":     "跳过",
		"quarantined": "隔离", "contradicted": "有矛盾",
		"failed":    "失败",
		"forgotten": "已遗忘",
		"deleted":   "已删除",
		"purged":    "已彻底清除",
		"restored":  "已恢复",
		"archived":  "已归档",
		"proposed":  "提议",
		"active":    "有效",
		"missing":   "缺失",
		"identity":  "身份",
		"emotion":   "情感",
		"knowledge": "知识",
		"event":     "事件",
		"note":      "笔记",
		"decision":  "决策",
		"task":      "任务",
		"fact":      "事实",
		"passage":   "段落",
		"user":      "用户",
		"agent":     "代理",
		"external":  "外部",
		"Golden":    "金",
		"Silver":    "银",
		"Bronze":    "铜",
		"Dust":      "尘",
		"hot":       "热",
		"warm":      "温",
		"cold":      "冷",
		"true":      "是",
		"false":     "否",
		"none":      "无",
	}
}

// fieldTexts are names of the fields of answers.
func fieldTexts() map[string]string {
	return map[string]string{
		"action": "结果", "active_tasks": "进行中的任务", "agent_id": "代理", "archived_days": "归档天数", "at": "时间",
		"by_priority": "按优先级", "by_state": "按等级", "by_status": "按状态", "by_temperature": "按温度", "by_type": "按类型",
		"changed": "改动", "compound": "整理 MEMORY.md", "conflicts": "冲突", "consistency": "一致性", "count": "条数", "critical_alerts": "重要警报",
		"database": "数据库", "decay": "衰减", "decayed": "已衰减", "degraded": "降级", "demoted": "移出", "dimension": "维度", "dry_run": "试运行",
		"extract": "提取事实", "facts": "事实", "fading": "将淡忘", "file": "文件", "files": "文件", "files_changed": "改动的文件", "files_scanned": "扫描的文件",
		"files_written": "写入的文件", "folded": "计入的使用", "gc": "回收", "collectable": "可回收", "generation": "代", "govern": "治理", "handoff": "交接",
		"health": "健康", "heartbeat": "心跳", "hidden": "隐藏", "id": "编号", "ids": "编号", "jobs": "任务", "kept": "保留", "lines": "行数", "links": "链接",
		"low_vitality": "活力低", "memories": "记忆", "merged_files": "合并的文件", "model": "模型", "moved": "移动", "new_vitality": "新的活力", "notes": "说明",
		"op": "操作", "outbox": "待写入文件", "passages": "段落数", "path": "路径", "paths": "地址数", "pending": "等待中", "phase": "阶段", "plan": "计划",
		"profile": "方案", "provider": "来源", "reason": "原因", "removed": "移除", "snapshots": "历史版本", "status": "状态", "surface": "更新 RECENT.md",
		"tidy": "清理", "total": "总数", "undo": "撤销", "undone": "已撤销", "uri": "地址", "vectors": "向量", "warnings": "警告", "workspace": "工作区",
		"wrapup": "日结", "written": "已写入", "day": "日期", "passing": "过时的", "belowThreshold": "低于阈值", "brokenChains": "断开的取代链",
		"emptyMemories": "空记忆", "orphanLinks": "失效链接", "orphanPaths": "失效地址", "overCap": "超出上限", "orphansCleaned": "已清理的孤立项",
		"snapshotsPruned": "已清理的历史版本", "promote": "升入", "demote": "移出", "archive": "归档", "add": "新增", "update": "更新", "remove": "移除",
		"move": "移动", "title": "标题", "final_status": "最终状态", "next_step": "下一步", "actor": "执行者", "name": "名称", "value": "内容",
		"captured": "已捕获", "conversations": "对话", "last_run": "上次运行", "sources": "来源", "goals": "今日目标", "in_progress": "进行中",
		"blockers": "阻碍", "next": "下一步", "contradicted": "有矛盾",
		"capture": "对话捕获", "type": "类型", "reinforce": "强化", "text": "原文",
	}
}
