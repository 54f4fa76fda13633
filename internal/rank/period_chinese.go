package rank

import (
	"strings"
	"time"
)

// chinesePeriod reads a folded question from left to right and returns the
// first time that it names.
func chinesePeriod(s []rune, now time.Time) Period {
	for i := range s {
		if p := chineseAt(s[i:], now); !p.Zero() {
			return p
		}
	}
	return Period{}
}

// chineseAt reads the time that s begins with.
func chineseAt(s []rune, now time.Time) Period {
	head := string(s[:min(len(s), 4)])
	for _, w := range []struct {
		word string
		unit unit
		n    int
	}{
		{"大前天", days, -3}, {"前天", days, -2}, {"昨天", days, -1}, {"昨晚", days, -1}, {"昨日", days, -1},
		{"今天", days, 0}, {"今晚", days, 0}, {"今早", days, 0}, {"今日", days, 0}, {"明天", days, 1}, {"后天", days, 2},
		{"前年", years, -2}, {"去年", years, -1}, {"今年", years, 0}, {"明年", years, 1},
		{"上个月", months, -1}, {"上月", months, -1}, {"这个月", months, 0}, {"本月", months, 0}, {"下个月", months, 1},
	} {
		if strings.HasPrefix(head, w.word) {
			return withMonth(s[len([]rune(w.word)):], shifted(w.unit, w.n, now), w.unit)
		}
	}
	if p := chineseWeek(s, now); !p.Zero() {
		return p
	}
	return chineseNumbered(s, now)
}

// withMonth narrows a year down to the month that follows: 去年三月.
func withMonth(rest []rune, p Period, u unit) Period {
	if u != years {
		return p
	}
	n, used := chineseNumber(rest)
	if n < 1 || n > 12 || used >= len(rest) || rest[used] != '月' {
		return p
	}
	return monthOf(p.From.Year(), time.Month(n), chineseDay(rest[used+1:]), p.From.Location())
}

// chineseWeek reads 上周, 上周二, 上上个星期三, 这周五, 周一, 星期天.
func chineseWeek(s []rune, now time.Time) Period {
	n, i, relative := 0, 0, false
	for i < len(s) && strings.ContainsRune("上下这本", s[i]) {
		switch s[i] {
		case '上':
			n--
		case '下':
			n++
		}
		relative = true
		i++
	}
	if i < len(s) && relative && s[i] == '个' {
		i++
	}
	rest := string(s[i:min(len(s), i+2)])
	switch {
	case rest == "星期" || rest == "礼拜":
		i += 2
	case strings.HasPrefix(rest, "周"):
		i++
	default:
		return Period{}
	}
	d, named := chineseWeekday(s, i)
	switch {
	case named && relative:
		return weekdayOf(d, n, now)
	case named:
		return lastWeekday(d, now)
	case relative:
		return shifted(weeks, n, now)
	}
	return Period{}
}

func chineseWeekday(s []rune, i int) (time.Weekday, bool) {
	if i >= len(s) {
		return 0, false
	}
	at := strings.IndexRune("日一二三四五六", s[i])
	if s[i] == '天' {
		at = 0
	}
	if at < 0 {
		return 0, false
	}
	return time.Weekday(at / len("一")), true
}

// chineseNumbered reads 三天前, 两个月前, 2023年3月5日, 三月, 3月5号.
func chineseNumbered(s []rune, now time.Time) Period {
	n, used := chineseNumber(s)
	if used == 0 || used >= len(s) {
		return Period{}
	}
	rest := s[used:]
	if p := chineseAgo(n, rest, now); !p.Zero() {
		return p
	}
	switch {
	case rest[0] == '年' && n >= 1900 && n < 2200:
		return withMonth(rest[1:], yearOf(n, now.Location()), years)
	case rest[0] == '月' && n >= 1 && n <= 12 && !(len(rest) > 1 && rest[1] == '前'):
		return Period{Month: time.Month(n), Day: chineseDay(rest[1:])}
	}
	return Period{}
}

func chineseAgo(n int, rest []rune, now time.Time) Period {
	head := string(rest[:min(len(rest), 5)])
	for _, w := range []struct {
		word string
		unit unit
	}{{"天", days}, {"日", days}, {"周", weeks}, {"个星期", weeks}, {"星期", weeks}, {"个礼拜", weeks}, {"个月", months}, {"年", years}} {
		if after, found := strings.CutPrefix(head, w.word); found && n > 0 && n < 1000 &&
			(strings.HasPrefix(after, "前") || strings.HasPrefix(after, "之前") || strings.HasPrefix(after, "以前")) {
			return ago(w.unit, n, now)
		}
	}
	return Period{}
}

// chineseDay reads the day that follows a month, 0 if there is none.
func chineseDay(s []rune) int {
	n, used := chineseNumber(s)
	if used == 0 || used >= len(s) || n < 1 || n > 31 || s[used] != '日' && s[used] != '号' {
		return 0
	}
	return n
}

// chineseNumber reads the number that s begins with, in digits or in Chinese
// below one hundred, or digit by digit (二〇二三). It returns the characters used.
func chineseNumber(s []rune) (n, used int) {
	for used < len(s) && s[used] >= '0' && s[used] <= '9' && used < 4 {
		n = n*10 + int(s[used]-'0')
		used++
	}
	if used > 0 {
		return n, used
	}
	ten := false
	for used < len(s) && used < 4 {
		d, ok := chineseDigit(s[used])
		switch {
		case s[used] == '十':
			n, ten = max(n, 1)*10, true
		case !ok:
			return n, used
		case ten:
			n += d
		default:
			n = n*10 + d
		}
		used++
	}
	return n, used
}

func chineseDigit(r rune) (int, bool) {
	if r == '两' {
		return 2, true
	}
	if r == '零' {
		return 0, true
	}
	at := strings.IndexRune("〇一二三四五六七八九", r)
	return at / len("一"), at >= 0
}
