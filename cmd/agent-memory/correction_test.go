package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/tools"
)

// A person decides, talks of something else, and takes the decision back
// without saying again what it was about. The later word is recalled under the
// subject of the earlier one, which stays, hidden, with the reason.
func TestAConversationThatCorrectsItself(t *testing.T) {
	t.Parallel()
	for _, talk := range []struct {
		name, question, before, after string
		turns                         []string
	}{
		{"Chinese", "缓存用什么", "我们决定用 Redis 做缓存", "Valkey", []string{
			"帮我看一下部署脚本", "我们决定用 Redis 做缓存", "记住：发票抬头是云杉科技有限公司", "不对，应该是用 Valkey，不要用 Redis"}},
		{"English", "what do we use for the cache", "we decided to use Redis for the cache", "Valkey", []string{
			"please look at the deploy script", "we decided to use Redis for the cache", "Remember that the invoice goes to Spruce Ltd", "actually no, we should use Valkey, not Redis"}},
	} {
		t.Run(talk.name, func(t *testing.T) {
			t.Parallel()
			env, home := surround(t)
			writeFile(t, filepath.Join(home, ".claude", "projects", "-home-me-ledger", "5c1d.jsonl"), strings.Join(userTurns(t, talk.turns...), ""))
			if code, _, errs := program(t, env, "init", "--capture", "claude-code"); code != 0 {
				t.Fatal(errs)
			}
			for range 2 { // a second run finds nothing new
				answer[map[string]any](t, env, "sync")
			}
			hits := answer[tools.RecallResult](t, env, "recall", talk.question).Memories
			if len(hits) == 0 || !strings.Contains(hits[0].Content, talk.after) || hits[0].Content == talk.before {
				t.Errorf("%s: %+v", talk.question, hits)
			}
			for _, h := range hits {
				if h.Content == talk.before {
					t.Errorf("what was taken back is recalled by default: %+v", h)
				}
			}
			old := answer[tools.RecallResult](t, env, "recall", talk.question, "--status", "superseded").Memories
			if len(old) != 1 || old[0].Content != talk.before || old[0].SupersededBy != hits[0].ID {
				t.Errorf("what it was before: %+v", old)
			}
		})
	}
}

// userTurns are what a person said, a minute apart, in the shape of Claude Code's transcripts.
func userTurns(t *testing.T, said ...string) []string {
	t.Helper()
	var lines []string
	for i, text := range said {
		raw, err := json.Marshal(map[string]any{
			"type": "user", "uuid": fmt.Sprintf("m-%d", i), "sessionId": "5c1d", "isSidechain": false,
			"timestamp": time.Date(2026, 3, 11, 10, i, 0, 0, time.UTC).Format(time.RFC3339),
			"message":   map[string]any{"role": "user", "content": text},
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(raw)+"\n")
	}
	return lines
}
