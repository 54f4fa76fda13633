package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func fusedMemory(t *testing.T) *seed {
	t.Helper()
	s := newSeed(t, "001-fusion", "fusion", "zh", "--capture", "claude-code")
	s.at = time.Date(2026, 3, 11, 13, 0, 0, 0, time.UTC)
	s.do("sync", "files")
	s.at = time.Date(2026, 3, 11, 14, 0, 0, 0, time.UTC)
	return s
}

func (s *seed) total() int {
	s.t.Helper()
	n, _ := s.do("status", "light")["total"].(float64)
	return int(n)
}

// captured lists what was captured by address: type, and words.
func (s *seed) captured() map[string]string {
	s.t.Helper()
	found := map[string]string{}
	for _, h := range s.recall("--limit", "100") {
		if strings.HasPrefix(h.Source, "memory-sync:") {
			found[h.URI] = h.Content
		}
	}
	return found
}

// 001 §6, the test plan, item by item.
func TestSeed001TestPlan(t *testing.T) {
	sequential(t)
	t.Parallel()
	t.Run("capture", planCapture)
	t.Run("dedup", planDedup)
	t.Run("consolidate", planConsolidate)
	t.Run("surface", planSurface)
	t.Run("fallback", planFallback)
	t.Run("end to end", planEndToEnd)
}

func planCapture(t *testing.T) {
	s := fusedMemory(t)
	before := s.total()
	s.do("sync")
	added := strings.Count(s.read("memory/2026-03-11.md"), "\n- ")
	if added != 4 || s.total() != before+added {
		t.Errorf("%d bullets, %d memories before and %d after", added, before, s.total())
	}
	want := map[string]string{
		"knowledge://journal/2026-03-11#1400-1": "我们决定发票从四月起用电子版。", "knowledge://journal/2026-03-11#1400-2": "韩梅不吃花生",
		"emotion://journal/2026-03-11#1400-3": "我今天拿到驾照了，好开心！", "knowledge://journal/2026-03-11#1400-4": "Never deploy to production without a backup.",
	}
	if diff := cmp.Diff(want, s.captured()); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
	s.golden("memory/2026-03-11.md")
}

func planDedup(t *testing.T) {
	s := fusedMemory(t)
	s.do("sync")
	before := s.total()
	s.keeps("the second sync", func() { s.do("sync") })
	if s.total() != before {
		t.Errorf("%d memories, then %d", before, s.total())
	}
}

func planConsolidate(t *testing.T) {
	s := fusedMemory(t)
	s.do("sync")
	s.at = time.Date(2026, 3, 12, 3, 0, 0, 0, time.UTC)
	_, out, errs := s.program("schedule", "run", "compound")
	s.contains("the run", out+errs, "compound：完成", "reflect：完成", "一致性检查：OK")
	s.contains("status", s.statusText(), "reflect", "2026-03-12 03:00")
	s.contains("MEMORY.md", s.read("MEMORY.md"), "- 部署只在周二\n", "- 账本使用 SQLite 存储\n")
}

func planSurface(t *testing.T) {
	s := fusedMemory(t)
	s.do("sync")
	s.at = s.at.Add(5 * time.Minute)
	s.do("surface")
	recent := s.read("RECENT.md")
	s.contains("RECENT.md", recent, "# RECENT.md\n", "_auto-updated: 2026-03-11 14:05_", "## 最近情感\n", "## 最近决策/知识\n", "## 最近事件\n")
	if n := strings.Count(recent, "\n"); n > 80 {
		t.Errorf("RECENT.md has %d lines", n)
	}
	s.golden("RECENT.md")
	s.keeps("the second surface", func() { s.do("surface") })
}

func planFallback(t *testing.T) {
	s := fusedMemory(t)
	blocked := s.blockDatabase()
	code, _, errs := s.program("sync", "sessions")
	if code != 0 {
		t.Fatalf("sync without a database: %d %s", code, errs)
	}
	s.contains("the journal", s.read("memory/2026-03-11.md"), "- 我们决定发票从四月起用电子版。")
	if code, _, errs := s.program("surface"); code != 0 {
		t.Errorf("surface without a database: %d %s", code, errs)
	} else {
		s.contains("RECENT.md", s.read("RECENT.md"), "电子版", "预算会")
	}
	blocked()
	s.rest("RECENT.md")
	s.do("sync")
	if n := len(s.captured()); n != 4 || s.total() != 6 {
		t.Errorf("afterwards %d memories are recalled, %d of them captured", s.total(), n)
	}
	s.do("surface")
	s.contains("RECENT.md", s.read("RECENT.md"), "电子版", "预算会", "骑车")
	if s.total() != 6 {
		t.Errorf("RECENT.md was taken for something new: %d memories", s.total())
	}
}

func planEndToEnd(t *testing.T) {
	s := fusedMemory(t)
	s.at = time.Date(2026, 3, 11, 13, 50, 0, 0, time.UTC)
	s.do("schedule", "run") // from now on the schedule is kept
	s.at = time.Date(2026, 3, 11, 14, 0, 30, 0, time.UTC)
	s.do("schedule", "run")
	s.at = s.at.Add(10 * time.Minute)
	boot := s.do("boot")
	text, _ := boot["text"].(string)
	s.contains("the new conversation's context", text, "## 最近决策/知识", "电子版", "部署只在周二")
}

func (s *seed) statusText() string {
	s.t.Helper()
	code, out, errs := s.program("status", "full")
	if code != 0 {
		s.t.Fatal(errs)
	}
	return out
}

// blockDatabase makes the database unusable until the returned function is called.
func (s *seed) blockDatabase() (restore func()) {
	s.t.Helper()
	database := filepath.Join(s.dir, ".agent-memory", "memory.db")
	for _, suffix := range []string{"-wal", "-shm"} {
		_ = os.Remove(database + suffix)
	}
	if err := os.Rename(database, database+".away"); err != nil {
		s.t.Fatal(err)
	}
	mkdir(s.t, database)
	return func() {
		if err := os.Remove(database); err != nil {
			s.t.Fatal(err)
		}
		if err := os.Rename(database+".away", database); err != nil {
			s.t.Fatal(err)
		}
	}
}

// 001 §4.3.2: MEMORY.md is the truth; what contradicts it is reported, and
// neither is changed.
func TestSeed001Consistency(t *testing.T) {
	s := fusedMemory(t)
	s.do("remember", "账本不使用 SQLite 存储", "--type", "knowledge")
	before := s.read("MEMORY.md")
	var got struct{ Consistency []string }
	again(t, s.do("reflect", "--phase", "all"), &got)
	if len(got.Consistency) != 1 || !regexp.MustCompile(`^⚠️ CONFLICT: .*不使用.*MEMORY.md`).MatchString(got.Consistency[0]) {
		t.Errorf("%q", got.Consistency)
	}
	if s.read("MEMORY.md") != before {
		t.Errorf("MEMORY.md was changed:\n%s", s.read("MEMORY.md"))
	}
}

// 001 §7.3: everything that sync brought can be taken back by its source, and
// the rest stays.
func TestSeed001Rollback(t *testing.T) {
	t.Parallel()
	s := fusedMemory(t)
	s.do("remember", "Written by hand", "--source", "chat")
	before := s.total()
	s.do("sync")
	s.do("forget", "--source", "memory-sync:*")
	if s.total() != before || len(s.captured()) != 0 {
		t.Errorf("%d memories, %d before; %v", s.total(), before, s.captured())
	}
	s.do("sync")
	if len(s.captured()) != 0 {
		t.Errorf("the next sync brought back %v", s.captured())
	}
}

// 001 §4.3.3: at most 40 entries of a week, 8, 15 and 15, one line of 200
// characters each; a text said twice stands there once.
func TestSeed001RecentIsBounded(t *testing.T) {
	s := fusedMemory(t)
	var b strings.Builder
	b.WriteString("# 2026-03-11\n\n## 09:00\n\n")
	for i, what := range manyThings() {
		b.WriteString("- " + what + "\n")
		_ = i
	}
	s.write("memory/2026-03-11.md", b.String())
	s.write("memory/2026-02-20.md", "# 2026-02-20\n\n## 09:00\n\n- 三周以前的旧事\n")
	s.do("sync", "files")
	s.do("surface")
	recent := s.read("RECENT.md")
	sections := strings.Split(recent, "\n## ")[1:]
	for i, limit := range []int{8, 15, 15} {
		if n := strings.Count(sections[i], "\n- "); n != limit {
			t.Errorf("section %d has %d entries, want %d:\n%s", i+1, n, limit, sections[i])
		}
	}
	for line := range strings.Lines(recent) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 200 {
			t.Errorf("a line has %d characters: %s", n, line)
		}
	}
	if strings.Contains(recent, "旧事") || strings.Count(recent, "\n") > 80 {
		t.Errorf("RECENT.md:\n%s", recent)
	}
}

func manyThings() []string {
	places := []string{"上海", "Lisbon", "成都", "Oslo", "广州", "Porto", "西安", "Turin", "昆明", "Ghent", "青岛", "Basel", "苏州", "Lyon", "厦门", "Bergen", "桂林", "Graz", "大理", "Cork"}
	var list []string
	for i, place := range places {
		list = append(list,
			"去"+place+"的火车晚点了"+strings.Repeat("很久", 2+i),
			"必须提前预订"+place+"的酒店，"+strings.Repeat("越早越好", 3+i),
			"在"+place+"看到日出，好开心"+strings.Repeat("啊", i))
	}
	return append(list, "去上海开会 "+strings.Repeat("很长的说明", 100))
}
