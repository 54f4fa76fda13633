package rank

import (
	"slices"
	"testing"
)

func TestChineseInterrogativesAreNoTerms(t *testing.T) {
	tests := []struct{ question, same string }{
		{"什么时候换 PostgreSQL", "换 PostgreSQL"},
		{"為什麼不用舊磨豆機？", "不用旧磨豆机"},
		{"请问parseHTTPHeader在哪里", "parseHTTPHeader在"},
		{"谁送甜点呢", "送甜点"},
		{"When is it?", "When is it?"},
		{"什么时候", "什么时候"},
		{"京都の出張はいつ", "京都の出張はいつ"},
	}
	for _, tt := range tests {
		if got, want := Parse(tt.question, testNow()).Words(), Parse(tt.same, testNow()).Words(); !slices.Equal(got, want) {
			t.Errorf("%s: terms %q, those of %s are %q", tt.question, got, tt.same, want)
		}
	}
	if q := Parse("什么时候换 PostgreSQL", testNow()); !q.When {
		t.Error("它问的是时间: it asks for a time")
	}
}

// TestAnotherQuestionIsNoAnswer: that both ask when says nothing.
func TestAnotherQuestionIsNoAnswer(t *testing.T) {
	c := corpusOf(said{session: "s", text: "什么时候复查？"}, said{session: "s", text: "下个月五号"}, said{session: "t", text: "超过五万会员再换数据库，之前都用一个文件，备份起来方便"})
	if got := first(t, c.rank("什么时候换数据库", nil)); got != "c" {
		t.Errorf("%s comes first", got)
	}
}
