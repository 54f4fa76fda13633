package lifecycle

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// What somebody said stands under what was talked about; only what is about
// technical matters, or a lesson, is a technical note. Nothing gets lost.
func TestWhereAWrapupPutsWhatWasSaid(t *testing.T) {
	at := time.Date(2026, 2, 21, 15, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		content, uri string
		kind         memory.Type
		want         string
	}{
		{"The user likes dark themes best", "", memory.Knowledge, WrapConversations},
		{"用户最喜欢深色主题", "", memory.Knowledge, WrapConversations},
		{"Friday 10 am", "", memory.Knowledge, WrapConversations},
		{"应该是周五上午十点", "", memory.Knowledge, WrapConversations},
		{"Ann arrives on 12 May", "", memory.Event, WrapConversations},
		{"韩梅不吃花生", "", memory.Knowledge, WrapConversations},
		{"奶奶的生日是农历八月十五", "", memory.Knowledge, WrapConversations},
		{"The report goes to the client every Monday", "", memory.Knowledge, WrapConversations},
		{"The staging server listens on port 8080", "", memory.Knowledge, WrapTechnical},
		{"预发布服务器监听 8080 端口", "", memory.Knowledge, WrapTechnical},
		{"The parser was slow because of `regexp` in the loop", "", memory.Knowledge, WrapTechnical},
		{"账本使用 SQLite 存储", "", memory.Knowledge, WrapTechnical},
		{"The ledger is kept in SQLite", "", memory.Knowledge, WrapTechnical},
		{"A gap ____ to fill in", "", memory.Knowledge, WrapConversations},
		{"max_open_conns is 8", "", memory.Knowledge, WrapTechnical},
		{"The crash came from a full disk", "", memory.Event, WrapTechnical},
		{"Ask before you promise", "knowledge://lessons/promises", memory.Knowledge, WrapTechnical},
		{"教训：先备份再迁移", "", memory.Knowledge, WrapTechnical},
		{"Lesson learned: call before you visit", "", memory.Knowledge, WrapTechnical},
		{"We decided to rent the hall", "", memory.Knowledge, WrapDecisions},
		{"需要给房东打电话", "", memory.Knowledge, WrapActions},
		{"Task: move the invoices to the new ledger by Friday", "", memory.Knowledge, WrapActions},
		{"任务：周五前迁移发票", "", memory.Knowledge, WrapActions},
	} {
		m := memory.Memory{ID: "m", Content: c.content, URI: c.uri, Type: c.kind, Form: memory.Note, Status: memory.Active, Trust: memory.TrustUser, CreatedAt: at}
		var in []string
		for _, s := range Wrapup([]memory.Memory{m}, at).Sections {
			for range s.Entries {
				in = append(in, s.Name)
			}
		}
		if len(in) != 1 || in[0] != c.want {
			t.Errorf("%q stands in %v, not in %s", c.content, in, c.want)
		}
	}
}
