package lifecycle

import "testing"

// A rule is not ended by the report that it was not kept once, nor by that of a
// place where it is not kept; a fact is by its denial.
func TestWhatDidNotHappenOnceEndsNoRule(t *testing.T) {
	for _, c := range []struct {
		old, said string
		replaced  bool
	}{
		{"Run all tests before a release", "We did not run all tests before the release and it broke", false},
		{"Run all tests before a release", "We didn't run all tests before the release and it broke", false},
		{"发布前跑全部测试", "发布前没有跑全部测试，出了事故", false},
		{"Ann drinks coffee in the morning", "Ann did not drink coffee this morning", false},
		{"The gateway retries failed calls", "The gateway did not retry the failed calls last night", false},
		{"Do not store passwords in plain text", "Found a place where passwords are stored in plain text", false},
		{"不要明文存储用户密码", "发现有一处明文存储用户密码", false},

		{"发布前跑全部测试", "这次发布前不跑全部测试了", false},
		{"每天晚上备份账本", "今天晚上不备份账本了", false},

		{"The ledger supports CSV", "The ledger does not support CSV", true},
		{"账本支持 CSV", "账本不支持 CSV", true},
		{"We deploy on Fridays", "We do not deploy on Fridays", true},
		{"公司有食堂", "公司没有食堂", true},
		{"The contract was signed", "The contract was not signed", true},
		{"Ann signed the contract with Siemens", "Ann did not sign the contract with Siemens", true},
		{"昨天备份了账本数据库", "昨天没有备份账本数据库", true},
		{"Never deploy on Fridays", "We deploy on Fridays now", true},
	} {
		why := conflict(analyse(c.said), analyse(c.old), 0.7)
		if (why != "") != c.replaced {
			t.Errorf("%q after %q: %q", c.said, c.old, why)
		}
	}
}

// A reason is read by people: it says values as the texts do.
func TestAReasonSaysWhatTheTextsSay(t *testing.T) {
	for _, c := range []struct{ old, said, reason string }{
		{"The bakery is open on Friday.", "The bakery is not open on Friday.", "one affirms what the other denies (Friday, open)"},
		{"面包店周五下午三点开门", "面包店周五下午三点不开门", "one affirms what the other denies (开门)"},
	} {
		if why := conflict(analyse(c.said), analyse(c.old), 0.7); why != c.reason {
			t.Errorf("%q after %q: %q, want %q", c.said, c.old, why, c.reason)
		}
	}
}
