package main

import (
	"testing"

	"agentmemory/internal/locale"
	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

func TestWhatAJobCameToIsASentence(t *testing.T) {
	tests := []struct {
		result      any
		english, zh string
	}{
		{tools.SyncResult{}, "the files held nothing new", "文件没有新内容"},
		{tools.SyncResult{SyncReport: memory.SyncReport{Added: 2}, Sessions: &tools.CaptureReport{}},
			"files: 2 added, 0 updated, 0 deleted; no conversation went on", "文件：新增 2、更新 0、删除 0；对话没有新进展"},
		{tools.ReflectResult{Surface: &tools.ProjectedReport{File: "RECENT.md", Written: true, Lines: 12}}, "wrote RECENT.md with 12 entries", "写好了 RECENT.md，共 12 条"},
		{tools.ReflectResult{Surface: &tools.ProjectedReport{File: "RECENT.md", Lines: 12}}, "RECENT.md says it all already", "RECENT.md 已是最新"},
		{tools.ReflectResult{Index: &tools.ProjectedReport{File: "MEMORY.md", Written: true, Lines: 1}, Changed: 3},
			"wrote MEMORY.md with 1 entry; changed 3 memories", "写好了 MEMORY.md，共 1 条；改动了 3 条记忆"},
		{tools.ReflectResult{Consistency: []string{lifecycle.ConsistencyOK}}, "no memory had to change; consistency check: OK", "没有记忆需要改动；一致性检查：OK"},
		{tools.ReflectResult{Wrapup: &tools.WrapupReport{Day: "2026-02-21"}, Files: []string{"x"}}, "wrote the wrap-up of 2026-02-21", "写好了 2026-02-21 的总结"},
		{tools.ReflectResult{GC: &tools.GCReport{Removed: 1}}, "moved 1 memory to the archive", "1 条记忆移入归档"},
		{tools.ReflectResult{GC: &tools.GCReport{}, DryRun: true, Plan: make([]tools.PlanStep, 4)}, "tried only: 4 things would change", "试运行：会改动 4 处"},
	}
	for _, tt := range tests {
		got := told(tt.result)
		if zh := locale.Sentence(locale.Chinese, got); got != tt.english || zh != tt.zh {
			t.Errorf("told %q, %q; want %q, %q", got, zh, tt.english, tt.zh)
		}
	}
}
