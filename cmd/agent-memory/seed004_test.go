package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	lantern = ".shadow/memory/life/projects/lantern/"
	tacit   = ".shadow/memory/life/resources/system/tacit_knowledge.md"
)

func lanternShade(t *testing.T) *seed {
	t.Helper()
	s := newSeed(t, "004-para", "para", "zh")
	s.do("sync", "files")
	return s
}

// fact is one fact as the file has it.
type fact struct {
	ID            string
	Fact          string
	Status        string
	CreatedAt     *string
	LastAccessed  *string
	AccessCount   *int
	SupersededBy  *string
	SupersededAt  *string
	presentFields []string
}

func (s *seed) facts(name string) []fact {
	s.t.Helper()
	var raw []map[string]json.RawMessage
	var list []fact
	text := []byte(s.read(name))
	if err := json.Unmarshal(text, &raw); err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(text, &list); err != nil {
		s.t.Fatal(err)
	}
	for i, object := range raw {
		for _, field := range []string{"id", "fact", "status", "createdAt", "lastAccessed", "accessCount", "supersededBy", "supersededAt"} {
			if _, ok := object[field]; ok {
				list[i].presentFields = append(list[i].presentFields, field)
			}
		}
	}
	return list
}

// 004 §2, §3: extract takes durable facts of the notes into the entity that
// they name, supersedes what changed and deletes nothing; the summary shows
// what is hot, then what is warm.
func TestSeed004Extract(t *testing.T) {
	s := lanternShade(t)
	s.do("extract")
	facts := s.facts(lantern + "items.json")
	if len(facts) != 7 {
		t.Fatalf("%d facts: %+v", len(facts), facts)
	}
	byID := map[string]fact{}
	for _, f := range facts {
		byID[f.ID] = f
		if len(f.presentFields) != 8 {
			t.Errorf("%s has the fields %q", f.ID, f.presentFields)
		}
	}
	old := byID["fact-001"]
	if old.Status != "superseded" || old.SupersededBy == nil || old.SupersededAt == nil || !strings.Contains(byID[*old.SupersededBy].Fact, "SQLite") {
		t.Errorf("%+v", old)
	}
	summary := s.read(lantern + "summary.md")
	hot, warm := strings.Index(summary, "🔥"), strings.Index(summary, "♨️")
	if hot < 0 || warm < hot || !strings.Contains(summary[hot:warm], "灯罩由 Ines 设计") || !strings.Contains(summary[warm:], "make lantern") {
		t.Errorf("summary.md:\n%s", summary)
	}
	for _, gone := range []string{"三号仓库", "PostgreSQL", "吃了面"} {
		if strings.Contains(summary, gone) {
			t.Errorf("summary.md shows %q:\n%s", gone, summary)
		}
	}
	s.contains("summary.md", summary, "- 负责人 Ines\n", "2026-05-20")
	s.golden(lantern + "summary.md")
	s.keeps("the second run", func() { s.do("extract") })
}

// 004 §2: temperature by days and uses, with the seed's own example.
func TestSeed004Temperature(t *testing.T) {
	t.Parallel()
	s := lanternShade(t)
	temperature := func() map[string]string {
		got := map[string]string{}
		for _, h := range s.recall("--uri", "fact://projects/lantern", "--limit", "20", "--layer", "all") {
			got[h.Content] = h.Temperature
		}
		return got
	}
	want := map[string]string{
		"项目 Lantern 使用 PostgreSQL 保存数据": "hot", "截止日期是 2026-05-20": "hot", "第一版样机放在三号仓库": "cold",
		"打包命令是 make lantern": "warm", "灯罩由 Ines 设计": "hot", // ten days, eight uses: as if half a day
	}
	if diff := cmp.Diff(want, temperature()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// 004 §2, §3C: to load the context of a project is to read its summary; details
// come on demand, and asking changes no file.
func TestSeed004LoadContext(t *testing.T) {
	t.Parallel()
	s := lanternShade(t)
	s.do("extract")
	s.keeps("asking", func() {
		_, out, errs := s.program("recall", "加载 Lantern 项目的上下文")
		s.contains("the answer", out+errs, "灯罩由 Ines 设计")
		if strings.Contains(out, "三号仓库") {
			t.Errorf("what is cold was loaded:\n%s", out)
		}
		if hits := s.recall("第一版样机 仓库"); len(hits) == 0 || !strings.Contains(hits[0].Content, "三号仓库") {
			t.Errorf("details: %+v", hits)
		}
	})
}

// 004 §3A: USER, then what is tacit, then the day.
func TestSeed004Boot(t *testing.T) {
	s := lanternShade(t)
	var boot struct {
		Text  string
		Files []struct{ Path string }
	}
	again(t, s.do("boot"), &boot)
	var paths []string
	for _, f := range boot.Files {
		paths = append(paths, f.Path)
	}
	if len(paths) != 3 || !strings.HasSuffix(paths[0], "USER.md") || !strings.HasSuffix(paths[1], "tacit_knowledge.md") || !strings.HasSuffix(paths[2], "2026-03-11.md") {
		t.Errorf("%q", paths)
	}
	s.contains("the context", boot.Text, "称呼：老周", "回答先给结论", "外壳使用铝")
}

// 004 §3B: what is written stands in the day's note below .shadow.
func TestSeed004Write(t *testing.T) {
	s := lanternShade(t)
	s.do("remember", "记录这个决策：灯泡选 LED 而不是卤素")
	s.contains("the day's note", s.read(".shadow/memory/2026-03-11.md"), "灯泡选 LED 而不是卤素")
	if s.exists("memory/2026-03-11.md") || s.exists("MEMORY.md") {
		t.Errorf("files outside .shadow: %v", appeared(nil, s.files()))
	}
}

// 004 §1, §2: a finished project moves to the archives with every fact; facts
// are never deleted, not by forgetting either.
func TestSeed004NothingIsDeleted(t *testing.T) {
	t.Parallel()
	s := lanternShade(t)
	s.do("entity", "move", "lantern", "archives")
	moved := ".shadow/memory/life/archives/lantern/items.json"
	if !s.exists(moved) || s.exists(lantern+"items.json") {
		t.Fatalf("after the move: %v", appeared(nil, s.files()))
	}
	if n := len(s.facts(moved)); n != 5 {
		t.Errorf("%d facts moved", n)
	}
	s.do("forget", s.recall("打包命令 make lantern", "--form", "fact", "--layer", "all")[0].ID)
	if n := len(s.facts(moved)); n != 5 {
		t.Errorf("%d facts stand after one was forgotten", n)
	}
	s.at = s.at.Add(365 * 24 * time.Hour)
	s.do("gc", "--dry-run=false")
	if n := len(s.facts(moved)); n != 5 {
		t.Errorf("%d facts stand after gc", n)
	}
	s.contains("what is tacit", s.read(tacit), "回答先给结论")
}
