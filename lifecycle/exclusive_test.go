package lifecycle

import "testing"

// What only knowledge of the world keeps apart hides nothing: a value replaces an
// earlier one if both are of a kind of which there is one at a time.
func TestValuesThatAreNoChangeStayApart(t *testing.T) {
	checkValues(t, "apart", []saidAfter{
		{"The user is vegetarian", "The user is a developer"},
		{"The user is a developer", "The user is a father"},
		{"用户是素食者", "用户是程序员"},
		{"我是老师", "我是浙江人"},
		{"The car is red", "The car is fast"},
		{"这辆车是红色的", "这辆车是电动的"},
		{"Bob is tall", "Bob is Canadian"},
		{"Bob uses Linux", "Bob uses Emacs"},
		{"We use Slack", "We use GitHub"},
		{"我们用 Slack", "我们用 GitHub"},
		{"服务器用 Linux", "服务器用 Nginx"},
		{"Project Lighthouse uses Go", "Project Lighthouse uses SQLite"},
		{"Bob uses Obsidian", "Bob uses Todoist"},
		{"The user prefers short answers", "The user prefers dark mode"},
		{"用户偏好简短回答", "用户偏好深色主题"},
		{"会议在周五", "会议在三楼"},
		{"我住在杭州", "我住在三楼"},
		{"客户在上海", "客户在等回复"},
		{"代码在 GitHub", "代码在 main 分支"},
		{"女儿叫小雨", "女儿叫我回家"},
		{"They work at night", "They work at Siemens"},
		{"The app runs on Linux", "The app runs on port 8080"},
		{"The house has 3 floors", "The house has 5 rooms"},
		{"The user likes coffee", "The user now likes tea"},
		{"We deploy on Fridays", "We now also deploy on Mondays"},
		{"我们每周五发布", "我们现在也每周一发布"},
		{"We deploy on Fridays", "We deploy on Mondays"},
	})
}

func TestValuesThatMayBeAChangeStayBeside(t *testing.T) {
	checkValues(t, "beside", []saidAfter{
		{"The importer uses Foolib", "The importer uses Barlib"},
		{"用户在北京", "用户在上海"},
		{"备份到硬盘", "备份到云端"},
		{"The service is Foo", "The service is Bar"},
	})
}

func TestValuesOfOneKindReplace(t *testing.T) {
	checkValues(t, "replaces", []saidAfter{
		{"The car is red", "The car is blue"},
		{"这辆车是红色的", "这辆车是蓝色的"},
		{"We use Postgres", "We use MySQL"},
		{"The user prefers tea", "The user prefers coffee"},
		{"The user prefers tabs", "The user prefers spaces"},
		{"The user prefers window seats", "The user prefers aisle seats"},
		{"I use Notion for notes", "I use Obsidian for notes"},
		{"我们用 Slack 沟通", "我们用飞书沟通"},
		{"The owner is Bob", "The owner is Ann"},
		{"项目的负责人是王敏", "项目的负责人是李雷"},
		{"The user's favorite fruit is mango", "The user's favorite fruit is papaya"},
		{"我最喜欢的水果是芒果", "我最喜欢的水果是木瓜"},
		{"The limit is 30", "The limit is unlimited"},
		{"The dog is named Rex", "The dog is named Max"},
		{"The build takes 14 minutes", "The build takes 9 minutes"},
		{"构建需要 14 分钟", "构建需要 9 分钟"},
		{"The subscription costs 30 dollars", "The subscription costs 40 dollars"},
		{"The team has 5 members", "The team has 6 members"},
		{"用户喜欢深色主题", "用户现在喜欢浅色主题"},
		{"User likes dark themes", "User now likes light themes"},
		{"We deploy on Fridays", "We now deploy on Mondays"},
		{"我们每周五发布", "我们现在每周一发布"},
	})
}

// saidAfter is a statement and what is said later.
type saidAfter struct{ old, said string }

// checkValues expects of each pair that the later one replaces the earlier one, is
// linked beside it, or leaves it alone.
func checkValues(t *testing.T, want string, pairs []saidAfter) {
	t.Helper()
	for _, c := range pairs {
		newer, older := analyse(c.said), analyse(c.old)
		how := "apart"
		if conflict(newer, older, .6) != "" {
			how = "replaces"
		} else if differingValue(newer, older) != "" {
			how = "beside"
		}
		if how != want {
			t.Errorf("%q after %q: %s, wanted %s", c.said, c.old, how, want)
		}
	}
}

// Two values that may exclude each other stay, and who reads the earlier one is told.
func TestADoubtfulValueIsLinkedWithTheEarlierOne(t *testing.T) {
	old := stored("a", "The importer uses Foolib")
	v := Guard(Arrival{Memory: incoming("The importer uses Barlib"), Now: today()}, []Similar{{Memory: old}}, openclawGuard(t))
	if v.Action != Added || len(v.Changes) != 2 || v.Changes[0].Memory.Links[0].Relation != Contradicts || v.Changes[1].Memory.Links[0].Relation != ContradictedBy || v.Changes[1].Memory.Status != old.Status {
		t.Errorf("%+v", v)
	}
}

// A habit that has come to an end replaces the habit, in few words as well, and
// nobody else's.
func TestWhatHasEndedReplacesWhatWasSaid(t *testing.T) {
	for _, c := range []struct {
		old, said string
		replaced  bool
	}{
		{"我吃肉", "我不吃肉了", true},
		{"我喜欢吃肉", "我现在不吃肉了", true},
		{"我每天喝咖啡", "我不喝咖啡了", true},
		{"我喝咖啡", "我不再喝咖啡了", true},
		{"用户吃肉", "用户不吃肉了", true},
		{"妈妈吃肉", "妈妈不吃肉了", true},
		{"I eat meat", "I no longer eat meat", true},
		{"I eat meat", "I don't eat meat anymore", true},
		{"I eat meat", "I stopped eating meat", true},
		{"I smoke", "I quit smoking", true},
		{"The user eats meat", "The user no longer eats meat", true},
		{"我不吃肉了", "我又吃肉了", true},
		{"我每天早上喝咖啡", "我最近不喝咖啡了", true},

		{"我喜欢吃肉，住在北京", "我不吃肉了", false}, // which says more
		{"I eat meat and I live in Berlin", "I no longer eat meat", false},

		{"妈妈吃肉", "我不吃肉了", false},
		{"孩子喝牛奶", "我不喝牛奶了", false},
		{"Mom eats meat", "I no longer eat meat", false},
		{"Bob eats meat", "I no longer eat meat", false},
		{"我吃鱼", "我不吃肉了", false},
		{"这家店不错", "这家店不错了", false},
		{"我看书", "我受不了", false},
	} {
		if why := conflict(analyse(c.said), analyse(c.old), .6); (why != "") != c.replaced {
			t.Errorf("%q after %q: %q", c.said, c.old, why)
		}
	}
}
