package rank

import "testing"

// received returns what an entry got from its session.
func received(t *testing.T, r Result, id string) float64 {
	t.Helper()
	for _, h := range r.Hits {
		if h.ID == id {
			return h.Explanation.Session
		}
	}
	t.Fatalf("%s is no hit", id)
	return 0
}

// TestAShortRemarkGetsLess: what is short for its conversation tells little
// wherever it stands, unless it answers a question; lines of a file are no conversation.
func TestAShortRemarkGetsLess(t *testing.T) {
	for _, tt := range []struct {
		name, opening, remark, more, question string
	}{
		{"English", "The canal tour goes on from Monday", "Oh", "From the mill it takes the lower lock, then the harbour", "canal tour"},
		{"Chinese", "运河游览从星期一又开始了", "哦", "从磨坊出发先过下面的船闸再去港口", "运河游览"},
	} {
		statement := corpusOf(said{session: "s", text: tt.opening}, said{session: "s", text: tt.remark}, said{session: "s", text: tt.more})
		question := corpusOf(said{session: "s", text: tt.opening + "?"}, said{session: "s", text: tt.remark}, said{session: "s", text: tt.more})
		file := corpusOf(said{text: tt.opening}, said{text: tt.remark}, said{text: tt.more})
		for i := range file.candidates {
			file.candidates[i].Group = "memory/2026-02-18.md"
		}
		r := statement.rank(tt.question, nil)
		if short, long := received(t, r, "b"), received(t, r, "c"); short > 0.7*long {
			t.Errorf("%s: a short remark gets %.2f of the session, a long one %.2f", tt.name, short, long)
		}
		r = question.rank(tt.question, nil)
		if answer, opening := received(t, r, "b"), received(t, r, "a"); answer < 0.8*opening {
			t.Errorf("%s: a short answer gets %.2f of the session, its question %.2f", tt.name, answer, opening)
		}
		for _, e := range spreadOver(file, tt.question) {
			if e.receives != 1 {
				t.Errorf("%s: a line of a file gets %.2f of what others do", tt.name, e.receives)
			}
		}
	}
}

// spreadOver ranks and returns the pool.
func spreadOver(c *corpus, question string) []*entry {
	r := New(Parse(question, testNow()), Options{Parameters: Defaults(), Now: testNow()})
	r.Statistics(c.statistics)
	r.Found(c.candidates)
	r.Finish(10)
	return r.pool
}

// TestWhomTheQuestionNamesGetsMore: of two who speak beside the words of the
// question, it asks about one. Whether the store holds the answer is judged as
// if both got alike.
func TestWhomTheQuestionNamesGetsMore(t *testing.T) {
	for _, tt := range []struct{ one, other, opening, more, question string }{
		{"Anna", "Bert", "The canal tour is over", "There were gulls and wind", "How did Anna find the canal tour?"},
		{"小红", "小明", "运河游览结束了", "到处都是海鸥", "小红觉得运河游览怎么样？"},
	} {
		c := corpusOf(said{session: "s", actor: tt.other, text: tt.more}, said{session: "s", actor: "Vera", text: tt.opening}, said{session: "s", actor: tt.one, text: tt.more})
		r := c.rank(tt.question, func(o *Options) { o.Parameters.Duplicate = 0 })
		if named, other := received(t, r, "c"), received(t, r, "a"); named < 1.1*other {
			t.Errorf("%s: whom it names gets %.2f of the session, somebody else %.2f", tt.question, named, other)
		}
		alike := c.rank(tt.question, func(o *Options) { o.Parameters.Duplicate, o.Parameters.Told = 0, 0 })
		if r.Confidence != alike.Confidence {
			t.Errorf("%s: confidence %.3f, %.3f if both get alike", tt.question, r.Confidence, alike.Confidence)
		}
	}
}
