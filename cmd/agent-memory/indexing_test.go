package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A server that starts beside files without a database knows what they say from
// its first answer on.
func TestFirstAnswerKnowsTheFiles(t *testing.T) {
	env, home := surround(t)
	dir := filepath.Join(home, ".agent-memory")
	for day := 1; day <= 28; day++ {
		var b strings.Builder
		fmt.Fprintf(&b, "# 2026-02-%02d\n\n## 09:00\n\n", day)
		for i := range 60 {
			fmt.Fprintf(&b, "- note %d of day %d says that valve %d was oiled\n", i, day, 100*day+i)
		}
		writeFile(t, filepath.Join(dir, "memory", fmt.Sprintf("2026-02-%02d.md", day)), b.String())
	}
	writeFile(t, filepath.Join(dir, "memory", "2026-03-09.md"), "# 2026-03-09\n\n## 09:00\n\n- Marta's bicycle is locked with the code of the quinces\n")
	l := startLive(t, env)
	defer l.close()
	for range 10 {
		got := l.call("recall", `{"query":"Marta's bicycle lock code"}`)
		if got["count"] == 1.0 {
			return
		}
		if fmt.Sprint(got["degraded"]) != "[indexing]" {
			t.Fatalf("an answer without what the files hold: %v", got)
		}
	}
	t.Error("nothing is found within twenty seconds")
}
