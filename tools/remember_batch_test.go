package tools_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// A batch is a list of calls: what one item says of an earlier one counts as if
// it had been said in a call of its own.
func TestWhatABatchSaysOfItselfCounts(t *testing.T) {
	for _, row := range []struct {
		name    string
		items   []string
		actions string
	}{
		{"a correction of the item before", []string{`{"content":"The ledger service listens on port 8080"}`, `{"content":"Correction: the ledger service listens on port 9090, not 8080"}`}, "added superseded"},
		{"the same in Chinese", []string{`{"content":"账本服务监听 8080 端口"}`, `{"content":"更正：账本服务监听 9090 端口，不是 8080"}`}, "added superseded"},
		{"in its own words, with others between", []string{`"周报每周五发给王敏"`, `"会议室在三楼东侧"`, `"猫喜欢睡在窗台上"`, `"更正：周报改成每周四发，不是周五"`}, "added added added superseded"},
		{"a contradiction that shares words", []string{`"The gateway runs on port 8443"`, `"Mei moved to Lisbon"`, `"The gateway runs on port 9443"`}, "added added superseded"},
		{"another one that says the same", []string{`"Use tabs for indentation in Go files"`, `"Use tabs for the indentation in Go files"`}, "added skipped"},
		{"a decision that supersedes one of the batch", []string{
			`{"content":"The ledger is kept in SQLite","uri":"decision://20260221-ledger","form":"decision"}`,
			`{"content":"All accounts move to Postgres","uri":"decision://20260222-accounts","form":"decision","supersedes":"decision://20260221-ledger"}`}, "added superseded"},
	} {
		alone, together := newKit(t), newKit(t)
		for i, item := range row.items {
			if strings.HasPrefix(item, `"`) {
				row.items[i] = `{"content":` + item + `}`
			}
		}
		var apart []string
		for _, item := range row.items {
			apart = append(apart, text(alone.call("remember", item)["action"]))
		}
		got := actionsOf(t, together.call("remember", `{"items":[`+strings.Join(row.items, ",")+`]}`))
		if want := strings.Join(apart, " "); got != want || !strings.HasSuffix(row.actions, "skipped") && got != row.actions {
			t.Errorf("%s: %s, by themselves %s, want %s", row.name, got, want, row.actions)
		}
	}
}

func actionsOf(t *testing.T, batch map[string]any) string {
	t.Helper()
	var actions []string
	results, _ := batch["results"].([]any)
	for _, r := range results {
		o, _ := r.(map[string]any)
		actions = append(actions, text(o["action"]))
	}
	return strings.Join(actions, " ")
}

// A large batch of lines that are all alike still ends.
func TestALargeBatchOfLikeLinesIsKept(t *testing.T) {
	k := newKit(t)
	var items []string
	for i := range 120 {
		raw, _ := json.Marshal("Shelf " + strings.Repeat("I", i+1) + " of the archive holds the ledgers of one year")
		items = append(items, string(raw))
	}
	got := k.call("remember", `{"items":[`+strings.Join(items, ",")+`]}`)
	if s := actionsOf(t, got); strings.Contains(s, "failed") || strings.Count(s, " ") != 119 {
		t.Errorf("%v", got["reason"])
	}
}
