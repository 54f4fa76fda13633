package rank

import (
	"testing"
	"time"
)

// Wednesday.
func testNow() time.Time { return time.Date(2026, 2, 18, 15, 0, 0, 0, time.UTC) }

func TestFindPeriod(t *testing.T) {
	tests := []struct{ question, from, to string }{
		{"what did we decide yesterday", "2026-02-17", "2026-02-18"},
		{"last Tuesday", "2026-02-17", "2026-02-18"},
		{"last Wednesday", "2026-02-11", "2026-02-12"},
		{"last week", "2026-02-09", "2026-02-16"},
		{"three days ago", "2026-02-15", "2026-02-16"},
		{"a week ago", "2026-02-09", "2026-02-16"},
		{"two months ago", "2025-12-01", "2026-01-01"},
		{"in March 2023", "2023-03-01", "2023-04-01"},
		{"on 5 March 2023", "2023-03-05", "2023-03-06"},
		{"March 5th, 2023", "2023-03-05", "2023-03-06"},
		{"in 2022", "2022-01-01", "2023-01-01"},
		{"2023-05-08 notes", "2023-05-08", "2023-05-09"},
		{"2023/5/8", "2023-05-08", "2023-05-09"},
		{"2023-05", "2023-05-01", "2023-06-01"},
		{"昨天决定了什么", "2026-02-17", "2026-02-18"},
		{"上周二的会议", "2026-02-10", "2026-02-11"},
		{"上週二的會議", "2026-02-10", "2026-02-11"},
		{"上上个星期三", "2026-02-04", "2026-02-05"},
		{"这周五", "2026-02-20", "2026-02-21"},
		{"上个月", "2026-01-01", "2026-02-01"},
		{"去年三月", "2025-03-01", "2025-04-01"},
		{"三天前", "2026-02-15", "2026-02-16"},
		{"两个月前", "2025-12-01", "2026-01-01"},
		{"2023年3月5日", "2023-03-05", "2023-03-06"},
		{"二〇二三年三月", "2023-03-01", "2023-04-01"},
		{"十天之前", "2026-02-08", "2026-02-09"},
	}
	for _, tt := range tests {
		p := FindPeriod(tt.question, testNow())
		if got := p.From.Format(time.DateOnly); got != tt.from {
			t.Errorf("%q begins %s, want %s", tt.question, got, tt.from)
		}
		if got := p.To.Format(time.DateOnly); got != tt.to {
			t.Errorf("%q ends %s, want %s", tt.question, got, tt.to)
		}
	}
}

func TestFindPeriodOfAnyYear(t *testing.T) {
	tests := []struct {
		question string
		month    time.Month
		day      int
	}{{"in March", time.March, 0}, {"on May 7", time.May, 7}, {"三月的旅行", time.March, 0}, {"3月5号", time.March, 5}, {"十二月二十五日", time.December, 25}}
	for _, tt := range tests {
		if p := FindPeriod(tt.question, testNow()); p.Month != tt.month || p.Day != tt.day {
			t.Errorf("%q is %v %d", tt.question, p.Month, p.Day)
		}
	}
}

func TestFindPeriodFindsNone(t *testing.T) {
	for _, question := range []string{"", "we may march on", "the last straw", "port 8080", "version 1.2.3", "第三个月饼", "周末计划", "我的周边", "mark and marching"} {
		if p := FindPeriod(question, testNow()); !p.Zero() {
			t.Errorf("%q names %+v", question, p)
		}
	}
}

func TestPeriodDistanceOfAnyYear(t *testing.T) {
	p := Period{Month: time.December, Day: 31}
	if d := p.Distance(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)); d != 24*time.Hour {
		t.Errorf("2 January lies %s after 31 December", d)
	}
}

func TestLatest(t *testing.T) {
	tests := []struct {
		month time.Month
		want  string
	}{{time.January, "2026-01-01"}, {time.February, "2026-02-01"}, {time.March, "2025-03-01"}}
	for _, tt := range tests {
		if got := (Period{Month: tt.month}).Latest(testNow()).From.Format(time.DateOnly); got != tt.want {
			t.Errorf("the latest %s began %s, want %s", tt.month, got, tt.want)
		}
	}
}

func FuzzFindPeriod(f *testing.F) {
	for _, s := range []string{"last Tuesday", "上周二", "5 March", "2023-13-45", "三百天前", "a few years ago", "十十月", "\xff年"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := FindPeriod(s, testNow())
		if !p.From.IsZero() && !p.To.After(p.From) {
			t.Fatalf("%q: %v to %v", s, p.From, p.To)
		}
	})
}

// Where clocks are set forward at midnight, a named day is that day all the same.
func TestFindPeriodWhereADayHasNoMidnight(t *testing.T) {
	for _, c := range []struct{ zone, said, from string }{
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T01:00:00-02:00"},
		{"America/Santiago", "2024/9/8", "2024-09-08T01:00:00-03:00"},
		{"America/Asuncion", "2017-10", "2017-10-01T01:00:00-03:00"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Skip(err)
		}
		if p := FindPeriod("what happened in "+c.said, testNow().In(zone)); p.From.Format(time.RFC3339) != c.from {
			t.Errorf("%s in %s begins at %s, want %s", c.said, c.zone, p.From.Format(time.RFC3339), c.from)
		}
	}
}
