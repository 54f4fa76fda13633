package lifecycle

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// alone is what the guard makes of the second sentence of an exchange, minutes
// after the first, when nobody tells of a conversation.
func alone(e exchange, types [2]memory.Type) Verdict {
	have := []Similar{{Memory: stored("b", "The office closes at six", learned(1.0/48))}, {Memory: stored("a", e.before, learned(1.0/48), kind(types[0]))}}
	return Guard(Arrival{Memory: incoming(e.after, kind(types[1])), Now: today()}, have, careful())
}

// What calls itself a correction and says what it is about needs no conversation.
func TestADeclaredCorrectionWithItsSubjectSupersedes(t *testing.T) {
	for _, e := range []exchange{
		{"周报每周五下午四点发给王敏", "更正：周报改成每周四下午三点发"},
		{"周报每周五下午四点发给王敏", "更正：周报改为每周四下午三点"},
		{"评审会定在3月5日下午两点", "更正：评审会是3月6日下午两点"},
		{"小王的工位在二楼", "说错了，小王的工位在三楼"},
		{"The weekly report goes to Wang Min every Friday at 4 pm", "Correction: the weekly report now goes out every Thursday at 3 pm"},
		{"The review is on March 5 at 2 pm", "Correction: the review is on March 6 at 2 pm"},
		{"Rent is 1,200 dollars a month", "Correction: rent is 1,350 dollars a month"},
	} {
		for _, types := range typesOfExchanges() {
			if v := alone(e, types); v.Action != Superseded || len(v.Changes) != 2 || v.Changes[1].Memory.ID != "a" {
				t.Errorf("%v: %q after %q: %s because %q", types, e.after, e.before, v.Action, v.Reason)
			}
		}
	}
}

func TestADeclaredCorrectionOfSomethingElseSupersedesNothing(t *testing.T) {
	cases := []exchange{
		{"周报每周五下午四点发给王敏", "更正：月报改成每周四发"},
		{"周报每周五下午四点发给王敏", "更正：测试周报改成每周四下午三点发"},
		{"周报每周五下午四点发给王敏", "更正：每周四下午三点"},
		{"周报每周五下午四点发给王敏", "更正：周报有 12 页"},
		{"周报每周五下午四点发给王敏", "周报每周四整理一次"},
		{"The weekly report goes to Wang Min every Friday at 4 pm", "Correction: the monthly report now goes out every Thursday at 3 pm"},
		{"The weekly report goes to Wang Min every Friday at 4 pm", "Correction: every Thursday at 3 pm"},
		{"The weekly report goes to Wang Min every Friday at 4 pm", "Correction: it goes out every Thursday at 3 pm"},
		{"The weekly report goes to Wang Min every Friday at 4 pm", "Correction: the weekly report has 12 pages"},
		{"The weekly report goes to Wang Min every Friday at 4 pm", "Actually the report is late every Thursday"},
	}
	for _, table := range lookAlikesOfCorrections() {
		cases = append(cases, table...)
	}
	for _, e := range cases {
		for _, types := range typesOfExchanges() {
			if v := alone(e, types); v.Action != Added {
				t.Errorf("%v: %q after %q: %s because %q", types, e.after, e.before, v.Action, v.Reason)
			}
		}
	}
}

// Two statements that it may mean, or one of long ago, stay.
func TestADeclaredCorrectionDoesNotGuess(t *testing.T) {
	after := incoming("更正：周报改成每周四下午三点发")
	for _, have := range [][]Similar{
		{{Memory: stored("a", "周报每周五下午四点发给王敏", learned(1.0/48))}, {Memory: stored("b", "销售部的周报每周二发给李雷，抄送财务", learned(1.0/48))}},
		{{Memory: stored("a", "周报每周五下午四点发给王敏", learned(1))}},
		{{Memory: stored("a", "周报每周五下午四点发给王敏", learned(1.0/48), session("other"))}},
	} {
		if v := Guard(Arrival{Memory: after, Now: today().Add(time.Minute)}, have, careful()); v.Action != Added {
			t.Errorf("%d stored: %s because %q", len(have), v.Action, v.Reason)
		}
	}
}
