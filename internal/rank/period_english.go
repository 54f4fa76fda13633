package rank

import (
	"strconv"
	"time"
)

// englishPeriod reads the words of a question from left to right and returns
// the first time that they name.
func englishPeriod(words []string, now time.Time) Period {
	for i := range words {
		if p := englishAt(words, i, now); !p.Zero() {
			return p
		}
	}
	return Period{}
}

func englishAt(words []string, i int, now time.Time) Period {
	switch words[i] {
	case "today", "tonight":
		return day(now)
	case "yesterday":
		return day(now.AddDate(0, 0, -1))
	case "tomorrow":
		return day(now.AddDate(0, 0, 1))
	case "last", "this", "next", "past", "previous":
		return relativeEnglish(words, i, now)
	}
	if p := agoEnglish(words, i, now); !p.Zero() {
		return p
	}
	if m := month(words[i]); m != 0 && certainMonth(words, i) {
		return namedMonth(words, i, m, now)
	}
	if y := year(words[i]); y != 0 {
		return yearOf(y, now.Location())
	}
	return Period{}
}

// relativeEnglish reads "last week", "last Tuesday", "this month".
func relativeEnglish(words []string, i int, now time.Time) Period {
	if i+1 >= len(words) {
		return Period{}
	}
	n := 0
	switch words[i] {
	case "last", "past", "previous":
		n = -1
	case "next":
		n = 1
	}
	if u := englishUnit(words[i+1]); u != noUnit {
		return shifted(u, n, now)
	}
	if d, ok := weekday(words[i+1]); ok {
		if n < 0 {
			return lastWeekday(d, now)
		}
		return weekdayOf(d, n, now)
	}
	switch words[i+1] {
	case "night":
		return day(now.AddDate(0, 0, n))
	case "morning", "afternoon", "evening":
		return day(now)
	}
	return Period{}
}

// agoEnglish reads "three days ago" and "a week ago", at the number.
func agoEnglish(words []string, i int, now time.Time) Period {
	if i+2 >= len(words) || words[i+2] != "ago" {
		return Period{}
	}
	n, u := englishNumber(words[i]), englishUnit(words[i+1])
	if n == 0 || u == noUnit {
		return Period{}
	}
	return ago(u, n, now)
}

// namedMonth reads "March", "March 2023", "March 5", "5 March 2023", "March 5th, 2023".
func namedMonth(words []string, i int, m time.Month, now time.Time) Period {
	dayOfMonth, y := 0, 0
	if i > 0 {
		dayOfMonth = ordinal(words[i-1])
	}
	if i > 1 && words[i-1] == "of" {
		dayOfMonth = ordinal(words[i-2])
	}
	for j := i + 1; j < len(words) && j <= i+2 && y == 0; j++ {
		if y = year(words[j]); y == 0 && dayOfMonth == 0 {
			dayOfMonth = ordinal(words[j])
		}
	}
	switch {
	case y != 0:
		return monthOf(y, m, dayOfMonth, now.Location())
	case i > 0 && words[i-1] == "last":
		return lastMonth(m, now)
	}
	return Period{Month: m, Day: dayOfMonth}
}

func lastMonth(m time.Month, now time.Time) Period {
	y := now.Year()
	if m >= now.Month() {
		y--
	}
	return monthOf(y, m, 0, now.Location())
}

// certainMonth tells the months March and May from the verbs: a preposition or
// a number must stand beside them.
func certainMonth(words []string, i int) bool {
	if words[i] != "march" && words[i] != "may" && words[i] != "mar" {
		return true
	}
	if i > 0 {
		switch words[i-1] {
		case "in", "of", "since", "until", "during", "last", "early", "late", "mid", "by", "before", "after", "on":
			return true
		}
		if ordinal(words[i-1]) != 0 {
			return true
		}
	}
	return i+1 < len(words) && (year(words[i+1]) != 0 || ordinal(words[i+1]) != 0)
}

func month(word string) time.Month {
	if len(word) < 3 {
		return 0
	}
	for m := time.January; m <= time.December; m++ {
		name := lower(m.String())
		if word == name || word == name[:3] || m == time.September && word == "sept" {
			return m
		}
	}
	return 0
}

func weekday(word string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if word == lower(d.String()) {
			return d, true
		}
	}
	return 0, false
}

// lower changes the initial of an English name.
func lower(name string) string { return string(name[0]+'a'-'A') + name[1:] }

func year(word string) int {
	if len(word) != 4 {
		return 0
	}
	y, err := strconv.Atoi(word)
	if err != nil || y < 1900 || y > 2199 {
		return 0
	}
	return y
}

// ordinal reads the day of a month: 5, 5th, 21st.
func ordinal(word string) int {
	digits := len(word)
	for digits > 0 && !isDigit(word[digits-1]) {
		digits--
	}
	switch word[digits:] {
	case "", "st", "nd", "rd", "th":
	default:
		return 0
	}
	n, err := strconv.Atoi(word[:digits])
	if err != nil || n < 1 || n > 31 {
		return 0
	}
	return n
}

func englishUnit(word string) unit {
	switch word {
	case "day", "days":
		return days
	case "week", "weeks", "weekend":
		return weeks
	case "month", "months":
		return months
	case "year", "years":
		return years
	}
	return noUnit
}

func englishNumber(word string) int {
	for n, names := range []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if word == names && n > 0 {
			return n
		}
	}
	switch word {
	case "a", "an":
		return 1
	case "couple":
		return 2
	case "few":
		return 3
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > 1000 {
		return 0
	}
	return n
}
