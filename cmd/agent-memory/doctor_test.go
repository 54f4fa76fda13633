package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDoctorSeesDamage(t *testing.T) {
	env, home := surround(t)
	workspace := filepath.Join(home, ".agent-memory")
	if code, out, _ := program(t, env, "doctor"); code != exitProblems || !strings.Contains(out, "agent-memory init") {
		t.Errorf("no workspace: exit status %d\n%s", code, out)
	}
	swappedOut := filepath.Join(workspace, "memory", "2026-03-11.md")
	answer[rememberView](t, env, "remember", "The tea house pays yearly")
	if err := os.Chmod(swappedOut, 0o644); err != nil { // as people's own files are
		t.Fatal(err)
	}
	answer[rememberView](t, env, "remember", "The coffee house pays monthly")
	if report := answer[doctorReport](t, env, "doctor"); report.Problems != 0 {
		t.Errorf("%+v", report)
	}
	if err := os.Chmod(filepath.Join(workspace, ".agent-memory", "records.jsonl"), 0o644); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(home, ".cursor", "mcp.json"), `{"mcpServers":{"agent-memory":{"command":"/nowhere/agent-memory"}}}`)
	code, out, _ := program(t, env, "doctor")
	if code != exitProblems || !strings.Contains(out, "records.jsonl may be read by others") || !strings.Contains(out, "Cursor starts") {
		t.Errorf("exit status %d\n%s", code, out)
	}
}

// Clients are connected before the first memory is written.
func TestDoctorLooksAtClientsBeforeThereIsADatabase(t *testing.T) {
	env, _ := surround(t)
	answer[installReport](t, env, "install", "claude-code")
	code, out, errs := program(t, env, "doctor")
	if code != 0 || !strings.Contains(out, "there is no database yet") || !strings.Contains(out, "Claude Code") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

func TestDoctorIsContentWithAJournalOfPeopleThatWasPutAway(t *testing.T) {
	env, home := surround(t)
	journal := filepath.Join(home, ".agent-memory", "memory", "2026-01-05.md")
	writeFile(t, journal, "# 2026-01-05\n\n- 和老王去了成都\n")
	if err := os.Chmod(journal, 0o644); err != nil {
		t.Fatal(err)
	}
	rested(t, filepath.Dir(journal))
	for _, args := range [][]string{{"init"}, {"sync"}, {"reflect", "compound"}, {"sync"}} {
		if code, out, errs := program(t, env, args...); code != 0 {
			t.Fatal(args, out, errs)
		}
	}
	if _, err := os.Stat(journal); err == nil {
		t.Fatal("the journal was not put away")
	}
	if report := answer[doctorReport](t, env, "doctor"); report.Problems != 0 {
		t.Errorf("%+v", report)
	}
}

func TestDoctorSeesDamagedRecords(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	answer[rememberView](t, env, "remember", "The tea house pays yearly")
	records := filepath.Join(home, ".agent-memory", ".agent-memory", "records.jsonl")
	writeFile(t, records, read(t, records)+"{\"id\":\"06g\n")
	code, out, _ := program(t, env, "doctor")
	if code != exitProblems || !strings.Contains(out, "line 2 of") || !strings.Contains(out, "is damaged") {
		t.Errorf("exit status %d\n%s", code, out)
	}
}
