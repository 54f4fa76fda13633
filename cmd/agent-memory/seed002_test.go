package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// yue is that system after its index was taken over. Its dust was last used two
// months ago.
func yue(t *testing.T) *seed {
	t.Helper()
	s := newSeed(t, "002-yue", "yue", "zh")
	s.do("sync", "files")
	s.do("import", filepath.Join(s.dir, "memory", "index.json"))
	return s
}

// row is what the store holds of a memory of the old index.
type row struct {
	ID                string  `json:"id"`
	Content           string  `json:"content"`
	Importance        float64 `json:"importance"`
	InitialImportance float64 `json:"initial_importance"`
	Density           float64 `json:"density"`
	AccessCount       int     `json:"access_count"`
	RetrievalCount    int     `json:"retrieval_count"`
	LastAccess        string  `json:"last_access"`
	Actor             string  `json:"actor"`
	Target            string  `json:"target"`
	Domain            string  `json:"domain"`
	Pinned            bool    `json:"pinned"`
}

func (s *seed) rows() map[string]row {
	s.t.Helper()
	_, out, errs := s.program("export", "--format", "jsonl")
	rows := map[string]row{}
	for line := range strings.Lines(out) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			s.t.Fatalf("%v in %s %s", err, line, errs)
		}
		rows[r.ID] = r
	}
	return rows
}

func (s *seed) states() map[string]any {
	s.t.Helper()
	states, _ := s.do("status", "full")["by_state"].(map[string]any)
	return states
}

// 002 §2: the old index comes over with its ids, counters and tiers.
func TestSeed002Import(t *testing.T) {
	s := yue(t)
	if diff := cmp.Diff(map[string]any{"Golden": 1.0, "Silver": 1.0, "Bronze": 2.0, "Dust": 12.0}, s.states()); diff != "" {
		t.Errorf("tiers, yesterday's note included (-want +got):\n%s", diff)
	}
	got := s.rows()["1"]
	want := row{"1", "说话要温和，不催促人", .95, .95, 1.5, 9, 20, "2026-03-01T01:00:00Z", "玥", "Core", "Role", false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	before := s.total()
	s.do("import", filepath.Join(s.dir, "memory", "index.json"))
	if s.total() != before {
		t.Errorf("importing again made %d of %d memories", s.total(), before)
	}
	if hits := s.recall("--actor", "剀"); len(hits) != 1 || hits[0].ID != "3" {
		t.Errorf("of 剀: %+v", hits)
	}
}

// 002 §3.1: said again, a memory is reinforced: one more access, density + .2,
// importance + 15 % of the initial one; !REMEMBER makes it Golden for good.
func TestSeed002Encode(t *testing.T) {
	sequential(t)
	t.Parallel()
	s := yue(t)
	s.do("remember", "今天读完了一本书", "--type", "event", "--importance", "0.6")
	id := s.recall("读完了一本书")[0].ID
	got := s.do("remember", "今天读完了一本书", "--type", "event")
	after := s.rows()[id]
	if got["action"] != "reinforced" || after.AccessCount != 1 || !near(after.Density, .7) || !near(after.Importance, .6+.6*.15) {
		t.Errorf("%v: %+v", got["action"], after)
	}
	for range 16 { // enough to reach 2.0
		s.at = s.at.Add(time.Minute)
		s.do("remember", "今天读完了一本书", "--type", "event")
	}
	if after := s.rows()[id]; !near(after.Importance, 2) {
		t.Errorf("importance grew to %v", after.Importance)
	}
	marked := s.do("remember", "!REMEMBER 车钥匙在蓝色的碗里", "--importance", "0.3")
	r := s.rows()[marked["memoryId"].(string)]
	if r.InitialImportance < .9 || !r.Pinned {
		t.Errorf("!REMEMBER: %+v", r)
	}
	s.at = s.at.AddDate(1, 0, 0)
	if hits := s.recall("车钥匙 碗"); len(hits) == 0 || hits[0].State != "Golden" {
		t.Errorf("a year later: %+v", hits)
	}
}

func near(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }

// 002 §3.2: five results; being returned is counted and moves the last access.
func TestSeed002Retrieve(t *testing.T) {
	t.Parallel()
	s := yue(t)
	hits := s.recall("Marta 休假")
	if len(hits) == 0 || hits[0].ID != "2" || hits[0].State != "Silver" {
		t.Fatalf("%+v", hits)
	}
	before := s.rows()["2"]
	s.at = s.at.Add(time.Hour)
	s.recall("Marta 休假")
	s.do("reflect", "--phase", "decay")
	after := s.rows()["2"]
	if after.RetrievalCount != before.RetrievalCount+2 || after.LastAccess <= before.LastAccess {
		t.Errorf("before %+v, after %+v", before, after)
	}
	for i := range 8 {
		s.do("remember", "窗边的盆栽 "+strings.Repeat("浇水", i+1)+" 记录", "--type", "event")
	}
	if n := len(s.recall("窗边的盆栽 浇水 记录")); n > 5 {
		t.Errorf("%d results", n)
	}
}

// 002 §3.3: a fifth less each day, whoever looks how often; Golden stays; and
// decay does not count as a use, or Dust would never age.
func TestSeed002Decay(t *testing.T) {
	sequential(t)
	t.Parallel()
	s := yue(t)
	last := s.rows()["3"].LastAccess
	var path []string
	for range 4 {
		path = append(path, s.recall("发布脚本 cron")[0].State, s.recall("温和 催促")[0].State)
		s.at = s.at.AddDate(0, 0, 2)
		s.do("reflect", "--phase", "all")
		s.do("reflect", "--phase", "all")
	}
	if diff := cmp.Diff([]string{"Bronze", "Golden", "Bronze", "Golden", "Dust", "Golden", "Dust", "Golden"}, path); diff != "" {
		t.Errorf("tiers every second day (-want +got):\n%s", diff)
	}
	fresh := yue(t)
	fresh.at = fresh.at.AddDate(0, 0, 5)
	fresh.do("reflect", "--phase", "all")
	if got := fresh.rows()["3"].LastAccess; got != last {
		t.Errorf("decay moved the last access from %s to %s", last, got)
	}
}

// 002 §3.4: only Dust beyond the age, to the archive first, at least ten stay,
// and only when it is told to.
func TestSeed002Collect(t *testing.T) {
	s := yue(t)
	s.keeps("a dry run", func() {
		if got := s.do("gc"); got["dry_run"] != true || len(got["plan"].([]any)) == 0 {
			t.Errorf("%v", got)
		}
	})
	s.do("gc", "--dry-run=false")
	rows := s.rows()
	if len(rows) != 10 || rows["1"].ID == "" || rows["2"].ID == "" || rows["3"].ID == "" {
		t.Errorf("%d memories stay: %v", len(rows), rows)
	}
	archive := s.read("memory/archive/2026-03-11.jsonl")
	if n := strings.Count(archive, "\n"); n != 16-10 {
		t.Errorf("%d are archived:\n%s", n, archive)
	}
	s.contains("the archive", archive, "二月的会议室在三楼")
	s.do("forget", "4", "--undo")
	if s.rows()["4"].Content != "二月的会议室在三楼" {
		t.Error("what was collected does not come back")
	}
}

// 002 §4, §5: the files of sub-agents are people's, and never written; a
// heartbeat asks for as much as it needs.
func TestSeed002AgentsAndHeartbeat(t *testing.T) {
	s := yue(t)
	s.do("reflect", "--phase", "all")
	raw, err := os.ReadFile(s.data("workspace", "subagents", "衛-Haiku.md"))
	if err != nil || string(raw) != s.read("subagents/衛-Haiku.md") {
		t.Errorf("the file of a sub-agent was changed: %v", err)
	}
	light, full := s.do("status", "light"), s.do("status", "full")
	if len(light) >= len(full) {
		t.Errorf("light says %d things, full %d", len(light), len(full))
	}
}
