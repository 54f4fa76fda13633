package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// 000 §4.1: the summary of a day on which too much happened comes in parts of
// less than 1,500 lines, none of what was said is left out, and the parts that
// a later run does not need are empty of ours.
func TestSeed000AWrapupInParts(t *testing.T) {
	sequential(t)
	t.Parallel()
	s := fourLayers(t)
	const said = 3200
	var b strings.Builder
	b.WriteString("# 2026-03-10\n\n## 09:00\n\n")
	for i := range said {
		fmt.Fprintf(&b, "- Visitor %d-%d asked for lamp %d in the hall\n", i, i*7, i*13)
	}
	s.write("memory/2026-03-10.md", b.String())
	s.do("sync", "files")
	s.do("wrapup", "--date", "2026-03-10")
	parts := 0
	lines := map[string]int{}
	for name, text := range s.files() {
		if !strings.HasPrefix(name, "second-brain/summaries/2026-03-10-wrapup") {
			continue
		}
		parts++
		if n := strings.Count(text, "\n"); n >= 1500 {
			t.Errorf("%s has %d lines", name, n)
		}
		for line := range strings.Lines(text) {
			if words, found := strings.CutPrefix(line, "- Visitor "); found {
				lines[strings.Fields(words)[0]]++
			}
		}
	}
	if parts != 3 {
		t.Errorf("%d parts", parts)
	}
	if len(lines) != said {
		t.Errorf("%d of %d things stand in the parts", len(lines), said)
	}
	for what, n := range lines {
		if n != 1 {
			t.Errorf("%s stands there %d times", what, n)
		}
	}
	s.keeps("the second run", func() { s.do("wrapup", "--date", "2026-03-10") })
}

// 001 §4.3.2, step 16.6: nothing is compared with MEMORY.md when the reflection
// itself failed; the run says that it failed, MEMORY.md stays, and the next run
// compares again.
func TestSeed001NoConsistencyAfterAFailure(t *testing.T) {
	t.Parallel()
	s := fusedMemory(t)
	s.do("remember", "账本不使用 SQLite 存储", "--type", "knowledge")
	s.do("remember", "TODO: 给 Marta 寄价目表", "--type", "event")
	s.at = s.at.Add(20 * 24 * time.Hour) // the to-do is put away now: there is something to write down first
	before := s.read("MEMORY.md")
	journals := filepath.Join(s.dir, ".agent-memory", "undo")
	aside := journals + ".aside"
	if err := os.Rename(journals, aside); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	s.write(".agent-memory/undo", "a file where the journals of runs belong")
	code, out, errs := s.program("reflect", "all")
	if code == 0 || strings.Contains(out+errs, "CONFLICT") || strings.Contains(out+errs, "consistency") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
	if s.read("MEMORY.md") != before {
		t.Error("MEMORY.md was changed")
	}
	if err := os.Remove(journals); err != nil {
		t.Fatal(err)
	}
	if code, out, errs = s.program("reflect", "all"); code != 0 || !strings.Contains(out, "⚠️ CONFLICT") {
		t.Errorf("once it works again: exit status %d: %s%s", code, out, errs)
	}
}
