package rank

import (
	"strings"
	"time"
	"unicode"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Period is the time that a question names: a range, or, when the year is left
// open ("in March", "三月五日"), a month or day of any year. The zero Period
// means that it names none.
type Period struct {
	From, To time.Time // From inclusive, To exclusive
	Month    time.Month
	Day      int // of Month; 0 for the whole month
}

// Zero reports whether no time is named.
func (p Period) Zero() bool { return p.From.IsZero() && p.Month == 0 }

// Contains reports whether t lies in the period.
func (p Period) Contains(t time.Time) bool {
	if t.IsZero() || p.Zero() {
		return false
	}
	if p.Month != 0 {
		return t.Month() == p.Month && (p.Day == 0 || t.Day() == p.Day)
	}
	return !t.Before(p.From) && t.Before(p.To)
}

// Distance returns how far t lies outside the period; 0 inside. For periods of
// any year it is measured to the nearest one.
func (p Period) Distance(t time.Time) time.Duration {
	if p.Contains(t) {
		return 0
	}
	if p.Month == 0 {
		if t.Before(p.From) {
			return p.From.Sub(t)
		}
		return t.Sub(p.To)
	}
	nearest := time.Duration(1<<63 - 1)
	for year := t.Year() - 1; year <= t.Year()+1; year++ {
		nearest = min(nearest, monthOf(year, p.Month, p.Day, t.Location()).Distance(t))
	}
	return nearest
}

// Latest resolves a period of any year to the last one that has begun.
func (p Period) Latest(now time.Time) Period {
	if p.Month == 0 {
		return p
	}
	latest := monthOf(now.Year(), p.Month, p.Day, now.Location())
	if latest.From.After(now) {
		return monthOf(now.Year()-1, p.Month, p.Day, now.Location())
	}
	return latest
}

// Past reports whether the whole period ended more than age ago.
func (p Period) Past(now time.Time, age time.Duration) bool {
	return !p.To.IsZero() && now.Sub(p.To) > age
}

// FindPeriod returns the first time that a question names, in English or
// Chinese, in now's time zone. Weeks begin on Monday.
func FindPeriod(question string, now time.Time) Period {
	s := text.Fold(question)
	if p := isoDate(s, now.Location()); !p.Zero() {
		return p
	}
	if strings.ContainsFunc(s, text.IsCJK) {
		if p := chinesePeriod([]rune(s), now); !p.Zero() {
			return p
		}
	}
	words := strings.FieldsFunc(s, func(r rune) bool {
		return text.IsCJK(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return englishPeriod(words, now)
}

// isoDate finds 2023-05-08, 2023/5/8 and 2023-05.
func isoDate(s string, zone *time.Location) Period {
	for i := 0; i+7 <= len(s); i++ {
		if i > 0 && isDigit(s[i-1]) || !isDigit(s[i]) {
			continue
		}
		end := i
		for end < len(s) && (isDigit(s[end]) || s[end] == '-' || s[end] == '/') {
			end++
		}
		for _, layout := range []string{"2006-1-2", "2006/1/2"} {
			if t, err := time.Parse(layout, s[i:end]); err == nil {
				return day(time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, zone)) // not every day has a midnight
			}
		}
		for _, layout := range []string{"2006-01", "2006/01"} {
			if t, err := time.Parse(layout, s[i:end]); err == nil {
				return monthOf(t.Year(), t.Month(), 0, zone)
			}
		}
		i = end
	}
	return Period{}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func day(t time.Time) Period {
	y, m, d := t.Date()
	return Period{From: memory.StartOfDay(y, m, d, t.Location()), To: memory.StartOfDay(y, m, d+1, t.Location())}
}

// weekOf returns the week that holds t, Monday to Sunday.
func weekOf(t time.Time) Period {
	back := (int(t.Weekday()) + 6) % 7
	y, m, d := t.Date()
	return Period{From: memory.StartOfDay(y, m, d-back, t.Location()), To: memory.StartOfDay(y, m, d-back+7, t.Location())}
}

// monthOf returns a month of a year, or a day of it.
func monthOf(year int, month time.Month, dayOfMonth int, zone *time.Location) Period {
	if dayOfMonth > 0 {
		return day(memory.StartOfDay(year, month, dayOfMonth, zone))
	}
	return Period{From: memory.StartOfDay(year, month, 1, zone), To: memory.StartOfDay(year, month+1, 1, zone)}
}

func yearOf(year int, zone *time.Location) Period {
	return Period{From: memory.StartOfDay(year, 1, 1, zone), To: memory.StartOfDay(year+1, 1, 1, zone)}
}

// unit is a calendar unit by which relative dates count.
type unit int

const (
	noUnit unit = iota
	days
	weeks
	months
	years
)

// shifted returns the unit that lies n units from now: −1 week is last week.
func shifted(u unit, n int, now time.Time) Period {
	first := time.Date(now.Year(), now.Month(), 1, 12, 0, 0, 0, now.Location())
	switch u {
	case days:
		return day(now.AddDate(0, 0, n))
	case weeks:
		return weekOf(now.AddDate(0, 0, 7*n))
	case months:
		t := first.AddDate(0, n, 0)
		return monthOf(t.Year(), t.Month(), 0, now.Location())
	case years:
		return yearOf(now.Year()+n, now.Location())
	}
	return Period{}
}

// ago returns the time n units before now: a day, or for longer units the unit
// around that day.
func ago(u unit, n int, now time.Time) Period {
	if u == weeks {
		return weekOf(now.AddDate(0, 0, -7*n))
	}
	return shifted(u, -n, now)
}

// weekdayOf returns the given weekday in the week that lies n weeks from now.
func weekdayOf(d time.Weekday, n int, now time.Time) Period {
	monday := weekOf(now.AddDate(0, 0, 7*n)).From
	return day(monday.AddDate(0, 0, (int(d)+6)%7))
}

// lastWeekday returns the most recent given weekday before today.
func lastWeekday(d time.Weekday, now time.Time) Period {
	back := (int(now.Weekday()) - int(d) + 7) % 7
	if back == 0 {
		back = 7
	}
	return day(now.AddDate(0, 0, -back))
}
