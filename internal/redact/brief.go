package redact

import "strings"

// brief matches the value given to a name that also means something else: pass
// and pw. What stands there must look drawn, and the name must stand where one
// is named: at the beginning of a clause, behind an account, in a variable.
type brief struct {
	words    *vocabulary
	accounts []string // words beside which pass is a password
	kinds    []string // words before pass that make it another one
	counted  []string // beginnings of what a pass goes through
}

func newBrief(words *vocabulary) brief {
	return brief{
		words: words,
		accounts: []string{"user", "login", "wifi", "wi-fi", "wlan", "ssh", "vpn", "ftp", "admin", "root", "db ", "database", "router", "mail", "account", "server", "nas ", "my ", "our ",
			"账号", "帐号", "賬號", "帳號", "用户", "用戶", "账户", "数据库"},
		kinds: []string{"low", "high", "band", "all", "multi", "single", "one", "two", "first", "second", "third", "last", "final", "next", "dry", "by", "test", "tests", "num", "max", "min", "per",
			"boarding", "mountain", "season", "day", "bus", "train", "ski", "hall"},
		counted: []string{"test", "step", "phase", "stage", "round", "run", "build", "case", "utf", "line", "part", "file", "task", "gate", "seat"},
	}
}

func (m brief) find(t scanned, at, after int) span {
	if at > t.from && alnum(t.all[at-1]) || after >= len(t.all) || alnum(t.all[after]) || t.all[after] == '_' || t.all[after] == '-' {
		return span{}
	}
	sign := m.words.separator(t.all, after)
	if sign.end == 0 {
		sign = flagSeparator(t.all, at, after)
	}
	if sign.end == 0 {
		return span{}
	}
	v := m.words.valueAt(t.all, sign.end)
	v.sign, v.constant = strings.TrimSpace(t.all[sign.start:sign.end]), constant(t.all, at, after)
	if m.words.placeholder(v.text) || !v.passwordLike(m.words) || !m.means(t, at, after, v) {
		return span{}
	}
	return span{v.start, v.start + len(v.text)}
}

// means reports whether pass or pw means a password here.
func (m brief) means(t scanned, at, after int, v value) bool {
	sign := strings.Trim(v.sign, "\"'`*_ ")
	named := at > 0 && t.all[at-1] == '_'
	switch {
	case m.otherKind(t.lower[max(0, at-16):at]) || holdsFirst(lowerASCII(v.text), m.counted) || v.measure():
		return false
	case sign == "" || sign == "=" || sign == ":=" || named && (sign == ":" || sign == "："):
		return v.constant || v.quoted || v.mixed()
	case strings.HasPrefix(sign, "is") || strings.HasPrefix(sign, "was"):
		return after-at == len("pw") && v.mixed() && clauseEnds(t.all, v.start+len(v.text))
	case sign != ":" && sign != "：" || t.all[at:after] == "PASS":
		return false
	}
	begins, account := m.place(t, at)
	return clauseEnds(t.all, v.start+len(v.text)) && (account && len(v.text) >= 6 || (begins || after-at == len("pw")) && v.mixed())
}

// otherKind reports whether the word before the name makes it another thing: first pass, low_pass.
func (m brief) otherKind(before string) bool {
	before = strings.TrimRight(before, " -_")
	for _, k := range m.kinds {
		if rest, found := strings.CutSuffix(before, k); found && (rest == "" || !alnum(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}

// place tells whether a clause begins with the name, and whether the line
// speaks of an account before it.
func (m brief) place(t scanned, at int) (begins, account bool) {
	before := t.lower[max(0, at-48):at]
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i:]
	}
	account = holdsAny(before, m.accounts)
	before = strings.TrimRight(before, " \t\"'`*-")
	for _, sign := range []string{"\n", ",", ";", "/", "|", "(", "{", "，", "；", "、", "。"} {
		if strings.HasSuffix(before, sign) {
			return true, account
		}
	}
	return before == "", account
}

// mixed reports whether a value has letters and digits or strong characters in
// one piece of six and more.
func (v value) mixed() bool {
	t := v.traits()
	return len(v.text) >= 6 && t.letters > 0 && t.digits+t.strong > 0 && t.joints+t.other == 0
}

// measure reports whether a value is a number with its unit: 14ms, 2x, 1500us.
func (v value) measure() bool {
	unit := strings.TrimLeft(v.text, "0123456789.,")
	return unit != v.text && len(unit) > 0 && len(unit) <= 3
}

func holdsFirst(s string, beginnings []string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(s, b) {
			return true
		}
	}
	return false
}

// constant reports whether the name at s[at:after] is written as a variable of
// the environment: DB_PASS.
func constant(s string, at, after int) bool {
	for i := at; i < after; i++ {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return at > 0 && s[at-1] == '_'
}
