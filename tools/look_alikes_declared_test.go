package tools_test

import "testing"

// What a correction sets right is found by its subject, whatever type it has and
// whatever else is stored.
func TestACorrectionIsFoundItsStatementBySubject(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"周报每周五下午四点发给王敏", "更正：周报改成每周四下午三点发"},
		{"The weekly report goes to Wang Min every Friday at 4 pm", "Correction: the weekly report now goes out every Thursday at 3 pm"},
	} {
		for _, kind := range []string{"knowledge", "event"} {
			k := newKit(t)
			k.call("remember", `{"content":"`+c.before+`","type":"`+kind+`"}`)
			k.call("remember", `{"content":"今天下午三点的会议改成线上，每周四再说；out on Thursday now"}`)
			if got := k.call("remember", `{"content":"`+c.after+`"}`); got["action"] != "superseded" {
				t.Errorf("%q after the %s %q: %v", c.after, kind, c.before, got)
			}
		}
	}
}
