package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func tower(t *testing.T) *seed {
	t.Helper()
	s := newSeed(t, "003-watchtower", "watchtower", "zh", "--capture", "claude-code")
	s.at = time.Date(2026, 3, 11, 23, 0, 0, 0, time.UTC)
	s.do("sync", "files")
	return s
}

// 003 §2A: one digest of each conversation of the last 26 hours with at least
// two messages of a person; a conversation that did not go on brings nothing.
func TestSeed003DailySync(t *testing.T) {
	t.Parallel()
	s := tower(t)
	before := s.files()
	s.do("schedule", "run", "sync")
	if diff := cmp.Diff([]string{"memory/2026-03-11.md"}, appeared(before, s.files())); diff != "" {
		t.Errorf("new files (-want +got):\n%s", diff)
	}
	s.golden("memory/2026-03-11.md")
	if strings.Contains(s.read("memory/2026-03-11.md"), "gate") {
		t.Error("a conversation of one message was taken")
	}
	s.contains("the cursor", s.read("memory/state/processed-sessions.json"), `"fingerprint"`, `"last_message": "2026-03-11T10:05:00Z"`)
	s.keeps("the second run", func() { s.do("sync") })
}

// 003 §2: task cards and the workbench stand before what was merely said.
func TestSeed003TasksFirst(t *testing.T) {
	t.Parallel()
	s := tower(t)
	s.do("remember", "Dora compares ledgers by hand and finds the rows that differ", "--type", "event")
	hits := s.recall("compare ledgers rows that differ")
	if len(hits) < 2 || hits[0].Form != "task" && hits[0].Form != "state" {
		t.Errorf("%+v", hits)
	}
	for i := range 12 { // however much is said of it, and however well it fits
		s.do("remember", fmt.Sprintf("Replace the fan of rack 3: the quiet fan number %d was replaced", i), "--type", "event")
	}
	s.do("remember", "Replace the fan", "--form", "task", "--title", "Replace the fan", "--fields",
		`{"goal":"a quiet rack","boundary":"rack 3 only","acceptance":"under 45 dB","key_actions":"ordered, mounted","artifacts":"memory/2026-03-11.md","final_status":"done","next_step":"measure again in June"}`)
	s.golden("memory/tasks/2026-03-11.md")
	for _, limit := range []string{"3", "8"} {
		hits = s.recall("replace the fan of rack 3", "--limit", limit)
		if len(hits) == 0 || hits[0].Form != "task" || !slices.ContainsFunc(hits, func(h hitView) bool { return h.Form == "note" }) {
			t.Errorf("limit %s: %+v", limit, hits)
		}
	}
	if hits = s.recall("which ledger rows differ"); len(hits) > 0 && strings.Contains(hits[0].Content, "fan") {
		t.Errorf("a card that does not match is first: %+v", hits[0])
	}
}

// 003 §2: the workbench is one file, rewritten as a whole, and read first.
func TestSeed003CurrentState(t *testing.T) {
	t.Parallel()
	s := tower(t)
	s.do("remember", "now", "--form", "state", "--fields", `{"goals":"close the audit","in_progress":"waiting for Dora","blockers":"the vault is shut","next":"call the locksmith"}`)
	state := s.read("memory/CURRENT_STATE.md")
	s.contains("CURRENT_STATE.md", state, "close the audit", "waiting for Dora", "the vault is shut", "call the locksmith")
	text, _ := s.do("boot", "--occasion", "reset")["text"].(string)
	if i := strings.Index(text, "close the audit"); i < 0 || strings.Contains(text[:i], "# INDEX") {
		t.Errorf("after a reset:\n%s", text)
	}
}

// 003 §2B, §3: the weekly run writes summary, index and archive, and keeps
// MEMORY.md under 80 lines and 5 KB without losing what a person wrote.
func TestSeed003WeeklyTidy(t *testing.T) {
	t.Parallel()
	s := tower(t)
	var b strings.Builder
	b.WriteString("# 2026-03-10\n\n## 09:00\n\n")
	for i := range 120 {
		fmt.Fprintf(&b, "- Rule %d: rack %d must be locked by %s\n", i, i*7, strings.Repeat("guard ", i%4+1))
	}
	s.write("memory/2026-03-10.md", b.String())
	s.do("sync")
	s.at = time.Date(2026, 3, 15, 22, 0, 0, 0, time.UTC)
	s.do("schedule", "run", "compound")
	memory := s.read("MEMORY.md")
	s.contains("MEMORY.md", memory, "- 巡检记录只保存在本机\n")
	if n := strings.Count(memory, "\n"); n > 80 || len(memory) > 5<<10 || n < 20 {
		t.Errorf("MEMORY.md has %d lines, %d bytes", n, len(memory))
	}
	files := s.files()
	for _, day := range []string{"02", "03", "04", "05", "06", "07"} {
		if files["memory/archive/2026/2026-03-"+day+".md"] == "" || files["memory/2026-03-"+day+".md"] != "" {
			t.Errorf("the journal of %s is not in the archive", day)
		}
	}
	if files["memory/2026-03-11.md"] == "" {
		t.Error("the journal of this week is gone")
	}
	s.golden("memory/weekly/2026-03-02.md", "memory/INDEX.md")
	if hits := s.recall("invoice batch 04"); len(hits) == 0 || hits[0].Path != "memory/archive/2026/2026-03-04.md" {
		t.Errorf("from the archive: %+v", hits)
	}
	s.keeps("the second run", func() { s.do("compound") })
}

// 003 §2C: an alert at the second anomaly in a row, with the last three looks.
func TestSeed003Watchdog(t *testing.T) {
	t.Parallel()
	s := tower(t)
	s.do("schedule", "run", "sync")
	s.do("schedule", "disable", "compound")
	code, out, _ := s.program("watchdog")
	if code != 0 || strings.Contains(out, "警报未") || strings.Contains(out, "—— 警报") {
		t.Errorf("at first: %d\n%s", code, out)
	}
	s.at = s.at.Add(2 * time.Hour)
	code, out, _ = s.program("watchdog")
	if code != 12 || !strings.Contains(out, "—— 警报") {
		t.Errorf("at the second look: %d\n%s", code, out)
	}
	s.contains("the state", s.read("memory/state/memory-watchdog-state.json"), `"last3"`, `"anomalies": 2`, "disabled")
	s.do("schedule", "enable", "compound")
	s.at = s.at.Add(2 * time.Hour)
	if code, out, _ := s.program("watchdog"); code != 0 {
		t.Errorf("when it is well again: %d\n%s", code, out)
	}
}
