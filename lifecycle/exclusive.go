package lifecycle

import (
	"slices"
	"strings"
)

// To hide what is still true is worse than to keep what is not: a differing value
// replaces an earlier one by itself only if there is one of it at a time. "The
// port is 9090" replaces "the port is 8080"; "the user is a developer" leaves "the
// user is vegetarian" alone.

// exclusion tells whether two values of one statement exclude each other.
type exclusion int

const (
	compatible exclusion = iota // both may hold
	doubtful                    // people look: both stay, linked
	exclusive                   // the newer one replaces the older one
)

// frame is two statements that differ in one place.
type frame struct {
	head, tail  []token // what stands before and behind the values
	now, before []token
	announced   bool // the newer one says that something is different now
}

// ofNow reports whether the newer statement says that it is so now, of something
// that is so or so for everybody: "we now deploy on Mondays". What one likes, or
// works with, may still be more than that.
func (f frame) ofNow(newer statement) bool {
	if slices.ContainsFunc(newer.values, func(t token) bool {
		return t.kind == negator || oneOfMany(t.text) || t.text == "也" || t.text == "还"
	}) {
		return false
	}
	kind := f.kindAfterHead(f.now)
	if kind != f.kindAfterHead(f.before) || kind != ofTime && kind != "theme" && kind != "indentation" {
		return false
	}
	said := newer.folded()
	return strings.Contains(said, "现在") || strings.Contains(said, "如今") || slices.ContainsFunc(newer.tokens, func(t token) bool { return t.text == "now" || t.text == "nowadays" })
}

// kindAfterHead is kindOf for a value of which the first part may stand in both
// statements: 周一 and 周五.
func (f frame) kindAfterHead(value []token) valueKind {
	if weekdayAt(append(slices.Clone(f.head[len(f.head)-1:]), value...)) > 0 {
		return ofTime
	}
	return kindOf(value)
}

// excludes judges the values by what they are, and by what stands before them.
func (f frame) excludes() exclusion {
	a, b := kindOf(f.now), kindOf(f.before)
	switch {
	case f.ofAttribute():
		return exclusive // the limit is 30, then none
	case a != "" && a == b:
		return exclusive
	case a != "" && b != "" || a.closed() || b.closed():
		return compatible
	}
	judged := f.byVerb()
	if judged == doubtful && f.announced {
		return exclusive
	}
	return judged
}

// byVerb judges values of no known kind.
func (f frame) byVerb() exclusion {
	verb := f.head[len(f.head)-1].text
	switch verb {
	case "is", "are", "was", "是", "为":
		return f.copula()
	case "use", "uses", "using", "用", "chose", "择", "了", "prefer", "prefers", "好":
		return f.taking(verb)
	case "在", "到":
		return f.place()
	case "叫":
		if slices.ContainsFunc(append(slices.Clone(f.now), f.before...), func(t token) bool { return t.text == "我" || t.text == "你" }) {
			return compatible // she calls, rather than is called
		}
	}
	return exclusive // lives in, works for, is named: one at a time
}

// copula judges what somebody or something is said to be.
func (f frame) copula() exclusion {
	if personal(f.head[:len(f.head)-1]) {
		return compatible // people are many things
	}
	if f.ofThing() {
		if properValue(f.now) && properValue(f.before) {
			return exclusive // the owner is Ann, then Bob
		}
		return doubtful
	}
	if f.announced || properValue(f.now) && properValue(f.before) {
		return doubtful
	}
	return compatible
}

// taking judges what is used, chosen or preferred: one for each purpose.
func (f frame) taking(verb string) exclusion {
	switch {
	case len(f.tail) > 0 && !howOften(f.tail[0].text):
		return exclusive
	case f.announced:
		return doubtful
	case verb == "prefer" || verb == "prefers" || verb == "好", personal(f.head[:len(f.head)-1]):
		return compatible
	}
	return doubtful
}

// place judges where something is: one lives in one place, but what is somewhere
// may be doing something there as well.
func (f frame) place() exclusion {
	switch {
	case strings.HasSuffix(tail(f.head, 2), "住在"):
		return exclusive
	case len(f.now) == len(f.before):
		return doubtful
	}
	return compatible
}

// ofAttribute reports whether the values are of something that has one value by
// its nature, said before them: a name, a price, a default.
func (f frame) ofAttribute() bool {
	if f.head[len(f.head)-1].kind == character {
		return hasSuffixOf(withoutCopula(tail(f.head, 8)), "名字", "名称", "颜色", "状态", "价格", "日期", "时间", "生日", "密码", "端口", "版本", "上限", "下限", "阈值",
			"超时", "预算", "默认", "地址", "邮箱", "电话", "号码", "时区", "语言", "货币", "年龄", "身高", "体重", "频率", "优先级", "首都", "代号", "等于") ||
			strings.Contains(tail(f.head, 8), "最喜欢的") || strings.Contains(tail(f.head, 8), "默认")
	}
	for i := len(f.head) - 1; i >= 0; i-- {
		switch w := f.head[i].text; w {
		case "is", "are", "was", "at", "to":
			continue
		case "name", "color", "colour", "status", "price", "cost", "birthday", "password", "port", "version", "limit", "timeout", "budget", "deadline", "default",
			"address", "email", "phone", "timezone", "language", "currency", "age", "height", "weight", "priority", "capital", "threshold", "interval", "equals", "named", "called":
			return true
		default:
			return slices.ContainsFunc(f.head[:i], func(t token) bool {
				return slices.Contains([]string{"default", "favorite", "favourite", "preferred", "primary"}, t.text)
			})
		}
	}
	return false
}

// ofThing reports whether the values are of something that is often somebody or
// something else, but can be described, too: an owner, a database.
func (f frame) ofThing() bool {
	if f.head[len(f.head)-1].kind == character {
		return hasSuffixOf(withoutCopula(tail(f.head, 8)), "负责人", "经理", "老板", "联系人", "主管", "作者", "老师", "对接人", "接口人", "组长", "队长", "医生", "房东",
			"数据库", "缓存", "编辑器", "框架", "平台", "服务器", "浏览器", "系统", "后端", "前端", "供应商", "公司", "城市", "语言", "模型")
	}
	if len(f.head) < 2 {
		return false
	}
	switch f.head[len(f.head)-2].text {
	case "owner", "lead", "leader", "manager", "boss", "maintainer", "contact", "assignee", "reviewer", "approver", "host", "author", "editor", "database", "backend",
		"frontend", "framework", "platform", "cloud", "provider", "region", "target", "branch", "model", "vendor", "doctor", "dentist", "teacher", "location", "venue", "city":
		return true
	}
	return false
}

func withoutCopula(s string) string {
	return strings.TrimSuffix(strings.TrimSuffix(s, "是"), "为")
}

// personal reports whether what stands before a verb is a person, as far as words
// tell: a pronoun, the user, or a single name.
func personal(subject []token) bool {
	if len(subject) == 0 {
		return true
	}
	if subject[0].kind == character {
		switch join(subject) {
		case "我", "我们", "咱们", "你", "他", "她", "他们", "她们", "用户", "主人", "我平时", "我平常", "用户平时":
			return true
		}
		return false
	}
	switch subject[0].text {
	case "i", "we", "you", "he", "she", "they", "user", "everybody", "everyone":
		return true
	}
	return len(subject) == 1 && subject[0].kind == name
}

// properValue reports whether a value is a name, code or address, or of two to
// four characters, as most Chinese names.
func properValue(value []token) bool {
	characters := 0
	for _, t := range value {
		switch t.kind {
		case character:
			characters++
		case name, code, address, number:
		default:
			return false
		}
	}
	return characters == 0 || characters >= 2 && characters <= 4 && characters == len(value)
}

// howOften reports a word that tells how often or where, not what for.
func howOften(w string) bool {
	switch w {
	case "daily", "weekly", "at", "on", "every", "too", "here", "often", "regularly", "today", "everywhere":
		return true
	}
	return false
}

// measured reports whether what stands before a number says how much of one thing
// there is: it takes 14 minutes, costs 30 dollars, has 5 members.
func measured(head []token) bool {
	last := head[len(head)-1]
	if last.kind == character {
		return hasSuffixOf(tail(head, 3), "需要", "耗时", "花费", "售价", "共有", "总共", "一共", "重", "长", "要花", "得花")
	}
	switch last.text {
	case "takes", "costs", "lasts", "weighs", "measures", "has", "have":
		return true
	}
	return false
}

// amounts reports whether both values are numbers of one unit.
func (f frame) amounts() bool {
	return len(f.now) == 1 && len(f.before) == 1 && f.now[0].kind == number && f.before[0].kind == number && kindOf(f.now) == kindOf(f.before)
}
