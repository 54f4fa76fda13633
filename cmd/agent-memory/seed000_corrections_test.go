package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tell writes a conversation of today, a minute between its messages.
func (s *seed) tell(folder, name string, said ...string) {
	s.t.Helper()
	var b strings.Builder
	for i, text := range said {
		role, text, _ := strings.Cut(text, ": ")
		line, err := json.Marshal(map[string]string{"role": role, "content": text, "time": s.at.Add(time.Duration(i-len(said)) * time.Minute).Format(time.RFC3339)})
		if err != nil {
			s.t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(folder, name+".jsonl"), []byte(b.String()), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// 000 §3.4: what was kept and is set right does not stay as it was; a correction
// of what was never kept is none of the four kinds.
func TestSeed000ACorrectionOfWhatWasKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language                           string
		kept, atOnce, later, other, other2 string
	}{
		{"zh", "记住：发布窗口是周四下午三点，负责人是王敏。", "更正：发布窗口是周四下午四点。", "不对，发布窗口应该是周三下午四点。", "不对，午饭应该是十二点半。", "我喜欢深色主题。"},
		{"en", "Remember: the release window is Thursday at 3 pm, Maria owns it.", "Correction: the release window is Thursday at 4 pm.", "No, the release window should be Wednesday at 4 pm.", "No, lunch is at half past twelve.", "I prefer dark themes."},
	} {
		folder := t.TempDir()
		s := newSeed(t, "000-corrections-"+c.language, "four-layer", c.language, "--capture", "jsonl:"+folder)
		s.at = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
		s.tell(folder, "first", "user: "+c.kept, "assistant: ok", "user: "+c.atOnce, "user: "+c.other2)
		s.do("sync")
		s.at = s.at.AddDate(0, 0, 2)
		s.tell(folder, "second", "user: "+c.later, "assistant: ok", "user: "+c.other)
		s.do("sync")
		hits := s.recall("--limit", "20")
		found := map[string]bool{}
		for _, h := range hits {
			found[h.Content] = true
		}
		if len(hits) != 2 || !found[c.atOnce] || !found[c.later] {
			t.Errorf("%s: in force are %+v", c.language, hits)
		}
		if _, out, _ := s.program("recall", c.later); !strings.Contains(out, c.atOnce) {
			t.Errorf("%s: what stood before is not told:\n%s", c.language, out)
		}
	}
}
