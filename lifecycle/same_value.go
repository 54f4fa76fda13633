package lifecycle

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// One value can be written in many ways: "3 pm", "15:00" and "下午三点"; "March 5"
// and "3月5日"; "50%" and "百分之五十". Before two statements are compared, their
// values are brought into one form. What makes a value more exact (the year of a
// date, the half of the day of a clock) stands in a token of its own, so that
// "三点" neither contradicts "下午三点" nor says all of it.

// Tokens that make a value more exact.
const (
	beforeNoon = "+0h"
	afterNoon  = "+12h"
	yearMark   = "y" // 2026y
)

// written is a text with its values in one form.
type written struct {
	text   string  // "" if no value had to be rewritten
	tokens []token // of the text with the rewritten values
	source map[string]string
}

// normalise brings the values of a text, of which the tokens and their places are
// known, into one form.
func normalise(s string, list []token, places []int) written {
	if untidy(s) {
		s = tidied(s)
		list, places = tokensAt(s)
	}
	first := firstValue(list)
	if first == len(list) {
		return written{tokens: list}
	}
	w, from, out := written{tokens: append(make([]token, 0, len(list)+2), list[:first]...)}, 0, strings.Builder{}
	for i := first; i < len(list); {
		parts, n := []string(nil), 0
		if mayBeginValue(list[i:]) {
			parts, n = valueAt(list[i:])
		}
		if n == 0 || n == 1 && len(parts) == 1 && parts[0] == list[i].text {
			w.tokens = append(w.tokens, list[i])
			i++
			continue
		}
		raw := s[places[2*i]:places[2*(i+n-1)+1]]
		out.WriteString(s[from:places[2*i]] + " " + strings.Join(parts, " ") + " ")
		from = places[2*(i+n-1)+1]
		if w.source == nil {
			w.source = map[string]string{}
		}
		for _, p := range parts {
			w.tokens = append(w.tokens, token{kind: number, text: p})
			w.source[p] = raw
		}
		i += n
	}
	if len(w.source) > 0 {
		w.text = out.String() + s[from:]
	}
	return w
}

// untidy reports whether white space or wide marks may keep apart what is one value.
func untidy(s string) bool {
	return strings.Contains(s, " %") || strings.Contains(s, "％") || strings.Contains(s, "：")
}

// tidied joins what they keep apart.
func tidied(s string) string {
	return strings.NewReplacer("％", "%", "：", ":", " %", "%").Replace(s)
}

// firstValue returns where the first value may stand that has several forms, the
// number of tokens if there is none.
func firstValue(list []token) int {
	for i := range list {
		if mayBeginValue(list[i:]) {
			return i
		}
	}
	return len(list)
}

// mayBeginValue is a quick look at whether a run begins with a value that has
// several forms: most tokens do not, and cost nothing more.
func mayBeginValue(run []token) bool {
	s := run[0].text
	switch {
	case run[0].kind == character:
		switch s {
		case "周", "星", "礼":
			return true
		case "上", "下", "中", "早", "晚", "凌", "傍", "夜":
			return len(run) > 2 && run[2].kind == number && daypartAt(run) > 0
		}
		return false
	case s == "" || run[0].kind == code || run[0].kind == address:
		return false
	case s[0] >= utf8.RuneSelf:
		return run[0].kind == number
	case s[0] >= '0' && s[0] <= '9' || run[0].kind == number && !letter(s[0]):
		return !digits(s) || len(run) > 1 && extends(run[1])
	}
	value, _ := englishWord(s)
	return value >= 0 || s == "noon" || s == "midnight" || weekdayNamed(s) > 0 || monthOf(s) > 0 && len(run) > 1 && run[1].kind == number
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// extends reports whether a token after digits may belong to the same value.
func extends(t token) bool {
	switch t.kind {
	case character:
		return strings.Contains("点點时年月", t.text)
	case number:
		return tenThousands(t.text) > 0 || monthOf(t.text) > 0
	case word, name:
		w := t.text
		return halfOf(w) != "" || w == "percent" || w == "per" || w == "of" || w == "o'clock" || monthOf(w) > 0 || latinUnit(strings.ToLower(w))
	}
	return false
}

// valueAt returns the one form of the value that a run of tokens begins with, in
// its parts, and how many tokens it takes; none if it begins with no value.
func valueAt(run []token) (parts []string, n int) {
	for _, read := range []func([]token) ([]string, int){shareAt, dayAt, timeAt, dayOfWeekAt, amountAt} {
		if parts, n = read(run); n > 0 {
			return parts, n
		}
	}
	return nil, 0
}

// agree reports whether two values are the same, or one is only more exact than
// the other.
func agree(a, b []token) bool {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && len(b) > 0 && a[0].text == b[0].text:
			a, b = a[1:], b[1:]
		case len(a) > 0 && moreExact(a[0]) && !(len(b) > 0 && moreExact(b[0])):
			a = a[1:]
		case len(b) > 0 && moreExact(b[0]) && !(len(a) > 0 && moreExact(a[0])):
			b = b[1:]
		default:
			return false
		}
	}
	return true
}

// moreExact reports a token that only makes the value beside it more exact.
func moreExact(t token) bool {
	return t.kind == number && (t.text == beforeNoon || t.text == afterNoon || strings.HasSuffix(t.text, yearMark) && digits(t.text[:len(t.text)-1]))
}

// partOfTime reports a token of a date or clock in the one form.
func partOfTime(t token) bool {
	return t.kind == number && (moreExact(t) || isClock(t.text) || isDay(t.text) || strings.HasSuffix(t.text, weekdayMark))
}

func isClock(s string) bool {
	hour, minute, found := strings.Cut(s, ":")
	return found && digits(hour) && digits(minute) && len(hour) <= 2 && len(minute) == 2
}

func isDay(s string) bool { return len(s) == 5 && s[2] == '-' && digits(s[:2]) && digits(s[3:]) }

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// shareAt: 百分之五十, 50%, fifty percent.
func shareAt(run []token) ([]string, int) {
	if textAt(run, 0) == "百" && textAt(run, 1) == "分" && textAt(run, 2) == "之" {
		whole, n := numberAt(run[3:])
		if n == 0 {
			return nil, 0
		}
		if tenths, m := numberAt(run[min(len(run), 4+n):]); textAt(run, 3+n) == "点" && m > 0 && len(tenths) == 1 {
			return []string{whole + "." + tenths + "%"}, 4 + n + m
		}
		return []string{strings.TrimSuffix(whole, "%") + "%"}, 3 + n
	}
	whole, n := numberAt(run)
	switch {
	case n > 0 && textAt(run, n) == "percent":
		return []string{whole + "%"}, n + 1
	case n > 0 && textAt(run, n) == "per" && textAt(run, n+1) == "cent":
		return []string{whole + "%"}, n + 2
	}
	return nil, 0
}

const weekdayMark = "wd" // 5wd

// dayOfWeekAt: 周五, 星期五, 礼拜五, Friday, Fri.
func dayOfWeekAt(run []token) ([]string, int) {
	if day := weekdayNamed(textAt(run, 0)); day > 0 && run[0].kind != character {
		return []string{strconv.Itoa(day) + weekdayMark}, 1
	}
	i := 1
	switch textAt(run, 0) {
	case "周":
	case "星", "礼":
		if next := textAt(run, 1); next != "期" && next != "拜" {
			return nil, 0
		}
		i = 2
	default:
		return nil, 0
	}
	day := slices.Index([]string{"一", "二", "三", "四", "五", "六", "日"}, textAt(run, i))
	if textAt(run, i) == "天" {
		day = 6
	}
	if day < 0 {
		return nil, 0
	}
	return []string{strconv.Itoa(day+1) + weekdayMark}, i + 1
}

func weekdayNamed(w string) int {
	if len(w) != 3 && !strings.HasSuffix(w, "day") && !strings.HasSuffix(w, "days") { // most words
		return 0
	}
	for i, name := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if w == name || w == name+"s" || len(w) == 3 && strings.HasPrefix(name, w) && w != "sun" && w != "sat" {
			return i + 1
		}
	}
	return 0
}

// amountAt: 1,000 and 1000; 十 and 10; twenty-five and 25; 3.5万 and 35000; 10 GB and 10GB.
func amountAt(run []token) ([]string, int) {
	amount, n := numberAt(run)
	if n == 0 {
		return nil, 0
	}
	if unit := textAt(run, n); unit != "" && latinUnit(strings.ToLower(unit)) {
		return []string{amount + strings.ToLower(unit)}, n + 1
	}
	return []string{amount}, n
}

func latinUnit(w string) bool {
	switch w {
	case "gb", "mb", "kb", "tb", "gib", "mib", "kib", "ms", "kg", "km", "cm", "mm", "px", "hz", "khz", "mhz", "ghz", "kw", "kwh":
		return true
	}
	return false
}

// countsSomething reports whether a measure follows, without which 一 is rather
// part of a word.
func countsSomething(rest []token) bool {
	if len(rest) == 0 {
		return false
	}
	_, n := unitAt(rest)
	return rest[0].kind == character && (n > 0 || strings.Contains("点月日号时刻", rest[0].text))
}
