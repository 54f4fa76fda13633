package lifecycle

import (
	"strings"
	"testing"
)

// Values that are the same, or of which one is only less exact, and values that
// differ, however alike they look.
func TestValuesWrittenInDifferentWays(t *testing.T) {
	same, differ := true, false
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"3 pm", "15:00", same}, {"3pm", "15:00", same}, {"3 p.m.", "15:00", same}, {"3:00 pm", "15:00", same}, {"下午三点", "15:00", same},
		{"下午3点", "3 pm", same}, {"15点", "15:00", same}, {"十五点", "下午三点", same}, {"下午15:00", "15:00", same}, {"15：00", "15:00", same},
		{"十点", "10点", same}, {"十点", "10:00", same}, {"10点", "10:00", same}, {"十点钟", "十点", same}, {"10 o'clock", "10:00", same},
		{"上午十点", "10 am", same}, {"上午十点", "10:00", same}, {"9:30", "09:30", same}, {"三点半", "3:30", same}, {"下午三点半", "15:30", same},
		{"下午三点三十分", "15:30", same}, {"三点一刻", "3点15分", same}, {"三点三刻", "3:45", same}, {"晚上八点", "20:00", same}, {"中午十二点", "noon", same},
		{"中午十二点", "12:00", same}, {"12 am", "0:00", same}, {"晚上十二点", "midnight", same}, {"凌晨两点", "2 am", same}, {"三点", "下午三点", same},
		{"15时30分", "15:30", same}, {"十点零五分", "10:05", same}, {"三点二十", "3:20", same},
		{"March 5", "3月5日", same}, {"March 5", "5 March", same}, {"March 5th", "5th of March", same}, {"三月五号", "3月5日", same}, {"Mar 5", "March 5", same},
		{"March 5", "2026-03-05", same}, {"2026年3月5日", "2026-03-05", same}, {"2026/3/5", "2026-03-05", same}, {"March 5, 2026", "2026-03-05", same},
		{"二〇二六年三月五日", "2026-03-05", same}, {"周五", "星期五", same}, {"礼拜五", "Friday", same}, {"周日", "星期天", same},
		{"two", "2", same}, {"twenty-five", "25", same}, {"twenty five", "25", same}, {"three hundred and five", "305", same}, {"a hundred", "100", same},
		{"1,000", "1000", same}, {"$1,000", "$1000", same}, {"1,234,567", "1234567", same}, {"五十", "50", same}, {"一百零三", "103", same}, {"两千", "2000", same},
		{"三千五", "3500", same}, {"3.5万", "35000", same}, {"一万", "10000", same}, {"1万", "10,000", same}, {"一亿", "100000000", same}, {"两个", "2个", same},
		{"50%", "百分之五十", same}, {"50 %", "50%", same}, {"50％", "50%", same}, {"fifty percent", "50%", same}, {"50 per cent", "50%", same},
		{"百分之三点五", "3.5%", same}, {"10 GB", "10GB", same}, {"200 ms", "200ms", same},

		{"3 am", "3 pm", differ}, {"15:00", "3 am", differ}, {"下午三点", "凌晨三点", differ}, {"10:00", "22:00", differ}, {"12 am", "12 pm", differ},
		{"十点", "十点半", differ}, {"三点", "四点", differ}, {"十点", "十一点", differ}, {"3:20", "3:02", differ}, {"15", "15:00", differ}, {"3点", "3个", differ},
		{"10", "100", differ}, {"1,000", "10000", differ}, {"1,000", "1.000", differ}, {"1.10", "1.1", differ}, {"v1.0", "v1", differ}, {"十", "二十", differ},
		{"一百零三", "一百三", differ}, {"三万二", "三万零二", differ}, {"万一", "10001", differ}, {"三四个", "34个", differ}, {"two", "twenty", differ},
		{"50%", "50", differ}, {"百分之五十", "五十", differ}, {"百分之五", "百分之五十", differ}, {"-5", "5", differ}, {"$5", "€5", differ}, {"10 GB", "10 MB", differ},
		{"March 5", "May 3", differ}, {"3月5日", "5月3日", differ}, {"2025-03-05", "2026-03-05", differ}, {"3月5日", "3月15日", differ}, {"March 5", "March 6", differ},
		{"3/5", "March 5", differ}, {"周五", "周六", differ}, {"周一", "一", differ}, {"三点五", "3:05", differ}, {"Friday", "Sunday", differ}, {"2", "two hundred", differ},
	} {
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			a, b := plain(analyse(pair[0]).values), plain(analyse(pair[1]).values)
			if got := agree(a, b); got != c.want {
				t.Errorf("%q and %q: the same %v, want %v (%v, %v)", pair[0], pair[1], got, c.want, join(a), join(b))
			}
		}
	}
}

// A value that is only written differently changes nothing, one that differs does.
func TestAValueInOtherWordsIsNoChange(t *testing.T) {
	for _, c := range []struct {
		have, said string
		action     Action
	}{
		{"The standup is at 3 pm", "The standup is at 15:00", Reinforced},
		{"The standup is at 3 pm", "The standup is at 3 am", Superseded},
		{"The standup is at 3 pm", "The standup is at 4 pm", Superseded},
		{"The weekly standup of the team is at 15:00", "The weekly standup of the team is at 3:30 pm", Superseded},
		{"The deadline is March 5", "The deadline is 5 March", Reinforced},
		{"The deadline is 2026-03-05", "The deadline is March 5", Reinforced},
		{"The deadline is March 5", "The deadline is 2026-03-05", Merged}, // it says more: the year
		{"The deadline is 2026-03-05", "The deadline is 2027-03-05", Superseded},
		{"The deadline is March 5", "The deadline is March 6", Superseded},
		{"The team limit is two", "The team limit is 2", Reinforced},
		{"The team limit is two", "The team limit is 3", Superseded},
		{"The upload limit is 1,000", "The upload limit is 1000", Reinforced},
		{"The memory limit is 10 GB", "The memory limit is 10GB", Reinforced},
		{"The memory limit is 10 GB", "The memory limit is 10 MB", Superseded},
		{"The discount limit is fifty percent", "The discount limit is 50%", Reinforced},
		{"例会时间是下午三点", "例会时间是15:00", Reinforced},
		{"例会时间是下午三点", "例会时间是15点", Reinforced},
		{"例会时间是下午三点", "例会时间是下午四点", Superseded},
		{"例会时间是十点", "例会时间是10点", Reinforced},
		{"例会时间是十点", "例会时间是十点半", Superseded},
		{"例会时间是下午三点", "例会时间是三点", Reinforced}, // less exact
		{"交付日期是3月5日", "交付日期是三月五号", Reinforced},
		{"交付日期是3月5日", "交付日期是3月6日", Superseded},
		{"项目预算是三千五", "项目预算是3500", Reinforced},
		{"项目预算是3.5万", "项目预算是35000", Reinforced},
		{"折扣上限是百分之五十", "折扣上限是50%", Reinforced},
		{"折扣上限是百分之五十", "折扣上限是百分之六十", Superseded},
		{"周会在星期五开", "周会在周五开", Reinforced},
	} {
		v := Guard(Arrival{Memory: incoming(c.said), Now: today()}, []Similar{{Memory: stored("old", c.have)}}, careful())
		if v.Action != c.action {
			t.Errorf("%q after %q: %s, want %s (%s)", c.said, c.have, v.Action, c.action, v.Reason)
		}
	}
}

// A value that is less exact takes nothing from one that is more so.
func TestMergingKeepsTheMoreExactValue(t *testing.T) {
	for _, c := range []struct{ older, newer, want string }{
		{"The standup is at 3 pm", "The standup is at 15:00", "The standup is at 3 pm"},
		{"The deadline is March 5", "The deadline is 2026-03-05", "The deadline is 2026-03-05"},
		{"The deadline is 2026-03-05", "The deadline is March 5", "The deadline is 2026-03-05"},
		{"例会时间是下午三点", "例会时间是三点", "例会时间是下午三点"},
		{"例会时间是三点", "例会时间是下午三点", "例会时间是下午三点"},
		{"The limit is 10 GB", "The limit is 10 MB", "The limit is 10 GB; The limit is 10 MB"},
		{"例会时间是十点", "例会时间是十点半", "例会时间是十点；例会时间是十点半"},
	} {
		if got := Merge(c.older, c.newer); got != c.want {
			t.Errorf("%q with %q: %q, want %q", c.older, c.newer, got, c.want)
		}
	}
}

// A reason names values as the texts do.
func TestAReasonNamesValuesAsWritten(t *testing.T) {
	for _, c := range []struct{ older, newer, want string }{
		{"例会时间是下午三点", "例会时间是16:00", `the value changed from "下午三点" to "16:00"`},
		{"The database of Ledger is PostgreSQL", "The database of Ledger is MySQL", `the value changed from "PostgreSQL" to "MySQL"`},
		{"账本的数据库是 PostgreSQL", "账本的数据库是 MySQL", `the value changed from "PostgreSQL" to "MySQL"`},
	} {
		v := Guard(Arrival{Memory: incoming(c.newer), Now: today()}, []Similar{{Memory: stored("old", c.older)}}, careful())
		if v.Action != Superseded || !strings.HasSuffix(v.Reason, c.want) {
			t.Errorf("%s: %s; want %s", v.Action, v.Reason, c.want)
		}
	}
}

// Corrections compare values in one form, too.
func TestACorrectionOfAValueInOtherWords(t *testing.T) {
	for _, c := range []struct {
		have, said string
		action     Action
	}{
		{"The review moved to Thursday 15:00", "No, Friday, not Thursday 3 pm", Superseded},
		{"评审改到周四下午三点", "不对，是周五，不是周四15:00", Superseded},
		{"评审改到周四10点", "不对，是十一点，不是十点", Superseded},
		{"评审改到周四下午三点", "不对，是四点，不是凌晨三点", Added},
	} {
		v := Guard(Arrival{Memory: incoming(c.said, learned(0)), Now: today()}, []Similar{{Memory: stored("old", c.have, learned(.01))}}, careful())
		if v.Action != c.action {
			t.Errorf("%q after %q: %s, want %s (%s)", c.said, c.have, v.Action, c.action, v.Reason)
		}
	}
}
