package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// Seed 001 §7.3: what a synchronisation wrote can be taken back by its source,
// and nothing else goes.
func TestRollbackBySource(t *testing.T) {
	t.Parallel()
	l := newLife(t, "fusion")
	var synced []string
	for i := range 25 {
		l.at = l.at.Add(time.Minute)
		answer := l.call("remember", map[string]any{"content": fmt.Sprintf("同步写入的第 %d 条日记：港口的船 %d 号到了", i, i*13), "type": "event", "source": fmt.Sprintf("memory-sync:2026-02-%02d", 1+i%9)})
		synced = append(synced, answer["memoryId"].(string))
	}
	own := l.call("remember", map[string]any{"content": "Ann prefers tea in the morning", "type": "knowledge", "source": "chat"})["memoryId"].(string)
	l.edit("MEMORY.md", func(string) string { return "# Mine\n\n- a line of Ann's\n" })
	before := l.files()
	if _, err := l.engine.call(t.Context(), "forget", json.RawMessage(`{"source":"memory-sync:*"}`)); memory.CodeOf(err) != memory.NeedsConfirmation {
		t.Fatalf("25 memories were to be forgotten without asking: %v", err)
	}
	if got := l.call("forget", map[string]any{"source": "memory-sync:*", "confirm": true}); got["count"] != 25.0 {
		t.Fatalf("%v", got)
	}
	for _, phase := range []string{"all", "compound", "surface"} {
		l.reflectOn(phase)
	}
	rows, files := l.rows(), l.files()
	for _, id := range synced {
		if rows[id].Status != memory.Forgotten || strings.Contains(files["memory/2026-02-22.md"], id) {
			t.Errorf("%s is %s", id, rows[id].Status)
		}
	}
	if rows[own].Status != memory.Active || !strings.Contains(files["MEMORY.md"], "- a line of Ann's") || strings.Contains(files["RECENT.md"], "港口") {
		t.Errorf("others suffered: %v\n%s\n%s", rows[own], files["MEMORY.md"], files["RECENT.md"])
	}
	l.call("forget", map[string]any{"source": "memory-sync:*", "undo": true, "confirm": true})
	if strings.Count(l.files()["memory/2026-02-22.md"], "港口") != strings.Count(before["memory/2026-02-22.md"], "港口") {
		t.Error("the undo did not bring every line back")
	}
}

// Seed 001 §4.3.2: after a reflection the liveliest memories are compared with
// MEMORY.md, which is the truth and is not touched.
func TestReflectReportsConflictsWithTheOutline(t *testing.T) {
	t.Parallel()
	for profile, compares := range map[string]bool{"openclaw": true, "fusion": true, "yue": false} {
		l := newLife(t, profile)
		l.edit("MEMORY.md", func(string) string { return "# Mine\n\n- the server listens on port 8080\n" })
		if got := l.reflectOn("all").Consistency; compares != (len(got) == 1 && got[0] == "consistency check: OK") {
			t.Errorf("%s: %q", profile, got)
		}
		l.call("remember", map[string]any{"content": "the server listens on port 9090", "type": "knowledge"})
		got := strings.Join(l.reflectOn("all").Consistency, "\n")
		if compares != strings.HasPrefix(got, "⚠️ CONFLICT") || compares != strings.Contains(got, "MEMORY.md line 3") {
			t.Errorf("%s: %q", profile, got)
		}
		if raw, _ := os.ReadFile(filepath.Join(l.dir, "MEMORY.md")); string(raw) != "# Mine\n\n- the server listens on port 8080\n" {
			t.Errorf("%s: MEMORY.md was touched:\n%s", profile, raw)
		}
	}
}

// More than 300 decisions in one journal: the oldest move to files of their
// topics, to which the index leads, and the others stay.
func TestCrowdedJournalIsDivided(t *testing.T) {
	sequential(t)
	t.Parallel()
	l := newLife(t, "four-layer")
	for i := range 310 {
		m := memory.Memory{
			Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Decision, Status: memory.Active, Trust: memory.TrustAgent,
			Title: fmt.Sprintf("Cache %d", i), Content: fmt.Sprintf("Cache number %d holds %d entries", i, i*17), URI: fmt.Sprintf("decision://20260222-cache-%d", i),
			Confidence: .8, InitialImportance: .5, Importance: .5, Density: .5, CreatedAt: l.at.Add(time.Duration(i) * time.Second),
		}
		m.ContentHash = memory.Hash(m.Content)
		m.Home.File = l.home(m)
		if _, err := l.store.Apply(t.Context(), []memory.Change{{Op: memory.OpAdd, Memory: m, Reason: "test"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.mirror.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := l.files()
	l.reflectOn("compound")
	files := l.files()
	if n := strings.Count(files["memory/2026-02-22.md"], "## Decision:"); n != 300 {
		t.Errorf("%d decisions stayed", n)
	}
	if topic := files["memory/recent/cach.md"] + files["memory/recent/cache.md"]; strings.Count(topic, "## Decision:") != 10 || !strings.Contains(topic, "Cache 0 ") && !strings.Contains(topic, "Cache 0\n") {
		t.Errorf("the topic file:\n%.400s", topic)
	}
	if !strings.Contains(files["memory/INDEX.md"], "(recent/cach") {
		t.Errorf("the index does not lead to it:\n%s", files["memory/INDEX.md"])
	}
	l.undo()
	for name, text := range l.files() {
		if text != before[name] {
			t.Errorf("%s is not as it was before:\n%.300s", name, text)
		}
	}
}
