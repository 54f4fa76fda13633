package lifecycle

import "testing"

func TestANameThatSaysItTwiceIsTwoNames(t *testing.T) {
	for _, row := range []struct {
		heading, says string
		found         bool
	}{
		{"账本 ledger", "账本项目的缓存用 Valkey", true},
		{"账本（ledger）", "賬本的負責人是小雨", true},
		{"Ledger (账本)", "账本下周上线", true},
		{"账本 ledger", "the ledger moved to SQLite", true},
		{"账本 ledger", "今天去了书店", false},
		{"React 学习", "学习新的框架", false}, // one name in two scripts: neither half of it is one
		{"账 ledger", "账单还没有付", false},
		{"（ledger）", "随便说说", false},
	} {
		if _, found := Named([]Entity{{Kind: "projects", Slug: "ledger", Names: []string{row.heading}}}, row.says); found != row.found {
			t.Errorf("%s in %q: %v", row.heading, row.says, found)
		}
	}
}
