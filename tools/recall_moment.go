package tools

import (
	"regexp"
	"strconv"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
)

// moment reads a time as RFC 3339, as a date with or without a time, or in
// words. What looks like a date or time but is none is refused: a question about
// another time would be answered as if it were the one asked.
func (r *Recall) moment(name, s string) (time.Time, error) {
	now := r.Now()
	t, err := parseTime(name, s, now.Location())
	if err == nil {
		return t, nil
	}
	if possible(s) {
		p := rank.FindPeriod(s, now)
		if p.Month != 0 && exists(leapYear, int(p.Month), max(p.Day, 1)) {
			p = p.Latest(now)
		}
		if !p.From.IsZero() {
			return p.From, nil
		}
	}
	return time.Time{}, memory.Errorf(memory.InvalidArgument, "argument %q is not a time: %s", name, quoteShort(s)).
		WithHint("write 2026-02-21, 2026-02-21T22:00:00+08:00, or words such as yesterday")
}

// possible reports whether the date that a text gives in numbers exists. One
// with a time that parseTime could not read does not.
func possible(s string) bool {
	parts := regexp.MustCompile(`(\d{4,})\s*[-/年]\s*(\d{1,2})(?:\s*[-/月]\s*(\d{1,2})([Tt]\d)?)?`).FindStringSubmatch(s)
	if parts == nil {
		return true
	}
	if parts[3] == "" {
		parts[3] = "1"
	}
	return parts[4] == "" && exists(whole(parts[1]), whole(parts[2]), whole(parts[3]))
}

func whole(digits string) int {
	n, _ := strconv.Atoi(digits) // too many digits: a year that exists reports as none
	return n
}

// leapYear is a year that has every day.
const leapYear = 2024

func exists(year, month, day int) bool {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return year < 10000 && t.Year() == year && int(t.Month()) == month && t.Day() == day
}
