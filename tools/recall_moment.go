package tools

import (
	"regexp"
	"strconv"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/internal/text"
)

// between reads the two times between which memories are to lie.
func (r *Recall) between(f *memory.Filter, after, before string) (err error) {
	if f.After, err = r.moment("after", after); err != nil {
		return err
	}
	if f.Before, err = r.moment("before", before); err != nil {
		return err
	}
	if !f.After.IsZero() && !f.Before.IsZero() && !f.After.Before(f.Before) {
		return memory.Errorf(memory.InvalidArgument, "nothing lies after %s and before %s", quoteShort(after), quoteShort(before)).
			WithHint("before is the first moment that is not meant: one day is after 2026-02-21 and before 2026-02-22")
	}
	return nil
}

// moment reads a time as RFC 3339, as a date with or without a time, or in
// words. What looks like a date or time but is none is refused: a question about
// another time would be answered as if it were the one asked.
func (r *Recall) moment(name, s string) (time.Time, error) {
	now := r.Now()
	t, err := parseTime(name, s, now.Location())
	if err == nil {
		return t, nil
	}
	if folded := text.Fold(s); possible(folded) {
		p := rank.FindPeriod(folded, now)
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
// with a time that parseTime could not read does not; weeks and quarters by their
// number are not understood.
func possible(s string) bool {
	if regexp.MustCompile(`\d{4}\s*-?\s*[wq]\d|\b(?:week|quarter) \d|\bq[1-4]\b|第\s*[0-9一二三四五六七八九十]+\s*个?\s*(?:周|星期|季)`).MatchString(s) {
		return false
	}
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
