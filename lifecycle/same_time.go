package lifecycle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// dayAt: 2026-03-05, 2026/3/5, 2026年3月5日; March 5, 5th of March, March 5, 2026;
// 3月5日, 三月五号. The year, where it is told, comes first.
func dayAt(run []token) ([]string, int) {
	if parts := writtenDate(textAt(run, 0)); parts != nil && run[0].kind == number {
		return parts, 1
	}
	if parts, n := chineseDay(run); n > 0 {
		return parts, n
	}
	month, day, n := monthOf(textAt(run, 0)), ordinal(textAt(run, 1)), 2
	if month == 0 {
		day, n = ordinal(textAt(run, 0)), 1
	}
	if month == 0 && day > 0 {
		if textAt(run, 1) == "of" {
			n = 2
		}
		month = monthOf(textAt(run, n))
		n++
	}
	if month == 0 || day == 0 {
		return nil, 0
	}
	next := n
	if next < len(run) && run[next].kind == breaks {
		next++
	}
	if year := yearOf(textAt(run, next)); year != "" {
		return []string{year + yearMark, monthDay(month, day)}, next + 1
	}
	return []string{monthDay(month, day)}, n
}

func writtenDate(s string) []string {
	if !strings.HasPrefix(s, "19") && !strings.HasPrefix(s, "20") { // as most words
		return nil
	}
	for _, mark := range []string{"-", "/", "."} {
		if strings.Count(s, mark) != 2 {
			continue
		}
		p := strings.Split(s, mark)
		if len(p) != 3 || yearOf(p[0]) == "" || !digits(p[1]) || !digits(p[2]) || len(p[1]) > 2 || len(p[2]) > 2 {
			continue
		}
		month, _ := strconv.Atoi(p[1])
		day, _ := strconv.Atoi(p[2])
		if month >= 1 && month <= 12 && day >= 1 && day <= 31 {
			return []string{p[0] + yearMark, monthDay(month, day)}
		}
	}
	return nil
}

// chineseDay: 2026年3月5日, 三月五号, 3月5日.
func chineseDay(run []token) ([]string, int) {
	year, at := "", 0
	if y, n := numberAt(run); n == 1 && textAt(run, 1) == "年" && yearOf(y) != "" {
		year, at = y, 2
	}
	month, n := numberAt(run[min(len(run), at):])
	if n != 1 || textAt(run, at+1) != "月" {
		return nil, 0
	}
	day, n := numberAt(run[min(len(run), at+2):])
	if n != 1 || !slices.Contains([]string{"日", "号", "號"}, textAt(run, at+3)) {
		return nil, 0
	}
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return nil, 0
	}
	if year != "" {
		return []string{year + yearMark, monthDay(m, d)}, at + 4
	}
	return []string{monthDay(m, d)}, at + 4
}

func monthDay(month, day int) string { return fmt.Sprintf("%02d-%02d", month, day) }

func yearOf(s string) string {
	if len(s) == 4 && digits(s) && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) {
		return s
	}
	return ""
}

func monthOf(w string) int {
	switch w {
	case "january", "jan":
		return 1
	case "february", "feb":
		return 2
	case "march", "mar":
		return 3
	case "april", "apr":
		return 4
	case "may":
		return 5
	case "june", "jun":
		return 6
	case "july", "jul":
		return 7
	case "august", "aug":
		return 8
	case "september", "sep", "sept":
		return 9
	case "october", "oct":
		return 10
	case "november", "nov":
		return 11
	case "december", "dec":
		return 12
	}
	return 0
}

// ordinal reads the day of a month: 5, 5th, 1st.
func ordinal(w string) int {
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		w = strings.TrimSuffix(w, ending)
	}
	if !digits(w) { // as most words
		return 0
	}
	day, err := strconv.Atoi(w)
	if err != nil || day < 1 || day > 31 {
		return 0
	}
	return day
}

// timeAt: 15:00, 3 pm, 3:30pm, 三点半, 15点30分, 下午三点, 3 o'clock, noon.
func timeAt(run []token) ([]string, int) {
	switch textAt(run, 0) {
	case "noon":
		return []string{"12:00", afterNoon}, 1
	case "midnight":
		return []string{"12:00", beforeNoon}, 1
	}
	part, skip := "", daypartAt(run)
	if skip == 2 {
		part = run[0].text + run[1].text
	} else {
		skip = 0
	}
	hour, minute, open, n := clockFace(run[skip:])
	if n == 0 {
		return nil, 0
	}
	face := func(half string) []string {
		h := hour % 12
		if h == 0 {
			h = 12
		}
		if half == "" {
			return []string{fmt.Sprintf("%d:%02d", h, minute)}
		}
		return []string{fmt.Sprintf("%d:%02d", h, minute), half}
	}
	after := skip + n
	switch half := halfOf(textAt(run, after)); {
	case hour > 12 || hour == 0 || hour == 12 && !open && part == "" && half == "":
		if half != "" && hour > 0 {
			after++ // 15:00 pm
		}
		return face(halfOfHour(hour)), after
	case half != "" && part == "":
		return face(half), after + 1
	case part != "":
		half, known := halfOfPart(part, hour)
		if !known {
			return nil, 0 // the part of the day stays beside the time
		}
		return face(half), after
	case open:
		return face(""), after
	}
	return face(halfOfHour(hour)), after
}

func halfOfHour(hour int) string {
	if hour >= 12 && hour < 24 {
		return afterNoon
	}
	return beforeNoon
}

func halfOf(w string) string {
	switch strings.ToLower(w) {
	case "am", "a.m":
		return beforeNoon
	case "pm", "p.m":
		return afterNoon
	}
	return ""
}

// halfOfPart says into which half of the day an hour from 1 to 12 falls in a
// part of the day; not known for 晚上两点, 上午十二点.
func halfOfPart(part string, hour int) (half string, known bool) {
	switch part {
	case "上午", "早上", "早晨":
		return beforeNoon, hour != 12
	case "凌晨":
		return beforeNoon, true
	case "下午", "傍晚":
		return afterNoon, true
	case "中午":
		if hour == 11 {
			return beforeNoon, true
		}
		return afterNoon, hour == 12 || hour <= 2
	case "晚上", "夜里":
		if hour == 12 {
			return beforeNoon, true
		}
		return afterNoon, hour >= 5
	}
	return "", false
}

// clockFace reads the hour and minute that a run begins with. open tells that
// nothing says which half of the day it is.
func clockFace(run []token) (hour, minute int, open bool, n int) {
	if len(run) == 0 || run[0].kind != number {
		return 0, 0, false, 0
	}
	s := strings.TrimSuffix(strings.TrimSuffix(run[0].text, "am"), "pm")
	joined := s != run[0].text
	if h, m, colon := strings.Cut(s, ":"); colon && isClock(s) {
		hour, _ = strconv.Atoi(h)
		minute, _ = strconv.Atoi(m)
		return faceOf(hour, minute, false, 1, run)
	}
	amount, used := s, 1
	if !joined {
		amount, used = numberAt(run)
	}
	hour, err := strconv.Atoi(amount)
	if err != nil || used == 0 || !digits(amount) {
		return 0, 0, false, 0
	}
	switch next := textAt(run, used); {
	case joined, halfOf(next) != "":
		return faceOf(hour, 0, true, used, run)
	case next == "o'clock":
		return faceOf(hour, 0, true, used+1, run)
	case next == "点" || next == "點" || next == "时" && !slices.Contains([]string{"候", "间", "区"}, textAt(run, used+1)):
		minute, more := minuteAt(run[used+1:])
		if more < 0 {
			return 0, 0, false, 0
		}
		return faceOf(hour, minute, true, used+1+more, run)
	}
	return 0, 0, false, 0
}

// faceOf checks a time; the am or pm of a single token counts as if it followed.
func faceOf(hour, minute int, open bool, n int, run []token) (int, int, bool, int) {
	if hour > 24 || minute > 59 || hour == 24 && minute > 0 {
		return 0, 0, false, 0
	}
	switch {
	case n == 1 && strings.HasSuffix(run[0].text, "pm") && hour < 12:
		return hour + 12, minute, false, n
	case n == 1 && strings.HasSuffix(run[0].text, "am") && hour == 12, hour == 24:
		return 0, minute, false, n
	case n == 1 && (strings.HasSuffix(run[0].text, "am") || strings.HasSuffix(run[0].text, "pm")):
		open = false
	}
	return hour, minute, open, n
}

// minuteAt reads what follows 点: 半, 一刻, 三十分, 整. more is how many tokens it
// takes; -1 where it is no clock at all, as in 三点五.
func minuteAt(rest []token) (minute, more int) {
	switch textAt(rest, 0) {
	case "半":
		return 30, 1
	case "整", "钟", "鐘":
		return 0, 1
	}
	amount, n := textAt(rest, 0), 1
	if len(rest) == 0 || rest[0].kind != number {
		return 0, 0
	}
	if textAt(rest, 1) == "刻" && (amount == "一" || amount == "三") {
		quarters, _ := chineseNumber(amount)
		minute, _ = strconv.Atoi(quarters)
		return 15 * minute, 2
	}
	if zero, isZero := strings.CutPrefix(amount, "零"); isZero && zero != "" {
		amount = zero
	}
	value, ok := plainNumber(amount)
	if !ok {
		value, ok = chineseNumber(amount)
	}
	minute, err := strconv.Atoi(value)
	if !ok || err != nil || minute > 59 {
		return 0, 0
	}
	if textAt(rest, n) == "分" {
		return minute, n + 1
	}
	if minute < 10 && amount == rest[0].text && len(rest[0].text) != 2 {
		return 0, -1
	}
	return minute, n
}
