package lifecycle

import (
	"strings"
	"testing"

	"agentmemory/internal/memory"
)

func session(id string) func(*memory.Memory) {
	return func(m *memory.Memory) { m.SessionID = id }
}

// said builds what was said in a conversation some hours ago.
func said(id, talk, content string, hoursAgo float64) memory.Memory {
	return stored(id, content, session(talk), learned(hoursAgo/24))
}

func TestCorrectionsWithoutTheirSubjectReplaceWhatWasSaidBefore(t *testing.T) {
	for _, r := range []struct {
		name, before, after string
	}{
		{"the old value is rejected, the subject left out", "我们决定用 Redis 做缓存", "不对，应该是用 Valkey，不要用 Redis"},
		{"in traditional characters", "我們決定用 Redis 做快取", "不對，應該用 Valkey，不要用 Redis"},
		{"in English", "we decided to use Redis for the cache", "actually no, use Valkey, not Redis"},
		{"with instead of", "We decided to use Redis for the cache.", "Correction: we use Valkey instead of Redis."},
		{"with a shared subject", "我们决定用 Redis 做缓存", "不对，缓存层改用 Valkey，不用 Redis 了"},
		{"without an announcement", "let's go with Redis for the cache", "use Valkey, not Redis"},
		{"only the new name", "we decided to use Redis for the cache", "no, it should be Valkey"},
		{"only the new number", "服务的端口定为 8080", "不对，应该是 8081"},
		{"only the new day", "评审会定在周三", "说错了，是周四"},
		{"a place that is no name", "团建的地点选在杭州", "不对，应该是苏州，不是杭州"},
	} {
		t.Run(r.name, func(t *testing.T) {
			have := []Similar{{Memory: said("b", "talk", "The office closes at six", 3)}, {Memory: said("a", "talk", r.before, 2)}}
			v := Guard(Arrival{Memory: incoming(r.after, session("talk")), Now: today()}, have, openclawGuard(t))
			if v.Action != Superseded || len(v.Changes) != 2 || v.Changes[1].Memory.ID != "a" {
				t.Fatalf("%s because %q; want the earlier statement superseded", v.Action, v.Reason)
			}
			now := v.Changes[0].Memory.Content
			if c, _ := CorrectionOf(incoming(r.after)); len(c.subject) > 0 {
				if now != r.after {
					t.Errorf("%q has a subject and became %q", r.after, now)
				}
			} else if !strings.Contains(now, strings.TrimRight(r.before, ".")) {
				t.Errorf("%q does not say what it is about", now)
			}
		})
	}
}

func TestWhatIsNoCorrectionOfAStatementLeavesItAlone(t *testing.T) {
	for _, r := range []struct {
		name, before, after string
	}{
		{"another subject", "我们决定用 Redis 做缓存", "不对，队列应该用 Kafka，不要用 Redis"},
		{"another subject in English", "we decided to use Redis for the cache", "no, the queue should use Kafka, not Redis"},
		{"a statement that only mentions the value", "Redis 的密码每周轮换一次", "不对，应该是用 Valkey，不要用 Redis"},
		{"a value that was rejected already", "缓存不要用 Redis", "不对，应该是用 Valkey，不要用 Redis"},
		{"a question", "我们决定用 Redis 做缓存", "不对吧，不用 Redis 用 Valkey？"},
		{"another kind of value", "服务的端口定为 8080", "不对，应该是周四"},
		{"nothing announced, nothing rejected", "服务的端口定为 8080", "应该是 8081"},
		{"a manner of speaking", "we decided to use Redis for the cache", "no problem, the tests are green now"},
		{"an opinion", "we use Redis for the cache", "actually I like the new office a lot"},
		{"a prohibition without an alternative", "we decided to use Redis for the cache", "do not run Redis on the laptop"},
	} {
		t.Run(r.name, func(t *testing.T) {
			v := Guard(Arrival{Memory: incoming(r.after, session("talk")), Now: today()}, []Similar{{Memory: said("a", "talk", r.before, 2)}}, openclawGuard(t))
			if v.Action != Added {
				t.Errorf("%s because %q; want both kept", v.Action, v.Reason)
			}
		})
	}
}

func TestACorrectionMeansItsOwnConversation(t *testing.T) {
	old := "we decided to use Redis for the cache"
	fix := "actually no, use Valkey, not Redis"
	for _, r := range []struct {
		name   string
		in     memory.Memory
		have   []memory.Memory
		loser  string // the id of what is superseded, "" for none
		action Action
	}{
		{"another conversation is left alone", incoming(fix, session("talk")), []memory.Memory{said("a", "other", old, 2)}, "", Added},
		{"of two in the conversation the later one is meant", incoming(fix, session("talk")),
			[]memory.Memory{said("a", "talk", old, 5), said("b", "talk", "we use Redis for the queue", 2)}, "b", Superseded},
		{"without conversations, what was said just now", incoming(fix), []memory.Memory{said("a", "", old, .5)}, "a", Superseded},
		{"but not what was said yesterday", incoming(fix), []memory.Memory{said("a", "", old, 24)}, "", Added},
		{"nor one of two", incoming(fix), []memory.Memory{said("a", "", old, .5), said("b", "", "we use Redis for the queue", .2)}, "", Added},
		{"said again, it changes nothing", incoming(fix, session("talk")),
			[]memory.Memory{said("b", "talk", carrying(fix, old), 2), stored("a", old, session("talk"), in(memory.Superseded))}, "", Skipped},
		{"what a person vouches for stays", incoming(fix, session("talk")),
			[]memory.Memory{stored("a", old, session("talk"), trusted(memory.TrustUser))}, "", Added},
	} {
		t.Run(r.name, func(t *testing.T) {
			have := make([]Similar, len(r.have))
			for i, m := range r.have {
				have[i] = Similar{Memory: m}
			}
			v := Guard(Arrival{Memory: r.in, Now: today()}, have, openclawGuard(t))
			loser := ""
			if len(v.Changes) == 2 {
				loser = v.Changes[1].Memory.ID
			}
			if v.Action != r.action || loser != r.loser {
				t.Errorf("%s of %q because %q; want %s of %q", v.Action, loser, v.Reason, r.action, r.loser)
			}
		})
	}
}

func TestACorrectionCarriesWhatItIsAbout(t *testing.T) {
	first := "我们决定用 Redis 做缓存"
	second := carrying("不对，应该是用 Valkey，不要用 Redis。", first)
	third := carrying("还是不对，用 KeyDB，不用 Valkey", second)
	if want := "不对，应该是用 Valkey，不要用 Redis（更正：我们决定用 Redis 做缓存）"; second != want {
		t.Errorf("got %q, want %q", second, want)
	}
	if want := "还是不对，用 KeyDB，不用 Valkey（更正：我们决定用 Redis 做缓存）"; third != want {
		t.Errorf("a chain carries its first statement: got %q, want %q", third, want)
	}
}
