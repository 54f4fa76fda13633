package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func fourLayers(t *testing.T) *seed {
	t.Helper()
	s := newSeed(t, "000-four-layer", "four-layer", "en", "--capture", "claude-code")
	s.do("sync", "files")
	return s
}

// 000 §2 and §3: microSync takes settled things of the last three hours only,
// writes the journal only, and does nothing the second time.
func TestSeed000MicroSync(t *testing.T) {
	s := fourLayers(t)
	before := s.files()
	s.do("sync")
	if diff := cmp.Diff([]string{"memory/2026-03-11.md"}, appeared(before, s.files())); diff != "" {
		t.Errorf("new files (-want +got):\n%s", diff)
	}
	if s.read("MEMORY.md") != before["MEMORY.md"] {
		t.Errorf("MEMORY.md was changed:\n%s", s.read("MEMORY.md"))
	}
	journal := s.read("memory/2026-03-11.md")
	s.contains("the journal", journal, "分号", "审计报告")
	for _, other := range []string{"gRPC", "开心", "做完了一半"} {
		if strings.Contains(journal, other) {
			t.Errorf("the journal holds %q:\n%s", other, journal)
		}
	}
	s.golden("memory/2026-03-11.md")
	s.at = s.at.Add(time.Minute)
	s.keeps("the second run", func() { s.do("sync") })
}

// 000 §3.1: the schema of a decision, each part where the file has it.
func TestSeed000Decisions(t *testing.T) {
	t.Parallel()
	s := fourLayers(t)
	s.do("remember", "Backups are encrypted before they leave the house", "--form", "decision", "--title", "Encrypted backups",
		"--uri", "decision://20260311-backup-encryption", "--session-id", "s-0311", "--session-path", "sessions/s-0311.jsonl", "--message-range", "2-5",
		"--confidence", "0.7", "--fields", `{"why":"the disk is carried by a courier","finding":"age adds a minute","conclusion":"encrypt with age","impact":"one key to guard","refs":"second-brain/specs"}`)
	s.golden("memory/2026-03-11.md")

	hits := s.recall("encrypted backups courier")
	if len(hits) == 0 || hits[0].SessionPath != "sessions/s-0311.jsonl" || hits[0].MessageRange != "2-5" || hits[0].Confidence != 0.7 || hits[0].Form != "decision" {
		t.Errorf("%+v", hits)
	}
	// The same id again: one version is in force, the newer and at least as sure one.
	got := s.do("remember", "Backups are encrypted with age and signed", "--form", "decision", "--title", "Encrypted backups",
		"--uri", "decision://20260311-backup-encryption", "--confidence", "0.8")
	if got["action"] != "updated" {
		t.Errorf("%v", got)
	}
	if n := len(s.recall("--uri", "decision://20260311-backup-encryption")); n != 1 {
		t.Errorf("%d versions are recalled", n)
	}
}

// 000 §3.2: the six fixed sections, and nobody's MEMORY.md.
func TestSeed000Wrapup(t *testing.T) {
	t.Parallel()
	s := fourLayers(t)
	s.do("sync")
	s.do("remember", "TODO: send the price list to Marta")
	s.do("remember", "Root cause of the crash: the cache was never flushed", "--type", "knowledge")
	s.do("remember", "Tomorrow we look at the invoices")
	before := s.files()
	s.at = time.Date(2026, 3, 12, 0, 30, 0, 0, time.UTC)
	s.do("schedule", "run", "wrapup")
	if diff := cmp.Diff([]string{"second-brain/summaries/2026-03-11-wrapup.md"}, appeared(before, s.files())); diff != "" {
		t.Errorf("new files (-want +got):\n%s", diff)
	}
	if s.read("MEMORY.md") != before["MEMORY.md"] {
		t.Error("MEMORY.md was changed")
	}
	text := s.read("second-brain/summaries/2026-03-11-wrapup.md")
	at := 0
	for _, heading := range []string{"Decisions made today", "Action items", "Important conversations", "Technical notes / debugging lessons", "Open loops", "Tomorrow next steps"} {
		i := strings.Index(text, "## "+heading)
		if i < at {
			t.Errorf("%q is missing or out of order:\n%s", heading, text)
		}
		at = i
	}
	s.golden("second-brain/summaries/2026-03-11-wrapup.md")
}

// 000 §3.3, §3.4, §5: the weekly compound rewrites MEMORY.md, keeps what people
// wrote, links, and logs each move with its reason and date.
func TestSeed000Compound(t *testing.T) {
	t.Parallel()
	s := fourLayers(t)
	s.do("sync")
	s.at = time.Date(2026, 3, 15, 22, 0, 0, 0, time.UTC)
	s.do("schedule", "run", "compound")
	memory := s.read("MEMORY.md")
	s.contains("MEMORY.md", memory, "- 对外邮件先给结论 → memory/projects/ledger.md\n", "- Release notes go out in English and Chinese\n", "(memory/2026-03-04.md#")
	if lines := strings.Count(memory, "\n"); lines > 200 {
		t.Errorf("MEMORY.md has %d lines", lines)
	}
	s.golden("MEMORY.md", "memory/archive/weekly-2026-W11.md")
	s.keeps("the second run", func() { s.do("compound") })
}

// 000 §2.1: a query writes nothing.
func TestSeed000ReadingWritesNothing(t *testing.T) {
	s := fourLayers(t)
	s.keeps("recall", func() {
		s.recall("SQLite ledger")
		s.recall("流水线 去重")
		s.do("recall_path", "decision://20260304-ledger-store")
		s.do("status")
	})
}

// 000 §4.1: more than 300 decisions of a day move on to files by topic.
func TestSeed000ADayOfManyDecisions(t *testing.T) {
	sequential(t)
	t.Parallel()
	s := fourLayers(t)
	var b strings.Builder
	b.WriteString("# 2026-03-10\n")
	for i := range 303 {
		fmt.Fprintf(&b, "\n## Decision: Rule %d of the parser\n- id: DECISION-20260310-parser-%d\n- date: 2026-03-10\n- conclusion: token %d is read as number %d\n- confidence: 0.8\n- status: active\n", i, i, i*7, i*13)
	}
	s.write("memory/2026-03-10.md", b.String())
	s.do("sync", "files")
	s.at = time.Date(2026, 3, 15, 22, 0, 0, 0, time.UTC)
	s.do("compound")
	if n := strings.Count(s.read("memory/2026-03-10.md"), "## Decision:"); n != 300 {
		t.Errorf("%d decisions stay in the journal", n)
	}
	moved := 0
	for name, text := range s.files() {
		if strings.HasPrefix(name, "memory/recent/") {
			moved += strings.Count(text, "## Decision:")
		}
	}
	if moved != 3 {
		t.Errorf("%d decisions stand in memory/recent/", moved)
	}
	divided := s.read("memory/2026-03-10.md")
	for name := range s.files() {
		if topic, found := strings.CutPrefix(name, "memory/"); found && strings.HasPrefix(topic, "recent/") && strings.Count(divided, "]("+topic+")") != 1 {
			t.Errorf("the journal does not lead to %s once:\n%s", name, strings.Split(divided, "## Decision")[0])
		}
	}
	s.keeps("another sync", func() { s.do("sync", "files") })
	for _, hit := range s.recall("recent parser md", "--form", "passage") {
		if hit.Path == "memory/2026-03-10.md" {
			t.Errorf("the links are taken for prose: %+v", hit)
		}
	}
	if undone := s.do("reflect", "--undo"); undone["undone"] == nil {
		t.Error(undone)
	}
	if s.read("memory/2026-03-10.md") != b.String() {
		t.Errorf("undone, the journal differs:\n%s", s.read("memory/2026-03-10.md")[:200])
	}
}

// 000 §8: recent decisions, reasons of months ago, technical details in the
// cold; each answer with source, date, path, uncertainty, within two seconds.
func TestSeed000Checklist(t *testing.T) {
	s := fourLayers(t)
	for _, tt := range []struct {
		kind, question, path, words string
		uncertain                   bool
	}{
		{"A", "上周做了什么", "memory/2026-03-04.md", "SQLite", false},
		{"A", "我们上周做了哪些决定？", "memory/2026-03-04.md", "SQLite", false},
		{"A", "what did we decide last week", "memory/2026-03-04.md", "SQLite", false},
		{"A", "what did we decide last week about the ledger", "memory/2026-03-04.md", "SQLite", false},
		{"B", "为什么放弃 MongoDB", "memory/2025-11-18.md", "MongoDB", true},
		{"B", "why did we drop MongoDB in November", "memory/2025-11-18.md", "MongoDB", true},
		{"C", "how are shards of the import pipeline recognised", "second-brain/research/sharding.md", "hash", false},
		{"C", "导入流水线 去重键", "second-brain/devlogs/2025-10-02.md", "行哈希", false},
	} {
		begun := time.Now()
		hits := s.recall(tt.question)
		took := time.Since(begun)
		if len(hits) == 0 {
			t.Errorf("%s %q: nothing", tt.kind, tt.question)
			continue
		}
		h := hits[0]
		if h.Path != tt.path || !strings.Contains(h.Content, tt.words) || h.Line == 0 || h.CreatedAt == "" || h.Source == "" || h.Confidence == 0 || h.Uncertain != tt.uncertain {
			t.Errorf("%s %q: %+v", tt.kind, tt.question, h)
		}
		if h.Form == "decision" && (h.SessionPath == "" || h.MessageRange == "") {
			t.Errorf("%s %q: no source: %+v", tt.kind, tt.question, h)
		}
		if took > 2*time.Second {
			t.Logf("%s %q took %s", tt.kind, tt.question, took)
		}
	}
}
