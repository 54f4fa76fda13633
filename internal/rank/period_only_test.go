package rank

import (
	"testing"
	"time"
)

func TestQuestionsForAllOfATime(t *testing.T) {
	now := time.Date(2026, 3, 11, 21, 30, 0, 0, time.UTC) // a Wednesday
	tests := []struct {
		question, from, to string // "" = it asks for something in particular
	}{
		{"what did we decide last week", "2026-03-02", "2026-03-09"},
		{"What happened yesterday?", "2026-03-10", "2026-03-11"},
		{"上周做了什么", "2026-03-02", "2026-03-09"},
		{"上週做了什麼", "2026-03-02", "2026-03-09"},
		{"我们上周做了哪些决定？", "2026-03-02", "2026-03-09"},
		{"昨天聊了什么", "2026-03-10", "2026-03-11"},
		{"decisions made in February", "2026-02-01", "2026-03-01"},
		{"what did Marta decide last week", "", ""},
		{"上周为什么放弃 MongoDB", "", ""},
		{"上周和韩梅聊了什么", "", ""},
		{"ledger last week", "", ""},
		{"what did we decide", "", ""},
	}
	for _, tt := range tests {
		p, only := OnlyPeriod(tt.question, now)
		from, to := "", ""
		if only {
			from, to = p.From.Format(time.DateOnly), p.To.Format(time.DateOnly)
		}
		if from != tt.from || to != tt.to {
			t.Errorf("%q: %s to %s, want %s to %s", tt.question, from, to, tt.from, tt.to)
		}
	}
}
