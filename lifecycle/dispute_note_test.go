package lifecycle

import (
	"slices"
	"testing"

	"agentmemory/internal/memory"
)

// Which later notes are linked with an earlier one of another day: both stay.
func TestALaterCorrectionIsShownBesideWhatItSeemsToSetRight(t *testing.T) {
	for _, c := range []struct {
		before, after string
		linked        bool
	}{
		{"发布窗口是周四下午三点，负责人是王敏。", "不对，发布窗口应该是周三下午三点。", true},
		{"周报每周五发给王敏。", "周报改成周四发。", true},
		{"缓存用 Redis，过期时间 30 分钟。", "缓存改用 Memcached 了，Redis 的授权太贵。", true},
		{"评审会在周二上午十点。", "评审会改到周三上午十点了。", true},
		{"房租每月 1200 元，月底交。", "房租改成每月 1350 元。", true},
		{"账本用 SQLite，备份每晚一次。", "说错了，账本不用 SQLite，用 DuckDB。", true},
		{"the release window is Thursday at 3 pm, Maria owns it.", "No, the release window should be Wednesday at 3 pm.", true},
		{"The weekly report goes to Maria every Friday, please note that.", "The weekly report is sent on Thursday now.", true},
		{"The cache is Redis with a TTL of 30 minutes.", "The cache is Memcached now, the Redis licence is too expensive.", true},
		{"Rent is 1,200 dollars a month, due on the first.", "Rent is 1,350 dollars a month now.", true},

		{"发布窗口是周四下午三点，负责人是王敏。", "不对，测试窗口应该是周三下午三点。", false},
		{"发布窗口是周四下午三点，负责人是王敏。", "不对，应该是周三下午三点。", false},
		{"发布窗口是周四下午三点，负责人是王敏。", "周三下午三点有发布培训。", false},
		{"发布窗口是周四下午三点，负责人是王敏。", "发布窗口要不要改成周三？", false},
		{"周报每周五发给王敏。", "月报改成周四发。", false},
		{"周报每周五发给王敏。", "周四讨论周报的格式。", false},
		{"周报每周五发给王敏。", "周报的模板改成两页了。", false},
		{"缓存用 Redis，过期时间 30 分钟。", "看板改用 Grafana 了。", false},
		{"缓存用 Redis，过期时间 30 分钟。", "会话改成 60 分钟过期。", false},
		{"评审会在周二上午十点。", "客户的评审会改到周三上午十点了。", false},
		{"The weekly report goes to Maria every Friday.", "The monthly report is sent on Thursday now.", false},
		{"The weekly report goes to Maria every Friday.", "The weekly report has 12 pages now.", false},
		{"The weekly report goes to Maria every Friday.", "I am in Lisbon on Thursday now.", false},
		{"The cache is Redis with a TTL of 30 minutes.", "The dashboard is Grafana now.", false},
		{"The cache is Redis with a TTL of 30 minutes.", "Should the cache be Memcached now?", false},
		{"Rent is 1,200 dollars a month.", "No, lunch is 12 dollars.", false},
		{"账本用 SQLite，备份每晚一次。", "不对，备份不是每晚压缩。", false},
		{"账本用 SQLite，备份每晚一次。", "说错了，会话不用 SQLite，用 DuckDB。", false},
		{"The ledger uses SQLite because it is one file.", "Actually, the search does not use SQLite.", false},
		{"The review is on Tuesday at ten.", "The review of the budget is rescheduled to Friday.", false},
		{"The release is on Thursday.", "No, wait.", false},
	} {
		old := stored("a", c.before, learned(3))
		v := Guard(Arrival{Memory: incoming(c.after), Now: today()}, []Similar{{Memory: old}}, careful())
		if len(v.Changes) == 0 {
			if c.linked {
				t.Errorf("%q: %s because %q", c.after, v.Action, v.Reason)
			}
			continue
		}
		linked := slices.Contains(v.Changes[0].Memory.Links, memory.Link{Target: "a", Relation: Contradicts})
		superseded := v.Action == Superseded
		if linked != c.linked && !(superseded && c.linked) {
			t.Errorf("%q after %q: linked %v, want %v (%s: %s)", c.after, c.before, linked, c.linked, v.Action, v.Reason)
		}
		for _, change := range v.Changes[1:] {
			if linked && (change.Memory.Status != memory.Active || change.Memory.Content != c.before || len(Disputes([]memory.Memory{v.Changes[0].Memory, change.Memory})) != 1) {
				t.Errorf("%q: %+v", c.after, change)
			}
		}
	}
}

// Of two that it may mean, neither is linked.
func TestALaterCorrectionDoesNotGuess(t *testing.T) {
	have := []Similar{{Memory: stored("a", "周报每周五发给王敏", learned(3))}, {Memory: stored("b", "销售部的周报每周二发给李雷", learned(4))}}
	if v := Guard(Arrival{Memory: incoming("周报改成周四发"), Now: today()}, have, careful()); v.Action != Added || len(v.Changes) != 1 {
		t.Errorf("%s: %s", v.Action, v.Reason)
	}
}
