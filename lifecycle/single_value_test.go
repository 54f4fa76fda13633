package lifecycle

import "testing"

// What is denied, can be done or is done with others may be many things: one
// does not replace another. A value of which there is one at a time does.
func TestAValueThatMayBeOneOfManyReplacesNone(t *testing.T) {
	for _, c := range []struct {
		old, said string
		replaced  bool
	}{
		{"We do not use React", "We do not use Vue", false},
		{"Never use eval in scripts", "Never use goto in scripts", false},
		{"Ann does not live in Berlin", "Ann does not live in Paris", false},
		{"不要用 eval", "不要用 goto", false},
		{"我们不用 React", "我们不用 Vue", false},
		{"不要在周五部署", "不要在节假日部署", false},
		{"别在客厅抽烟", "别在卧室抽烟", false},
		{"We can use Linux", "We can use Windows", false},
		{"Ann also uses Emacs", "Ann also uses Vim", false},
		{"我会用 Python", "我会用 Go", false},
		{"我也用 Vim", "我也用 Emacs", false},
		{"我喜欢在晚上写代码", "我喜欢在咖啡馆写代码", false},
		{"Ann works on billing", "Ann works on search", false},
		{"I work on Mondays", "I work on Fridays", false},
		{"Ann works with Bob", "Ann works with Carol", false},

		{"Ann works for Siemens", "Ann works for Bosch", true},
		{"Ann lives in Berlin", "Ann now lives in Paris", true},
		{"The ledger uses SQLite", "The ledger uses Postgres", true},
		{"It is not cheap, and the price is 30", "It is not cheap, and the price is 40", true},
		{"口感不错，价格是 30 元", "口感不错，价格是 40 元", true},
		{"周会在周五", "周会在周四", true},
		{"我住在杭州", "我现在住在上海", true},
		{"服务器的端口是 8080", "服务器的端口现在是 9090", true},
	} {
		why := conflict(analyse(c.said), analyse(c.old), 0.7)
		if (why != "") != c.replaced {
			t.Errorf("%q after %q: %q", c.said, c.old, why)
		}
	}
}
