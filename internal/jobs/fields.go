package jobs

import (
	"fmt"
	"strings"
)

// field is what one field of an expression allows.
type field struct {
	name   string // as launchd calls it
	values []int
	all    bool // every value there is
}

func newField(name string, bits uint64, low, high int) field {
	f := field{name: name}
	for v := low; v <= high; v++ {
		if bits&(1<<uint(v)) != 0 { //nolint:gosec // v is small and not negative
			f.values = append(f.values, v)
		}
	}
	f.all = len(f.values) == high-low+1
	return f
}

// list writes the values with commas, "*" for all.
func (f field) list() string {
	if f.all {
		return "*"
	}
	parts := make([]string, len(f.values))
	for i, v := range f.values {
		parts[i] = fmt.Sprintf("%02d", v)
	}
	return strings.Join(parts, ",")
}

// fields are minute, hour, day, month and weekday.
func (x Expression) fields() (minute, hour, day, month, weekday field) {
	s := x.spec
	return newField("Minute", s.Minute, 0, 59), newField("Hour", s.Hour, 0, 23), newField("Day", s.Dom, 1, 31),
		newField("Month", s.Month, 1, 12), newField("Weekday", s.Dow, 0, 6)
}

// calendar writes the expression as calendar events of systemd: two, where
// either of the two day fields may match.
func (x Expression) calendar() []string {
	minute, hour, day, month, weekday := x.fields()
	event := func(weekdays, days string) string {
		return strings.TrimSpace(fmt.Sprintf("%s *-%s-%s %s:%s:00", weekdays, month.list(), days, hour.list(), minute.list()))
	}
	var names []string
	for _, v := range weekday.values {
		names = append(names, [...]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"}[v])
	}
	switch {
	case weekday.all:
		return []string{event("", day.list())}
	case day.all:
		return []string{event(strings.Join(names, ","), "*")}
	}
	return []string{event("", day.list()), event(strings.Join(names, ","), "*")}
}

// intervals writes the expression as the dictionaries of launchd, which knows no
// lists: one for each combination of values.
func (x Expression) intervals() string {
	minute, hour, day, month, weekday := x.fields()
	if weekday.all || day.all {
		return combinations([]field{month, day, weekday, hour, minute})
	}
	return combinations([]field{month, day, hour, minute}) + combinations([]field{month, weekday, hour, minute})
}

func combinations(fields []field) string {
	rows := []string{""}
	for _, f := range fields {
		if f.all {
			continue
		}
		var longer []string
		for _, row := range rows {
			for _, v := range f.values {
				longer = append(longer, fmt.Sprintf("%s\t\t\t<key>%s</key>\n\t\t\t<integer>%d</integer>\n", row, f.name, v))
			}
		}
		rows = longer
	}
	return "\t\t<dict>\n" + strings.Join(rows, "\t\t</dict>\n\t\t<dict>\n") + "\t\t</dict>\n"
}
