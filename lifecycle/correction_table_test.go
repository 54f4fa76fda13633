package lifecycle

import (
	"testing"

	"agentmemory/internal/memory"
)

// exchange is what was said first, and what somebody said after it.
type exchange struct{ before, after string }

// Each second sentence sets the first one right: a value of several parts (day
// and hour, number and unit), a person, or a name.
func correctionsOfValues() map[string][]exchange {
	return map[string][]exchange{"zh": chineseCorrectionsOfValues(), "en": englishCorrectionsOfValues()}
}

func chineseCorrectionsOfValues() []exchange {
	return []exchange{
		{"周三的例会改到周四下午三点", "应该是周五上午十点，不是周四"},
		{"周三的例会改到周四下午三点", "不对，是周五上午十点"},
		{"週三的例會改到週四下午三點", "應該是週五上午十點，不是週四"},
		{"评审会定在3月5日下午两点", "更正：评审会是3月6日下午两点"},
		{"发布时间是晚上九点半", "说错了，是晚上十点半"},
		{"客户演示安排在下周二上午九点", "不是下周二，是下周三上午九点"},
		{"团建定在4月12日去杭州", "应该是4月19日，不是4月12日"},
		{"机票买的是周五晚上的", "搞错了，机票是周六早上的"},
		{"会议室订的是三楼301", "不是301，是305"},
		{"预算是三万五千元", "更正，预算是三万八千元"},
		{"服务器内存是 32 GB", "不对，是 64 GB"},
		{"数据库版本用 PostgreSQL 14", "应该是 PostgreSQL 16，不是 14"},
		{"张伟负责前端", "不对，是李娜负责前端，不是张伟"},
		{"面试约在周一下午两点半", "面试改到周二下午两点半了，不是周一"},
		{"体检改到 5 月 3 日", "其实是 5 月 10 日"},
		{"合同的到期日是 2026-12-31", "更正：合同到期日是 2027-03-31，不是 2026-12-31"},
		{"周会从十点改到十一点", "不对，是改到十点半"},
		{"备份每天凌晨两点跑", "应该是凌晨三点，不是两点"},
		{"奶奶的生日是农历八月十五", "说错了，是农历八月十六"},
		{"交付日期定为6月30号", "不是6月30号，是7月15号"},
		{"家长会在周四晚上七点", "更正一下，家长会在周五晚上七点"},
		{"快递地址是中山路88号", "搞错了，是中山路68号"},
		{"项目代号叫 Falcon", "不对，代号是 Merlin，不叫 Falcon"},
		{"午饭约在十二点半", "等等，是一点"},
		{"房租每月 3200 元，五号交", "不对，房租是 3500 元"},
		{"牙医约在下周四下午", "改到下周五了，不是下周四"},
		{"周六上午十点去机场接爸爸", "搞错了，是周日上午十点"},
		{"冲刺评审改到星期三上午", "应该是星期二上午，不是星期三"},
		{"新版本 6 月 1 日上线", "更正：新版本 6 月 8 日上线，不是 6 月 1 日"},
		{"小王的工位在二楼", "说错了，小王的工位在三楼"},
		{"限流阈值是每秒 200 次", "不对，是每秒 500 次"},
		{"接口超时是 30 秒", "其实应该是 60 秒，不是 30 秒"},
		{"瑜伽课每周二晚上八点", "不是周二，是周四晚上八点"},
		{"我们选了阿里云", "不对，选的是腾讯云，不是阿里云"},
	}
}

func englishCorrectionsOfValues() []exchange {
	return []exchange{
		{"The Wednesday standup moved to Thursday 3 pm", "No, Friday 10 am, not Thursday"},
		{"Let's move the Wednesday meeting to Thursday at 3 pm", "Sorry, it should be Friday at 10 am, not Thursday"},
		{"The review is on March 5 at 2 pm", "Correction: the review is on March 6 at 2 pm"},
		{"The release is at 9:30 pm", "Sorry, it's 10:30 pm"},
		{"The demo is scheduled for next Tuesday at 9", "Not next Tuesday, next Wednesday at 9"},
		{"The budget is 35,000 euros", "Correction: the budget is 38,000 euros"},
		{"The server has 32 GB of memory", "No, it's 64 GB"},
		{"We run PostgreSQL 14", "Actually it's PostgreSQL 16, not 14"},
		{"Dana owns the billing service", "No, Priya owns the billing service, not Dana"},
		{"The meeting room is 301", "No, 305, not 301"},
		{"The interview is on Monday at 2:30 pm", "The interview is on Tuesday, not Monday"},
		{"The contract ends on 2026-12-31", "Correction: the contract ends on 2027-03-31, not 2026-12-31"},
		{"Backups run at 2 am every night", "It should be 3 am, not 2 am"},
		{"Mom's birthday is on August 15", "Oops, it's August 16"},
		{"The deadline is June 30", "Not June 30, July 15"},
		{"The flight leaves on Friday evening", "Wait, the flight leaves on Saturday morning"},
		{"The package goes to 88 Elm Street", "My mistake, it's 68 Elm Street"},
		{"The project is called Falcon", "No, it's called Merlin, not Falcon"},
		{"Lunch is at 12:30", "Actually, 1 pm"},
		{"The weekly sync moved from 10 am to 11 am", "No, it moved to 10:30 am"},
		{"The office party is on December 12 in Leeds", "Correction: December 19, not December 12"},
		{"The cache entries live for 60 seconds", "Sorry, 90 seconds"},
		{"The dentist is on Thursday at 4 pm", "Sorry, Friday at 4 pm, not Thursday"},
		{"Rent is 1,200 dollars a month", "Correction: rent is 1,350 dollars a month"},
		{"The sprint demo is Tuesday morning", "No, Wednesday morning"},
		{"Version 2.4 ships on June 1", "Actually June 8, not June 1"},
		{"Tom's desk is on floor 2", "Oops, floor 3, not 2"},
		{"The rate limit is 200 requests per second", "Sorry, 500 requests"},
		{"The API timeout is 30 seconds", "Actually the API timeout is 60 seconds"},
		{"Yoga is on Tuesdays at 8 pm", "Not Tuesdays, Thursdays at 8 pm"},
		{"We picked AWS for hosting", "No, we picked GCP, not AWS"},
		{"Grandma arrives on 12 May", "Scratch that, 19 May"},
	}
}

// Each second sentence looks like the ones above and sets nothing right that the
// first one says: another subject, another kind of value, an aside.
func lookAlikesOfCorrections() map[string][]exchange {
	return map[string][]exchange{"zh": chineseLookAlikesOfCorrections(), "en": englishLookAlikesOfCorrections()}
}

func chineseLookAlikesOfCorrections() []exchange {
	return []exchange{
		{"周三的例会改到周四下午三点", "周五上午十点去医院体检"},
		{"周三的例会改到周四下午三点", "评审会是周五上午十点，不是周四"},
		{"周三的例会改到周四下午三点", "周四下午三点的例会不用带电脑"},
		{"周三的例会改到周四下午三点", "应该是周五上午十点，不是周六"},
		{"服务器内存是 32 GB", "不对，硬盘应该是 64 GB"},
		{"评审会定在3月5日下午两点", "不对，演示会是3月6日下午两点"},
		{"预算是三万五千元", "不对，奖金是三万八千元"},
		{"发布时间是晚上九点半", "晚上十点半睡觉太晚了"},
		{"张伟负责前端", "不对，李娜负责后端，不是张伟"},
		{"备份每天凌晨两点跑", "巡检应该是凌晨三点，不是两点"},
		{"机票买的是周五晚上的", "酒店是周六早上退房"},
		{"客户演示安排在下周二上午九点", "其实我觉得上午九点太早了"},
		{"团建定在4月12日去杭州", "4月12日不是周末吧？"},
		{"会议室订的是三楼301", "不是所有人都要去301"},
		{"数据库版本用 PostgreSQL 14", "测试环境不是 PostgreSQL 14，是 16"},
		{"合同的到期日是 2026-12-31", "更正：保险到期日是 2027-03-31"},
		{"家长会在周四晚上七点", "等等，周四晚上七点我要加班"},
		{"快递地址是中山路88号", "不对，公司地址是中山路68号"},
		{"午饭约在十二点半", "晚饭应该是六点半，不是五点半"},
		{"周会从十点改到十一点", "不是每周都开周会"},
		{"奶奶的生日是农历八月十五", "不对，爷爷的生日是农历八月十六"},
		{"体检改到 5 月 3 日", "其实 5 月 3 日是假期"},
		{"交付日期定为6月30号", "不要在6月30号之前发公告"},
		{"午饭约在十二点半", "不对，是周四"},
		{"项目代号叫 Falcon", "不对，组件叫 Merlin，不叫 Sparrow"},
		{"面试约在周一下午两点半", "面试不在周二"},
		{"房租每月 3200 元，五号交", "不对，物业费是 3500 元"},
		{"牙医约在下周四下午", "下周五我请假，不是下周四"},
		{"周六上午十点去机场接爸爸", "其实周日上午十点有电影"},
		{"接口超时是 30 秒", "数据库超时应该是 60 秒，不是 30 秒"},
		{"新版本 6 月 1 日上线", "更正：文档 6 月 8 日发布"},
		{"小王的工位在二楼", "说错了，会议室在三楼"},
		{"瑜伽课每周二晚上八点", "跑步是周四晚上八点，不是周二"},
		{"我们选了阿里云", "不对，短信服务选的是腾讯云，不是阿里云"},
		{"限流阈值是每秒 200 次", "其实每秒 200 次够用了"},
		{"冲刺评审改到星期三上午", "不是星期三上午就能做完的"},
	}
}

func englishLookAlikesOfCorrections() []exchange {
	return []exchange{
		{"The Wednesday standup moved to Thursday 3 pm", "No, the retrospective is on Friday, not Thursday"},
		{"The Wednesday standup moved to Thursday 3 pm", "Actually Thursday 3 pm is when I pick up the kids"},
		{"The Wednesday standup moved to Thursday 3 pm", "No, Friday 10 am, not Saturday"},
		{"The review is on March 5 at 2 pm", "Correction: the demo is on March 6 at 2 pm"},
		{"The release is at 9:30 pm", "Sorry, I will be late, around 10:30 pm"},
		{"The budget is 35,000 euros", "Correction: the bonus is 38,000 euros"},
		{"The server has 32 GB of memory", "No, the laptop has 64 GB"},
		{"We run PostgreSQL 14", "Staging runs PostgreSQL 16, not 14"},
		{"Dana owns the billing service", "No, Priya owns the search service, not Dana"},
		{"The meeting room is 301", "No problem, 305 people signed up"},
		{"The interview is on Monday at 2:30 pm", "The interview is not on Tuesday"},
		{"The contract ends on 2026-12-31", "Correction: the insurance ends on 2027-03-31"},
		{"Backups run at 2 am every night", "The scan should run at 3 am, not 2 am"},
		{"Mom's birthday is on August 15", "Oops, dad's birthday is on August 16"},
		{"The deadline is June 30", "Do not send anything before June 30"},
		{"The flight leaves on Friday evening", "Wait, on Saturday morning the shop is closed"},
		{"The package goes to 88 Elm Street", "My mistake, the invoice goes to 68 Oak Street"},
		{"The project is called Falcon", "No, the library is called Merlin, not Sparrow"},
		{"Lunch is at 12:30", "Actually, dinner is at 7 pm"},
		{"The weekly sync moved from 10 am to 11 am", "Not everybody is awake at 10 am"},
		{"The office party is on December 12 in Leeds", "December 19 is my birthday, not December 12"},
		{"The cache entries live for 60 seconds", "Sorry, give me 90 seconds"},
		{"Lunch is at 12:30", "No, Thursday"},
		{"The dentist is on Thursday at 4 pm", "Sorry, the barber is on Friday at 4 pm, not Thursday"},
		{"Rent is 1,200 dollars a month", "Correction: insurance is 1,350 dollars a month"},
		{"The sprint demo is Tuesday morning", "No, I am away on Wednesday morning"},
		{"Version 2.4 ships on June 1", "Actually the docs ship on June 8, not June 1"},
		{"Tom's desk is on floor 2", "Oops, Ann's desk is on floor 3"},
		{"The rate limit is 200 requests per second", "Sorry, I have 500 emails"},
		{"The API timeout is 30 seconds", "Actually the database timeout is 60 seconds, not 30 seconds"},
		{"Yoga is on Tuesdays at 8 pm", "Running is on Thursdays at 8 pm, not Tuesdays"},
		{"We picked AWS for hosting", "No, for mail we picked GCP, not AWS"},
		{"Grandma arrives on 12 May", "Wait, on 19 May the school is closed"},
	}
}

// typesOfExchanges are the types that the two sentences may get: the rules of
// capture call the first an event and the second knowledge as often as not.
func typesOfExchanges() [][2]memory.Type {
	return [][2]memory.Type{{memory.Knowledge, memory.Knowledge}, {memory.Event, memory.Knowledge}, {memory.Knowledge, memory.Event}, {memory.Event, memory.Event}}
}

// judged is what the guard makes of the second sentence of an exchange, an hour
// after the first in the same conversation.
func judged(t *testing.T, e exchange, types [2]memory.Type) Verdict {
	t.Helper()
	have := []Similar{{Memory: said("b", "talk", "The office closes at six", 3)}, {Memory: stored("a", e.before, session("talk"), learned(1.0/24), kind(types[0]))}}
	return Guard(Arrival{Memory: incoming(e.after, session("talk"), kind(types[1])), Now: today()}, have, openclawGuard(t))
}

func TestCorrectionsOfValuesSupersede(t *testing.T) {
	for language, table := range correctionsOfValues() {
		if len(table) < 20 {
			t.Errorf("%s: only %d", language, len(table))
		}
		for _, e := range table {
			for _, types := range typesOfExchanges() {
				v := judged(t, e, types)
				if v.Action != Superseded || len(v.Changes) != 2 || v.Changes[1].Memory.ID != "a" {
					t.Errorf("%s %v: %q after %q: %s because %q", language, types, e.after, e.before, v.Action, v.Reason)
				} else if old := v.Changes[1]; old.Op != memory.OpStatus || old.Memory.Content != e.before || old.Memory.Status != memory.Superseded {
					t.Errorf("%q: the old text is not kept: %+v", e.after, old)
				}
			}
		}
	}
}

func TestWhatOnlyLooksLikeACorrectionSupersedesNothing(t *testing.T) {
	for language, table := range lookAlikesOfCorrections() {
		if len(table) < 20 {
			t.Errorf("%s: only %d", language, len(table))
		}
		for _, e := range table {
			for _, types := range typesOfExchanges() {
				if v := judged(t, e, types); v.Action != Added {
					t.Errorf("%s %v: %q after %q: %s because %q", language, types, e.after, e.before, v.Action, v.Reason)
				}
			}
		}
	}
}
